import { numberOf } from './dimension-text.js';

/** A parameter of a surface finish and its value, µm. */
export interface Roughness {
  readonly parameter: 'Ra' | 'Rz';
  readonly valueUm: number;
}

/** Ra of the roughness grades N1 to N12, µm (ISO 1302:1992, annex). */
const GRADES = [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.3, 12.5, 25, 50] as const;
/** Preferred values in microinches, and the µm that they stand for (ASME B46.1): 63 µin is 1.6 µm, not 1.6002. */
const PREFERRED: ReadonlyMap<number, number> = new Map(
  [1, 2, 4, 8, 16, 32, 63, 125, 250, 500, 1000, 2000].map((microinch, i) => [microinch, GRADES[i]]),
);
/** Ra in µm is not larger; a bare number above it is in microinches. */
const MOST_UM = 50;
const UM_PER_MICROINCH = 0.0254;

const VALUE = String.raw`(\d{1,4}(?:[.,]\d{1,4})?|[.,]\d{1,4})`;
const UNIT = String.raw`(?:\s?([µμ]m|[µμ]in|[µμ]["″]))?`;
const NAMED = new RegExp(
  String.raw`\bR(a|z)(?:\s?max)?\s?(?:[<≤=]\s?)?${VALUE}(?:\s?(?:-|–|\.{2,3}|to)\s?${VALUE})?${UNIT}`,
  'gi',
);
const BARE = new RegExp(String.raw`^(?:√\s?)?${VALUE}${UNIT}$`);
const GRADE = /^(?:√\s?)?N([1-9]|1[0-2])$/;

/**
 * The roughness that the text of a surface mark states: `Ra 1.6`, `√ Rz 6,3 µm`, `N7`, and the bare number of older
 * marks, which is Ra. Microinches become µm: preferred values the preferred ones, others to three significant digits.
 * @param isInch whether numbers without a unit are microinches, but for preferred metric values such as 1.6; those
 * above 50 are in any case.
 */
export function roughnessOf(text: string, isInch: boolean): Roughness[] {
  const plain = text.trim();
  const grade = GRADE.exec(plain);
  if (grade !== null) return [{ parameter: 'Ra', valueUm: GRADES[Number(grade[1]) - 1] }];
  // `Ra 0.8-1.6` states the least and the most.
  const named = [...plain.matchAll(NAMED)].flatMap(([, letter, value, most, unit]) =>
    [value, most].filter((each) => each !== undefined).map((each) => ({ letter, value: each, unit })),
  );
  const bare = named.length > 0 ? null : BARE.exec(plain);
  const all = bare === null ? named : [{ letter: 'a', value: bare[1], unit: bare[2] as string | undefined }];
  return all.flatMap(({ letter, value, unit }): Roughness[] => {
    const number = numberOf(value);
    const isMetric = !Number.isInteger(number) && (GRADES as readonly number[]).includes(number);
    const isMicroinch = unit === undefined ? (isInch && !isMetric) || number > MOST_UM : /in|["″]/.test(unit);
    if (!(number > 0)) return [];
    const valueUm = isMicroinch
      ? (PREFERRED.get(number) ?? Number((number * UM_PER_MICROINCH).toPrecision(3)))
      : number;
    return [{ parameter: letter.toLowerCase() === 'a' ? 'Ra' : 'Rz', valueUm }];
  });
}
