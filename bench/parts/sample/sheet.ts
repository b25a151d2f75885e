import { drawProjection, type Shape3D } from 'replicad';

/** What a drawing of one solid says. */
export interface SheetText {
  readonly title: string;
  readonly material: string;
  /** Written behind the height of the front view, such as ` h11`. */
  readonly fit?: string;
  /** True: the front view's height is a diameter. */
  readonly turned?: boolean;
}

/** Size of the page, mm: A4. */
const [WIDTH, HEIGHT] = [297, 210];

/**
 * A drawing in first-angle projection as SVG, 1:1: front, top and left view, visible edges as lines and hidden ones
 * dashed, with overall sizes, a general tolerance and the names of part and material.
 */
export function drawingSheet(solid: Shape3D, { title, material, fit = '', turned = false }: SheetText): Uint8Array {
  const front = viewOf(solid, 'front', [95, 70]);
  const top = viewOf(solid, 'top', [95, 150]);
  const left = viewOf(solid, 'left', [215, 70]);
  const parts = [
    ...[front, top, left].map(({ svg }) => svg),
    across(front, number(front.width)),
    upright(front, `${turned ? '⌀' : ''}${number(front.height)}${fit}`),
    ...(turned ? [] : [upright(top, number(top.height))]),
    text(title, 190, 180, 5),
    text(`Material: ${material}`, 190, 188),
    text('General tolerances ISO 2768-mK', 190, 194),
    text('Scale 1:1', 190, 200),
  ];
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}mm" height="${HEIGHT}mm" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
      `<title>${title}</title>${parts.join('\n')}</svg>\n`,
  );
}

interface View {
  readonly svg: string;
  /** Centre on the page and size, mm. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function viewOf(solid: Shape3D, from: 'front' | 'top' | 'left', [x, y]: readonly [number, number]): View {
  const { visible, hidden } = drawProjection(solid, from);
  const { bounds, width, height } = visible.boundingBox;
  const [[minX, minY], [maxX, maxY]] = bounds;
  // The paths have their y downwards already.
  const move = `translate(${fixed(x - (minX + maxX) / 2)} ${fixed(y + (minY + maxY) / 2)})`;
  const paths = (lines: typeof visible): string => rounded(lines.toSVGPaths().flat(2).join(' '));
  return {
    x,
    y,
    width,
    height,
    svg:
      `<g transform="${move}" fill="none" stroke="black"><path stroke-width="0.5" d="${paths(visible)}"/>` +
      `<path stroke-width="0.25" stroke-dasharray="2 1" d="${paths(hidden)}"/></g>`,
  };
}

/** A horizontal size below a view. */
function across({ x, y, width, height }: View, label: string): string {
  const [from, to, at] = [x - width / 2, x + width / 2, y + height / 2 + 12];
  return (
    line(from, y + height / 2 + 1, from, at + 2) +
    line(to, y + height / 2 + 1, to, at + 2) +
    line(from, at, to, at) +
    arrow(from, at, 3, 0) +
    arrow(to, at, -3, 0) +
    text(label, x - 1.2 * label.length, at - 1)
  );
}

/** A vertical size to the left of a view. */
function upright({ x, y, width, height }: View, label: string): string {
  const [from, to, at] = [y - height / 2, y + height / 2, x - width / 2 - 12];
  const place = `transform="rotate(-90 ${fixed(at - 1)} ${fixed(y)})"`;
  return (
    line(x - width / 2 - 1, from, at - 2, from) +
    line(x - width / 2 - 1, to, at - 2, to) +
    line(at, from, at, to) +
    arrow(at, from, 0, 3) +
    arrow(at, to, 0, -3) +
    `<text ${place} x="${fixed(at - 1 - 1.2 * label.length)}" y="${fixed(y)}" font-size="3.5" font-family="sans-serif">${label}</text>`
  );
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<path stroke="black" stroke-width="0.25" fill="none" d="M${fixed(x1)} ${fixed(y1)}L${fixed(x2)} ${fixed(y2)}"/>`;
}

/** An arrow whose tip is at a point; its body goes by dx, dy. */
function arrow(x: number, y: number, dx: number, dy: number): string {
  const [wideX, wideY] = [dy / 6, dx / 6];
  return `<path fill="black" d="M${fixed(x)} ${fixed(y)}L${fixed(x + dx + wideX)} ${fixed(y + dy + wideY)}L${fixed(x + dx - wideX)} ${fixed(y + dy - wideY)}Z"/>`;
}

function text(said: string, x: number, y: number, size = 3.5): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" font-size="${size}" font-family="sans-serif">${said}</text>`;
}

function number(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** Three digits are a thousandth of a millimetre; more would differ between machines. */
function fixed(value: number): string {
  return value.toFixed(3);
}

function rounded(path: string): string {
  return path.replace(/-?\d+\.\d+(e-?\d+)?/g, (digits) => fixed(Number(digits)));
}
