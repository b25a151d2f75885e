import type { AssemblyComponent, IndexedComponent } from '../store/catalog/assembly-component.js';
import { MOST_PRINTED_ROWS, type SheetRow } from '../pictures/print-sheet.js';
import type { TableFormat } from './hits-file.js';
import { csv, type Cell } from '../pmi/lists/csv.js';
import { xlsx } from '../pmi/lists/xlsx.js';

/** A line of a bill of materials: all placements of one part within one assembly or sub-assembly. */
export interface BillLine {
  /** Numbers of the line and of those above it: `2.1`. */
  readonly position: string;
  /** 1: directly within the assembly. */
  readonly level: number;
  /** '' when the file gives none. */
  readonly name: string;
  /** Placements within what is above it. */
  readonly quantity: number;
  /** Placements in the whole assembly through this line: the quantities from the top, multiplied. */
  readonly total: number;
  readonly isAssembly: boolean;
  /** Of one. Meaningless for an open surface. */
  readonly volumeMm3: number;
  /** Way to its first placement in the tree of `company.assembly`, such as `0.2.1`. */
  readonly path: string;
  /** UID of the component, where the assembly's components are indexed; else null. */
  readonly uid: string | null;
}

/** Most lines of a bill. */
const MOST_LINES = 20_000;

/**
 * The bill of materials of an assembly: a line for each distinct part of each distinct sub-assembly, in the order of
 * the tree, at most 20 000. What occurs in two sub-assemblies has a line in each of them; a sub-assembly that is
 * placed several times is listed once. Parts are the same if they have the same number, or else the same name, bodies
 * and parts.
 * @param indexed the components that are indexed, if they are.
 */
export function billOfMaterials(root: AssemblyComponent, indexed: readonly IndexedComponent[] = []): BillLine[] {
  const uids = new Map(indexed.map(({ number, uid }) => [number, uid]));
  const lines: BillLine[] = [];
  const list = (above: AssemblyComponent, { position, path, total, level }: Place): void => {
    const groups = new Map<string, { readonly first: AssemblyComponent; readonly at: number; quantity: number }>();
    above.children.forEach((child, at) => {
      const key = keyOf(child);
      const group = groups.get(key) ?? { first: child, at, quantity: 0 };
      group.quantity++;
      groups.set(key, group);
    });
    let number = 0;
    for (const { first, at, quantity } of groups.values()) {
      if (lines.length >= MOST_LINES) return;
      const line: BillLine = {
        position: `${position}${++number}`,
        level,
        name: first.name,
        quantity,
        total: total * quantity,
        isAssembly: first.children.length > 0,
        volumeMm3: first.volumeMm3,
        path: path === '' ? String(at) : `${path}.${at}`,
        uid: (first.component === null ? undefined : uids.get(first.component)) ?? null,
      };
      lines.push(line);
      list(first, { position: `${line.position}.`, path: line.path, total: line.total, level: level + 1 });
    }
  };
  list(root, { position: '', path: '', total: 1, level: 1 });
  return lines;
}

interface Place {
  readonly position: string;
  readonly path: string;
  readonly total: number;
  readonly level: number;
}

const keys = new WeakMap<AssemblyComponent, string>();

/** Equal for placements of the same part. */
function keyOf(component: AssemblyComponent): string {
  const known = keys.get(component);
  if (known !== undefined) return known;
  const { name, bodies, children, component: number } = component;
  const key = number === null ? JSON.stringify([name, bodies, children.map(keyOf)]) : `#${number}`;
  keys.set(component, key);
  return key;
}

const TITLES = ['Position', 'Level', 'Name', 'Kind', 'Quantity', 'Total', 'Volume of one (mm³)'];

/**
 * A bill as a file: CSV, or a workbook (XLSX) with pictures in its last column.
 * @param pictures PNG of each line; undefined: none.
 */
export function billFile(
  lines: readonly BillLine[],
  format: Exclude<TableFormat, 'pdf'>,
  pictures: readonly (Uint8Array | undefined)[] = [],
): Uint8Array {
  const rows = lines.map((line): Cell[] => [
    line.position,
    line.level,
    line.name,
    line.isAssembly ? 'assembly' : 'part',
    line.quantity,
    line.total,
    Number(line.volumeMm3.toPrecision(9)),
  ]);
  if (format === 'csv') return new TextEncoder().encode(csv([TITLES, ...rows]));
  if (pictures.length === 0) return xlsx('Bill of materials', [TITLES, ...rows]);
  return xlsx('Bill of materials', [[...TITLES, 'Picture'], ...rows], {
    rows: pictures,
    column: TITLES.length,
    sidePx: 72,
  });
}

/** A bill as rows of a sheet to be printed, each below what it is part of. */
export function billRows(
  lines: readonly BillLine[],
  pictures: readonly (Uint8Array | undefined)[] = [],
): readonly SheetRow[] {
  return lines.slice(0, MOST_PRINTED_ROWS).map((line, i): SheetRow => {
    const total = line.total === line.quantity ? '' : `, ${line.total} in all`;
    return {
      picture: pictures[i],
      title: `${line.position}  ${line.name || (line.isAssembly ? 'assembly' : 'part')}`,
      lines: [
        `${line.quantity} ×${total}${line.isAssembly ? ', an assembly' : ''}`,
        `${Number(line.volumeMm3.toPrecision(6))} mm³`,
      ],
      notes: [],
      level: line.level - 1,
    };
  });
}
