/** Upper and lower deviation of a class of fit, mm, signed. */
export interface Deviations {
  readonly upper: number;
  readonly lower: number;
}

/** Ends of the ranges of nominal sizes, mm: over the one before, up to and including this one (ISO 286-1, table 1). */
const SIZES = [3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500] as const;
/** The finer ranges of c, r and s (ISO 286-1, tables 4 and 5). */
const FINE_SIZES = [
  3, 6, 10, 18, 30, 40, 50, 65, 80, 100, 120, 140, 160, 180, 200, 225, 250, 280, 315, 355, 400, 450, 500,
] as const;

/** Standard tolerances IT1 to IT18 by range of size, µm (ISO 286-1, table 1). */
const GRADES: readonly (readonly number[])[] = [
  [0.8, 1, 1, 1.2, 1.5, 1.5, 2, 2.5, 3.5, 4.5, 6, 7, 8],
  [1.2, 1.5, 1.5, 2, 2.5, 2.5, 3, 4, 5, 7, 8, 9, 10],
  [2, 2.5, 2.5, 3, 4, 4, 5, 6, 8, 10, 12, 13, 15],
  [3, 4, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20],
  [4, 5, 6, 8, 9, 11, 13, 15, 18, 20, 23, 25, 27],
  [6, 8, 9, 11, 13, 16, 19, 22, 25, 29, 32, 36, 40],
  [10, 12, 15, 18, 21, 25, 30, 35, 40, 46, 52, 57, 63],
  [14, 18, 22, 27, 33, 39, 46, 54, 63, 72, 81, 89, 97],
  [25, 30, 36, 43, 52, 62, 74, 87, 100, 115, 130, 140, 155],
  [40, 48, 58, 70, 84, 100, 120, 140, 160, 185, 210, 230, 250],
  [60, 75, 90, 110, 130, 160, 190, 220, 250, 290, 320, 360, 400],
  [100, 120, 150, 180, 210, 250, 300, 350, 400, 460, 520, 570, 630],
  [140, 180, 220, 270, 330, 390, 460, 540, 630, 720, 810, 890, 970],
  [250, 300, 360, 430, 520, 620, 740, 870, 1000, 1150, 1300, 1400, 1550],
  [400, 480, 580, 700, 840, 1000, 1200, 1400, 1600, 1850, 2100, 2300, 2500],
  [600, 750, 900, 1100, 1300, 1600, 1900, 2200, 2500, 2900, 3200, 3600, 4000],
  [1000, 1200, 1500, 1800, 2100, 2500, 3000, 3500, 4000, 4600, 5200, 5700, 6300],
  [1400, 1800, 2200, 2700, 3300, 3900, 4600, 5400, 6300, 7200, 8100, 8900, 9700],
];
/** Distance of the nearer limit of a shaft from its nominal size, µm (ISO 286-1, tables 4 and 5). */
const BELOW: Readonly<Record<string, readonly number[]>> = {
  c: [60, 70, 80, 95, 110, 120, 130, 140, 150, 170, 180, 200, 210, 230, 240, 260, 280, 300, 330, 360, 400, 440, 480],
  d: [20, 30, 40, 50, 65, 80, 100, 120, 145, 170, 190, 210, 230],
  e: [14, 20, 25, 32, 40, 50, 60, 72, 85, 100, 110, 125, 135],
  f: [6, 10, 13, 16, 20, 25, 30, 36, 43, 50, 56, 62, 68],
  g: [2, 4, 5, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20],
  h: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};
const ABOVE: Readonly<Record<string, readonly number[]>> = {
  k: [0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5],
  m: [2, 4, 6, 7, 8, 9, 11, 13, 15, 17, 20, 21, 23],
  n: [4, 8, 10, 12, 15, 17, 20, 23, 27, 31, 34, 37, 40],
  p: [6, 12, 15, 18, 22, 26, 32, 37, 43, 50, 56, 62, 68],
  r: [10, 15, 19, 23, 28, 34, 34, 41, 43, 51, 54, 63, 65, 68, 77, 80, 84, 94, 98, 108, 114, 126, 132],
  s: [14, 19, 23, 28, 35, 43, 43, 53, 59, 71, 79, 92, 100, 108, 122, 130, 140, 158, 170, 190, 208, 232, 252],
};
/** Grades in which the shafts k are above their nominal size, and up to which holes K, M and N, and P to S are shifted. */
const K_GRADES = [4, 7] as const;
const SHIFTED = { k: 8, m: 8, n: 8, p: 7, r: 7, s: 7 } as const;
const SMALLEST_SHIFTED = 3;
/** M6 between 250 and 315 mm is -9 and not -11 µm (ISO 286-1, table 3, note). */
const M6_SHIFT = 2;

/**
 * The deviations of one class of fit (`H7`, `g6`) at a nominal size, by ISO 286-1:2010.
 * @param nominal mm, over 0 and up to 500.
 * @returns undefined for classes and sizes that are not in the tables here: letters c to h, js, k, m, n, p, r and s of
 * shafts and holes, grades 1 to 18.
 */
export function deviationsOfFit(fit: string, nominal: number): Deviations | undefined {
  const found = /^(js|JS|[c-hkmnprsC-HKMNPRS])(\d{1,2})$/.exec(fit);
  if (found === null || !(nominal > 0 && nominal <= SIZES[SIZES.length - 1])) return undefined;
  const [letter, grade] = [found[1].toLowerCase(), Number(found[2])];
  const width = GRADES[grade - 1]?.[rangeOf(SIZES, nominal)];
  if (width === undefined) return undefined;
  const isHole = found[1] !== letter;
  if (letter === 'js') return inMm(width / 2, -width / 2);
  if (letter in BELOW) {
    const off = at(BELOW[letter], nominal);
    return isHole ? inMm(off + width, off) : inMm(-off, -off - width);
  }
  const off =
    letter === 'k' && !isHole && !(grade >= K_GRADES[0] && grade <= K_GRADES[1]) ? 0 : at(ABOVE[letter], nominal);
  if (!isHole) return inMm(off + width, off);
  return holeAbove(letter as keyof typeof SHIFTED, grade, nominal, { width, off });
}

/** Holes K to S lie below the nominal size, shifted by the difference of two grades (ISO 286-1, 4.3.2.5). */
function holeAbove(
  letter: keyof typeof SHIFTED,
  grade: number,
  nominal: number,
  { width, off }: { readonly width: number; readonly off: number },
): Deviations | undefined {
  const isShifted = grade <= SHIFTED[letter] && grade > 1;
  // Coarse holes K are not in the tables, coarse holes N end at the nominal size.
  if (!isShifted && letter === 'k' && nominal > SMALLEST_SHIFTED) return undefined;
  if (!isShifted && letter === 'n' && nominal > SMALLEST_SHIFTED) return inMm(0, -width);
  const delta = isShifted && nominal > SMALLEST_SHIFTED ? width - GRADES[grade - 2][rangeOf(SIZES, nominal)] : 0;
  const more = letter === 'm' && grade === 6 && nominal > 250 && nominal <= 315 ? M6_SHIFT : 0;
  const upper = -off + delta + more;
  return inMm(upper, upper - width);
}

function at(values: readonly number[], nominal: number): number {
  return values[rangeOf(values.length === SIZES.length ? SIZES : FINE_SIZES, nominal)];
}

function rangeOf(sizes: readonly number[], nominal: number): number {
  return sizes.findIndex((end) => nominal <= end);
}

function inMm(upper: number, lower: number): Deviations {
  const rounded = (value: number): number => Math.round(value * 10) / 10_000 || 0;
  return { upper: rounded(upper), lower: rounded(lower) };
}
