import type { Drawing } from '../content/drawing.js';
import { EngineError, type Warning } from '../errors.js';
import type { ReadOptions } from '../options.js';
import { applyTo, compose2d, IDENTITY, type Affine } from './affine.js';
import { PropertyList } from './property-list.js';
import { TextBudget } from './text-budget.js';
import { layOut, type TextPiece } from './text-layout.js';
import { walkXml } from './xml.js';

/** Width of a letter beside its size: fonts are not at hand. */
const LETTER_WIDTH = 0.55;
const USUAL_SIZE = 16;
/** Elements whose text is no text of the picture. */
const SILENT = new Set(['style', 'script', 'defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker']);

/** Elements of the Dublin Core in an SVG's metadata, and the names that they get. */
const METADATA: Readonly<Record<string, string>> = {
  'dc:title': 'Title', 'dc:creator': 'Author', 'dc:description': 'Description', 'dc:subject': 'Keywords', 'dc:rights': 'Copyright', 'dc:date': 'Created',
  'dc:publisher': 'Publisher', 'dc:identifier': 'Identifier', 'dc:language': 'Language',
};

/** One open element. */
interface Level {
  readonly name: string;
  readonly map: Affine;
  readonly size: number;
  readonly anchor: string;
  /** Nothing in it is shown. */
  readonly silent: boolean;
}

/**
 * Reads an SVG drawing: its text with places as shares of the view box (transforms applied), its title, description and metadata.
 * Styles are not worked out beyond `font-size` and `text-anchor`; text that `use` repeats is read once, where it is defined outside
 * of `defs`. Nothing outside the file is loaded, entities of its own are refused.
 * @throws EngineError `FILE_MALFORMED`; `LIMIT_EXCEEDED` for nesting beyond `limits.depth` or more than `limits.entities` elements.
 */
export function readSvg(bytes: Uint8Array, { limits }: ReadOptions): Drawing {
  const pieces: TextPiece[] = [];
  const list = new PropertyList();
  const levels: Level[] = [];
  let box = { x: 0, y: 0, width: 0, height: 0 };
  let elements = 0;
  let x = 0;
  let y = 0;
  let characters = 0;

  const complete = walkXml('SVG', bytes, limits, {
    open(name, attributes) {
      if (++elements > limits.entities) {
        throw new EngineError('LIMIT_EXCEEDED', `the SVG has more elements than limits.entities, ${limits.entities}`, {
          details: { limit: 'entities', allowed: limits.entities, found: elements },
        });
      }
      const local = localName(name);
      const parent = levels.at(-1);
      if (parent === undefined) {
        if (local !== 'svg') throw new EngineError('FILE_MALFORMED', `an SVG's outermost element is svg, found ${name}`);
        box = viewBoxOf(attributes);
      }
      const size = sizeOf(attributes) ?? parent?.size ?? USUAL_SIZE;
      levels.push({
        name,
        map: compose2d(parent?.map ?? IDENTITY, transformOf(attributes.get('transform') ?? '')),
        size,
        anchor: attributes.get('text-anchor') ?? styleOf(attributes, 'text-anchor') ?? parent?.anchor ?? 'start',
        silent: parent?.silent === true || SILENT.has(local) || attributes.get('display') === 'none' || styleOf(attributes, 'display') === 'none',
      });
      if (local === 'text' || local === 'tspan') {
        x = lengthOf(attributes.get('x'), size) ?? (local === 'text' ? 0 : x);
        y = lengthOf(attributes.get('y'), size) ?? (local === 'text' ? 0 : y);
        x += lengthOf(attributes.get('dx'), size) ?? 0;
        y += lengthOf(attributes.get('dy'), size) ?? 0;
      }
    },
    text(run) {
      const level = levels.at(-1);
      if (level === undefined || run.trim() === '') return;
      const local = localName(level.name);
      if (local === 'title' && levels.length === 2) list.add('Title', run);
      else if (local === 'desc' && levels.length === 2) list.add('Description', run);
      else if (levels.some(({ name }) => localName(name) === 'metadata')) {
        const element = levels.find(({ name }) => name in METADATA);
        if (element !== undefined) list.add(METADATA[element.name], run);
      } else if (!level.silent && levels.some(({ name }) => localName(name) === 'text') && characters < limits.textCharacters) {
        characters += run.length;
        const words = run.replace(/\s+/g, ' ');
        const length = words.length * level.size * LETTER_WIDTH;
        const start = level.anchor === 'middle' ? x - length / 2 : level.anchor === 'end' ? x - length : x;
        pieces.push(placed(words, start, y, length, level));
        x = start + length;
      }
    },
    close() {
      levels.pop();
    },
  }, { prefixes: true });

  const warnings: Warning[] = complete ? [] : [{ code: 'FILE_TRUNCATED', message: 'the SVG ends before its last element; what came before was kept' }];
  // Without a view box the text itself says how large the picture is.
  const width = box.width > 0 ? box.width : Math.max(1, ...pieces.map((piece) => piece.x + piece.length));
  const height = box.height > 0 ? box.height : Math.max(1, ...pieces.map((piece) => piece.y));
  const budget = new TextBudget(limits);
  const moved = pieces.map((piece) => ({ ...piece, x: piece.x - box.x, y: piece.y - box.y }));
  const page = budget.keep(layOut(moved, { number: 1, name: '', width, height }));
  return { kind: 'drawing', format: 'svg', pages: [page], sheets: [], properties: list.properties, warnings: [...warnings, ...budget.warnings()] };
}

function placed(text: string, x: number, y: number, length: number, { map, size }: Level): TextPiece {
  const [startX, startY] = applyTo(map, x, y);
  const [endX, endY] = applyTo(map, x + 1, y);
  const [overX, overY] = applyTo(map, x, y + 1);
  const along = Math.hypot(endX - startX, endY - startY);
  return {
    text, x: startX, y: startY, angleRad: Math.atan2(endY - startY, endX - startX), length: length * along,
    height: size * Math.hypot(overX - startX, overY - startY),
  };
}

type Attributes = ReadonlyMap<string, string>;

function viewBoxOf(attributes: Attributes): { x: number; y: number; width: number; height: number } {
  const numbers = (attributes.get('viewBox') ?? '').trim().split(/[\s,]+/).map(Number);
  if (numbers.length === 4 && numbers.every(Number.isFinite) && numbers[2] > 0 && numbers[3] > 0) {
    return { x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3] };
  }
  return { x: 0, y: 0, width: lengthOf(attributes.get('width'), USUAL_SIZE) ?? 0, height: lengthOf(attributes.get('height'), USUAL_SIZE) ?? 0 };
}

function sizeOf(attributes: Attributes): number | undefined {
  const size = lengthOf(attributes.get('font-size') ?? styleOf(attributes, 'font-size'), USUAL_SIZE);
  return size !== undefined && size > 0 ? size : undefined;
}

/** A property of the `style` attribute. */
function styleOf(attributes: Attributes, name: string): string | undefined {
  return attributes.get('style')?.split(';').find((part) => part.trim().startsWith(`${name}:`))?.split(':')[1].trim();
}

/** User units in one CSS unit (CSS Values 4); a percentage depends on what is not known here. */
const UNITS: Readonly<Record<string, number>> = { '': 1, px: 1, pt: 96 / 72, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96 };

/** The first length of a list, in user units. */
function lengthOf(text: string | undefined, em: number): number | undefined {
  const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([a-z%]*)/i.exec(text ?? '');
  if (found === null) return undefined;
  const scale = found[2] === 'em' ? em : UNITS[found[2].toLowerCase()];
  return scale === undefined ? undefined : Number(found[1]) * scale;
}

/** The map of a `transform` attribute (SVG 2, 8.5). */
function transformOf(text: string): Affine {
  let map = IDENTITY;
  for (const [, kind, list] of text.slice(0, 2_000).matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const [a = 0, b, c, ...rest] = list.trim().split(/[\s,]+/).map(Number);
    map = compose2d(map, oneTransform(kind, a, b, c, rest));
  }
  return map.every(Number.isFinite) ? map : IDENTITY;
}

function oneTransform(kind: string, a: number, b: number | undefined, c: number | undefined, rest: readonly number[]): Affine {
  const turn = (a * Math.PI) / 180;
  switch (kind) {
    case 'matrix':
      return rest.length === 3 ? [a, b ?? 0, c ?? 0, rest[0], rest[1], rest[2]] : IDENTITY;
    case 'translate':
      return [1, 0, 0, 1, a, b ?? 0];
    case 'scale':
      return [a, 0, 0, b ?? a, 0, 0];
    case 'rotate': {
      const cos = Math.cos(turn), sin = Math.sin(turn);
      const round: Affine = [cos, sin, -sin, cos, 0, 0];
      return b === undefined || c === undefined ? round : compose2d(compose2d([1, 0, 0, 1, b, c], round), [1, 0, 0, 1, -b, -c]);
    }
    case 'skewX':
      return [1, 0, Math.tan(turn), 1, 0, 0];
    case 'skewY':
      return [1, Math.tan(turn), 0, 1, 0, 0];
    default:
      return IDENTITY;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
