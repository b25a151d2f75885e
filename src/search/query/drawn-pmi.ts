import type { AttributeDoor } from '../../attributes/attribute-door.js';
import type { Store } from '../../store/store.js';
import { keyOf } from '../../words/terms.js';

/** The annotations of a drawing as they are stored, and the unit that its file states. */
export interface DrawnPmi {
  /** As the room that makes it writes it. */
  readonly json: string;
  /** `Units` alone: `mm`, `in`; anything else where it is another one or several. */
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

/**
 * UTF-16 units: longer annotations are not read for reasons. About 900 of them, 50 to 90 ms of processor, which nothing
 * interrupts.
 */
export const LONGEST_PMI = 100_000;
/** UTF-16 units of the annotations of all hits of a search that are read for reasons; later hits have none of them. */
const MOST_PMI = 400_000;
const UNITS = keyOf('Units');

/** The annotations of stored files that have some, of the first ones where they are long. fileIds: each once. */
export async function storedPmi(
  { store, attributes }: { readonly store: Store; readonly attributes: Pick<AttributeDoor, 'those'> },
  fileIds: readonly number[],
): Promise<ReadonlyMap<number, DrawnPmi>> {
  if (fileIds.length === 0) return new Map();
  const ids = Uint32Array.from(fileIds).sort();
  const equalTo = (unit: string): Promise<Uint32Array> =>
    attributes.those(ids, { nameKey: UNITS, match: { kind: 'equals', key: keyOf(unit) } });
  const [found, stating, inches, millimetres] = await Promise.all([
    firstOf(store, fileIds),
    attributes.those(ids, { nameKey: UNITS, match: { kind: 'terms', terms: [] } }),
    equalTo('in'),
    equalTo('mm'),
  ]);
  const unitOf = (fileId: number): string[] => {
    const known = [...(inches.includes(fileId) ? ['in'] : []), ...(millimetres.includes(fileId) ? ['mm'] : [])];
    return known.length === 0 && stating.includes(fileId) ? ['another'] : known;
  };
  return new Map(
    [...found].map(([fileId, json]) => {
      return [fileId, { json, attributes: unitOf(fileId).map((value) => ({ name: 'Units', value })) }];
    }),
  );
}

async function firstOf(store: Store, fileIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  let read = 0;
  for (const fileId of fileIds) {
    const json = await store.pmi.one(fileId);
    read += json?.length ?? 0;
    if (read > MOST_PMI) break;
    if (json !== undefined && json.length <= LONGEST_PMI) found.set(fileId, json);
  }
  return found;
}
