/**
 * A boundary representation with exact curves and surfaces as plain data. Lengths in mm, angles in radians. Every frame
 * is right-handed with unit vectors.
 */

export type Point = readonly [x: number, y: number, z: number];

/** A coordinate frame: `z` is the axis or the normal; angles are measured from `x`. */
export interface Frame {
  readonly origin: Point;
  readonly x: Point;
  readonly y: Point;
  readonly z: Point;
}

/**
 * A B-spline curve, rational if it has weights. `knots` contains repeated knots: `points.length + degree + 1` in all.
 * The curve is used for parameters `from` to `to`.
 */
export interface SplineCurve {
  readonly kind: 'spline';
  readonly degree: number;
  readonly knots: readonly number[];
  readonly points: readonly Point[];
  readonly weights?: readonly number[];
  readonly from: number;
  readonly to: number;
}

export type Curve =
  | { readonly kind: 'line'; readonly from: Point; readonly to: Point }
  /**
   * `origin + radiusX cos(t) x + radiusY sin(t) y`, t from `from` to `to`, at most one turn. A circle has equal radii.
   */
  | {
      readonly kind: 'ellipse';
      readonly frame: Frame;
      readonly radiusX: number;
      readonly radiusY: number;
      readonly from: number;
      readonly to: number;
    }
  | SplineCurve;

/** A B-spline surface; in `points[i][j]`, i runs along u and j along v. It is used for parameters within `range`. */
export interface SplineSurface {
  readonly kind: 'spline';
  readonly degreeU: number;
  readonly degreeV: number;
  readonly knotsU: readonly number[];
  readonly knotsV: readonly number[];
  readonly points: readonly (readonly Point[])[];
  readonly weights?: readonly (readonly number[])[];
  readonly range: readonly [fromU: number, toU: number, fromV: number, toV: number];
}

export type Surface =
  | { readonly kind: 'plane'; readonly frame: Frame }
  | { readonly kind: 'cylinder'; readonly frame: Frame; readonly radius: number }
  /** `radius` at the origin; it grows along z by the tangent of `halfAngleRad`, from 0 to π/2. */
  | { readonly kind: 'cone'; readonly frame: Frame; readonly radius: number; readonly halfAngleRad: number }
  | { readonly kind: 'sphere'; readonly frame: Frame; readonly radius: number }
  | { readonly kind: 'torus'; readonly frame: Frame; readonly major: number; readonly minor: number }
  /** `curve` rotated about the line through `origin` along `axis`, by angles `from` to `to`. */
  | {
      readonly kind: 'revolution';
      readonly origin: Point;
      readonly axis: Point;
      readonly curve: Curve;
      readonly from: number;
      readonly to: number;
    }
  /** `curve` translated along the direction `along`. */
  | { readonly kind: 'extrusion'; readonly curve: Curve; readonly along: Point }
  | SplineSurface
  | { readonly kind: 'offset'; readonly base: Surface; readonly distance: number };

/** An edge of faces. Faces that share the object are neighbours there. The curve runs from `start` to `end`. */
export interface Edge {
  readonly curve: Curve;
  readonly start: Vertex;
  readonly end: Vertex;
}

/** A vertex; edges that share the object meet there. */
export interface Vertex {
  readonly point: Point;
}

/** An edge as a loop traverses it. */
export interface EdgeUse {
  readonly edge: Edge;
  readonly forward: boolean;
}

/**
 * A part of a surface bounded by loops, the outer one first. Seen from the side of the normal, the face is left of each
 * loop.
 */
export interface Face {
  readonly surface: Surface;
  /** Whether the normal of the face is that of its surface; otherwise it is reversed. */
  readonly sameSense: boolean;
  readonly loops: readonly (readonly EdgeUse[])[];
}

/** A closed body: its outer shell and the shells of its cavities. */
export interface Solid {
  readonly shells: readonly (readonly Face[])[];
}

export interface ExactShape {
  readonly solids: readonly Solid[];
  /** Faces that belong to no solid, in the groups of the file; their neighbours are found by position only. */
  readonly sheets: readonly (readonly Face[])[];
  /** Points nearer to each other than this are the same, mm. */
  readonly resolutionMm: number;
}
