import { unpackInks } from '../../descriptors/page-inks.js';
import { keyNumbers, lineKeyOf } from '../../descriptors/line-key.js';
import { firstNotBelow } from '../../store/database/id-lists.js';
import type { Store } from '../../store/store.js';
import type { WordDoor } from '../../words/word-door.js';
import { storedDrawing, type WholeDrawing } from '../query/whole-drawing.js';
import { LENGTHS_APART } from './inks/same-ink.js';
import { haveSameLines, isSameDrawing, ReadDrawing } from './same-drawing.js';

/** Where drawings are looked for that are an input, saved anew. */
export interface SavedAnew {
  readonly store: Store;
  readonly texts: Pick<WordDoor, 'pages'>;
  /** Each input that is a whole drawing; the others are undefined. */
  readonly inputs: readonly (WholeDrawing | undefined)[];
  /** Files with the bytes of an input: they need no look. */
  readonly identical: ReadonlySet<number>;
  /** Ids of the drawings that may be found, rising. */
  readonly drawings: Uint32Array;
  /** Files that may have the lines of a key, see `LineKeys.like`. */
  readonly linesLike: (key: Float32Array, apart: number) => number[];
  readonly turn: () => Promise<void>;
}

/** Most files with like lines that are looked at for an input, in the order of their ids. */
const MOST_LOOKED_AT = 2_048;
/** The bound of lengths, and what rounding to f32 adds. */
const KEYS_APART = 1.01 * LENGTHS_APART;

/**
 * The stored drawings that are the same drawing as an input, and which input that is: the same texts at the same
 * places and the same lines on each page, whatever program wrote the file, and wherever and in whatever size the
 * drawing stands on its paper. They are found by the key of their lines, whatever else is like them. A picture or a
 * scan of it is not: too little is seen of its words. Of drawings without any text nothing is said either: what their
 * sizes are is not known.
 */
export async function savedAnew({ inputs, ...parts }: SavedAnew): Promise<ReadonlyMap<number, number>> {
  const { store, texts, identical, drawings, turn } = parts;
  const found = new Map<number, number>();
  for (const [number, drawing] of inputs.entries()) {
    const input = drawing && new ReadDrawing(drawing);
    const key = input && keyNumbers(lineKeyOf(input.inks));
    if (input === undefined || key === undefined || input.written === '') continue;
    const alike = parts
      .linesLike(key, KEYS_APART)
      .filter((fileId) => !identical.has(fileId) && !found.has(fileId) && isAmong(drawings, fileId));
    for (const fileId of alike.slice(0, MOST_LOOKED_AT)) {
      await turn();
      const inks = (await store.views.inks([fileId])).get(fileId);
      if (inks === undefined || !haveSameLines(input.inks, unpackInks(inks))) continue;
      const other = await storedDrawing(store, texts, fileId);
      if (other !== undefined && isSameDrawing(input, new ReadDrawing(other))) found.set(fileId, number);
    }
  }
  return found;
}

/** ids: rising. */
function isAmong(ids: Uint32Array, id: number): boolean {
  return ids[firstNotBelow(ids, id, 0, ids.length)] === id;
}
