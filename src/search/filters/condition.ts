import type { AttributeCondition } from '../../attributes/attribute-condition.js';
import type { AttributeDoor } from '../../attributes/attribute-door.js';
import { intersection, union } from './id-set.js';

/** A condition on files, with several ways to evaluate it. */
export interface Condition {
  /** An upper bound of the number of matching files; faster than `ids`. */
  estimate(): Promise<number>;
  /** An upper bound of the estimate, computed at once. Given when the estimate takes nearly as long as `ids`. */
  bound?(): Promise<number>;
  /** The matching searchable files, rising. */
  ids(): Promise<Uint32Array>;
  /** Those of these searchable files (rising) that match. */
  those(fileIds: Uint32Array): Promise<Uint32Array>;
  /** Number of ids that `ids` lists in the time in which `those` checks one. Default {@link IDS_PER_CHECK}. */
  readonly idsPerCheck?: number;
}

/** Checking a file takes about 3 µs, listing ids 0.02 to 0.1 µs an id. */
const IDS_PER_CHECK = 64;

/** All attributes of a file are read to check one: 13 µs of ten. Listing takes 0.05 µs an id. */
const IDS_PER_ATTRIBUTE_CHECK = 256;

/**
 * The files that match all conditions, rising; undefined without conditions. Starts with the narrowest; wider ones are
 * checked file by file when that is cheaper.
 */
export async function passing(conditions: readonly Condition[]): Promise<Uint32Array | undefined> {
  if (conditions.length < 2) return conditions[0]?.ids();
  const told = await Promise.all(
    conditions.map((condition) => (condition.bound === undefined ? condition.estimate() : undefined)),
  );
  const least = Math.min(...told.map((width) => width ?? Infinity));
  const byWidth = await Promise.all(
    conditions.map(async (condition, i) => {
      // A condition that will be listed in any case is listed first, without an estimate.
      const isReadAnyway = condition.bound !== undefined && least * idsPerCheck(condition) > (await condition.bound());
      return { condition, width: told[i] ?? (isReadAnyway ? 0 : await condition.estimate()) };
    }),
  );
  let ids: Uint32Array | undefined;
  for (const { condition, width } of byWidth.sort((a, b) => a.width - b.width)) {
    if (ids === undefined) ids = await condition.ids();
    else if (ids.length * idsPerCheck(condition) <= width) ids = await condition.those(ids);
    else ids = intersection(ids, await condition.ids());
  }
  return ids;
}

function idsPerCheck(condition: Condition): number {
  return condition.idsPerCheck ?? IDS_PER_CHECK;
}

/** A condition with a list of its files. list: rising; called at most once. */
export function listCondition(list: () => Uint32Array | Promise<Uint32Array>): Condition {
  let known: Promise<Uint32Array> | undefined;
  const ids = (): Promise<Uint32Array> => (known ??= Promise.resolve(list()));
  return {
    estimate: async () => (await ids()).length,
    ids,
    those: async (fileIds) => intersection(fileIds, await ids()),
  };
}

/** A condition on an attribute: one of the alternatives must hold. */
export function attributeCondition(
  attributes: AttributeDoor,
  companyId: number,
  alternatives: readonly AttributeCondition[],
): Condition {
  const all = async (of: (condition: AttributeCondition) => Promise<Uint32Array>): Promise<Uint32Array> =>
    (await Promise.all(alternatives.map(of))).reduce(union);
  return {
    estimate: async () => {
      const counts = await Promise.all(alternatives.map((condition) => attributes.countWith(companyId, condition)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    ids: () => all((condition) => attributes.filesWith(companyId, condition)),
    those: (fileIds) => all((condition) => attributes.those(fileIds, condition)),
    idsPerCheck: IDS_PER_ATTRIBUTE_CHECK,
  };
}
