import type {
  Curve,
  Edge,
  ExactShape,
  Face,
  Frame,
  Point,
  SplineCurve,
  SplineSurface,
  Surface,
  Vertex,
} from '../content/exact-shape.js';
import { Part21Writer, quoted, real } from './part21-writer.js';

/** Knots nearer than this share of the range are one. */
const SAME_KNOT = 1e-10;
/** Smallest and largest uncertainty that is written, mm: readers join corners within it. */
const ACCURACY_MM = [1e-5, 1e-2] as const;

/**
 * An exact shape as STEP (ISO 10303-21, AP214), mm. One product for the solids, if any, each a MANIFOLD_SOLID_BREP or a
 * BREP_WITH_VOIDS; then one product for each group of other faces, an open shell.
 */
export function exactPart21({ solids, sheets, resolutionMm }: ExactShape, name: string): Uint8Array {
  const writer = new Part21Writer(name, 'exact');
  const context = writer.context(Math.min(ACCURACY_MM[1], Math.max(ACCURACY_MM[0], resolutionMm)));
  const label = quoted(name);
  const faces = new FaceWriter(writer);
  const list = (shell: readonly Face[]): string => `(${shell.map((face) => faces.face(face)).join(',')})`;
  const product = (bodies: readonly string[]): void => {
    const representation = writer.add(
      `SHAPE_REPRESENTATION(${label},(${[writer.origin(), ...bodies].join(',')}),${context})`,
    );
    writer.add(`SHAPE_DEFINITION_REPRESENTATION(${writer.product(label)},${representation})`);
  };
  if (solids.length > 0) {
    product(
      solids.map(({ shells }) => {
        const [outer, ...voids] = shells.map((shell) => writer.add(`CLOSED_SHELL('',${list(shell)})`));
        if (voids.length === 0) return writer.add(`MANIFOLD_SOLID_BREP('',${outer})`);
        const inner = voids.map((shell) => writer.add(`ORIENTED_CLOSED_SHELL('',*,${shell},.T.)`));
        return writer.add(`BREP_WITH_VOIDS('',${outer},(${inner.join(',')}))`);
      }),
    );
  }
  for (const sheet of sheets)
    product([writer.add(`SHELL_BASED_SURFACE_MODEL('',(${writer.add(`OPEN_SHELL('',${list(sheet)})`)}))`)]);
  return writer.bytes();
}

class FaceWriter {
  readonly #writer: Part21Writer;
  readonly #vertices = new Map<Vertex, string>();
  readonly #edges = new Map<Edge, string>();

  constructor(writer: Part21Writer) {
    this.#writer = writer;
  }

  face({ surface, sameSense, loops }: Face): string {
    const bounds = loops.map((loop, i) => {
      const uses = loop.map(({ edge, forward }) =>
        this.#add(`ORIENTED_EDGE('',*,*,${this.#edge(edge)},${flag(forward)})`),
      );
      return this.#add(
        `${i === 0 ? 'FACE_OUTER_BOUND' : 'FACE_BOUND'}('',${this.#add(`EDGE_LOOP('',(${uses.join(',')}))`)},.T.)`,
      );
    });
    return this.#add(`ADVANCED_FACE('',(${bounds.join(',')}),${this.#surface(surface)},${flag(sameSense)})`);
  }

  #add(instance: string): string {
    return this.#writer.add(instance);
  }

  #edge(edge: Edge): string {
    let name = this.#edges.get(edge);
    if (name === undefined)
      this.#edges.set(
        edge,
        (name = this.#add(
          `EDGE_CURVE('',${this.#vertex(edge.start)},${this.#vertex(edge.end)},${this.#curve(edge.curve)},.T.)`,
        )),
      );
    return name;
  }

  #vertex(vertex: Vertex): string {
    let name = this.#vertices.get(vertex);
    if (name === undefined)
      this.#vertices.set(vertex, (name = this.#add(`VERTEX_POINT('',${this.#point(vertex.point)})`)));
    return name;
  }

  #curve(curve: Curve): string {
    if (curve.kind === 'spline') return this.#spline(curve);
    if (curve.kind === 'line') {
      const [x, y, z] = curve.to.map((value, axis) => value - curve.from[axis]);
      return this.#add(
        `LINE('',${this.#point(curve.from)},${this.#add(`VECTOR('',${this.#direction([x, y, z])},1.)`)})`,
      );
    }
    const { frame, radiusX, radiusY } = curve;
    return this.#add(
      radiusX === radiusY
        ? `CIRCLE('',${this.#frame(frame)},${real(radiusX)})`
        : `ELLIPSE('',${this.#frame(frame)},${real(radiusX)},${real(radiusY)})`,
    );
  }

  #spline({ degree, knots, points, weights }: SplineCurve): string {
    const list = `(${points.map((point) => this.#point(point)).join(',')})`;
    const [values, repeats] = groupedKnots(knots);
    if (weights === undefined)
      return this.#add(
        `B_SPLINE_CURVE_WITH_KNOTS('',${degree},${list},.UNSPECIFIED.,.F.,.F.,${repeats},${values},.UNSPECIFIED.)`,
      );
    return this.#add(
      `(BOUNDED_CURVE()B_SPLINE_CURVE(${degree},${list},.UNSPECIFIED.,.F.,.F.)` +
        `B_SPLINE_CURVE_WITH_KNOTS(${repeats},${values},.UNSPECIFIED.)CURVE()` +
        `GEOMETRIC_REPRESENTATION_ITEM()RATIONAL_B_SPLINE_CURVE(${reals(weights)})REPRESENTATION_ITEM(''))`,
    );
  }

  #surface(surface: Surface): string {
    switch (surface.kind) {
      case 'plane':
        return this.#add(`PLANE('',${this.#frame(surface.frame)})`);
      case 'cylinder':
        return this.#add(`CYLINDRICAL_SURFACE('',${this.#frame(surface.frame)},${real(surface.radius)})`);
      case 'cone':
        return this.#add(
          `CONICAL_SURFACE('',${this.#frame(surface.frame)},${real(surface.radius)},${real(surface.halfAngleRad)})`,
        );
      case 'sphere':
        return this.#add(`SPHERICAL_SURFACE('',${this.#frame(surface.frame)},${real(surface.radius)})`);
      case 'torus':
        return this.#add(
          `TOROIDAL_SURFACE('',${this.#frame(surface.frame)},${real(surface.major)},${real(surface.minor)})`,
        );
      case 'revolution': {
        const curve = this.#curve(surface.curve);
        const axis = `AXIS1_PLACEMENT('',${this.#point(surface.origin)},${this.#direction(surface.axis)})`;
        return this.#add(`SURFACE_OF_REVOLUTION('',${curve},${this.#add(axis)})`);
      }
      case 'extrusion': {
        const curve = this.#curve(surface.curve);
        const along = this.#add(`VECTOR('',${this.#direction(surface.along)},1.)`);
        return this.#add(`SURFACE_OF_LINEAR_EXTRUSION('',${curve},${along})`);
      }
      case 'offset':
        return this.#add(`OFFSET_SURFACE('',${this.#surface(surface.base)},${real(surface.distance)},.F.)`);
      case 'spline':
        return this.#splineSurface(surface);
    }
  }

  #splineSurface({ degreeU, degreeV, knotsU, knotsV, points, weights }: SplineSurface): string {
    const list = `(${points.map((row) => `(${row.map((point) => this.#point(point)).join(',')})`).join(',')})`;
    const [valuesU, repeatsU] = groupedKnots(knotsU),
      [valuesV, repeatsV] = groupedKnots(knotsV);
    const knots = `${repeatsU},${repeatsV},${valuesU},${valuesV},.UNSPECIFIED.`;
    if (weights === undefined)
      return this.#add(
        `B_SPLINE_SURFACE_WITH_KNOTS('',${degreeU},${degreeV},${list},.UNSPECIFIED.,.F.,.F.,.F.,${knots})`,
      );
    return this.#add(
      `(BOUNDED_SURFACE()B_SPLINE_SURFACE(${degreeU},${degreeV},${list},.UNSPECIFIED.,.F.,.F.,.F.)` +
        `B_SPLINE_SURFACE_WITH_KNOTS(${knots})GEOMETRIC_REPRESENTATION_ITEM()` +
        `RATIONAL_B_SPLINE_SURFACE((${weights.map(reals).join(',')}))REPRESENTATION_ITEM('')SURFACE())`,
    );
  }

  #frame({ origin, x, z }: Frame): string {
    return this.#add(`AXIS2_PLACEMENT_3D('',${this.#point(origin)},${this.#direction(z)},${this.#direction(x)})`);
  }

  #point(point: Point): string {
    return this.#add(`CARTESIAN_POINT('',${reals(point)})`);
  }

  #direction(along: Point): string {
    const length = Math.hypot(...along);
    return this.#add(`DIRECTION('',${reals(along.map((value) => value / length))})`);
  }
}

function flag(value: boolean): string {
  return value ? '.T.' : '.F.';
}

function reals(values: readonly number[]): string {
  return `(${values.map(real).join(',')})`;
}

/** Distinct knots and their multiplicities. */
function groupedKnots(knots: readonly number[]): readonly [values: string, repeats: string] {
  const near = SAME_KNOT * (knots[knots.length - 1] - knots[0]);
  const values: number[] = [],
    repeats: number[] = [];
  for (const knot of knots) {
    if (values.length > 0 && knot - values[values.length - 1] <= near) repeats[repeats.length - 1]++;
    else {
      values.push(knot);
      repeats.push(1);
    }
  }
  return [reals(values), `(${repeats.join(',')})`];
}
