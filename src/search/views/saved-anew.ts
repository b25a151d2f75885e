import { unpackPictures } from '../../descriptors/pack-pictures.js';
import { unpackInks } from '../../descriptors/page-inks.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import type { Store } from '../../store/store.js';
import type { WordDoor } from '../../words/word-door.js';
import { storedDrawing, type WholeDrawing } from '../query/whole-drawing.js';
import { isSameInk, linedPage, type LinedPage } from './inks/same-ink.js';
import { sameSigns } from './inks/text-lines.js';
import type { ViewHit } from './view-hit.js';

/** Where drawings are looked for that are an input, saved anew. */
export interface SavedAnew {
  readonly store: Store;
  readonly texts: Pick<WordDoor, 'pages'>;
  /** Each input that is a whole drawing; the others are undefined. */
  readonly inputs: readonly (WholeDrawing | undefined)[];
  /** Files with the bytes of an input: they need no look. */
  readonly identical: ReadonlySet<number>;
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
 * Those of the hits, nearest first, that are the same drawing as the input that they are nearest to: the same texts at
 * the same places, the same lines in each view and on each page, whatever program wrote the file, and wherever and in
 * whatever size the drawing stands on its paper. A picture or a scan of it is not: too little is seen of its words. Of
 * drawings without any text nothing is said either: what their sizes are is not known.
 */
export async function savedAnew(hits: readonly ViewHit[], parts: SavedAnew): Promise<ReadonlySet<number>> {
  const { store, texts, identical, turn } = parts;
  const found = new Set<number>();
  if (parts.inputs.every((input) => input === undefined)) return found;
  const inputs = parts.inputs.map((input) => input && new ReadDrawing(input));
  const drawings = parts.drawings();
  for (const { fileId, score, match } of hits.slice(0, MOST_ANEW)) {
    const input = inputs[match.input];
    if (
      input === undefined ||
      score > MOST_APART ||
      identical.has(fileId) ||
      drawings[firstNotBelow(drawings, fileId, 0, drawings.length)] !== fileId
    )
      continue;
    await turn();
    const drawing = await storedDrawing(store, texts, fileId);
    if (drawing !== undefined && (await isSameDrawing(input, new ReadDrawing(drawing), turn))) found.add(fileId);
  }
  return found;
}

/** A drawing whose parts are read once, when they are first compared. */
class ReadDrawing {
  readonly #drawing: WholeDrawing;
  #written: string | undefined;
  #views: readonly Uint8Array[] | undefined;
  #inks: ReturnType<typeof unpackInks> | undefined;
  readonly #pages = new Map<number, LinedPage | undefined>();

  constructor(drawing: WholeDrawing) {
    this.#drawing = drawing;
  }

  /** What is written, whatever the order and the pieces in which a program writes it: its signs, sorted. */
  get written(): string {
    this.#written ??= this.#drawing.pages
      .flatMap(({ text }) => [...sameSigns(text).replace(/\s+/g, '')])
      .sort()
      .join('');
    return this.#written;
  }

  get views(): readonly Uint8Array[] {
    this.#views ??= unpackPictures(this.#drawing.pictures);
    return this.#views;
  }

  get inks(): ReturnType<typeof unpackInks> {
    this.#inks ??= unpackInks(this.#drawing.inks);
    return this.#inks;
  }

  /** Whether every page with texts has an ink that the texts can be laid by. */
  get isWhole(): boolean {
    const seen = new Set(this.inks.map((ink) => ink?.number));
    return this.#drawing.pages.every(({ number, text }) => text.trim() === '' || seen.has(number));
  }

  /** A page by the place of its ink. */
  page(at: number): LinedPage | undefined {
    if (!this.#pages.has(at)) {
      const ink = this.inks[at];
      const stored = this.#drawing.pages.find(({ number }) => number === ink?.number);
      this.#pages.set(at, ink && linedPage(ink, stored));
    }
    return this.#pages.get(at);
  }
}

/** See {@link savedAnew}. */
async function isSameDrawing(a: ReadDrawing, b: ReadDrawing, turn: () => Promise<void>): Promise<boolean> {
  if (a.written === '' || a.written !== b.written || !areSameViews(a.views, b.views)) return false;
  if (a.inks.length === 0 || a.inks.length !== b.inks.length || !a.isWhole || !b.isWhole) return false;
  for (let at = 0; at < a.inks.length; at++) {
    if (a.inks[at] === undefined && b.inks[at] === undefined) continue;
    const page = a.page(at),
      other = b.page(at);
    if (page === undefined || other === undefined || !isSameInk(page, other)) return false;
    await turn();
  }
  return true;
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
