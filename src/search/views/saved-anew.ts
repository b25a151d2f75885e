import { unpackInks } from '../../descriptors/page-inks.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import type { Store } from '../../store/store.js';
import type { WordDoor } from '../../words/word-door.js';
import { storedDrawing, type WholeDrawing } from '../query/whole-drawing.js';
import { haveSameLines, isSameDrawing, ReadDrawing } from './same-drawing.js';
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

/** Hits that are asked for, whatever page of them is shown, so that every page knows which are the same drawing. */
export const LEAST_LOOKED_AT = 96;
/** The look ends behind so many hits, the nearest by their views, of which none is the same; and at last here. */
const MOST_OTHERS = 32;
const MOST_LOOKED_AT = 1_024;
/** Largest distance by views. */
const MOST_APART = 0.4;

/**
 * Those of the hits, nearest first, that are the same drawing as the input that they are nearest to: the same texts at
 * the same places and the same lines on each page, whatever program wrote the file, and wherever and in whatever size
 * the drawing stands on its paper. A picture or a scan of it is not: too little is seen of its words. Of drawings
 * without any text nothing is said either: what their sizes are is not known.
 */
export async function savedAnew(hits: readonly ViewHit[], parts: SavedAnew): Promise<ReadonlySet<number>> {
  const { store, texts, identical, turn } = parts;
  const found = new Set<number>();
  if (parts.inputs.every((input) => input === undefined)) return found;
  const inputs = parts.inputs.map((input) => input && new ReadDrawing(input));
  const drawings = parts.drawings();
  let others = 0;
  for (const { fileId, score, match } of hits.slice(0, MOST_LOOKED_AT)) {
    if (others === MOST_OTHERS) break;
    const input = inputs[match.input];
    if (identical.has(fileId)) continue;
    others++;
    const isDrawing = drawings[firstNotBelow(drawings, fileId, 0, drawings.length)] === fileId;
    if (input === undefined || score > MOST_APART || !isDrawing) continue;
    await turn();
    const inks = (await store.views.inks([fileId])).get(fileId);
    if (inks === undefined || !haveSameLines(input.inks, unpackInks(inks))) continue;
    const drawing = await storedDrawing(store, texts, fileId);
    if (drawing === undefined || !isSameDrawing(input, new ReadDrawing(drawing))) continue;
    found.add(fileId);
    others = 0;
  }
  return found;
}
