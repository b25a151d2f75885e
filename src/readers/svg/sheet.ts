import type { StrokeStyle } from '../../content/sheet.js';
import { checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';
import { applyTo, compose2d, type Affine, type Bounds } from '../geometry/affine.js';
import type { SheetWriter } from '../sheet/sheet-writer.js';
import { isWhite } from './pale-texts.js';
import { drawPathData } from './path.js';
import type { SvgStyles } from './style.js';
import { lengthOf, numbersOf, paintOf, transformOf, USUAL_SIZE, viewBoxOf, type Attributes } from './values.js';
import type { TextPiece } from '../text/text-layout.js';

/**
 * Assumed widths of letters as shares of the font size, because fonts are not available: those of common sans-serif
 * fonts, for the first pattern that has the letter.
 */
const LETTER_WIDTHS: readonly (readonly [letters: RegExp, width: number])[] = [
  [/[.,:;!|'′ ijl]/, 0.28],
  [/[()[\]/\-ft]/, 0.33],
  [/[°rI"″]/, 0.39],
  [/[mwMW@%⌴⌵⌖]/, 0.85],
  [/[A-Z⌀ØÄÖÜ&]/, 0.69],
];
const USUAL_WIDTH = 0.55;
/** Height of capital letters as a share of the font size. */
const CAPITALS = 0.7;
/** Elements that draw nothing at their own place. */
const UNSEEN = new Set(
  (
    'style script defs symbol clipPath mask pattern marker metadata title desc linearGradient radialGradient ' +
    'filter foreignObject'
  ).split(' '),
);
/** Most numbers of one polyline, two per point. */
const MOST_NUMBERS = 4_000_000;

/** An element with its child elements and texts, in order. */
export interface SvgNode {
  /** Without namespace prefix. */
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: (SvgNode | string)[];
}

/** What an element inherits. */
interface Inherited {
  readonly map: Affine;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly dash: string;
  readonly fill: string;
  readonly color: number;
  readonly isVisible: boolean;
  readonly size: number;
  readonly anchor: string;
  /** Name of the enclosing layer or group. */
  readonly layer: string;
}

/** Letters of one look, in user units. */
interface Run {
  readonly text: string;
  readonly look: Inherited;
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

/**
 * Draws an SVG: shapes and paths with strokes and fills, `use` and `symbol`, nested `svg` elements and text. Clips,
 * masks, markers and pixel images are ignored. Text is also collected as pieces; text that `use` repeats is collected
 * once, where it is defined.
 */
export class SvgSheet {
  readonly pieces: TextPiece[] = [];
  /** Texts that have white ink alone, those too that `use` repeats, and areas of pictures, on the sheet. */
  readonly white: TextPiece[] = [];
  readonly pictures: Bounds[] = [];
  readonly #writer: SheetWriter;
  readonly #styles: SvgStyles;
  readonly #ids: ReadonlyMap<string, SvgNode>;
  readonly #limits: Limits;
  readonly #open = new Set<SvgNode>();
  readonly #hidden = new Set<SvgNode>();
  #hiddenTexts = 0;
  /** The text whose runs are drawn. */
  #textNode: SvgNode | undefined;
  /** Runs of it that stand behind each other. */
  #chunk: Run[] = [];
  #hiddenShapes = 0;
  #visited = 0;
  #characters = 0;
  #x = 0;
  #y = 0;

  constructor(writer: SheetWriter, styles: SvgStyles, ids: ReadonlyMap<string, SvgNode>, limits: Limits) {
    this.#writer = writer;
    this.#styles = styles;
    this.#ids = ids;
    this.#limits = limits;
  }

  /** @throws EngineError `LIMIT_EXCEEDED` for more than `limits.entities` elements; each repetition by `use` counts. */
  draw(root: SvgNode, map: Affine): void {
    const look = this.#look(root, {
      map,
      stroke: 'none',
      strokeWidth: 1,
      dash: 'none',
      fill: 'black',
      color: 0,
      isVisible: true,
      size: USUAL_SIZE,
      anchor: 'start',
      layer: '',
    });
    if (look !== undefined) this.#children(root, look, 1);
  }

  /** Texts, and shapes beside them, that are not shown: each element of the file once. */
  get hidden(): { readonly texts: number; readonly shapes: number } {
    return { texts: this.#hiddenTexts, shapes: this.#hiddenShapes };
  }

  /** Counts what an element that is not shown holds. */
  #hide(node: SvgNode): void {
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#hidden.has(next) || UNSEEN.has(next.name)) continue;
      this.#hidden.add(next);
      if (SHAPES.has(next.name)) this.#hiddenShapes++;
      else if (next.name === 'text') {
        if (hasWords(next)) this.#hiddenTexts++;
      } else for (const child of next.children) if (typeof child !== 'string') open.push(child);
    }
  }

  #children(node: SvgNode, look: Inherited, depth: number): void {
    for (const child of node.children) if (typeof child !== 'string') this.#visit(child, look, depth);
  }

  #visit(node: SvgNode, around: Inherited, depth: number): void {
    checkLimit('the SVG', this.#limits, 'entities', ++this.#visited);
    if (UNSEEN.has(node.name) || depth > this.#limits.depth) return;
    const look = this.#look(node, around);
    if (look === undefined || (!look.isVisible && (node.name === 'text' || SHAPES.has(node.name)))) this.#hide(node);
    if (look === undefined) return;
    if (node.name === 'use') this.#use(node, look, depth);
    else if (node.name === 'svg')
      this.#children(node, { ...look, map: compose2d(look.map, frameOf(node.attributes, node.attributes)) }, depth + 1);
    else if (node.name === 'text') {
      this.#x = 0;
      this.#y = 0;
      this.#textNode = node;
      this.#text(node, look, depth);
    } else if (SHAPES.has(node.name)) this.#shape(node, look);
    else if (node.name === 'image') this.pictures.push(boundsOf(node.attributes, look));
    else this.#children(node, look, depth + 1);
  }

  /** The style and map of an element; undefined when it and its children are not shown. */
  #look({ name, attributes }: SvgNode, around: Inherited): Inherited | undefined {
    const ask = this.#styles.lookup(name, attributes);
    if (ask('display') === 'none' || ask('opacity') === '0') return undefined;
    const inherited = (property: string, value: string): string => {
      const own = ask(property);
      return own === undefined || own === 'inherit' ? value : own;
    };
    const sizeGiven = lengthOf(ask('font-size'), around.size);
    const transform = attributes.get('transform');
    const color = ask('color');
    return {
      map: transform === undefined ? around.map : compose2d(around.map, transformOf(transform)),
      stroke: ask('stroke-opacity') === '0' ? 'none' : inherited('stroke', around.stroke),
      strokeWidth: lengthOf(ask('stroke-width'), around.size) ?? around.strokeWidth,
      dash: inherited('stroke-dasharray', around.dash),
      fill: ask('fill-opacity') === '0' ? 'none' : inherited('fill', around.fill),
      color: color === undefined ? around.color : (paintOf(color, around.color) ?? 0),
      isVisible: inherited('visibility', around.isVisible ? 'visible' : 'hidden') === 'visible',
      size: sizeGiven !== undefined && sizeGiven > 0 ? sizeGiven : around.size,
      anchor: inherited('text-anchor', around.anchor),
      layer: name === 'g' ? (attributes.get('inkscape:label') ?? attributes.get('id') ?? around.layer) : around.layer,
    };
  }

  #use({ attributes }: SvgNode, look: Inherited, depth: number): void {
    const target = this.#ids.get(
      (attributes.get('href') ?? attributes.get('xlink:href') ?? '').trim().replace(/^#/, ''),
    );
    // A target that contains this `use` is not followed.
    if (target === undefined || this.#open.has(target)) return;
    const x = lengthOf(attributes.get('x'), look.size) ?? 0,
      y = lengthOf(attributes.get('y'), look.size) ?? 0;
    const map = compose2d(look.map, [1, 0, 0, 1, x, y]);
    this.#open.add(target);
    if (target.name === 'symbol') {
      const inner = this.#look(target, { ...look, map: compose2d(map, frameOf(target.attributes, attributes)) });
      if (inner !== undefined) this.#children(target, inner, depth + 1);
    } else this.#visit(target, { ...look, map }, depth + 1);
    this.#open.delete(target);
  }

  #shape(node: SvgNode, look: Inherited): void {
    if (!look.isVisible) return;
    const writer = this.#writer;
    const [a, b, c, d] = look.map;
    const scale = Math.sqrt(Math.abs(a * d - b * c));
    const stroke = paintOf(look.stroke, look.color),
      fill = node.name === 'line' ? null : paintOf(look.fill, look.color);
    writer.group();
    writer.map = look.map;
    if (fill !== null) {
      writer.style({ layer: look.layer, width: 0, dash: [], color: fill, isFill: true });
      drawShape(node, look.size, writer);
    }
    if (stroke !== null && look.strokeWidth > 0) {
      writer.style(lineStyle(look, stroke, scale));
      drawShape(node, look.size, writer);
    }
    writer.group();
  }

  #text(node: SvgNode, look: Inherited, depth: number): void {
    const { attributes } = node;
    const [x, y, dx, dy] = ['x', 'y', 'dx', 'dy'].map((name) => lengthOf(attributes.get(name), look.size));
    if (x !== undefined || y !== undefined) this.#endChunk();
    this.#x = (x ?? this.#x) + (dx ?? 0);
    this.#y = (y ?? this.#y) + (dy ?? 0);
    for (const child of node.children) {
      if (typeof child === 'string') this.#run(child, look);
      else if (!UNSEEN.has(child.name) && depth < this.#limits.depth) {
        const inner = this.#look(child, look);
        if (inner !== undefined) this.#text(child, inner, depth + 1);
      }
    }
    if (node === this.#textNode) this.#endChunk();
  }

  #run(run: string, look: Inherited): void {
    if (run.trim() === '' || this.#characters >= this.#limits.textCharacters) return;
    this.#characters += run.length;
    const text = run.replace(/\s+/g, ' ');
    const length = look.size * widthOfLetters(text);
    this.#chunk.push({ text, look, x: this.#x, y: this.#y, length });
    this.#x += length;
  }

  /** Runs up to the next absolute position are anchored as a whole (SVG 2, 11.10.2). */
  #endChunk(): void {
    const [first] = this.#chunk;
    if (first === undefined) return;
    const { anchor } = first.look;
    const length = this.#x - first.x;
    const shift = anchor === 'middle' ? -length / 2 : anchor === 'end' ? -length : 0;
    for (const run of this.#chunk) this.#drawRun({ ...run, x: run.x + shift });
    this.#chunk = [];
    this.#x += shift;
  }

  #drawRun({ text, look, x, y, length }: Run): void {
    const { map, size } = look;
    if (!isSeen(look)) {
      if (this.#textNode !== undefined) this.#hide(this.#textNode);
      return;
    }
    this.#writer.map = map;
    this.#writer.text({ text, x, y, angleRad: 0, height: CAPITALS * size, width: length });
    const piece = placed({ text, x, y, length, size }, map);
    if (this.#open.size === 0) this.pieces.push(piece);
    if (isPale(look)) this.white.push(piece);
  }
}

const SHAPES = new Set(['path', 'line', 'rect', 'circle', 'ellipse', 'polyline', 'polygon']);

/**
 * Whether letters of this look have any ink: neither filled nor stroked ones are often kept beside outlines of them.
 */
function isSeen({ isVisible, fill, stroke, strokeWidth, color }: Inherited): boolean {
  return isVisible && (paintOf(fill, color) !== null || (paintOf(stroke, color) !== null && strokeWidth > 0));
}

/** Whether letters of this look, which have ink, have white ink alone. */
function isPale({ fill, stroke, strokeWidth, color }: Inherited): boolean {
  const inks = [paintOf(fill, color), strokeWidth > 0 ? paintOf(stroke, color) : null];
  return inks.every((ink) => ink === null || isWhite(ink));
}

/** The upright box of a picture on the sheet. */
function boundsOf(attributes: Attributes, { map, size }: Inherited): Bounds {
  const of = (name: string): number => lengthOf(attributes.get(name), size) ?? 0;
  const [x, y] = [of('x'), of('y')];
  const corners = [x, x + of('width')].flatMap((left) => [y, y + of('height')].map((top) => applyTo(map, left, top)));
  const [xs, ys] = [corners.map(([left]) => left), corners.map(([, top]) => top)];
  return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
}

/** Whether an element or one in it holds letters. */
function hasWords({ children }: SvgNode): boolean {
  return children.some((child) => (typeof child === 'string' ? child.trim() !== '' : hasWords(child)));
}

/** A run of text in user units, as `map` places it on the sheet. */
function placed(
  { text, x, y, length, size }: { text: string; x: number; y: number; length: number; size: number },
  map: Affine,
): TextPiece {
  const [startX, startY] = applyTo(map, x, y);
  const [endX, endY] = applyTo(map, x + 1, y);
  const [overX, overY] = applyTo(map, x, y + 1);
  const along = Math.hypot(endX - startX, endY - startY);
  return {
    text,
    x: startX,
    y: startY,
    angleRad: Math.atan2(endY - startY, endX - startX),
    length: length * along,
    height: size * Math.hypot(overX - startX, overY - startY),
  };
}

function lineStyle({ layer, strokeWidth, dash }: Inherited, color: number, scale: number): StrokeStyle {
  const lengths = dash === 'none' ? [] : numbersOf(dash, 100).map((length) => Math.abs(length) * scale);
  const isDashed = lengths.length > 0 && lengths.every(Number.isFinite) && lengths.some((length) => length > 0);
  // An odd list of dash lengths is repeated (SVG 2, 13.5.6).
  return {
    layer,
    width: strokeWidth * scale,
    dash: isDashed ? (lengths.length % 2 === 0 ? lengths : [...lengths, ...lengths]) : [],
    color,
    isFill: false,
  };
}

/**
 * The map of a nested `svg` or `symbol`: its view box is fitted into its size, centred. sized: the element that states
 * the size.
 */
function frameOf(frame: Attributes, sized: Attributes): Affine {
  const x = sized === frame ? (lengthOf(frame.get('x'), USUAL_SIZE) ?? 0) : 0,
    y = sized === frame ? (lengthOf(frame.get('y'), USUAL_SIZE) ?? 0) : 0;
  const box = viewBoxOf(frame);
  if (box === null) return [1, 0, 0, 1, x, y];
  const width = lengthOf(sized.get('width') ?? frame.get('width'), USUAL_SIZE) ?? box.width,
    height = lengthOf(sized.get('height') ?? frame.get('height'), USUAL_SIZE) ?? box.height;
  const scale = Math.min(width / box.width, height / box.height);
  return [
    scale,
    0,
    0,
    scale,
    x + (width - scale * box.width) / 2 - scale * box.x,
    y + (height - scale * box.height) / 2 - scale * box.y,
  ];
}

function drawShape({ name, attributes }: SvgNode, em: number, writer: SheetWriter): void {
  const of = (attribute: string): number => lengthOf(attributes.get(attribute), em) ?? 0;
  if (name === 'path') drawPathData(attributes.get('d') ?? '', writer);
  else if (name === 'line') {
    writer.move(of('x1'), of('y1'));
    writer.line(of('x2'), of('y2'));
  } else if (name === 'circle') writer.arc(of('cx'), of('cy'), of('r'), 0, 2 * Math.PI);
  else if (name === 'ellipse') {
    const rx = of('rx') || of('ry'),
      ry = of('ry') || rx;
    const { map } = writer;
    writer.map = compose2d(map, [rx, 0, 0, ry, of('cx'), of('cy')]);
    if (rx > 0 && ry > 0) writer.arc(0, 0, 1, 0, 2 * Math.PI);
    writer.map = map;
  } else if (name === 'rect')
    drawRect(
      { x: of('x'), y: of('y'), width: of('width'), height: of('height') },
      { rx: of('rx') || of('ry'), ry: of('ry') || of('rx') },
      writer,
    );
  else {
    const numbers = numbersOf(attributes.get('points'), MOST_NUMBERS);
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      if (i === 0) writer.move(numbers[0], numbers[1]);
      else writer.line(numbers[i], numbers[i + 1]);
    }
    if (name === 'polygon') writer.close();
  }
}

function drawRect(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  radii: { readonly rx: number; readonly ry: number },
  writer: SheetWriter,
): void {
  if (!(width > 0 && height > 0)) return;
  const rx = Math.min(Math.max(0, radii.rx), width / 2),
    ry = Math.min(Math.max(0, radii.ry), height / 2);
  if (!(rx > 0 && ry > 0)) {
    const corners = [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ] as const;
    writer.polyline(corners, true);
    return;
  }
  const right = x + width,
    bottom = y + height;
  const corner = `A${rx} ${ry} 0 0 1`;
  drawPathData(
    `M${x + rx} ${y}H${right - rx}${corner} ${right} ${y + ry}V${bottom - ry}${corner} ${right - rx} ${bottom}` +
      `H${x + rx}${corner} ${x} ${bottom - ry}V${y + ry}${corner} ${x + rx} ${y}Z`,
    writer,
  );
}

/** Width of a string as a share of the font size. */
function widthOfLetters(text: string): number {
  let sum = 0;
  for (const letter of text) sum += LETTER_WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? USUAL_WIDTH;
  return sum;
}
