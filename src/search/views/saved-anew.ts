import { unpackPictures } from '../../descriptors/pack-pictures.js';
import { unpackInks } from '../../descriptors/page-inks.js';
import type { StoredPage } from '../../store/catalog/file-text.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import type { Store } from '../../store/store.js';
import type { WordDoor } from '../../words/word-door.js';
import { storedDrawing, type WholeDrawing } from '../query/whole-drawing.js';
import { isSameInk } from './inks/same-ink.js';
import type { ViewHit } from './view-hit.js';

/** Where drawings are looked for that are an input, saved anew. */
export interface SavedAnew {
  readonly store: Store;
  readonly texts: Pick<WordDoor, 'pages'>;
  /** Each input that is a whole drawing; the others are undefined. */
  readonly inputs: readonly (WholeDrawing | undefined)[];
  /** Ids of all drawings, rising. */
  readonly drawings: () => Uint32Array;
  readonly turn: () => Promise<void>;
}

/** Files that are looked at, the nearest by their views, and their largest distance. */
export const MOST_ANEW = 32;
const MOST_APART = 0.4;
/** Most views of a drawing that are compared. */
const MOST_VIEWS = 40;
/** Differences of the coverage of a pixel that count, of 255, and how many pixels of a view may have one. */
const SAME_COVERAGE = 64;
const MOST_PIXELS = 2;

/**
 * Those of the hits, nearest first, that are the same drawing as the input that they are nearest to: the same words and
 * numbers, the same lines in each view and on each page, whatever program wrote the file, and wherever and in whatever
 * size the drawing stands on its paper. A picture or a scan of it is not: too little is seen of its words.
 */
export async function savedAnew(hits: readonly ViewHit[], parts: SavedAnew): Promise<ReadonlySet<number>> {
  const { store, texts, inputs, turn } = parts;
  const found = new Set<number>();
  if (inputs.every((input) => input === undefined)) return found;
  const drawings = parts.drawings();
  for (const { fileId, score, match } of hits.slice(0, MOST_ANEW)) {
    const input = inputs[match.input];
    if (
      input === undefined ||
      score > MOST_APART ||
      drawings[firstNotBelow(drawings, fileId, 0, drawings.length)] !== fileId
    )
      continue;
    await turn();
    const drawing = await storedDrawing(store, texts, fileId);
    if (drawing !== undefined && isSameDrawing(input, drawing)) found.add(fileId);
  }
  return found;
}

/** Whether two drawings are the same; see {@link savedAnew}. */
export function isSameDrawing(a: WholeDrawing, b: WholeDrawing): boolean {
  if (writtenOn(a.pages) !== writtenOn(b.pages)) return false;
  if (!areSameViews(unpackPictures(a.pictures), unpackPictures(b.pictures))) return false;
  const [inks, others] = [a, b].map((drawing) => unpackInks(drawing.inks));
  if (inks.length === 0 || inks.length !== others.length) return false;
  return inks.every((ink, i) => {
    const other = others[i];
    if (ink === undefined || other === undefined) return ink === other;
    return isSameInk(
      { ink, texts: textsOn(a.pages, ink.number) },
      { ink: other, texts: textsOn(b.pages, other.number) },
    );
  });
}

function textsOn(pages: readonly StoredPage[], page: number): NonNullable<StoredPage['runs']>[number]['box'][] {
  return (pages.find(({ number }) => number === page)?.runs ?? []).map(({ box }) => box);
}

const NUMBER = /\d+(?:[.,]\d+)*/g;

/**
 * What is written, whatever the order and the pieces in which a program writes it: all numbers, then all other signs,
 * each sorted. The numbers are kept together, so that 12.5 is not 15.2.
 */
function writtenOn(pages: readonly StoredPage[]): string {
  const text = pages
    .map((page) => page.text)
    .join('\n')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[∅⌀⌽]/g, 'ø')
    .replace(/×/g, 'x')
    .replace(/[−–—‐]/g, '-');
  const numbers = (text.match(NUMBER) ?? []).sort().join(' ');
  return `${numbers}\n${[...text.replace(NUMBER, '').replace(/\s+/g, '')].sort().join('')}`;
}

/** Whether each view has a partner of the same lines, in any order. */
function areSameViews(views: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  if (views.length !== others.length || views.length > MOST_VIEWS) return false;
  const left = new Set(others);
  return views.every((view) => {
    for (const other of left) {
      if (!isSameView(view, other)) continue;
      left.delete(other);
      return true;
    }
    return false;
  });
}

function isSameView(a: Uint8Array, b: Uint8Array): boolean {
  let apart = 0;
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i] - b[i]) > SAME_COVERAGE && ++apart > MOST_PIXELS) return false;
  return true;
}
