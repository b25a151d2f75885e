import { determinant } from '../../content/matrix.js';
import type { BodyFaces, FaceTable } from '../faces/part-face.js';
import type { Feature, PartShape, Pattern } from './feature.js';
import { findFeatures } from './find-features.js';

/** What a machinist would name of a part besides its sizes. */
export interface PartFeatures {
  /** Null where it is none of these, or where its bodies differ. */
  readonly shape: PartShape | null;
  /** Thickness of a sheet or of the wall of a tube, mm, four digits. */
  readonly wallMm: number | null;
  /** Number of its faces. */
  readonly faceCount: number;
  /**
   * Lengths with four digits, faces by their numbers in the file; at most {@link MOST_FEATURES}, holes first. Of an
   * open surface only holes, bosses, teeth and threads, which need no neighbours, and not whether a hole goes through.
   * Null where holes cannot be told from pins, because it is open and does not say which side is out.
   */
  readonly features: readonly Feature[] | null;
}

/** Most features of a part that are kept, and most faces that one of them names, the first ones. */
export const MOST_FEATURES = 64;
export const MOST_NAMED_FACES = 256;
/** Most bodies of one part that are looked at. */
const MOST_BODIES = 64;
/** Relative difference of diameters that are the same, and most groups of holes. */
const SAME_DIAMETER = 2e-3;
const MOST_GROUPS = 8;

/** What the border of a surface leaves known: it has none; its normals point outwards all the same; or neither. */
export type KnownSides = 'closed' | 'outwards' | 'unknown';

/** Kinds of features that are found by their own faces, whether or not the mesh joins these to their neighbours. */
const BY_THEMSELVES: ReadonlySet<Feature['kind']> = new Set(['hole', 'boss', 'teeth', 'thread'] as const);

/** The features of a part from its faces. */
export function partFeatures({ bodies, places }: FaceTable, sides: KnownSides): PartFeatures {
  const found = bodies.slice(0, MOST_BODIES).map((body, number) => {
    const copies = places.filter((place) => place.body === number);
    const scale = copies.length === 0 ? 1 : Math.cbrt(Math.abs(determinant(copies[0].matrix)));
    return { ...findFeatures(body), body, copies: copies.length, scale };
  });
  const [first] = found;
  const isOne = first !== undefined && found.every(({ shape }) => shape === first.shape);
  const features = found
    .flatMap(({ features: own, ...of }) => own.map((feature) => rounded(feature, of)))
    .flatMap((feature) => (sides === 'closed' ? [feature] : byItself(feature)));
  return {
    shape: isOne ? first.shape : null,
    wallMm: isOne && first.wallMm !== null ? four(first.scale * first.wallMm) : null,
    faceCount: places.reduce((sum, { body }) => sum + bodies[body].faces.length, 0),
    features: sides === 'unknown' ? null : features.sort(byRank).slice(0, MOST_FEATURES),
  };
}

function byItself({ isThrough: _, ...feature }: Feature): Feature[] {
  return BY_THEMSELVES.has(feature.kind) ? [feature] : [];
}

/** JSON of features, for the catalogue. */
export function storedFeatures(features: PartFeatures): string {
  return JSON.stringify(features);
}

/** Holes of one diameter. */
export interface HoleGroup {
  readonly count: number;
  /** mm; the smallest diameter of a stepped hole. */
  readonly diameterMm: number;
}

/** The holes of a part by diameter, most frequent first, then widest first, at most eight. */
export function holeGroups({ features }: PartFeatures): HoleGroup[] {
  const groups: { count: number; readonly diameterMm: number }[] = [];
  const holes = (features ?? []).flatMap(({ kind, count, diameterMm }) =>
    kind === 'hole' && diameterMm !== undefined ? [{ count, diameterMm }] : [],
  );
  for (const { count, diameterMm } of holes.sort((a, b) => a.diameterMm - b.diameterMm)) {
    const last = groups.at(-1);
    if (last !== undefined && diameterMm <= last.diameterMm * (1 + SAME_DIAMETER)) last.count += count;
    else groups.push({ count, diameterMm });
  }
  return groups.sort((a, b) => b.count - a.count || b.diameterMm - a.diameterMm).slice(0, MOST_GROUPS);
}

/** The bolt circles of a part: holes of one diameter on one circle. */
export function boltCircles({ features }: PartFeatures): { count: number; diameterMm: number; circleMm: number }[] {
  return (features ?? []).flatMap(({ kind, count, diameterMm, pattern }) =>
    kind === 'hole' && diameterMm !== undefined && pattern?.kind === 'circle'
      ? [{ count, diameterMm, circleMm: pattern.diameterMm }]
      : [],
  );
}

const RANKS: Readonly<Record<Feature['kind'], number>> = {
  hole: 0,
  teeth: 1,
  thread: 1,
  bend: 2,
  boss: 3,
  pocket: 4,
  passage: 5,
  slot: 6,
  keyway: 6,
  step: 7,
  rib: 8,
  chamfer: 9,
  fillet: 10,
};

function byRank(a: Feature, b: Feature): number {
  return RANKS[a.kind] - RANKS[b.kind] || b.count - a.count || (b.diameterMm ?? 0) - (a.diameterMm ?? 0);
}

interface Copies {
  readonly body: BodyFaces;
  readonly copies: number;
  /** Of its places; one for all, as files have it. */
  readonly scale: number;
}

/** Lengths that a feature may have. */
const LENGTHS = [
  'diameterMm',
  'depthMm',
  'widthMm',
  'lengthMm',
  'radiusMm',
  'sunkDiameterMm',
  'sunkDepthMm',
  'moduleMm',
  'pitchMm',
] as const;

function rounded(feature: Feature, { body: { faces }, copies, scale }: Copies): Feature {
  const { pattern, ...rest } = feature;
  const lengths = Object.fromEntries(
    LENGTHS.flatMap((name) => (rest[name] === undefined ? [] : [[name, four(scale * rest[name])]])),
  );
  return {
    ...rest,
    ...lengths,
    count: copies * feature.count,
    faces: feature.faces.slice(0, MOST_NAMED_FACES).map((face) => faces[face].number),
    ...(pattern === undefined ? {} : { pattern: roundedPattern(pattern, scale) }),
  };
}

function roundedPattern(pattern: Pattern, scale: number): Pattern {
  if (pattern.kind === 'circle') return { ...pattern, diameterMm: four(scale * pattern.diameterMm) };
  if (pattern.kind === 'row') return { ...pattern, pitchMm: four(scale * pattern.pitchMm) };
  return { ...pattern, pitchMm: [four(scale * pattern.pitchMm[0]), four(scale * pattern.pitchMm[1])] };
}

/** Lengths beyond four digits are noise of the fit. */
function four(value: number): number {
  return Number(value.toPrecision(4));
}
