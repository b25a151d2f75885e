/**
 * A boundary representation with its own curves and surfaces, mm, as plain data: what a reader finds when it keeps exact geometry. Angles in radians. Every
 * frame is right-handed and of unit directions.
 */

export type Point = readonly [x: number, y: number, z: number];

/** A place with directions: `z` is the axis or the normal, `x` is where angles begin. */
export interface Frame {
  readonly origin: Point;
  readonly x: Point;
  readonly y: Point;
  readonly z: Point;
}

/** A B-spline curve; rational where it has weights. `knots`: with repeats, `points.length + degree + 1` of them. It is used from `from` to `to`. */
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
  /** `origin + radiusX cos(t) x + radiusY sin(t) y`, t from `from` to `to`, at most one turn. A circle has equal radii. */
  | {
      readonly kind: 'ellipse';
      readonly frame: Frame;
      readonly radiusX: number;
      readonly radiusY: number;
      readonly from: number;
      readonly to: number;
    }
  | SplineCurve;

/** A B-spline surface; `points[i][j]`: i along u, j along v. It is used inside of `range`. */
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
  /** `curve` turned round the axis `z` of the frame, from `from` to `to`. */
  | {
      readonly kind: 'revolution';
      readonly origin: Point;
      readonly axis: Point;
      readonly curve: Curve;
      readonly from: number;
      readonly to: number;
    }
  /** `curve` moved along `along`. */
  | { readonly kind: 'extrusion'; readonly curve: Curve; readonly along: Point }
  | SplineSurface
  | { readonly kind: 'offset'; readonly base: Surface; readonly distance: number };

/** A stretch of the boundary of faces. Faces that share the object are neighbours there. The curve leads from `start` to `end`. */
export interface Edge {
  readonly curve: Curve;
  readonly start: Vertex;
  readonly end: Vertex;
}

/** A corner; edges that share the object meet there. */
export interface Vertex {
  readonly point: Point;
}

/** An edge as a loop walks it. */
export interface EdgeUse {
  readonly edge: Edge;
  readonly forward: boolean;
}

/** A part of a surface within loops, the outer one first, with the face on their left as seen from where its normal points. */
export interface Face {
  readonly surface: Surface;
  /** Whether the face's normal is that of its surface. */
  readonly sameSense: boolean;
  readonly loops: readonly (readonly EdgeUse[])[];
}

/** A closed body: its outer shell and the shells of its cavities. */
export interface Solid {
  readonly shells: readonly (readonly Face[])[];
}

export interface ExactShape {
  readonly solids: readonly Solid[];
  /** Faces of no solid, in groups that the file holds together; neighbours are told by their place alone. */
  readonly sheets: readonly (readonly Face[])[];
  /** Distance within which places are the same, mm. */
  readonly resolutionMm: number;
}
