import { addTo, DisjointSets } from '../content/groups.js';
import { EngineError } from '../errors.js';
import type { PlacedMesh } from '../shapelets/model/mesh.js';
import { cavitiesOf } from './cavities.js';
import { Part21Writer, quoted, real } from './part21-writer.js';
import { normalOf } from './write-stl.js';

/** Most triangles written to a STEP file: each takes about 500 bytes of text. */
const TRIANGLE_LIMIT = 200_000;

/**
 * A mesh as STEP (ISO 10303-21, AP214), mm: every connected piece becomes one body of plane triangles, a FACETED_BREP
 * where it is closed, open shells where it is not; a closed inverted piece inside another is a cavity of it. Triangles
 * without area are left out.
 * @throws EngineError `LIMIT_EXCEEDED` for more than 200 000 triangles.
 */
export function writeStep(mesh: PlacedMesh, name: string): Uint8Array {
  const found = mesh.indices.length / 3;
  if (found > TRIANGLE_LIMIT) {
    const message = `the model has ${found} triangles, a STEP file is written of at most ${TRIANGLE_LIMIT}`;
    throw new EngineError('LIMIT_EXCEEDED', message, {
      details: { limit: 'stepTriangles', allowed: TRIANGLE_LIMIT, found },
    });
  }
  const writer = new Part21Writer(name, 'faceted: plane triangles of a mesh');
  const context = writer.context();
  const label = quoted(name);
  const definition = writer.product(label);
  const points = new Map<number, string>();
  const pointOf = (index: number): string => {
    let point = points.get(index);
    if (point === undefined) {
      const place = [0, 1, 2].map((axis) => real(mesh.positions[3 * index + axis] + mesh.origin[axis]));
      points.set(index, (point = writer.add(`CARTESIAN_POINT('',(${place.join(',')}))`)));
    }
    return point;
  };
  const pieces = piecesOf(mesh).flatMap((piece) => (isClosed(mesh, piece) ? [piece] : coherentParts(mesh, piece)));
  const closed = pieces.filter(
    (triangles) =>
      isClosed(mesh, triangles) && triangles.every((triangle) => normalAt(mesh, triangle).some((value) => value !== 0)),
  );
  const cavities = cavitiesOf(mesh, closed);
  const numbers = new Map(closed.map((triangles, i) => [triangles, i]));
  const facesOf = (triangles: readonly number[], { turned }: { readonly turned: boolean }): string =>
    triangles
      .map((triangle) => writeFace(writer, mesh, triangle, pointOf, { turned }))
      .filter((face) => face !== undefined)
      .join(',');
  const holes = new Map<number, string[]>();
  for (const [cavity, around] of cavities) {
    // The shell of a cavity is written facing outwards like that of a body; its use in the body reverses it.
    const shell = writer.add(`CLOSED_SHELL('',(${facesOf(closed[cavity], { turned: true })}))`);
    holes.set(around, [...(holes.get(around) ?? []), writer.add(`ORIENTED_CLOSED_SHELL('',*,${shell},.F.)`)]);
  }
  const bodies = pieces.flatMap((triangles) => {
    const number = numbers.get(triangles) ?? -1;
    if (cavities.has(number)) return [];
    const faces = facesOf(triangles, { turned: false });
    if (number < 0) return [writer.add(`SHELL_BASED_SURFACE_MODEL('',(${writer.add(`OPEN_SHELL('',(${faces}))`)}))`)];
    const shell = writer.add(`CLOSED_SHELL('',(${faces}))`);
    const own = holes.get(number);
    return [
      writer.add(own === undefined ? `FACETED_BREP('',${shell})` : `BREP_WITH_VOIDS('',${shell},(${own.join(',')}))`),
    ];
  });
  const shape = writer.add(`SHAPE_REPRESENTATION(${label},(${[writer.origin(), ...bodies].join(',')}),${context})`);
  writer.add(`SHAPE_DEFINITION_REPRESENTATION(${definition},${shape})`);
  return writer.bytes();
}

function normalAt({ positions, indices }: PlacedMesh, triangle: number): readonly number[] {
  const [a, b, c] = indices.subarray(3 * triangle, 3 * triangle + 3);
  return normalOf(positions, a, b, c);
}

/**
 * A plane triangle; undefined when it has no area.
 * @param options.turned whether it is seen from the other side.
 */
function writeFace(
  writer: Part21Writer,
  { positions, indices }: PlacedMesh,
  triangle: number,
  pointOf: (index: number) => string,
  { turned }: { readonly turned: boolean },
): string | undefined {
  const [a, second, third] = indices.subarray(3 * triangle, 3 * triangle + 3);
  const [b, c] = turned ? [third, second] : [second, third];
  const normal = normalOf(positions, a, b, c);
  if (normal.every((value) => value === 0)) return undefined;
  const along = [0, 1, 2].map((axis) => positions[3 * b + axis] - positions[3 * a + axis]);
  const length = Math.hypot(...along);
  const x = writer.add(`DIRECTION('',(${along.map((value) => real(value / length)).join(',')}))`);
  const z = writer.add(`DIRECTION('',(${normal.map(real).join(',')}))`);
  const plane = writer.add(`PLANE('',${writer.add(`AXIS2_PLACEMENT_3D('',${pointOf(a)},${z},${x})`)})`);
  const loop = writer.add(`POLY_LOOP('',(${pointOf(a)},${pointOf(b)},${pointOf(c)}))`);
  return writer.add(`FACE_SURFACE('',(${writer.add(`FACE_OUTER_BOUND('',${loop},.T.)`)}),${plane},.T.)`);
}

/** The triangles of each piece that is connected by its vertices, in the order of the first. */
function piecesOf({ positions, indices }: PlacedMesh): number[][] {
  const sets = new DisjointSets(positions.length / 3);
  for (let i = 0; i < indices.length; i += 3) {
    sets.join(indices[i], indices[i + 1]);
    sets.join(indices[i], indices[i + 2]);
  }
  const triangles = Array.from({ length: indices.length / 3 }, (_, triangle) => triangle);
  return grouped(triangles, (triangle) => sets.rootOf(indices[3 * triangle]));
}

/**
 * Groups by root, in the order of the first.
 * @param rootAt root of the triangle at a place of the list.
 */
function grouped(triangles: readonly number[], rootAt: (place: number) => number): number[][] {
  const groups = new Map<number, number[]>();
  triangles.forEach((triangle, place) => addTo(groups, rootAt(place), triangle));
  return [...groups.values()];
}

/**
 * The triangles of an open piece in groups of consistently oriented neighbours: those that share an edge which no other
 * triangle has and pass it in opposite directions. Readers reverse faces of one shell until they agree with their
 * neighbours, so an inconsistent mesh would come back as another one.
 */
function coherentParts({ indices, positions }: PlacedMesh, triangles: readonly number[]): number[][] {
  const count = positions.length / 3;
  const walkers = new Map<number, number[]>();
  triangles.forEach((triangle, i) => {
    for (let k = 0; k < 3; k++)
      addTo(walkers, indices[3 * triangle + k] * count + indices[3 * triangle + ((k + 1) % 3)], i);
  });
  const sets = new DisjointSets(triangles.length);
  for (const [edge, own] of walkers) {
    const others = walkers.get((edge % count) * count + Math.floor(edge / count));
    if (own.length === 1 && others?.length === 1) sets.join(own[0], others[0]);
  }
  return grouped(triangles, (i) => sets.rootOf(i));
}

/** Whether these triangles pass every edge once in each direction. */
function isClosed({ indices, positions }: PlacedMesh, triangles: readonly number[]): boolean {
  const count = positions.length / 3;
  const open = new Set<number>();
  for (const triangle of triangles) {
    for (let k = 0; k < 3; k++) {
      const from = indices[3 * triangle + k];
      const to = indices[3 * triangle + ((k + 1) % 3)];
      if (open.delete(to * count + from)) continue;
      if (open.has(from * count + to)) return false;
      open.add(from * count + to);
    }
  }
  return open.size === 0;
}
