/** A place in a plane: x to the right, y downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A straight line between two places. */
export interface Segment {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The line from one of many points to the next one. @param points x, y, x, y ... */
export function edgeAt(points: Float32Array, i: number): Segment {
  return { x0: points[2 * i], y0: points[2 * i + 1], x1: points[2 * i + 2], y1: points[2 * i + 3] };
}

/** The length of a line. */
export function lengthOf({ x0, y0, x1, y1 }: Segment): number {
  return Math.hypot(x1 - x0, y1 - y0);
}

/** Whether a line rises by less than `lean` of its width. */
export function isLevel({ x0, y0, x1, y1 }: Segment, lean: number): boolean {
  return Math.abs(y1 - y0) < lean * Math.abs(x1 - x0);
}

/** Whether a line shifts sideways by less than `lean` of its height. */
export function isUpright({ x0, y0, x1, y1 }: Segment, lean: number): boolean {
  return Math.abs(x1 - x0) < lean * Math.abs(y1 - y0);
}

/** Distance of a place from a line; a line without length is a point. */
export function distanceTo({ x0, y0, x1, y1 }: Segment, x: number, y: number): number {
  const square = (x1 - x0) ** 2 + (y1 - y0) ** 2;
  const share = square > 0 ? Math.min(1, Math.max(0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / square)) : 0;
  return Math.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0));
}

/**
 * The middle of places, and the direction in which they spread most: the longer axis of their second moments.
 * @param points x, y, x, y …, one place at least.
 * @returns rad: clockwise from the right, from -π/2 to π/2; 0 where they spread alike in all directions.
 */
export function longAxisOf(points: readonly number[]): { readonly middle: Point; readonly rad: number } {
  const count = points.length / 2;
  let sumX = 0,
    sumY = 0;
  for (let i = 0; i < points.length; i += 2) {
    sumX += points[i];
    sumY += points[i + 1];
  }
  const middle = { x: sumX / count, y: sumY / count };
  let xx = 0,
    xy = 0,
    yy = 0;
  for (let i = 0; i < points.length; i += 2) {
    const dx = points[i] - middle.x,
      dy = points[i + 1] - middle.y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return { middle, rad: Math.atan2(2 * xy, xx - yy) / 2 };
}

/** A frame that is turned clockwise: s along its direction, t across it. */
export class TurnedFrame {
  static readonly LEVEL = new TurnedFrame(0);
  static readonly DOWNWARD = new TurnedFrame(Math.PI / 2, 0);

  /** @param cos for a right angle, of which the cosine by floating point is not 0. */
  constructor(
    angleRad: number,
    readonly cos = Math.cos(angleRad),
    readonly sin = Math.sin(angleRad),
  ) {}

  /** Whether the frame is the plane itself. */
  get isLevel(): boolean {
    return this.cos === 1 && this.sin === 0;
  }

  /** Place along the direction. */
  s(x: number, y: number): number {
    return x * this.cos + y * this.sin;
  }

  /** Place across the direction. */
  t(x: number, y: number): number {
    return y * this.cos - x * this.sin;
  }

  /** A place of this frame in the plane. */
  point(s: number, t: number): Point {
    return { x: s * this.cos - t * this.sin, y: s * this.sin + t * this.cos };
  }

  /** A line as this frame sees it, with everything else that it holds. */
  turned<Line extends Segment>(line: Line): Line {
    if (this.isLevel) return line;
    const { x0, y0, x1, y1 } = line;
    return { ...line, x0: this.s(x0, y0), y0: this.t(x0, y0), x1: this.s(x1, y1), y1: this.t(x1, y1) };
  }
}

/** An upright rectangle by its upper left corner and its sides. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Two corners of an upright rectangle: x0 and y0 are the smaller ones. */
export type Corners = Segment;

/** Corners around nothing; any union with them is the other rectangle. */
export const NO_CORNERS: Corners = Object.freeze({ x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity });

/** The longer side of a rectangle. */
export function longerSide({ x0, y0, x1, y1 }: Corners): number {
  return Math.max(x1 - x0, y1 - y0);
}

/** The area of a rectangle. */
export function areaOf({ x0, y0, x1, y1 }: Corners): number {
  return (x1 - x0) * (y1 - y0);
}

/** The smallest rectangle around two. */
export function unionOf(a: Corners, b: Corners): Corners {
  return { x0: Math.min(a.x0, b.x0), y0: Math.min(a.y0, b.y0), x1: Math.max(a.x1, b.x1), y1: Math.max(a.y1, b.y1) };
}

/** The area that two rectangles share. */
export function sharedArea(a: Corners, b: Corners): number {
  return (
    Math.max(0, Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)) * Math.max(0, Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0))
  );
}

/** The longer gap of both directions between two rectangles; negative when they overlap. */
export function gapBetween(a: Corners, b: Corners): number {
  return Math.max(a.x0 - b.x1, b.x0 - a.x1, a.y0 - b.y1, b.y0 - a.y1);
}

/**
 * The rectangle around points.
 * @param points x, y, x, y ... @param first number of the first point. @param end number behind the last one.
 */
export function cornersOf(points: Float32Array, first: number, end: number): Corners {
  let { x0, y0, x1, y1 } = NO_CORNERS;
  for (let i = first; i < end; i++) {
    x0 = Math.min(x0, points[2 * i]);
    x1 = Math.max(x1, points[2 * i]);
    y0 = Math.min(y0, points[2 * i + 1]);
    y1 = Math.max(y1, points[2 * i + 1]);
  }
  return { x0, y0, x1, y1 };
}

/** A rectangle by its first corner and its sides. */
export function boxOfCorners({ x0, y0, x1, y1 }: Corners): Box {
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}

/** The middle of a box. */
export function middleOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}
