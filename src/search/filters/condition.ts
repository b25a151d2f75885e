import type { AttributeCondition } from '../../attributes/attribute-condition.js';
import type { Attributes } from '../../attributes/attributes.js';
import { firstNotBelow, intersection, union } from './id-set.js';

/** One thing that must hold of a file, with several ways to find out where it does. */
export interface Condition {
  /** Files that pass, or more; told faster than `ids`. */
  estimate(): number;
  /** Where the estimate takes a good part of the time of `ids`: no fewer than it says, at once. */
  bound?(): number;
  /** The searchable files that pass, rising. */
  ids(): Uint32Array;
  /** Whether one searchable file passes. */
  has(fileId: number): boolean;
  /** Ids that `ids` tells in the time of one `has`. Default {@link IDS_PER_CHECK}. */
  readonly idsPerCheck?: number;
}

/** To check a file takes some 3 µs, a list of ids 0.02 to 0.1 µs an id; and it is as long as the condition is wide. */
const IDS_PER_CHECK = 64;

/** The files that pass all conditions, rising; undefined when there are none. */
export function passing(conditions: readonly Condition[]): Uint32Array | undefined {
  if (conditions.length < 2) return conditions[0]?.ids();
  const told = conditions.map((condition) => (condition.bound === undefined ? condition.estimate() : undefined));
  const least = Math.min(...told.map((width) => width ?? Infinity));
  const byWidth = conditions
    .map((condition, i) => {
      // What is read in any case is read first: its width is then known without an estimate.
      const isReadAnyway = condition.bound !== undefined && least * idsPerCheck(condition) > condition.bound();
      return { condition, width: told[i] ?? (isReadAnyway ? 0 : condition.estimate()) };
    })
    .sort((a, b) => a.width - b.width);
  let ids: Uint32Array | undefined;
  for (const { condition, width } of byWidth) {
    if (ids === undefined) ids = condition.ids();
    else if (ids.length * idsPerCheck(condition) <= width) ids = ids.filter((fileId) => condition.has(fileId));
    else ids = intersection(ids, condition.ids());
  }
  return ids;
}

function idsPerCheck(condition: Condition): number {
  return condition.idsPerCheck ?? IDS_PER_CHECK;
}

/** A condition whose files are told at once. list: rising; asked for once, when it is needed. */
export function listCondition(list: () => Uint32Array): Condition {
  let known: Uint32Array | undefined;
  const ids = (): Uint32Array => (known ??= list());
  return { estimate: () => ids().length, ids, has: (fileId) => ids()[firstNotBelow(ids(), fileId)] === fileId };
}

/** What is asked of an attribute; one of the alternatives must hold. */
export function attributeCondition(
  attributes: Attributes,
  companyId: number,
  alternatives: readonly AttributeCondition[],
): Condition {
  return {
    estimate: () => alternatives.reduce((sum, condition) => sum + attributes.countWith(companyId, condition), 0),
    ids: () => alternatives.map((condition) => attributes.filesWith(companyId, condition)).reduce(union),
    has: (fileId) => alternatives.some((condition) => attributes.has(fileId, condition)),
  };
}
