import type { BodyFaces, FaceEdge, FaceTable, PartFace } from './part-face.js';
import type { SurfaceKind } from './fitted-surface.js';
import { screwMotionsOf } from './screw-motion.js';
import { across, cross, dot, lengthOf, minus } from './vector.js';

/**
 * Words by which parts are found that hold a shape: curved faces by kind and radii, and pairs of faces near each other
 * by these, their angle and their distance; for any sizes pairs of adjacent faces by kind, edge and angle. All are the
 * same in each pose and in the mirror image. A word is a hash, u32.
 */

/** Relative width of a step of lengths, and length below which all are one, mm. */
const STEP = 0.02;
const LEAST_MM = 0.05;
/** Width of a step of angles: for words of sizes, and of any sizes, rad. */
const ANGLE_STEP = 0.035;
const WIDE_ANGLE_STEP = Math.PI / 12;
/** Most steps that a length may have within a tolerance. */
const MOST_STEPS = 9;
/**
 * Widths of steps of the radii of screws, which samples tell to some per cent; pitch by turn of 1 rad, as a share of
 * the radius, of a screw.
 */
const OUTER_STEP = 0.04;
const INNER_STEP = 0.08;
const LEAST_PITCH = 0.01;
/** Two directions with this sine or less are parallel. */
export const PARALLEL = 0.01;
/** Most faces with which a face that touches the same neighbour makes pairs, nearest first. */
const MOST_BESIDE = 12;
/** Neighbours of a face over which others are met, and most of each. */
const MOST_VIA = 64;
const MOST_OTHERS = 256;
/** Most words of a file; what is beyond is left out, commonest kinds last. */
export const MOST_WORDS = 4_000;

const CODES: Readonly<Record<SurfaceKind, number>> = { plane: 1, cylinder: 2, cone: 3, sphere: 4, torus: 5, free: 6 };
const EDGE_CODES = { convex: 1, concave: 2, smooth: 3 } as const;

/** A word of a query. */
export interface QueryWord {
  /** All hashes that it may have within a tolerance, that of the query itself first. */
  readonly choices: readonly number[];
  /** Area of the query's faces that are not in a file without this word, mm²; 0: without it they still may be. */
  readonly areaMm2: number;
}

/** The words of a file, u32, rising: those of faces of all bodies come before those of pairs. */
export function faceWords({ bodies }: FaceTable): Uint32Array {
  const words = new Set<number>();
  const add = (word: number): void => {
    if (words.size < MOST_WORDS) words.add(word);
  };
  for (const { faces } of bodies)
    for (const face of faces) if (face.kind !== 'plane') add(hashes(partsOfFace(face, 0))[0]);
  for (const body of bodies) for (const [word] of wordsOfScrews(body, 0)) add(word);
  for (const body of bodies) for (const [word] of wordsOfPairs(body, 0)) add(word);
  for (const body of bodies) for (const word of kindWords(body)) add(word);
  return Uint32Array.from(words).sort();
}

/** Bytes of words: their number, then each, u32 little endian. */
export function encodeWords(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(4 + 4 * words.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, words.length, true);
  words.forEach((word, i) => view.setUint32(4 + 4 * i, word, true));
  return bytes;
}

/** The words of stored bytes. */
export function decodeWords(bytes: Uint8Array): Uint32Array {
  const count = Math.max(0, Math.floor(bytes.length / 4) - 1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Uint32Array(count);
  for (let i = 0; i < count; i++) words[i] = view.getUint32(4 + 4 * i, true);
  return words;
}

/**
 * The different words of a shape that is looked for.
 * @param shape its bodies, and of each the positions of the faces that belong to it.
 * @param toleranceMm by which lengths may differ.
 */
export function queryWords(
  shape: readonly { readonly body: BodyFaces; readonly among: ReadonlySet<number> }[],
  toleranceMm: number,
): QueryWord[] {
  const found = new Map<number, QueryWord>();
  for (const { body, among } of shape)
    for (const i of among) {
      const face = body.faces[i];
      if (face.kind === 'plane') continue;
      const parts = partsOfFace(face, toleranceMm);
      const choices = hashes(parts);
      // A free face may be a part of a larger one; of very many sizes not all are among the choices.
      const isSure = face.kind !== 'free' && parts.every((values) => values.length < MOST_STEPS);
      const before = found.get(choices[0])?.areaMm2 ?? 0;
      found.set(choices[0], { choices, areaMm2: isSure ? before + face.areaMm2 : 0 });
    }
  for (const { body, among } of shape) {
    const free = { faces: body.faces.filter((face, i) => face.kind === 'free' && among.has(i)), edges: [] };
    const whole = free.faces.length === body.faces.filter(({ kind }) => kind === 'free').length;
    for (const choices of wordsOfScrews(whole ? body : free, 1)) found.set(choices[0], { choices, areaMm2: 0 });
  }
  for (const { body, among } of shape)
    for (const choices of wordsOfPairs(body, toleranceMm, among)) found.set(choices[0], { choices, areaMm2: 0 });
  return [...found.values()];
}

/** For shapes of any size: each face by its kind and edges, and adjacent faces by kinds, edge and angle. */
export function kindWords({ faces, edges }: BodyFaces, among?: ReadonlySet<number>): Set<number> {
  const words = new Set<number>();
  const around = faces.map((): number[] => []);
  for (const edge of edges) for (const face of edge.faces) around[face].push(edgeWord(edge));
  for (const [i, face] of faces.entries())
    if (among?.has(i) !== false) words.add(hashOf([4, kindOf(face), ...around[i].sort((a, b) => a - b).slice(0, 12)]));
  for (const {
    faces: [a, b],
    kind,
    turnRad,
  } of edges) {
    if (among !== undefined && !(among.has(a) && among.has(b))) continue;
    const [one, other] = [kindOf(faces[a]), kindOf(faces[b])].sort((x, y) => x - y);
    words.add(hashOf([3, one, other, edgeWord({ kind, turnRad })]));
  }
  return words;
}

/** Kind and angle of an edge. */
function edgeWord({ kind, turnRad }: Pick<FaceEdge, 'kind' | 'turnRad'>): number {
  return 16 * EDGE_CODES[kind] + Math.round(turnRad / WIDE_ANGLE_STEP);
}

/**
 * Of faces that slide in themselves by a screw or a turn: how far out and in they reach. reach: steps that each may be
 * off.
 */
function* wordsOfScrews(body: BodyFaces, reach: number): Generator<readonly number[]> {
  for (const { pitchMm, radiiMm } of screwMotionsOf(body)) {
    const isScrew = Math.abs(pitchMm) > LEAST_PITCH * radiiMm[1] ? 1 : 0;
    const stepsOf = (length: number, width: number): number[] =>
      steps(Math.log(Math.max(length, LEAST_MM)) / width, reach);
    yield hashes([[5], [isScrew], stepsOf(radiiMm[1], OUTER_STEP)]);
    yield hashes([[6], [isScrew], stepsOf(radiiMm[0], INNER_STEP)]);
  }
}

function partsOfFace(face: PartFace, toleranceMm: number): number[][] {
  return [[1], [kindOf(face)], ...sizesOf(face, toleranceMm)];
}

function* wordsOfPairs(
  { faces, edges }: BodyFaces,
  toleranceMm: number,
  among?: ReadonlySet<number>,
): Generator<readonly number[]> {
  const is = (face: number): boolean => among === undefined || among.has(face);
  for (const [a, b] of nearPairs(faces, edges)) {
    if (!is(a) || !is(b)) continue;
    const word = pairWord(faces[a], faces[b], toleranceMm);
    if (word !== undefined) yield word;
  }
}

/** Pairs of faces that are adjacent, or touch the same face and are among the nearest that do. */
function* nearPairs(faces: readonly PartFace[], edges: readonly FaceEdge[]): Generator<readonly [number, number]> {
  const beside = faces.map((): number[] => []);
  for (const {
    faces: [a, b],
  } of edges) {
    beside[a].push(b);
    beside[b].push(a);
  }
  const seen = new Set<number>();
  const isNew = (a: number, b: number): boolean => {
    const key = Math.min(a, b) * faces.length + Math.max(a, b);
    return !seen.has(key) && seen.add(key) !== undefined;
  };
  // By face: the face whose pairs were made when it was met last. A perforated plate has every hole near every other.
  const metFrom = new Int32Array(faces.length).fill(-1);
  const nearest = new Uint32Array(MOST_BESIDE),
    distances = new Float64Array(MOST_BESIDE);
  for (let a = 0; a < faces.length; a++) {
    const neighbours = beside[a];
    for (const b of neighbours) if (isNew(a, b)) yield [a, b];
    const [x, y, z] = faces[a].middle;
    metFrom[a] = a;
    let count = 0;
    for (let via = 0; via < Math.min(MOST_VIA, neighbours.length); via++) {
      const others = beside[neighbours[via]];
      for (let i = 0; i < Math.min(MOST_OTHERS, others.length); i++) {
        const b = others[i];
        if (metFrom[b] === a) continue;
        metFrom[b] = a;
        const { middle } = faces[b];
        const dx = middle[0] - x,
          dy = middle[1] - y,
          dz = middle[2] - z;
        const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
        // Put in its place among the nearest, of equal ones the lower number first.
        let at = count;
        while (at > 0 && (distance < distances[at - 1] || (distance === distances[at - 1] && b < nearest[at - 1])))
          at--;
        if (at === MOST_BESIDE) continue;
        count = Math.min(MOST_BESIDE, count + 1);
        nearest.copyWithin(at + 1, at, count - 1);
        distances.copyWithin(at + 1, at, count - 1);
        nearest[at] = b;
        distances[at] = distance;
      }
    }
    for (let i = 0; i < count; i++) if (isNew(a, nearest[i])) yield [a, nearest[i]];
  }
}

/**
 * Undefined for pairs that say nothing: planes at an angle that are not adjacent say little, and planes at 90° nothing.
 */
function pairWord(one: PartFace, other: PartFace, toleranceMm: number): number[] | undefined {
  const [a, b] = kindOf(one) <= kindOf(other) ? [one, other] : [other, one];
  if (a.kind === 'free' || b.kind === 'free') return undefined;
  const cosine = dot(a.axis, b.axis);
  const hasDirections = a.kind !== 'sphere' && b.kind !== 'sphere';
  const isParallel = hasDirections && lengthOf(cross(a.axis, b.axis)) <= PARALLEL;
  const apart = distanceBetween(a, b, isParallel);
  if (apart === undefined && (!hasDirections || isParallel || Math.abs(cosine) < 0.02)) return undefined;
  const signed = a.kind === 'plane' && b.kind === 'plane';
  const angle = Math.acos(Math.min(1, signed ? Math.max(-1, cosine) : Math.abs(cosine)));
  return hashes([
    [2],
    [kindOf(a)],
    [kindOf(b)],
    ...inOrder(sizesOf(a, toleranceMm), sizesOf(b, toleranceMm)),
    hasDirections ? steps(angle / ANGLE_STEP, toleranceMm > 0 ? 0.25 : 0) : [0],
    apart === undefined ? [-999] : lengthSteps(apart, toleranceMm),
  ]);
}

/** Of faces of one kind the smaller one is first, so that the order in which they come does not matter. */
function inOrder(a: number[][], b: number[][]): number[][] {
  const sum = (steps: number[][]): number => steps.reduce((total, [value]) => total * 1_000 + value, 0);
  return sum(a) <= sum(b) ? [...a, ...b] : [...b, ...a];
}

/**
 * What fixes how far two faces are apart: parallel planes along their normal (negative: towards each other), a plane
 * and a parallel axis, a plane and a point, two axes, two points. Undefined where nothing does. The kind of `a` comes
 * before that of `b`, see {@link kindOf}.
 */
export function distanceBetween(a: PartFace, b: PartFace, isParallel: boolean): number | undefined {
  const from = minus(b.origin, a.origin);
  if (a.kind === 'plane') {
    if (b.kind === 'plane') {
      // The sign tells a slot from a web: outward normals towards each other.
      return isParallel && dot(a.axis, b.axis) < 0
        ? dot(from, a.axis)
        : isParallel
          ? Math.abs(dot(from, a.axis))
          : undefined;
    }
    if (b.kind !== 'cylinder' || Math.abs(dot(a.axis, b.axis)) <= PARALLEL) return dot(from, a.axis);
    return undefined;
  }
  if (b.kind === 'sphere') return a.kind === 'sphere' ? lengthOf(from) : lengthOf(across(from, a.axis));
  if (a.kind === 'sphere') return lengthOf(across(from, b.axis));
  if (a.kind !== 'cylinder' && b.kind !== 'cylinder') return lengthOf(from);
  if (isParallel) return lengthOf(across(from, a.axis));
  const normal = cross(a.axis, b.axis);
  return Math.abs(dot(from, normal)) / lengthOf(normal);
}

/** Kind and side. */
export function kindOf({ kind, isHollow }: Pick<PartFace, 'kind' | 'isHollow'>): number {
  return 2 * CODES[kind] + (isHollow ? 1 : 0);
}

function sizesOf({ kind, radiusMm, second, areaMm2 }: PartFace, toleranceMm: number): number[][] {
  if (kind === 'plane') return [[0], [0]];
  if (kind === 'free') return [lengthSteps(Math.sqrt(areaMm2), toleranceMm), [0]];
  if (kind === 'cone') return [[0], steps(second / ANGLE_STEP, toleranceMm > 0 ? 0.3 : 0)];
  return [lengthSteps(radiusMm, toleranceMm), kind === 'torus' ? lengthSteps(second, toleranceMm) : [0]];
}

function lengthSteps(length: number, toleranceMm: number): number[] {
  const stepOf = (value: number): number =>
    Math.abs(value) <= LEAST_MM
      ? 0
      : Math.sign(value) * (200 + Math.round(Math.log(Math.abs(value) / LEAST_MM) / STEP));
  if (toleranceMm === 0) return [stepOf(length)];
  const found = new Set([stepOf(length)]);
  // Also where rounding falls the other way in the stored part.
  const reach = Math.max(toleranceMm, 1e-3 * Math.abs(length));
  const last = stepOf(length + reach);
  for (let step = stepOf(length - reach); step < last && found.size < MOST_STEPS; step++) found.add(step);
  found.add(last);
  return [...found];
}

function steps(value: number, reach: number): number[] {
  if (reach === 0) return [Math.round(value)];
  return [...new Set([Math.round(value), Math.round(value - reach), Math.round(value + reach)])];
}

/** The hashes of all combinations, that of the first values first. At most 81. */
function hashes(choices: readonly (readonly number[])[]): number[] {
  if (choices.every((values) => values.length === 1)) return [hashOf(choices.map(([value]) => value))];
  let all: number[][] = [[]];
  for (const values of choices) {
    all = all.flatMap((before) => values.map((value) => [...before, value]));
    if (all.length > 81) all = all.slice(0, 81);
  }
  return all.map(hashOf);
}

/** FNV-1a over the numbers, finished by MurmurHash3's mixer. */
function hashOf(values: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const value of values) hash = Math.imul(hash ^ (value & 0xffff), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
