import type { PlanePoint, StrokePath } from '../sheet/stroke-path.js';

/** An arc of a circle, angles in rad. */
interface Arc {
  readonly cx: number;
  readonly cy: number;
  readonly radius: number;
  readonly start: number;
  readonly sweep: number;
}

/** A segment of a path, in absolute coordinates. */
interface Segment {
  /** Present when it is an arc of a circle. */
  readonly arc?: Arc;
  readonly draw: (path: StrokePath) => void;
}

interface Subpath {
  readonly x: number;
  readonly y: number;
  readonly segments: Segment[];
  isClosed: boolean;
}

/** Count of numbers after each command. */
const TAKES: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/** Draws path data (SVG 2, 9.3). As the standard says, what follows an error is ignored. Circular arcs stay arcs. */
export function drawPathData(data: string, path: StrokePath): void {
  for (const subpath of subpathsOf(data)) drawSubpath(subpath, path);
}

function drawSubpath({ x, y, segments, isClosed }: Subpath, path: StrokePath): void {
  const circle = oneCircle(segments);
  if (circle !== null && (!isClosed || Math.abs(circle.sweep) > 2 * Math.PI - 1e-3)) {
    path.arc(
      circle.cx,
      circle.cy,
      circle.radius,
      circle.start,
      Math.abs(circle.sweep) > 2 * Math.PI - 1e-3 ? Math.sign(circle.sweep) * 2 * Math.PI : circle.sweep,
    );
    return;
  }
  path.move(x, y);
  for (const { draw } of segments) draw(path);
  if (isClosed) path.close();
}

/** The single arc that a path forms when all its segments lie on one circle and turn the same way; null otherwise. */
function oneCircle(segments: readonly Segment[]): Arc | null {
  const first = segments[0]?.arc;
  if (first === undefined) return null;
  let sweep = 0;
  for (const { arc } of segments) {
    if (
      arc === undefined ||
      Math.hypot(arc.cx - first.cx, arc.cy - first.cy) > 1e-3 * first.radius ||
      Math.abs(arc.radius - first.radius) > 1e-3 * first.radius ||
      arc.sweep * first.sweep < 0
    )
      return null;
    sweep += arc.sweep;
  }
  return { ...first, sweep };
}

function subpathsOf(data: string): Subpath[] {
  const subpaths: Subpath[] = [];
  const scanner = new Scanner(data);
  let open: Subpath | undefined;
  let x = 0,
    y = 0,
    controlX = 0,
    controlY = 0;
  let previous = '';
  for (let command = scanner.command(); command !== undefined; ) {
    const kind = command.toUpperCase();
    if (open === undefined && kind !== 'M') {
      const last = subpaths.at(-1);
      if (last === undefined) return subpaths;
      // After `Z`, the next subpath starts where the closed one started.
      open = { x: last.x, y: last.y, segments: [], isClosed: false };
      subpaths.push(open);
    }
    const n = scanner.numbers(TAKES[kind], kind === 'A');
    if (n === undefined) return subpaths;
    const isRelative = command !== kind;
    const dx = isRelative ? x : 0,
      dy = isRelative ? y : 0;
    const segments = open?.segments ?? [];
    const end = (toX: number, toY: number): void => {
      x = toX;
      y = toY;
    };
    const curve = (first: PlanePoint, second: PlanePoint, to: PlanePoint): void => {
      segments.push({ draw: (path) => path.curve(first, second, to) });
      end(...to);
    };
    if (kind === 'M') {
      end(n[0] + dx, n[1] + dy);
      open = { x, y, segments: [], isClosed: false };
      subpaths.push(open);
    } else if (kind === 'L' || kind === 'H' || kind === 'V') {
      end(kind === 'V' ? x : n[0] + dx, kind === 'H' ? y : (kind === 'V' ? n[0] : n[1]) + dy);
      segments.push(lineTo(x, y));
    } else if (kind === 'C' || kind === 'S') {
      // A smooth curve reflects the last control point of a preceding curve.
      const mirrored = /[CS]/.test(previous);
      const [x1, y1] = kind === 'C' ? [n[0] + dx, n[1] + dy] : mirrored ? [2 * x - controlX, 2 * y - controlY] : [x, y];
      const [x2, y2, toX, toY] = n.slice(-4).map((value, i) => value + (i % 2 === 0 ? dx : dy));
      [controlX, controlY] = [x2, y2];
      curve([x1, y1], [x2, y2], [toX, toY]);
    } else if (kind === 'Q' || kind === 'T') {
      const mirrored = /[QT]/.test(previous);
      [controlX, controlY] =
        kind === 'Q' ? [n[0] + dx, n[1] + dy] : mirrored ? [2 * x - controlX, 2 * y - controlY] : [x, y];
      const [toX, toY] = [n[n.length - 2] + dx, n[n.length - 1] + dy];
      curve(
        [x + (2 / 3) * (controlX - x), y + (2 / 3) * (controlY - y)],
        [toX + (2 / 3) * (controlX - toX), toY + (2 / 3) * (controlY - toY)],
        [toX, toY],
      );
    } else if (kind === 'A') {
      const from: [number, number] = [x, y];
      end(n[5] + dx, n[6] + dy);
      segments.push(...arcSegments(from, n, [x, y]));
    } else if (open !== undefined) {
      open.isClosed = true;
      end(open.x, open.y);
      open = undefined;
    }
    previous = kind;
    // Further numbers repeat the command; after a move they draw lines.
    command =
      scanner.command() ??
      (kind !== 'Z' && scanner.hasNumber() ? (command === 'M' ? 'L' : command === 'm' ? 'l' : command) : undefined);
  }
  return subpaths;
}

function lineTo(x: number, y: number): Segment {
  return { draw: (path) => path.line(x, y) };
}

/**
 * Converts an elliptical arc from end points to its centre (SVG 2, B.2.4). Arcs of proper ellipses become Bézier
 * curves.
 */
function arcSegments(
  [x1, y1]: readonly [number, number],
  [rxGiven, ryGiven, degrees, large, clockwise]: readonly number[],
  [x2, y2]: readonly [number, number],
): Segment[] {
  let rx = Math.abs(rxGiven),
    ry = Math.abs(ryGiven);
  if (x1 === x2 && y1 === y2) return [];
  if (!(rx > 0 && ry > 0)) return [lineTo(x2, y2)];
  const phi = (degrees * Math.PI) / 180,
    cos = Math.cos(phi),
    sin = Math.sin(phi);
  const px = (cos * (x1 - x2) + sin * (y1 - y2)) / 2,
    py = (cos * (y1 - y2) - sin * (x1 - x2)) / 2;
  const grow = Math.sqrt((px / rx) ** 2 + (py / ry) ** 2);
  if (grow > 1) {
    rx *= grow;
    ry *= grow;
  }
  const rest = rx * rx * py * py + ry * ry * px * px;
  const share = (large === clockwise ? -1 : 1) * Math.sqrt(Math.max(0, (rx * rx * ry * ry - rest) / rest));
  const qx = (share * rx * py) / ry,
    qy = (-share * ry * px) / rx;
  const cx = cos * qx - sin * qy + (x1 + x2) / 2,
    cy = sin * qx + cos * qy + (y1 + y2) / 2;
  const start = Math.atan2((py - qy) / ry, (px - qx) / rx),
    end = Math.atan2((-py - qy) / ry, (-px - qx) / rx);
  let sweep = (end - start) % (2 * Math.PI);
  if (clockwise !== 0 && sweep < 0) sweep += 2 * Math.PI;
  if (clockwise === 0 && sweep > 0) sweep -= 2 * Math.PI;
  if (Math.abs(rx - ry) <= 1e-6 * rx)
    return [
      {
        arc: { cx, cy, radius: rx, start: Math.atan2(y1 - cy, x1 - cx), sweep },
        draw: (path) => {
          path.arcOn(cx, cy, sweep);
          path.line(x2, y2);
        },
      },
    ];
  const parts = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const step = sweep / parts,
    reach = (4 / 3) * Math.tan(step / 4);
  const at = (u: number, v: number): [number, number] => [
    cx + cos * rx * u - sin * ry * v,
    cy + sin * rx * u + cos * ry * v,
  ];
  return Array.from({ length: parts }, (_, i): Segment => {
    const from = start + i * step,
      to = from + step;
    const first = at(Math.cos(from) - reach * Math.sin(from), Math.sin(from) + reach * Math.cos(from));
    const second = at(Math.cos(to) + reach * Math.sin(to), Math.sin(to) - reach * Math.cos(to));
    const point: PlanePoint = i === parts - 1 ? [x2, y2] : at(Math.cos(to), Math.sin(to));
    return { draw: (path) => path.curve(first, second, point) };
  });
}

class Scanner {
  readonly #data: string;
  #at = 0;

  constructor(data: string) {
    this.#data = data;
  }

  command(): string | undefined {
    this.#skip();
    const letter = this.#data[this.#at];
    if (letter === undefined || !(letter.toUpperCase() in TAKES)) return undefined;
    this.#at++;
    return letter;
  }

  hasNumber(): boolean {
    this.#skip();
    return /[-+.\d]/.test(this.#data[this.#at] ?? '');
  }

  /**
   * The next numbers; undefined when there are fewer. The fourth and fifth number of an arc are flags: one digit, no
   * space needed.
   */
  numbers(count: number, isArc: boolean): number[] | undefined {
    const found: number[] = [];
    while (found.length < count) {
      this.#skip();
      const pattern = isArc && (found.length === 3 || found.length === 4) ? FLAG : NUMBER;
      pattern.lastIndex = this.#at;
      const match = pattern.exec(this.#data);
      if (match === null) return undefined;
      this.#at = pattern.lastIndex;
      found.push(Number(match[0]));
    }
    return found;
  }

  #skip(): void {
    SPACE.lastIndex = this.#at;
    if (SPACE.exec(this.#data) !== null) this.#at = SPACE.lastIndex;
  }
}

const SPACE = /[\s,]*/y;
const FLAG = /[01]/y;
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy;
