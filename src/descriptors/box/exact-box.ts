import type { Mesh, Model } from '../../content/model.js';
import type { OrientedBox } from '../../core/box.js';
import { placementsOf } from '../../shapelets/model/mesh.js';
import type { FaceTable } from '../faces/part-face.js';
import { across, cross, dot, lengthOf, plus, scaled, turned, unit, type Vector } from '../faces/vector.js';
import { Body, MOST_TURN, Reach, type PlacedBody } from './reach.js';

/** Directions of the sides of a box: unit vectors at right angles to each other. */
type Frame = readonly [Vector, Vector, Vector];

/** A box in a frame. */
interface Tried {
  readonly frame: Frame;
  readonly sizeMm: Vector;
  readonly volumeMm3: number;
}

/** Most directions of faces that are tried for each side of the box. */
const MOST_DIRECTIONS = 2;
/** Directions nearer to each other than this are the same, rad. */
const SAME_DIRECTION = 1e-9;
/** First and last step of the turns that improve a box, rad. */
const FIRST_TURN = 0.008;
const LAST_TURN = 1e-7;
/** Least part of its volume that turning must take away. */
const LEAST_GAIN = 1e-7;
/** Most things on one side of a box for which it is turned. */
const MOST_TURNED = 30_000;

/**
 * Sizes of the smallest box around the exact surfaces of a model, found from that around its triangles: a shaft of 8 mm
 * has a box of 8 mm and not of 7.99. Sides are turned to the directions of the faces, and by small turns, where that
 * makes the box smaller. Cylinders, cones, spheres and tori count as they are, also those that the file calls splines;
 * other surfaces by the vertices of their triangles, so a box is never smaller than that of the triangles along the
 * same directions. Models without exact surfaces keep the box that was given.
 * @param faces of the model, from `faceTableOf`. @param box around its triangles.
 */
export function exactBox(
  model: Pick<Model, 'root' | 'meshes'>,
  faces: FaceTable,
  box: Pick<OrientedBox, 'axes' | 'sizeMm' | 'volumeMm3'>,
): Pick<OrientedBox, 'sizeMm' | 'volumeMm3'> {
  const placements = placementsOf(model);
  const isExact = placements.some(({ mesh }) => mesh.curved !== undefined);
  // Of very large assemblies the table holds only a part; a flat shape has no volume to compare.
  if (!isExact || faces.places.length !== placements.length || box.volumeMm3 === 0) return box;
  const known = new Map<Mesh, Body>();
  const bodies = placements.map(({ mesh, matrix }, i): PlacedBody => {
    const body = known.get(mesh) ?? new Body(mesh, faces.bodies[faces.places[i].body].faces);
    known.set(mesh, body);
    return { body, matrix };
  });
  const measure = new Measure(bodies, box.axes);
  let best = measure.box(box.axes),
    isGiven = false;
  for (const { frame, byFaces } of framesNear(box.axes, directionsOf(bodies))) {
    const tried = measure.box(frame);
    if (!(tried.volumeMm3 < best.volumeMm3)) continue;
    best = tried;
    isGiven = byFaces === 2;
  }
  const { sizeMm } = !isGiven && measure.isRound && measure.most <= MOST_TURNED ? turnedSmaller(best, measure) : best;
  const [length, width, height] = [...sizeMm].sort((a, b) => b - a);
  return { sizeMm: [length, width, height], volumeMm3: length * width * height };
}

/** Measures boxes whose sides are near those of a first one. */
class Measure {
  readonly #reaches: readonly (readonly [Reach, Reach])[];
  /** Whether an exact surface is farther out than all vertices on one side at least of the first box. */
  readonly isRound: boolean;
  /** Most things that are looked at for one side of a box. */
  readonly most: number;

  constructor(bodies: readonly PlacedBody[], frame: Frame) {
    this.#reaches = frame.map((side) => [new Reach(bodies, side), new Reach(bodies, scaled(side, -1))] as const);
    for (const reach of this.#reaches.flat()) reach.addCurves();
    this.isRound = this.#reaches.some(([up, down], k) => up.isRound(frame[k]) || down.isRound(scaled(frame[k], -1)));
    this.most = Math.max(...this.#reaches.flat().map(({ size }) => size));
  }

  box(frame: Frame): Tried {
    const [a, b, c] = frame.map((side, k) => {
      const [up, down] = this.#reaches[k];
      return up.along(side) + down.along(scaled(side, -1));
    });
    return { frame, sizeMm: [a, b, c], volumeMm3: a * b * c };
  }
}

/**
 * Normals of planes, which are exact, and axes of round faces, in the frame of the file, of the largest faces first.
 */
function directionsOf(bodies: readonly PlacedBody[]): Vector[] {
  const found = bodies.flatMap(({ body: { faces }, matrix }) =>
    faces
      .filter(({ kind }) => kind !== 'free' && kind !== 'sphere')
      .map(({ kind, axis, areaMm2 }) => ({ rank: kind === 'plane' ? 0 : 1, direction: turned(matrix, axis), areaMm2 })),
  );
  return found.sort((a, b) => a.rank - b.rank || b.areaMm2 - a.areaMm2).map(({ direction }) => unit(direction));
}

/** Frames with one or two sides along directions that are nearly those of a frame's sides. */
function* framesNear(
  frame: Frame,
  directions: readonly Vector[],
): Generator<{ readonly frame: Frame; readonly byFaces: number }> {
  const near = frame.map((side) => nearest(side, directions));
  for (const [first, candidates] of near.entries()) {
    const second = (first + 1) % 3,
      third = (first + 2) % 3;
    for (const direction of candidates) {
      for (const beside of [...near[second].filter((other) => Math.abs(dot(other, direction)) < 1e-7), frame[second]]) {
        const side = unit(across(beside, direction));
        const sides: Vector[] = [];
        sides[first] = direction;
        sides[second] = side;
        sides[third] = cross(direction, side);
        const [a, b, c] = sides.map((own, k) => pointing(own, frame[k]));
        if (lengthOf(cross(sides[third], frame[third])) < MOST_TURN)
          yield { frame: [a, b, c], byFaces: beside === frame[second] ? 1 : 2 };
      }
    }
  }
}

/** The first different directions near a side, pointing as it does. */
function nearest(side: Vector, directions: readonly Vector[]): Vector[] {
  const found: Vector[] = [];
  for (const direction of directions) {
    if (found.length === MOST_DIRECTIONS) break;
    if (lengthOf(cross(direction, side)) >= MOST_TURN) continue;
    const forward = pointing(direction, side);
    if (found.every((other) => lengthOf(cross(other, forward)) > SAME_DIRECTION)) found.push(forward);
  }
  return found;
}

function pointing(direction: Vector, side: Vector): Vector {
  return dot(direction, side) < 0 ? scaled(direction, -1) : direction;
}

/** Turns a box about its own sides as long as it gets smaller. */
function turnedSmaller(first: Tried, measure: Measure): Tried {
  let best = first,
    sum = [0, 0, 0];
  for (let step = FIRST_TURN; step > LAST_TURN; step /= 2) {
    for (let axis = 0; axis < 3; axis++) {
      for (const angle of [step, -step]) {
        const total = sum.map((turn, k) => (k === axis ? turn + angle : turn));
        if (Math.hypot(...total) > MOST_TURN - FIRST_TURN) continue;
        const tried = measure.box(turnedFrame(best.frame, axis, angle));
        if (!(tried.volumeMm3 < best.volumeMm3)) continue;
        best = tried;
        sum = total;
        break;
      }
    }
  }
  return best.volumeMm3 < first.volumeMm3 * (1 - LEAST_GAIN) ? best : first;
}

/** A frame turned about one of its sides. */
function turnedFrame(frame: Frame, axis: number, angle: number): Frame {
  const second = (axis + 1) % 3,
    third = (axis + 2) % 3;
  const tangent = Math.tan(angle);
  const sides: Vector[] = [];
  sides[axis] = frame[axis];
  sides[second] = unit(plus(frame[second], frame[third], tangent));
  sides[third] = unit(plus(frame[third], frame[second], -tangent));
  const [a, b, c] = sides;
  return [a, b, c];
}
