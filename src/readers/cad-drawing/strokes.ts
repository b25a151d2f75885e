import type { Entity, MLine, PolyfaceMesh, PolygonMesh, Polyline } from '@node-projects/acad-ts';
import { compose2d, IDENTITY, type Affine } from '../geometry/affine.js';
import type { AcadTs } from './texts.js';
import { drawFitted, drawSpline } from './splines.js';
import { planeOf, project, type Point3, type Projection } from './projection.js';
import type { StrokePath } from '../sheet/stroke-path.js';

/** Flag of vertices that only control a curve. */
const CONTROL_VERTEX = 16;
/** Flags of polylines. */
const SPLINE_FIT = 4;
const CLOSED = 1;
const CLOSED_IN_N = 32;

/**
 * Draws a geometric entity as `view` shows it: lines, polylines, circles, ellipses, splines, faces, meshes.
 * @returns false for entities of other kinds.
 */
export function drawGeometry(acad: AcadTs, entity: Entity, view: Projection, writer: StrokePath): boolean {
  writer.map = IDENTITY;
  if (entity instanceof acad.Line) drawPath([entity.startPoint, entity.endPoint], false, view, writer);
  else if (entity instanceof acad.LwPolyline) {
    writer.map = planeOf(view, entity.normal, entity.elevation);
    drawBulged(
      entity.vertices.map(({ location: { x, y }, bulge }) => ({ x, y, bulge })),
      entity.isClosed,
      writer,
    );
  } else if (entity instanceof acad.Arc) {
    writer.map = planeOf(view, entity.normal, entity.center.z);
    writer.arc(
      entity.center.x,
      entity.center.y,
      entity.radius,
      entity.startAngle,
      sweepOf(entity.startAngle, entity.endAngle),
    );
  } else if (entity instanceof acad.Circle) {
    writer.map = planeOf(view, entity.normal, entity.center.z);
    writer.arc(entity.center.x, entity.center.y, entity.radius, 0, 2 * Math.PI);
  } else if (entity instanceof acad.Ellipse) {
    writer.map = ellipseMap(entity.center, entity.majorAxisEndPoint, entity.normal, entity.radiusRatio, view);
    writer.arc(0, 0, 1, entity.startParameter, sweepOf(entity.startParameter, entity.endParameter));
  } else if (entity instanceof acad.Spline) {
    const control = entity.controlPoints.map(({ x, y, z }) => project(view, x, y, z ?? 0));
    if (control.length > entity.degree) drawSpline(control, entity.degree, entity.knots, entity.weights, writer);
    else
      drawFitted(
        entity.fitPoints.map(({ x, y, z }) => project(view, x, y, z ?? 0)),
        entity.isClosed,
        writer,
      );
  } else if (entity instanceof acad.PolyfaceMesh) drawPolyface(entity, view, writer);
  else if (entity instanceof acad.PolygonMesh) drawGrid(entity, view, writer);
  else if (entity instanceof acad.Polyline3D) drawPath(shownVertices(entity), entity.isClosed, view, writer);
  else if (entity instanceof acad.Polyline) {
    writer.map = planeOf(view, entity.normal, entity.elevation);
    drawBulged(shownVertices(entity), entity.isClosed, writer);
  } else if (entity instanceof acad.Face3D) {
    const corners = [entity.firstCorner, entity.secondCorner, entity.thirdCorner, entity.fourthCorner];
    // Each invisible edge has its own bit.
    corners.forEach((corner, i) => {
      if ((entity.flags & (1 << i)) === 0) drawPath([corner, corners[(i + 1) % 4]], false, view, writer);
    });
  } else if (entity instanceof acad.Mesh) {
    const { vertices } = entity;
    for (const face of entity.faces)
      drawPath(
        face.map((i) => vertices[i]).filter((vertex) => vertex !== undefined),
        true,
        view,
        writer,
      );
  } else if (entity instanceof acad.MLine) drawMultiline(entity, view, writer);
  else return false;
  return true;
}

/** The corners of a SOLID or TRACE in order around it; the file swaps the last two. */
export function solidCorners(solid: {
  readonly firstCorner: Point3;
  readonly secondCorner: Point3;
  readonly thirdCorner: Point3;
  readonly fourthCorner: Point3;
}): readonly Point3[] {
  return [solid.firstCorner, solid.secondCorner, solid.fourthCorner ?? solid.thirdCorner, solid.thirdCorner];
}

/**
 * Draws a polyline in the frame of `writer.map`, with an arc where the bulge is not 0. The bulge is the tangent of a
 * quarter of the arc's angle.
 */
export function drawBulged(
  vertices: readonly { readonly x: number; readonly y: number; readonly bulge: number }[],
  isClosed: boolean,
  writer: StrokePath,
): void {
  const { length } = vertices;
  if (length < 2) return;
  const arcs = vertices.map((from, i) => arcOfBulge(from, vertices[(i + 1) % length]));
  const [first, second] = arcs;
  if (length === 2 && first !== null && (!isClosed || (second !== null && isSameCircle(first, second)))) {
    writer.arc(
      first.x,
      first.y,
      first.radius,
      first.start,
      isClosed ? Math.sign(first.sweep) * 2 * Math.PI : first.sweep,
    );
    return;
  }
  writer.move(vertices[0].x, vertices[0].y);
  for (let i = 0; i < (isClosed ? length : length - 1); i++) {
    const arc = arcs[i];
    const to = vertices[(i + 1) % length];
    if (arc !== null) writer.arcOn(arc.x, arc.y, arc.sweep);
    else if (i < length - 1) writer.line(to.x, to.y);
  }
  if (isClosed) writer.close();
}

/** Counter-clockwise sweep from start to end, rad; a full turn when they are equal. */
export function sweepOf(start: number, end: number): number {
  const turn = (end - start) % (2 * Math.PI);
  return Math.abs(turn) < 1e-9 ? 2 * Math.PI : turn < 0 ? turn + 2 * Math.PI : turn;
}

function drawPath(points: readonly Point3[], isClosed: boolean, view: Projection, writer: StrokePath): void {
  writer.polyline(
    points.map(({ x, y, z }) => project(view, x, y, z ?? 0)),
    isClosed,
  );
}

/** The map from a frame in which the ellipse is the unit circle about the origin. */
function ellipseMap(center: Point3, major: Point3, normal: Point3, ratio: number, view: Projection): Affine {
  const length = Math.hypot(normal.x, normal.y, normal.z) || 1;
  const [nx, ny, nz] = [normal.x / length, normal.y / length, normal.z / length];
  const minor = {
    x: ratio * (ny * major.z - nz * major.y),
    y: ratio * (nz * major.x - nx * major.z),
    z: ratio * (nx * major.y - ny * major.x),
  };
  const [cx, cy] = project(view, center.x, center.y, center.z);
  const [ax, ay] = project(view, center.x + major.x, center.y + major.y, center.z + major.z);
  const [bx, by] = project(view, center.x + minor.x, center.y + minor.y, center.z + minor.z);
  return compose2d([1, 0, 0, 1, cx, cy], [ax - cx, ay - cy, bx - cx, by - cy, 0, 0]);
}

interface BulgeArc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly start: number;
  readonly sweep: number;
}

function arcOfBulge(
  from: { readonly x: number; readonly y: number; readonly bulge: number },
  to: { readonly x: number; readonly y: number },
): BulgeArc | null {
  const { bulge } = from;
  const dx = to.x - from.x,
    dy = to.y - from.y;
  if (!bulge || !Number.isFinite(bulge) || Math.abs(bulge) < 1e-9 || (dx === 0 && dy === 0)) return null;
  // Distance from the midpoint of the chord to the centre, in chord lengths.
  const across = (1 - bulge * bulge) / (4 * bulge);
  const x = (from.x + to.x) / 2 - dy * across,
    y = (from.y + to.y) / 2 + dx * across;
  return {
    x,
    y,
    radius: Math.hypot(from.x - x, from.y - y),
    start: Math.atan2(from.y - y, from.x - x),
    sweep: 4 * Math.atan(bulge),
  };
}

function isSameCircle(a: BulgeArc, b: BulgeArc): boolean {
  return (
    Math.hypot(a.x - b.x, a.y - b.y) <= 1e-6 * a.radius && Math.abs(Math.abs(a.sweep + b.sweep) - 2 * Math.PI) < 1e-6
  );
}

function shownVertices(
  polyline: Polyline,
): { readonly x: number; readonly y: number; readonly z: number; readonly bulge: number }[] {
  const isSpline = (polyline.flags & SPLINE_FIT) !== 0;
  const shown: { x: number; y: number; z: number; bulge: number }[] = [];
  for (const vertex of polyline.vertices as Iterable<
    Entity & { readonly location?: Point3; readonly bulge?: number; readonly flags?: number }
  >) {
    if (vertex.location === undefined || (isSpline && ((vertex.flags ?? 0) & CONTROL_VERTEX) !== 0)) continue;
    shown.push({ x: vertex.location.x, y: vertex.location.y, z: vertex.location.z ?? 0, bulge: vertex.bulge ?? 0 });
  }
  return shown;
}

function drawPolyface(mesh: PolyfaceMesh, view: Projection, writer: StrokePath): void {
  const vertices = shownVertices(mesh);
  for (const { index1, index2, index3, index4 } of mesh.faces) {
    const corners = [index1, index2, index3, index4].filter((index) => Number.isInteger(index) && index !== 0);
    corners.forEach((index, i) => {
      const next = corners[(i + 1) % corners.length];
      const from = vertices[Math.abs(index) - 1],
        to = vertices[Math.abs(next) - 1];
      // Edges with a negative number are hidden.
      if (index > 0 && from !== undefined && to !== undefined && from !== to) drawPath([from, to], false, view, writer);
    });
  }
}

function drawGrid(mesh: PolygonMesh, view: Projection, writer: StrokePath): void {
  const vertices = shownVertices(mesh);
  const isSmooth = (mesh.flags & SPLINE_FIT) !== 0;
  const rows = isSmooth ? mesh.mSmoothSurfaceDensity : mesh.mVertexCount,
    columns = isSmooth ? mesh.nSmoothSurfaceDensity : mesh.nVertexCount;
  if (!(rows > 0 && columns > 0) || rows * columns > vertices.length) return;
  for (let i = 0; i < rows; i++)
    drawPath(vertices.slice(i * columns, (i + 1) * columns), (mesh.flags & CLOSED_IN_N) !== 0, view, writer);
  for (let k = 0; k < columns; k++)
    drawPath(
      vertices.filter((_, i) => i % columns === k && i < rows * columns),
      (mesh.flags & CLOSED) !== 0,
      view,
      writer,
    );
}

/** Parallel lines; each vertex is offset along its mitre. */
function drawMultiline({ vertices, flags }: MLine, view: Projection, writer: StrokePath): void {
  const lines = Math.max(0, ...vertices.map(({ segments }) => segments.length));
  for (let i = 0; i < lines; i++) {
    const points = vertices.flatMap(({ position, miter, segments }) => {
      const distance = segments[i]?.parameters[0];
      if (distance === undefined) return [];
      return [
        { x: position.x + distance * miter.x, y: position.y + distance * miter.y, z: position.z + distance * miter.z },
      ];
    });
    drawPath(points, (flags & 2) !== 0, view, writer);
  }
}
