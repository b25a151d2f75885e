import { plainSigns, readDimension, type DimensionKind } from '../dimension-text.js';
import { partOf, typeOfReading } from '../finding.js';
import { PMI_TYPE, type PmiObject } from '../pmi.js';

/** What the head of a table of holes names, and how many of its first cells may be the head. */
const HOLES =
  /^(?:holes?(?:\s(?:no\.?|tag|id|size|description|table|chart))?|bohrung(?:en|s-?nr\.?)?|loch|trous?|for[oi]|agujeros?|otw[oó]r|穴)$/iu;
const MOST_HEADS = 12;
/** Columns of bare diameters, and of how many holes there are. */
const DIAMETERS =
  /^(?:⌀|dia(?:m(?:eter|\.)?|\.)?|(?:hole\s)?size|durchmesser|diam[eè]tre|diametro|średnica|直径|径)(?:\s?[[(]?mm[\])]?)?$/iu;
const QUANTITIES =
  /^(?:qty\.?|quantity|count|no\.?\soff|anz(?:ahl|\.)?|menge|stk\.?|stück|nb(?:re)?\.?|qté|quantité|q\.?t[àa]|quantità|ilość|個数|数量)$/iu;
/** A diameter without its sign, perhaps with its tolerance. */
const BARE = /^(?:\d{1,3}(?:[.,]\d{1,4})?|[.,]\d{1,4})(?![\d.,x×-])/;
/** Kinds of sizes that only holes have in such a table; plain lengths are their places. */
const OF_HOLES: ReadonlySet<DimensionKind> = new Set(['diameter', 'thread', 'counterbore', 'countersink']);

/**
 * The sizes in the cells of a table of holes, each as an object where the table lies, with the quantity of its row;
 * none of other tables.
 */
export function holesOfTable(object: PmiObject): PmiObject[] {
  if (object.typeId !== PMI_TYPE.table) return [];
  const cells = object.parts.map(({ text }) => plainSigns(text));
  if (!cells.slice(0, MOST_HEADS).some((text) => HOLES.test(text))) return [];
  const grid = gridOf(cells);
  return cells.flatMap((text, i) => {
    const isBare = grid !== undefined && i >= grid.first && BARE.test(text) && DIAMETERS.test(grid.headOf(i));
    const count = grid?.quantityOf(i);
    const sized = isBare ? `⌀${text}` : text;
    const plain = readDimension(sized);
    const reading = plain?.count === 1 && count !== undefined ? (readDimension(`${count}x ${sized}`) ?? plain) : plain;
    if (reading === undefined || !OF_HOLES.has(reading.kind)) return [];
    return [{ ...object, typeId: typeOfReading(reading), group: 'Measurement', parts: [partOf(reading)] }];
  });
}

interface Grid {
  /** The first cell below the heads. */
  readonly first: number;
  readonly headOf: (cell: number) => string;
  /** How many holes the row of a cell states, more than one. */
  readonly quantityOf: (cell: number) => number | undefined;
}

/** The columns of a table none of whose cells is empty, below the row of heads that names diameters or quantities. */
function gridOf(cells: readonly string[]): Grid | undefined {
  const begin = cells.findIndex((text, i) => HOLES.test(text) && i + 1 < cells.length);
  const heads = cells.slice(begin).findIndex((text) => /\d/.test(text));
  for (let columns = heads; columns > 1; columns--) {
    const first = begin + columns;
    const at = (of: RegExp): number => cells.slice(begin, first).findIndex((text) => of.test(text));
    const [sizes, quantities] = [at(DIAMETERS), at(QUANTITIES)];
    const rows = (cells.length - first) / columns;
    if ((sizes < 0 && quantities < 0) || !Number.isInteger(rows)) continue;
    const cellOf = (row: number, column: number): string => cells[first + row * columns + column];
    const all = Array.from({ length: rows }, (_, row) => row);
    const areSizes = sizes < 0 || all.every((row) => /\d/.test(cellOf(row, sizes)));
    const areCounts = quantities < 0 || all.every((row) => /^\d{1,3}$/.test(cellOf(row, quantities)));
    if (!areSizes || !areCounts) continue;
    return {
      first,
      headOf: (cell) => cells[begin + ((cell - first) % columns)],
      quantityOf: (cell) => {
        const count =
          quantities < 0 || cell < first ? 1 : Number(cellOf(Math.floor((cell - first) / columns), quantities));
        return count > 1 ? count : undefined;
      },
    };
  }
  return undefined;
}
