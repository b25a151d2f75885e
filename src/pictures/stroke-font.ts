/**
 * Single-stroke letters, as plotters draw them, and the symbols of drawings (ISO 1101, ISO 7083, ASME Y14.5), so that
 * text can be drawn without a font. A path of a letter is a row of points `xy` on a grid (x 0 to 9; y: 0 baseline, 6
 * capitals; a, b: 1 and 2 below the baseline).
 */
export const LETTERS = lettersOf(`
0 103041453616050110  1 052620  2 05163645440040  3 05163645443323 334241301001  4 160242 3430
5 46060414344341301001  6 453616050110304142331302  7 064620  8 13040516364544331302011030414233
9 011030414536160504133344  A 002640 1232  B 00063645443303 3342413000  C 4536160501103041  D 00062644422000
E 46060040 0333  F 460600 0333  G 45361605011030414323  H 0006 4046 0343  I 2026  J 4641301001  K 0006 0246 1340
L 060040  M 0006234640  N 00064046  O 103041453616050110  P 00063645443303  Q 103041453616050110 2240
R 00063645443303 2340  S 453616050413334241301001  T 0646 2620  U 060110304146  V 062046  W 0610243046  X 0046 0640
Y 062346 2320  Z 06460040  a 4440 4334140301103041  b 0600 0110304143341403  c 4334140301103041
d 4640 4130100103143443  e 02424334140301103041  f 46362520 1434  g 444a3b1b0a 4130100103143443  h 0600 0314344340
i 2420 2625  j 242a1b 2625  k 0600 0234 1340  l 2026  m 0400 03142320 23344340  n 0400 0314344340
o 103041433414030110  p 040b 0314344341301001  q 444b 4334140301103041  r 0400 022434  s 43341403123241301001
t 262130 1434  u 0401103041 4440  v 042044  w 0410233044  x 0044 0440  y 0420 441b  z 04440040  - 0343  + 0343 2125
= 0242 0444  / 0046  ( 26141220  ) 16242210  [ 26161020  ] 16262010  : 2021 2324  . 2020  , 211b  ' 2624
" 1614 3634  ± 0343 2125 0040  * 2125 0442 0244  # 1016 3036 0242 0444  _ 0a4a  < 450341  > 054301
% 0046 0616150506 3041  √ 03122046`);

/** Further characters, which are not used for learning glyphs. */
export const RARE_LETTERS = lettersOf(`
| 262a  ; 211b 2324  ~ 03143344  & 401536260301102042  ? 051636453221 2020  ! 2622 2020  \\ 0640  ^ 042644
@ 3431221334414536160501103041  × 0145 0541  ↔ 0343 120314 324334  ▷ 0006430000`);

/** Letters that are also drawn with rounded corners. */
export const ROUND = new Set('0235689BCDGJOPQRSU()abcdeghmnopqrstu');

/**
 * One path of a letter or symbol; unit: the height of capitals, x to the right, y up. `l`: line through points, `c`:
 * circle (x, y, r), `a`: arc (x, y, r, from, to; degrees, counter-clockwise from the right), `f`: filled polygon.
 */
export type StrokePath = readonly [kind: 'l' | 'c' | 'a' | 'f', ...numbers: number[]];

const ring = (x: number, y: number, r: number): StrokePath => ['c', x, y, r];
const line = (...points: number[]): StrokePath => ['l', ...points];
/** Symbols of dimensions and control frames. */
export const SIGNS: Readonly<Record<string, readonly StrokePath[]>> = Object.freeze({
  '⌀': [ring(0.5, 0.5, 0.36), line(0.15, -0.05, 0.85, 1.05)],
  '°': [ring(0.2, 0.8, 0.17)],
  '⌖': [ring(0.5, 0.5, 0.36), line(-0.1, 0.5, 1.1, 0.5), line(0.5, -0.1, 0.5, 1.1)],
  '⏥': [line(0, 0.15, 0.9, 0.15, 1.3, 0.85, 0.4, 0.85, 0, 0.15)],
  '⊥': [line(0, 0, 1.1, 0), line(0.55, 0, 0.55, 1)],
  '∥': [line(0, 0, 0.5, 1), line(0.35, 0, 0.85, 1)],
  '⌒': [['a', 0.6, 0.15, 0.6, 0, 180]],
  '⌓': [['a', 0.6, 0.15, 0.6, 0, 180], line(0, 0.15, 1.2, 0.15)],
  '∠': [line(1.1, 0, 0, 0, 1, 0.65)],
  '⌭': [ring(0.6, 0.5, 0.3), line(0, 0, 0.55, 1), line(0.65, 0, 1.2, 1)],
  '◎': [ring(0.5, 0.5, 0.5), ring(0.5, 0.5, 0.25)],
  '↗': [line(0, 0, 0.7, 0.9), ['f', 0.7, 0.9, 0.42, 0.7, 0.62, 0.55]],
  '⌰': [
    line(0, 0, 0.7, 0.9),
    ['f', 0.7, 0.9, 0.42, 0.7, 0.62, 0.55],
    line(0.5, 0, 1.2, 0.9),
    ['f', 1.2, 0.9, 0.92, 0.7, 1.12, 0.55],
    line(0, 0, 0.5, 0),
  ],
  '⌯': [line(0, 0.5, 1.3, 0.5), line(0.3, 0.8, 1, 0.8), line(0.3, 0.2, 1, 0.2)],
  '⌴': [line(0, 0.75, 0, 0, 1.2, 0, 1.2, 0.75)],
  '⌵': [line(0, 0.8, 0.55, 0, 1.1, 0.8)],
  '↧': [line(0, 1, 0.8, 1), line(0.4, 1, 0.4, 0.3), ['f', 0.4, 0, 0.15, 0.45, 0.65, 0.45]],
  '□': [line(0, 0, 0.8, 0, 0.8, 0.8, 0, 0.8, 0, 0)],
});

/** Letters in circles, and the symbol of each. */
export const CIRCLED: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries([...'MLPFSTEU'].map((letter, i) => [letter, [...'ⓂⓁⓅⒻⓈⓉⒺⓊ'][i]])),
);

/**
 * The paths of a letter.
 * @param rounds how often its corners are cut (Chaikin 1974).
 */
export function pathsOf(paths: readonly string[], rounds: number): StrokePath[] {
  return paths
    .filter((path) => path !== '')
    .map((path) => {
      let points = [...path.matchAll(/(\d)([\dab])/g)].map(
        ([, x, y]): Point => [Number(x) / 6, (y === 'a' ? -1 : y === 'b' ? -2 : Number(y)) / 6],
      );
      for (let i = 0; i < rounds; i++) points = cut(points);
      return ['l', ...points.flat()];
    });
}

/** A table of letters, each with its paths; two spaces between letters. */
function lettersOf(table: string): Readonly<Record<string, readonly string[]>> {
  const entries = table
    .trim()
    .split(/\n| {2}/)
    .map((entry) => entry.split(' '));
  return Object.freeze(Object.fromEntries(entries.map(([letter, ...paths]) => [letter, paths])));
}

type Point = readonly [x: number, y: number];

function cut(points: readonly Point[]): Point[] {
  const [first, last] = [points[0], points[points.length - 1]];
  const isClosed = points.length > 2 && first[0] === last[0] && first[1] === last[1];
  const between = (a: Point, b: Point, share: number): Point => [
    a[0] + (b[0] - a[0]) * share,
    a[1] + (b[1] - a[1]) * share,
  ];
  const found: Point[] = isClosed ? [] : [first];
  for (let i = 0; i + 1 < points.length; i++)
    found.push(between(points[i], points[i + 1], 0.25), between(points[i], points[i + 1], 0.75));
  found.push(isClosed ? found[0] : last);
  return found;
}
