import { type Matrix4, Vector3, type LineSegments, type Plane } from 'three';
import type { ShownModel } from './shown-model.js';
import type { Stage } from './stage.js';

/** An edge of a model, measured. */
export interface MeasuredEdge {
  readonly kind: 'straight' | 'circle' | 'arc' | 'curve';
  /** Its corners in the model's frame, mm. */
  readonly points: readonly Vector3[];
  /** Of a circle or arc along the circle, of other curves along their chords. */
  readonly lengthMm: number;
  /** Of a circle or arc. */
  readonly radiusMm?: number;
  /** Of an arc. */
  readonly angleRad?: number;
}

/** Distance within which an edge is taken, CSS pixels. */
const REACH_PIXELS = 12;
/** Chords that turn by less belong to a straight line, rad. */
const STRAIGHT_RAD = 0.005;
/** A curve goes on where the next chord turns by less, rad. */
const BEND_RAD = 0.5;
/** A corner lies on a circle if it is off by less than this share of its radius. */
const ROUND_SHARE = 0.004;
/** Chords of one circle differ in length by less than this factor, but for the last of an arc. */
const CHORD_FACTOR = 3;
/** Most chords of an edge. */
const MOST_CHORDS = 20_000;

/** The edge of the model next to a place of the canvas; undefined where there is none. */
export function pickEdge(
  stage: Stage,
  model: ShownModel,
  plane: Plane | undefined,
  x: number,
  y: number,
): MeasuredEdge | undefined {
  const [hit] = stage.hits(x, y, model.surfaces, plane);
  const lines = hit?.object.parent?.children.find((child): child is LineSegments => child.type === 'LineSegments');
  return hit && lines && edgeAt(lines, hit.point, REACH_PIXELS * stage.mmPerPixel);
}

/** The edge of these lines that is nearest to a point, if it is within reach. */
function edgeAt(lines: LineSegments, point: Vector3, reachMm: number): MeasuredEdge | undefined {
  const graph = graphOf(lines);
  const local = lines.worldToLocal(point.clone());
  let best = -1,
    bestSquare = (reachMm / scaleOf(lines.matrixWorld)) ** 2;
  for (let chord = 0; chord < graph.ends.length / 2; chord++) {
    const square = squareToChord(graph.corners[graph.ends[2 * chord]], graph.corners[graph.ends[2 * chord + 1]], local);
    if (square >= bestSquare) continue;
    best = chord;
    bestSquare = square;
  }
  if (best < 0) return undefined;
  const edge = edgeThrough(graph, best);
  const scale = scaleOf(lines.matrixWorld);
  return {
    ...edge,
    points: edge.points.map((corner) => lines.localToWorld(corner.clone())),
    lengthMm: edge.lengthMm * scale,
    ...(edge.radiusMm === undefined ? {} : { radiusMm: edge.radiusMm * scale }),
  };
}

/** Lines by their corners; corners at one place are one. */
interface Graph {
  readonly corners: readonly Vector3[];
  /** Two corners for each chord. */
  readonly ends: Uint32Array;
  /** Chords that meet at each corner. */
  readonly at: readonly (readonly number[])[];
}

const graphs = new WeakMap<object, Graph>();

function graphOf({ geometry }: LineSegments): Graph {
  const known = graphs.get(geometry);
  if (known !== undefined) return known;
  const position = geometry.getAttribute('position');
  const index = geometry.index;
  const corners: Vector3[] = [];
  const at: number[][] = [];
  const byPlace = new Map<string, number>();
  const cornerOf = (vertex: number): number => {
    const place = new Vector3().fromBufferAttribute(position, vertex);
    const key = place
      .toArray()
      .map((value) => Math.round(value * 1e4))
      .join();
    const found = byPlace.get(key);
    if (found !== undefined) return found;
    byPlace.set(key, corners.length);
    at.push([]);
    return corners.push(place) - 1;
  };
  const ends: number[] = [];
  for (let i = 0; i + 1 < (index?.count ?? 0); i += 2) {
    const pair = [index!.getX(i), index!.getX(i + 1)].map(cornerOf);
    if (pair[0] === pair[1]) continue;
    for (const corner of pair) at[corner].push(ends.length / 2);
    ends.push(...pair);
  }
  const graph = { corners, ends: Uint32Array.from(ends), at };
  graphs.set(geometry, graph);
  return graph;
}

/** The edge that a chord belongs to, in the frame of the lines. */
function edgeThrough(graph: Graph, chord: number): MeasuredEdge {
  const [from, to] = [graph.ends[2 * chord], graph.ends[2 * chord + 1]];
  const straight = grown(graph, [from, to], (_, turn) => turn < STRAIGHT_RAD);
  if (straight.length > 2) return straightEdge(graph, straight);
  const circle = circleThrough(graph, from, to);
  if (circle !== undefined) {
    const { center, radius } = circle;
    const isOn = (corner: number): boolean =>
      Math.abs(graph.corners[corner].distanceTo(center) - radius) < ROUND_SHARE * radius;
    const chain = grown(graph, [from, to], (next, turn) => turn < BEND_RAD && isOn(next));
    const points = chain.map((corner) => graph.corners[corner]);
    const angleRad = points.slice(1).reduce((sum, point, i) => {
      const half = Math.min(1, point.distanceTo(points[i]) / (2 * radius));
      return sum + 2 * Math.asin(half);
    }, 0);
    const isWhole = chain[0] === chain[chain.length - 1];
    const turned = isWhole ? 2 * Math.PI : angleRad;
    return {
      kind: isWhole ? 'circle' : 'arc',
      points,
      lengthMm: radius * turned,
      radiusMm: radius,
      ...(isWhole ? {} : { angleRad: turned }),
    };
  }
  const bent = grown(graph, [from, to], (_, turn) => turn < BEND_RAD && turn >= STRAIGHT_RAD);
  return bent.length > 3 ? { ...straightEdge(graph, bent), kind: 'curve' } : straightEdge(graph, [from, to]);
}

function straightEdge({ corners }: Graph, chain: readonly number[]): MeasuredEdge {
  const points = chain.map((corner) => corners[corner]);
  return {
    kind: 'straight',
    points,
    lengthMm: points.slice(1).reduce((sum, point, i) => sum + point.distanceTo(points[i]), 0),
  };
}

/** A chain of corners that goes on at both ends while `follows` says so; closed: its first corner is its last. */
function grown(
  graph: Graph,
  start: readonly [number, number],
  follows: (next: number, turnRad: number) => boolean,
): number[] {
  const chain = [...start];
  for (const way of ['end', 'begin'] as const) {
    while (chain.length <= MOST_CHORDS) {
      const [before, last] = way === 'end' ? chain.slice(-2) : [chain[1], chain[0]];
      const next = straightest(graph, before, last);
      if (next === undefined || !follows(next.corner, next.turnRad)) break;
      if (way === 'end') chain.push(next.corner);
      else chain.unshift(next.corner);
      if (chain[0] === chain[chain.length - 1]) return chain;
    }
  }
  return chain;
}

/** The corner that a chain goes on to with the smallest turn. */
function straightest(graph: Graph, before: number, last: number): { corner: number; turnRad: number } | undefined {
  const way = graph.corners[last].clone().sub(graph.corners[before]);
  let best: { corner: number; turnRad: number } | undefined;
  for (const chord of graph.at[last]) {
    const corner = graph.ends[2 * chord] === last ? graph.ends[2 * chord + 1] : graph.ends[2 * chord];
    if (corner === before) continue;
    const turnRad = way.angleTo(graph.corners[corner].clone().sub(graph.corners[last]));
    if (best === undefined || turnRad < best.turnRad) best = { corner, turnRad };
  }
  return best;
}

/**
 * The circle on which a chord lies with its neighbours. Four corners in a row of about equal chords: three lie on a
 * circle always, and the corners of a straight side between two rounded ones do by symmetry.
 */
function circleThrough(graph: Graph, from: number, to: number): { center: Vector3; radius: number } | undefined {
  // A corner of a rectangle lies on a circle with its neighbours as well.
  const bent = (before: number | undefined, last: number | undefined): number | undefined => {
    const next = before === undefined || last === undefined ? undefined : straightest(graph, before, last);
    return next !== undefined && next.turnRad < BEND_RAD ? next.corner : undefined;
  };
  const [after, before] = [bent(from, to), bent(to, from)];
  const rows = [
    [before, from, to, after],
    [from, to, after, bent(to, after)],
    [bent(from, before), before, from, to],
  ];
  for (const row of rows) {
    if (row.includes(undefined)) continue;
    const points = row.map((corner) => graph.corners[corner!]);
    const chords = points.slice(1).map((point, i) => point.distanceTo(points[i]));
    if (Math.max(...chords) > CHORD_FACTOR * Math.min(...chords)) continue;
    const circle = circleOf(points[0], points[1], points[2]);
    if (circle === undefined) continue;
    const { center, radius, normal } = circle;
    const away = points[3].clone().sub(center);
    if (Math.abs(away.length() - radius) < ROUND_SHARE * radius && Math.abs(away.dot(normal)) < ROUND_SHARE * radius)
      return circle;
  }
  return undefined;
}

/** The circle through three points; undefined if they lie on a line. */
function circleOf(a: Vector3, b: Vector3, c: Vector3) {
  const ab = b.clone().sub(a),
    ac = c.clone().sub(a);
  const normal = ab.clone().cross(ac);
  const square = normal.lengthSq();
  if (square < 1e-12 * ab.lengthSq() * ac.lengthSq()) return undefined;
  const toCenter = normal
    .clone()
    .cross(ab)
    .multiplyScalar(ac.lengthSq())
    .add(ac.clone().cross(normal).multiplyScalar(ab.lengthSq()))
    .divideScalar(2 * square);
  return { center: a.clone().add(toCenter), radius: toCenter.length(), normal: normal.normalize() };
}

function squareToChord(from: Vector3, to: Vector3, point: Vector3): number {
  const way = to.clone().sub(from);
  const share = Math.max(0, Math.min(1, point.clone().sub(from).dot(way) / way.lengthSq()));
  return from.clone().addScaledVector(way, share).distanceToSquared(point);
}

/** By how much a placement enlarges; placements of components do not distort. */
function scaleOf(matrix: Matrix4): number {
  return new Vector3().setFromMatrixScale(matrix).x;
}
