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

/** The finest ranges, of t, u and x. */
const FINEST_SIZES = [
  3, 6, 10, 14, 18, 24, 30, 40, 50, 65, 80, 100, 120, 140, 160, 180, 200, 225, 250, 280, 315, 355, 400, 450, 500,
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
  a: [
    270, 270, 280, 290, 300, 310, 320, 340, 360, 380, 410, 460, 520, 580, 660, 740, 820, 920, 1050, 1200, 1350, 1500,
    1650,
  ],
  b: [
    140, 140, 150, 150, 160, 170, 180, 190, 200, 220, 240, 260, 280, 310, 340, 380, 420, 480, 540, 600, 680, 760, 840,
  ],
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
/** NaN: t begins at 24 mm. */
const ABOVE_FINEST: Readonly<Record<string, readonly number[]>> = {
  t: [
    NaN,
    NaN,
    NaN,
    NaN,
    NaN,
    NaN,
    41,
    48,
    54,
    66,
    75,
    91,
    104,
    122,
    134,
    146,
    166,
    180,
    196,
    218,
    240,
    268,
    294,
    330,
    360,
  ],
  u: [
    18, 23, 28, 33, 33, 41, 48, 60, 70, 87, 102, 124, 144, 170, 190, 210, 236, 258, 284, 315, 350, 390, 435, 490, 540,
  ],
  x: [
    20, 28, 34, 40, 45, 54, 64, 80, 97, 122, 146, 178, 210, 248, 280, 310, 350, 385, 425, 475, 525, 590, 660, 740, 820,
  ],
};
/** Lower limits of the shafts j by grade, and upper limits of the holes J, µm. */
const LOWER_OF_J: Readonly<Record<number, readonly number[]>> = {
  5: [-2, -2, -2, -3, -4, -5, -7, -9, -11, -13, -16, -18, -20],
  6: [-2, -2, -2, -3, -4, -5, -7, -9, -11, -13, -16, -18, -20],
  7: [-4, -4, -5, -6, -8, -10, -12, -15, -18, -21, -26, -28, -32],
};
const UPPER_OF_J: Readonly<Record<number, readonly number[]>> = {
  6: [2, 5, 5, 6, 8, 10, 13, 16, 18, 22, 25, 29, 33],
  7: [4, 6, 8, 10, 12, 14, 18, 22, 26, 30, 36, 39, 43],
  8: [6, 10, 12, 15, 20, 24, 28, 34, 41, 47, 55, 60, 66],
};
/** The letters a and b begin above 1 mm. */
const SMALLEST_WIDE = 1;
/**
 * Grades in which the shafts k are above their nominal size, and up to which holes K, M and N, and P to S are shifted.
 */
const K_GRADES = [4, 7] as const;
const SHIFTED = { k: 8, m: 8, n: 8, p: 7, r: 7, s: 7, t: 7, u: 7, x: 7 } as const;
const SMALLEST_SHIFTED = 3;
/** M6 between 250 and 315 mm is -9 and not -11 µm (ISO 286-1, table 3, note). */
const M6_SHIFT = 2;

/**
 * The deviations of one class of fit (`H7`, `g6`) at a nominal size, by ISO 286-1:2010.
 * @param nominal mm, over 0 and up to 500.
 * @returns undefined for classes and sizes that are not in the tables here: letters a to h, j, js, k, m, n, p, r to u
 * and x of shafts and holes, grades 1 to 18.
 */
export function deviationsOfFit(fit: string, nominal: number): Deviations | undefined {
  const found = /^(js|JS|[a-hjkmnprstuxA-HJKMNPRSTUX])(\d{1,2})$/.exec(fit);
  if (found === null || !(nominal > 0 && nominal <= SIZES[SIZES.length - 1])) return undefined;
  const [letter, grade] = [found[1].toLowerCase(), Number(found[2])];
  const width = GRADES[grade - 1]?.[rangeOf(SIZES, nominal)];
  if (width === undefined) return undefined;
  const isHole = found[1] !== letter;
  if (letter === 'js') return inMm(width / 2, -width / 2);
  if (letter === 'j') {
    const end = (isHole ? UPPER_OF_J : LOWER_OF_J)[grade]?.[rangeOf(SIZES, nominal)];
    if (end === undefined) return undefined;
    return isHole ? inMm(end, end - width) : inMm(end + width, end);
  }
  if ((letter === 'a' || letter === 'b') && nominal <= SMALLEST_WIDE) return undefined;
  if (letter in BELOW) {
    const off = at(BELOW[letter], nominal);
    return isHole ? inMm(off + width, off) : inMm(-off, -off - width);
  }
  const off =
    letter === 'k' && !isHole && !(grade >= K_GRADES[0] && grade <= K_GRADES[1])
      ? 0
      : at(ABOVE[letter] ?? ABOVE_FINEST[letter], nominal);
  if (Number.isNaN(off)) return undefined;
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
  const sizes = [SIZES, FINE_SIZES, FINEST_SIZES].find(({ length }) => length === values.length)!;
  return values[rangeOf(sizes, nominal)];
}

function rangeOf(sizes: readonly number[], nominal: number): number {
  return sizes.findIndex((end) => nominal <= end);
}

function inMm(upper: number, lower: number): Deviations {
  const rounded = (value: number): number => Math.round(value * 10) / 10_000 || 0;
  return { upper: rounded(upper), lower: rounded(lower) };
}
