import { dot, scaled, type Vector } from '../faces/vector.js';
import type { PartFace } from '../faces/part-face.js';
import { areParallel } from './axis-line.js';
import { besideSide, blockAround, middleOf, movedTo, type Block } from './block.js';
import type { CutForm, FeatureKind } from './feature.js';
import type { FaceGraph } from './face-graph.js';
import { pointsOn } from './face-points.js';
import { keywayOf } from './keyways.js';
import { boundingAreas, type HalfSpace } from './polytope.js';

/** What was cut out of a block by flat walls, one piece. */
export interface Cut {
  readonly kind: Extract<FeatureKind, 'pocket' | 'passage' | 'slot' | 'keyway' | 'step' | 'chamfer'>;
  readonly form?: CutForm;
  readonly isThrough?: boolean;
  readonly widthMm?: number;
  readonly depthMm?: number;
  /** Of a keyway. */
  readonly lengthMm?: number;
  /** Of a keyway in a bore, and the number of a face of that. */
  readonly isInternal?: boolean;
  readonly bore?: number;
  readonly faces: readonly number[];
}

/** Planes nearer than this share of the block are one; a wall that bounds less than the square of it bounds nothing. */
const SAME_PLANE = 1e-4;
/** Least cosine between a slanted face and a side of the block that it cuts. */
const SLANTED = 0.05;
/** A point is inside a space if it is so much of the face's size away from its walls. */
const WITHIN = 0.01;
/** Directions of planes that are one, as 1 minus the cosine. */
const SAME_NORMAL = 1e-6;
/** Most walls and floors of one cut, and most faces that are looked at. */
const MOST_WALLS = 12;
const MOST_FACES = 1_000;
/** A hollow wall that turns by more ends a slot; others round the corners of a pocket, rad. */
const SLOT_END = 2.6;

/**
 * What was cut out of the block around a part by flat walls. Two faces of one convex cut meet in a groove, those of
 * different cuts in a ridge, so the cuts are the pieces of the faces inside the block that grooves join; pieces that
 * another cut divided lie in the same planes. A cut is named by its walls and by the sides of the block to which the
 * space between them opens.
 * @param taken faces that belong to holes and bosses.
 */
export function cutsOf(graph: FaceGraph, taken: ReadonlySet<number>): Cut[] {
  const { faces } = graph;
  const block = blockAround(faces);
  if (block === undefined) return [];
  const near = SAME_PLANE * block.sizeMm;
  const onSides = block.sides.map((side) =>
    [...faces.keys()].filter((i) => faces[i].kind === 'plane' && (besideSide(side, faces[i]) ?? Infinity) <= near),
  );
  const outside = new Set(onSides.flat());
  const inside: number[] = [];
  for (const [i, face] of faces.entries()) {
    if (taken.has(i) || inside.length === MOST_FACES) continue;
    if (face.kind === 'plane' ? !outside.has(i) : face.isHollow) inside.push(i);
  }
  const pieces = graph.joined(
    inside,
    (face, { kind, face: other }) =>
      kind === 'concave' || (kind === 'smooth' && (faces[face].isHollow || faces[other].isHollow)),
  );
  const keyways = pieces.flatMap((members) => {
    const keyway = keywayOf(graph, members);
    if (keyway === undefined) return [];
    const { isInternal, around, lengthMm, ...own } = keyway;
    return [
      {
        ...own,
        ...(lengthMm === undefined ? {} : { lengthMm }),
        ...(isInternal ? { isInternal, bore: around } : {}),
        faces: members,
      },
    ];
  });
  const inKeyways = new Set(keyways.flatMap((keyway) => keyway.faces));
  const others = pieces.filter(([first]) => !inKeyways.has(first));
  const cuts = mergedPieces(faces, others, near).flatMap((piece) => {
    const cut = namedCut(graph, piece, { block, onSides, near });
    return cut === undefined ? [] : [{ ...cut, faces: piece.faces }];
  });
  return [...keyways, ...cuts];
}

/** Faces that grooves join, and their different planes. */
interface Piece {
  readonly faces: number[];
  readonly planes: HalfSpace[];
}

function mergedPieces(faces: readonly PartFace[], groups: readonly number[][], near: number): Piece[] {
  const pieces: Piece[] = [];
  for (const group of groups) {
    const planes = planesOf(faces, group, near);
    if (planes.length === 0 || planes.length > MOST_WALLS) continue;
    const same = pieces.find((piece) => {
      const shared = planes.filter((plane) => piece.planes.some((other) => areOne(plane, other, near))).length;
      return shared > 0 && shared >= Math.min(2, planes.length, piece.planes.length);
    });
    if (same === undefined) pieces.push({ faces: [...group], planes });
    else {
      same.faces.push(...group);
      for (const plane of planes) if (!same.planes.some((other) => areOne(plane, other, near))) same.planes.push(plane);
    }
  }
  return pieces;
}

function planesOf(faces: readonly PartFace[], group: readonly number[], near: number): HalfSpace[] {
  const planes: HalfSpace[] = [];
  for (const i of group) {
    const { kind, axis, origin } = faces[i];
    if (kind !== 'plane') continue;
    const plane = { normal: axis, offset: dot(origin, axis) };
    if (!planes.some((other) => areOne(plane, other, near))) planes.push(plane);
  }
  return planes;
}

function areOne(a: HalfSpace, b: HalfSpace, near: number): boolean {
  return 1 - dot(a.normal, b.normal) <= SAME_NORMAL && Math.abs(a.offset - b.offset) <= near;
}

/** The name of a cut by the walls of the space that it took, and by the sides of the block to which that opens. */
function namedCut(
  graph: FaceGraph,
  { faces: members, planes }: Piece,
  { block, onSides, near }: { block: Block; onSides: readonly (readonly number[])[]; near: number },
): Omit<Cut, 'faces'> | undefined {
  const { faces } = graph;
  const walls = planes.map(({ normal, offset }): HalfSpace => ({ normal: scaled(normal, -1), offset: -offset }));
  const areas = boundingAreas(movedTo([...walls, ...block.sides], middleOf(block)), block.sizeMm);
  const least = (SAME_PLANE * block.sizeMm) ** 2;
  if (areas.slice(0, walls.length).some((area) => area <= least)) return undefined;
  const isWithin = members.every(
    (i) =>
      faces[i].kind !== 'plane' || walls.every(({ normal, offset }) => dot(normal, faces[i].middle) <= offset + near),
  );
  if (!isWithin) return undefined;
  const isOpen = block.sides.map((_, i) => areas[walls.length + i] > least);
  const open = block.sides.filter((_, i) => isOpen[i]);
  const closed = block.sides.filter((_, i) => isOpen[i] && isClosed(graph, { onSide: onSides[i], walls, members }));
  const ends = members.filter((i) => faces[i].isHollow && turnOf(faces[i]) >= SLOT_END);
  if (ends.length > 0) return roundSlot(faces, ends);
  if (planes.length === 1 && !isBetweenSides(graph, members[0], open, near)) return undefined;
  const shape = shapeOfCut({
    planes,
    count: planes.length + closed.length,
    open: open.filter((side) => !closed.includes(side)),
    block,
  });
  return shape && { ...shape, ...sizesOf(planes, open) };
}

/** Whether a slanted face runs from one side of the block to another; that of a hexagon ends at other slanted ones. */
function isBetweenSides(graph: FaceGraph, i: number, open: readonly HalfSpace[], near: number): boolean {
  const { faces } = graph;
  const slanted = open.filter(({ normal }) => dot(normal, faces[i].axis) > SLANTED);
  return slanted.every((side) =>
    graph
      .beside(i)
      .some(({ face }) => faces[face].kind === 'plane' && (besideSide(side, faces[face]) ?? Infinity) <= near),
  );
}

/**
 * Whether material lies where a space would open to a side of the block: another cut took the wall before it. Where the
 * space does open, its walls end at that side. onSide: the faces on that side.
 */
function isClosed(
  graph: FaceGraph,
  { onSide, walls, members }: { onSide: readonly number[]; walls: readonly HalfSpace[]; members: readonly number[] },
): boolean {
  if (members.some((i) => graph.beside(i).some(({ face }) => onSide.includes(face)))) return false;
  const isWithin = (point: Vector, slack: number): boolean =>
    walls.every(({ normal, offset }) => dot(normal, point) < offset - slack);
  return onSide.some((i) => {
    const slack = WITHIN * Math.sqrt(graph.faces[i].areaMm2);
    return pointsOn(graph.faces[i]).some((point) => isWithin(point, slack));
  });
}

function turnOf({ region }: PartFace): number {
  return region.to[0] - region.from[0];
}

/** A slot with one or two round ends; the width is that of the ends. */
function roundSlot(faces: readonly PartFace[], ends: readonly number[]): Omit<Cut, 'faces'> | undefined {
  const round = ends.filter((i) => faces[i].kind === 'cylinder');
  if (round.length === 0 || round.length > 2) return undefined;
  return { kind: 'slot', form: 'round', isThrough: false, widthMm: 2 * faces[round[0]].radiusMm };
}

type CutShape = Pick<Cut, 'kind' | 'form' | 'isThrough'>;

function formOf(sides: number): CutForm {
  return sides === 3 ? 'triangular' : sides === 4 ? 'rectangular' : 'polygonal';
}

/** The walls and the floor of a cut. */
interface CutWalls {
  readonly planes: readonly HalfSpace[];
  /** With those that another cut took. */
  readonly count: number;
  /** Sides of the block to which the space opens. */
  readonly open: readonly HalfSpace[];
  readonly block: Block;
}

function shapeOfCut({ planes, count, open, block }: CutWalls): CutShape | undefined {
  const isBetweenEnds = open.some((a) => open.some((b) => dot(a.normal, b.normal) < -0.5));
  if (planes.length === 1)
    return count === 1 && open.length >= 3 && open.length <= 4 ? { kind: 'chamfer', form: 'flat' } : undefined;
  const isAlong = planes.every(({ normal }) => block.sides.some((side) => areParallel(side.normal, normal)));
  switch (`${count} ${open.length}`) {
    case '2 4':
      return { kind: 'step', form: isAlong ? 'rectangular' : 'slanted', isThrough: true };
    case '3 4':
      return { kind: 'step', form: 'two-sided', isThrough: true };
    case '2 3':
      return isBetweenEnds
        ? { kind: 'slot', form: 'triangular', isThrough: true }
        : { kind: 'step', form: 'triangular', isThrough: false };
    case '3 3':
      return isBetweenEnds
        ? { kind: 'slot', form: 'rectangular', isThrough: true }
        : { kind: 'step', form: 'rectangular', isThrough: false };
    case '4 2':
      return isBetweenEnds
        ? { kind: 'passage', form: 'rectangular' }
        : { kind: 'slot', form: 'rectangular', isThrough: false };
    default:
  }
  if (open.length === 2 && isBetweenEnds && count > 2) return { kind: 'passage', form: formOf(count) };
  return open.length === 1 && count > 3 ? { kind: 'pocket', form: formOf(count - 1) } : undefined;
}

/** Depth below the side that the floor faces, width between two walls that face each other. */
function sizesOf(planes: readonly HalfSpace[], open: readonly HalfSpace[]): Pick<Cut, 'widthMm' | 'depthMm'> {
  const depths = planes.flatMap(({ normal, offset }) =>
    open.filter((side) => areOneWay(side.normal, normal)).map((side) => side.offset - offset),
  );
  const widths = planes.flatMap((a, i) =>
    planes.slice(0, i).flatMap((b) => (areOneWay(a.normal, scaled(b.normal, -1)) ? [-a.offset - b.offset] : [])),
  );
  return {
    ...(widths.length > 0 ? { widthMm: Math.min(...widths) } : {}),
    ...(depths.length > 0 ? { depthMm: Math.min(...depths) } : {}),
  };
}

function areOneWay(a: HalfSpace['normal'], b: HalfSpace['normal']): boolean {
  return dot(a, b) > 0 && areParallel(a, b);
}
