import { CIRCLED, LETTERS, pathsOf, RARE_LETTERS, ROUND, SIGNS, type StrokePath } from './stroke-font.js';

/** Gap between letters and width of a space, as shares of the height of capitals. */
const GAP = 0.24;
const SPACE = 0.45;
/** Radius of the circle around a letter. */
const CIRCLE = 0.62;
/** Characters that are drawn like others. */
const LIKE = new Map(
  ['Ø⌀', 'ø⌀', '−-', '–-', '—-', '⏤-', '○O', '⊕⌖', '▱⏥', '⟂⊥', 'µu', 'μu', 'ßB', '“"', '”"', "’'", "′'", '″"'].map(
    ([character, like]) => [character, like],
  ),
);

/** A text as drawn lines. */
export interface StrokeText {
  /** SVG path data to be stroked, in units of the height of capitals: x from 0, y downwards, baseline at 0. */
  readonly path: string;
  readonly width: number;
}

/**
 * Draws a text without a font: letters, digits, punctuation and the symbols of drawings. Letters lose their accents;
 * unknown characters become an empty box.
 */
export function strokeText(text: string): StrokeText {
  const drawn: string[] = [];
  let at = 0;
  for (const character of text.normalize('NFD').replace(/\p{M}/gu, '')) {
    if (/\s/.test(character)) {
      at += SPACE;
      continue;
    }
    const paths = pathsOfCharacter(LIKE.get(character) ?? character);
    const xs = paths.flatMap(rangeOf);
    const left = Math.min(...xs),
      width = Math.max(...xs) - left;
    for (const path of paths) drawn.push(dataOf(path, at - left));
    at += width + GAP;
  }
  return { path: drawn.join(''), width: Math.max(0, at - GAP) };
}

function pathsOfCharacter(character: string): readonly StrokePath[] {
  const letter = LETTERS[character] ?? RARE_LETTERS[character];
  if (letter !== undefined) return pathsOf(letter, ROUND.has(character) ? 2 : 0);
  const sign = SIGNS[character];
  if (sign !== undefined) return sign;
  const inside = Object.entries(CIRCLED).find(([, circled]) => circled === character)?.[0];
  if (inside === undefined) return [['l', 0, 0, 0.6, 0, 0.6, 1, 0, 1, 0, 0]];
  const small = pathsOf(LETTERS[inside], 0).map(
    ([kind, ...points]): StrokePath => [
      kind,
      ...points.map((value, i) => 0.6 * value + (i % 2 === 0 ? CIRCLE - 0.2 : 0.2)),
    ],
  );
  return [['c', CIRCLE, 0.5, CIRCLE], ...small];
}

/** Smallest and largest x. */
function rangeOf([kind, ...numbers]: StrokePath): number[] {
  if (kind === 'c' || kind === 'a') return [numbers[0] - numbers[2], numbers[0] + numbers[2]];
  const xs = numbers.filter((_, i) => i % 2 === 0);
  return [Math.min(...xs), Math.max(...xs)];
}

function dataOf([kind, ...numbers]: StrokePath, dx: number): string {
  const at = (x: number, y: number): string => `${(x + dx).toFixed(3)} ${(-y).toFixed(3)}`;
  if (kind === 'c' || kind === 'a') {
    const [x, y, radius, from = 0, to = 360] = numbers;
    const point = (degrees: number): string =>
      at(x + radius * Math.cos((degrees * Math.PI) / 180), y + radius * Math.sin((degrees * Math.PI) / 180));
    // A full circle is two halves, because an arc that ends where it begins is empty.
    const middle = (from + to) / 2;
    const arcTo = (degrees: number): string => `A${radius} ${radius} 0 0 0 ${point(degrees)}`;
    return `M${point(from)}${arcTo(middle)}${arcTo(to)}`;
  }
  const points = Array.from({ length: numbers.length / 2 }, (_, i) => at(numbers[2 * i], numbers[2 * i + 1]));
  // Points are lines without length, visible by their round ends.
  return `M${points.join('L')}${kind === 'f' ? 'Z' : ''}`;
}
