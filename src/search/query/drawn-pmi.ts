import type { AttributeDoor } from '../../attributes/attribute-door.js';
import type { Store } from '../../store/store.js';
import { keyOf } from '../../words/terms.js';

/** The annotations of a drawing as they are stored, and the unit that its file states. */
export interface DrawnPmi {
  /** As the room that makes it writes it. */
  readonly json: string;
  /** `Units` alone. */
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

/** Longer annotations are not read for reasons: about a thousand of them, a few ms. */
const LONGEST = 400_000;
const UNITS = keyOf('Units');

/** The annotations of stored files that have some. fileIds: each once. */
export async function storedPmi(
  { store, attributes }: { readonly store: Store; readonly attributes: Pick<AttributeDoor, 'those'> },
  fileIds: readonly number[],
): Promise<ReadonlyMap<number, DrawnPmi>> {
  if (fileIds.length === 0) return new Map();
  const ids = Uint32Array.from(fileIds).sort();
  const [found, stating, inches] = await Promise.all([
    Promise.all(fileIds.map((fileId) => store.pmi.one(fileId))),
    attributes.those(ids, { nameKey: UNITS, match: { kind: 'terms', terms: [] } }),
    attributes.those(ids, { nameKey: UNITS, match: { kind: 'equals', key: keyOf('in') } }),
  ]);
  const unitOf = (fileId: number): string | undefined =>
    inches.includes(fileId) ? 'in' : stating.includes(fileId) ? 'mm' : undefined;
  return new Map(
    fileIds.flatMap((fileId, i) => {
      const json = found[i];
      if (json === undefined || json.length > LONGEST) return [];
      const unit = unitOf(fileId);
      return [[fileId, { json, attributes: unit === undefined ? [] : [{ name: 'Units', value: unit }] }]];
    }),
  );
}
