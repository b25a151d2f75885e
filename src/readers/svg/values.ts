import { compose2d, IDENTITY, type Affine } from '../geometry/affine.js';
import { MILLIMETRES } from '../../content/units.js';

export type Attributes = ReadonlyMap<string, string>;

/** Default font size, user units. */
export const USUAL_SIZE = 16;

/** User units per CSS unit (CSS Values 4). Percentages are not supported, because their reference is not known here. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / MILLIMETRES.in,
  cm: 96 / 2.54,
  in: 96,
  q: 96 / 101.6,
};
const LENGTH = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([a-z%]*)/i;

/** The first length of a list, user units; undefined when there is none or its unit is unknown. em: font size. */
export function lengthOf(text: string | undefined, em: number): number | undefined {
  const found = LENGTH.exec(text ?? '');
  if (found === null) return undefined;
  const scale = found[2] === 'em' ? em : UNITS[found[2].toLowerCase()];
  return scale === undefined ? undefined : Number(found[1]) * scale;
}

/** A length in millimetres; undefined when it has no absolute unit. */
export function millimetresOf(text: string | undefined): number | undefined {
  const unit = LENGTH.exec(text ?? '')?.[2].toLowerCase() ?? '';
  const length = unit === '' || unit === 'em' ? undefined : lengthOf(text, 1);
  return length === undefined || !(length > 0) ? undefined : (length * MILLIMETRES.in) / 96;
}

export function numbersOf(text: string | undefined, most: number): number[] {
  const found: number[] = [];
  for (const [number] of (text ?? '').matchAll(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi)) {
    if (found.length >= most) break;
    found.push(Number(number));
  }
  return found;
}

export function viewBoxOf(attributes: Attributes): { x: number; y: number; width: number; height: number } | null {
  const numbers = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || !(numbers[2] > 0 && numbers[3] > 0)) return null;
  return { x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3] };
}

/** The map of a `transform` attribute (SVG 2, 8.5); the identity when it is malformed. */
export function transformOf(text: string | undefined): Affine {
  if (text === undefined) return IDENTITY;
  let map = IDENTITY;
  for (const [, kind, list] of text.slice(0, 2_000).matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const [a = 0, b, c, ...rest] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    map = compose2d(map, oneTransform(kind, a, b, c, rest));
  }
  return map.every(Number.isFinite) ? map : IDENTITY;
}

/** The colour of a paint, 0xRRGGBB; null when nothing is painted. Gradients and patterns become grey. */
export function paintOf(text: string | undefined, current: number): number | null {
  const paint = (text ?? '').trim().toLowerCase();
  if (paint === 'none' || paint === 'transparent') return null;
  if (paint === 'currentcolor') return current;
  if (paint.startsWith('url(')) return 0x808080;
  const hex = /^#([0-9a-f]{3,8})$/.exec(paint)?.[1];
  if (hex !== undefined)
    return hex.length < 6
      ? parseInt(hex[0] + hex[0] + hex[1] + hex[1] + hex[2] + hex[2], 16)
      : parseInt(hex.slice(0, 6), 16);
  const rgb = /^rgba?\(([^)]*)\)$/.exec(paint)?.[1];
  if (rgb !== undefined) {
    const channels = rgb
      .split(/[\s,/]+/)
      .filter((part) => part !== '')
      .map((part) =>
        Math.round(Math.max(0, Math.min(255, part.endsWith('%') ? 2.55 * parseFloat(part) : Number(part)))),
      );
    if (channels.length >= 3 && channels.slice(0, 3).every(Number.isFinite))
      return (channels[0] << 16) | (channels[1] << 8) | channels[2];
  }
  return NAMED[paint] ?? 0;
}

/** Colour names that drawings use; any other name is drawn black. */
const NAMED: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'black=000000 white=ffffff red=ff0000 green=008000 lime=00ff00 blue=0000ff yellow=ffff00 cyan=00ffff ' +
    'aqua=00ffff magenta=ff00ff fuchsia=ff00ff gray=808080 grey=808080 silver=c0c0c0 lightgray=d3d3d3 ' +
    'lightgrey=d3d3d3 darkgray=a9a9a9 darkgrey=a9a9a9 maroon=800000 olive=808000 navy=000080 purple=800080 ' +
    'teal=008080 orange=ffa500 brown=a52a2a gold=ffd700 pink=ffc0cb'
  )
    .split(' ')
    .map((pair) => pair.split('='))
    .map(([name, hex]) => [name, parseInt(hex, 16)]),
);

function oneTransform(
  kind: string,
  a: number,
  b: number | undefined,
  c: number | undefined,
  rest: readonly number[],
): Affine {
  const turn = (a * Math.PI) / 180;
  switch (kind) {
    case 'matrix':
      return rest.length === 3 ? [a, b ?? 0, c ?? 0, rest[0], rest[1], rest[2]] : IDENTITY;
    case 'translate':
      return [1, 0, 0, 1, a, b ?? 0];
    case 'scale':
      return [a, 0, 0, b ?? a, 0, 0];
    case 'rotate': {
      const cos = Math.cos(turn),
        sin = Math.sin(turn);
      const round: Affine = [cos, sin, -sin, cos, 0, 0];
      return b === undefined || c === undefined
        ? round
        : compose2d(compose2d([1, 0, 0, 1, b, c], round), [1, 0, 0, 1, -b, -c]);
    }
    case 'skewX':
      return [1, 0, Math.tan(turn), 1, 0, 0];
    case 'skewY':
      return [1, Math.tan(turn), 0, 1, 0, 0];
    default:
      return IDENTITY;
  }
}
