import { readDimension, type DimensionKind } from '../dimension-text.js';
import { partOf, typeOfReading } from '../finding.js';
import { PMI_TYPE, type PmiObject } from '../pmi.js';

/** What the head of a table of holes names, and how many of its first cells may be the head. */
const HOLES =
  /^(?:holes?(?:\s(?:no\.?|tag|id|size|description|table|chart))?|bohrung(?:en|s-?nr\.?)?|loch|trous?|for[oi]|agujeros?|otw[oó]r|穴)$/iu;
const MOST_HEADS = 12;
/** Kinds of sizes that only holes have in such a table; plain lengths are their places. */
const OF_HOLES: ReadonlySet<DimensionKind> = new Set(['diameter', 'thread', 'counterbore', 'countersink']);

/** The sizes in the cells of a table of holes, each as an object where the table lies; none of other tables. */
export function holesOfTable(object: PmiObject): PmiObject[] {
  if (object.typeId !== PMI_TYPE.table) return [];
  if (!object.parts.slice(0, MOST_HEADS).some(({ text }) => HOLES.test(text))) return [];
  return object.parts.flatMap(({ text }) => {
    const reading = readDimension(text);
    if (reading === undefined || !OF_HOLES.has(reading.kind)) return [];
    return [{ ...object, typeId: typeOfReading(reading), group: 'Measurement', parts: [partOf(reading)] }];
  });
}
