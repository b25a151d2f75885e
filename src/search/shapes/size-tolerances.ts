import type { CheckedQuery } from '../query/check-query.js';
import type { ShapeQuery } from '../query/inputs.js';
import { withinTolerance } from '../query/tolerance.js';

/** Tolerances of sizes; with several inputs, one of them must be matched. */
export type SizeTolerances = Pick<CheckedQuery, 'volume' | 'bboxVolume' | 'surfaceArea'>;

/** The size that each tolerance is of. */
const FIELDS = { volume: 'volumeMm3', bboxVolume: 'bboxVolumeMm3', surfaceArea: 'surfaceAreaMm2' } as const;
const NAMES = ['volume', 'bboxVolume', 'surfaceArea'] as const;

/** Name of a size. */
export type SizeField = (typeof FIELDS)[keyof typeof FIELDS];

/** Whether any size must be near to those of the inputs. */
export function hasTolerances(tolerances: SizeTolerances): boolean {
  return NAMES.some((name) => tolerances[name] !== undefined);
}

/** Whether each size that has a tolerance is within it of one of the inputs. sizeOf: the sizes of a file. */
export function sizesWithin(
  sizeOf: (field: SizeField) => number,
  queries: readonly ShapeQuery[],
  tolerances: SizeTolerances,
): boolean {
  return NAMES.every((name) => {
    const tolerance = tolerances[name];
    if (tolerance === undefined) return true;
    const size = sizeOf(FIELDS[name]);
    return queries.some((input) => withinTolerance(size, input[FIELDS[name]], tolerance));
  });
}

/** What people call each size. */
const WORDS = { volume: 'volume', bboxVolume: 'volume of the smallest box', surfaceArea: 'surface area' } as const;

/** A sentence where tolerances are given and nothing has the sizes that they are about. */
export function unusedTolerances(
  tolerances: SizeTolerances & Pick<CheckedQuery, 'contains'>,
  inputs: readonly { readonly shape: ShapeQuery | undefined }[],
): string[] {
  const given = NAMES.filter((name) => tolerances[name] !== undefined).map((name) => WORDS[name]);
  const isAbout = tolerances.contains === undefined && inputs.some(({ shape }) => shape !== undefined);
  if (given.length === 0 || isAbout) return [];
  const why = tolerances.contains === undefined ? 'no input is a model' : 'a part may be larger than what it holds';
  return [`No tolerance of ${given.join(' or ')} was applied, because ${why}.`];
}
