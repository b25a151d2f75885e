import type { BodyFaces } from '../faces/part-face.js';
import { plus } from '../faces/vector.js';
import { areParallel } from './axis-line.js';
import { chamfersOf, filletsOf } from './blends.js';
import { cutsOf, type Cut } from './cuts.js';
import type { Feature, PartShape } from './feature.js';
import { FaceGraph } from './face-graph.js';
import { groupedRound, holesOf, type RoundFeature } from './holes.js';
import { shapeOf } from './part-shape.js';
import { ribsOf } from './ribs.js';
import { areCoaxial, roundWalls, type RoundWall } from './round-walls.js';
import { teethOf } from './teeth.js';
import { threadsOf } from './threads.js';

/** What a machinist would name of one body besides its sizes. */
export interface BodyFeatures {
  readonly shape: PartShape | null;
  /** Thickness of a sheet or of the wall of a tube, mm; null of others. */
  readonly wallMm: number | null;
  /** Faces as numbers in {@link BodyFaces.faces}. */
  readonly features: readonly Feature[];
}

/** Sizes of cuts that are the same, as a share. */
const SAME_SIZE = 5e-3;

/** The features of one body whose surface is closed. Faces that it does not list are not known. */
export function findFeatures(body: BodyFaces): BodyFeatures {
  const graph = new FaceGraph(body);
  const round = roundWalls(body.faces);
  const plain = facesIn(holesOf(graph, round));
  const teeth = teethOf(graph, plain);
  const inTeeth = facesIn(teeth);
  const cuts = cutsOf(graph, new Set([...plain, ...inTeeth]));
  // A bore with a keyway does not go all the way round.
  const keyed = cuts.flatMap(({ bore }) => bore ?? []);
  const walls = keyed.length === 0 ? round : roundWalls(body.faces, keyed);
  const holes = holesOf(graph, walls);
  const inHoles = facesIn(holes);
  const toothed = new Set([...inHoles, ...inTeeth]);
  const passages = new Set(cuts.flatMap(({ kind, faces }) => (kind === 'passage' ? faces : [])));
  const inKeyways = cuts.flatMap(({ kind, faces }) => (kind === 'keyway' ? faces : []));
  const { shape, wallMm, bends } = shapeOf(body.faces, new Set([...inHoles, ...inKeyways]), passages);
  const bosses = bossesOf(graph, walls, shape);
  const taken = new Set([...toothed, ...[...bosses, ...cuts].flatMap(({ faces }) => faces), ...(bends?.faces ?? [])]);
  const ribs = shape === 'sheet metal' || shape === 'tube' ? [] : ribsOf(graph, taken);
  return {
    shape,
    wallMm: wallMm ?? null,
    features: [
      ...groupedRound('hole', holes, walls),
      ...teeth,
      ...threadsOf(body),
      ...groupedRound('boss', bosses, walls),
      ...(bends === undefined ? [] : [bends]),
      ...groupedCuts(
        shape === 'sheet metal' ? cuts.filter(({ kind, form }) => kind === 'passage' || form === 'round') : cuts,
      ),
      ...ribs,
      ...chamfersOf(graph, walls, taken),
      ...filletsOf(graph, taken),
    ],
  };
}

function facesIn(features: readonly { readonly faces: readonly number[] }[]): Set<number> {
  return new Set(features.flatMap(({ faces }) => faces));
}

/** Round pins on a flat face. On a turned part its own shoulders, about the longest axis, are none. */
function bossesOf(graph: FaceGraph, walls: readonly RoundWall[], shape: PartShape | null): RoundFeature[] {
  const pins = walls.filter(({ kind, isHollow }) => kind === 'cylinder' && !isHollow);
  const widest = pins.reduce<RoundWall | undefined>(
    (a, b) => (a === undefined || b.radiusMm > a.radiusMm ? b : a),
    undefined,
  );
  return pins.flatMap((wall): RoundFeature[] => {
    if (shape === 'turned' && widest !== undefined && areCoaxial(wall, widest)) return [];
    const stands = wall.faces.some((i) =>
      graph.beside(i).some(({ kind, face }) => {
        const base = graph.faces[face];
        return kind === 'concave' && base.kind === 'plane' && areParallel(base.axis, wall.axis);
      }),
    );
    if (!stands) return [];
    const { axis, origin, radiusMm, from, to, faces } = wall;
    const middle = plus(origin, axis, (from + to) / 2);
    return [{ axis, origin, diameterMm: 2 * radiusMm, depthMm: to - from, middle, isThrough: false, faces }];
  });
}

/** Equal cuts together. */
function groupedCuts(cuts: readonly Cut[]): Feature[] {
  const features: (Feature & { count: number; faces: number[] })[] = [];
  for (const { faces, bore: _, ...cut } of cuts) {
    const known = features.find(
      ({ kind, form, isThrough, isInternal, widthMm, depthMm, lengthMm }) =>
        kind === cut.kind &&
        form === cut.form &&
        isThrough === cut.isThrough &&
        isInternal === cut.isInternal &&
        isNear(widthMm, cut.widthMm) &&
        isNear(depthMm, cut.depthMm) &&
        isNear(lengthMm, cut.lengthMm),
    );
    if (known === undefined) features.push({ ...cut, count: 1, faces: [...faces] });
    else {
      known.count++;
      known.faces.push(...faces);
    }
  }
  return features;
}

function isNear(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= SAME_SIZE * Math.max(a, b);
}
