import type { AnnotatedFace } from '../../../content/model-annotation.js';
import { idOf, idsWithin, textOf, type Part21Instances, type Part21Value } from './part21-instances.js';
import { readFrame } from './placements.js';
import { dot, minus, type Vector } from '../../geometry/vectors.js';

/** Types of instances that relate shape aspects to each other and to faces. */
export const FEATURE_KEYWORDS = [
  'GEOMETRIC_ITEM_SPECIFIC_USAGE',
  'ITEM_IDENTIFIED_REPRESENTATION_USAGE',
  'SHAPE_ASPECT_RELATIONSHIP',
  'FEATURE_FOR_DATUM_TARGET_RELATIONSHIP',
] as const;

const SURFACES: Readonly<Record<string, AnnotatedFace['surface']>> = {
  PLANE: 'plane',
  CYLINDRICAL_SURFACE: 'cylinder',
  CONICAL_SURFACE: 'cone',
  SPHERICAL_SURFACE: 'sphere',
  TOROIDAL_SURFACE: 'torus',
  DEGENERATE_TOROIDAL_SURFACE: 'torus',
};
/** Most faces of one annotation, and most aspects that are searched for them. */
const MOST_FACES = 1_000;
const MOST_ASPECTS = 2_000;
/** Tolerance for equal directions, and for equal positions as a fraction of their distance from the origin. */
const SAME = 1e-5;

/** Resolves shape aspects (ISO 10303-41, -47) to the faces that they stand for. */
export class StepFeatures {
  readonly #instances: Part21Instances;
  /** Geometric items of each aspect, and the aspects that each consists of. */
  readonly #items = new Map<number, number[]>();
  readonly #parts = new Map<number, number[]>();

  constructor(instances: Part21Instances) {
    this.#instances = instances;
    for (const keyword of ['GEOMETRIC_ITEM_SPECIFIC_USAGE', 'ITEM_IDENTIFIED_REPRESENTATION_USAGE']) {
      for (const id of instances.listed(keyword)) {
        const [, , aspect, , item] = instances.arguments(id, keyword);
        add(this.#items, idOf(aspect), itemsOf(item));
      }
    }
    for (const keyword of ['SHAPE_ASPECT_RELATIONSHIP', 'FEATURE_FOR_DATUM_TARGET_RELATIONSHIP']) {
      for (const id of instances.listed(keyword)) {
        const [, , whole, part] = instances.arguments(id, keyword);
        add(
          this.#parts,
          idOf(whole),
          [idOf(part)].filter((number) => number !== undefined),
        );
      }
    }
  }

  /** The aspects that an aspect consists of or is related to. */
  partsOf(aspect: number): readonly number[] {
    return this.#parts.get(aspect) ?? [];
  }

  /** The faces that the aspects stand for, each once, in the order in which they are found. */
  facesOf(aspects: readonly number[]): AnnotatedFace[] {
    const faces = new Map<number, AnnotatedFace>();
    const seen = new Set(aspects);
    // Iterating a Set also visits members that are added meanwhile.
    for (const aspect of seen) {
      if (seen.size > MOST_ASPECTS || faces.size >= MOST_FACES) break;
      for (const item of this.#items.get(aspect) ?? []) {
        const face = this.#face(item);
        if (face !== undefined) faces.set(item, face);
      }
      for (const part of this.partsOf(aspect)) seen.add(part);
    }
    return [...faces.values()].slice(0, MOST_FACES);
  }

  /**
   * How many features the faces belong to: faces of a hole or pin share an axis, faces of a ball share a centre. Faces
   * of other kinds do not count. At least 1.
   */
  countOf(faces: readonly AnnotatedFace[]): number {
    const axes: Axis[] = [];
    for (const { id, surface } of faces) {
      if (surface === 'plane' || surface === 'other') continue;
      const axis = this.#axis(id, surface);
      if (axis !== undefined && !axes.some((other) => isSameAxis(axis, other))) axes.push(axis);
    }
    return Math.max(1, axes.length);
  }

  #face(id: number): AnnotatedFace | undefined {
    const types = this.#instances.read(id);
    const face = types?.get('ADVANCED_FACE') ?? types?.get('FACE_SURFACE');
    if (face === undefined) return undefined;
    return { id, surface: SURFACES[this.#instances.links(idOf(face[2]))?.keyword ?? ''] ?? 'other' };
  }

  #axis(face: number, surface: AnnotatedFace['surface']): Axis | undefined {
    const types = this.#instances.read(face);
    const placement = this.#instances.links(idOf((types?.get('ADVANCED_FACE') ?? types?.get('FACE_SURFACE'))?.[2]))
      ?.ids[0];
    const frame = placement === undefined ? undefined : readFrame(this.#instances, placement, 1);
    return (
      frame && {
        place: [frame[12], frame[13], frame[14]],
        direction: surface === 'sphere' ? undefined : [frame[8], frame[9], frame[10]],
      }
    );
  }
}

/** The letter of a datum; '' when the instance is not a datum. */
export function datumLetter(instances: Part21Instances, id: number | undefined): string {
  return textOf(instances.read(id)?.get('DATUM')?.at(-1));
}

interface Axis {
  readonly place: Vector;
  /** Unit vector; undefined for the centre of a sphere. */
  readonly direction: Vector | undefined;
}

function isSameAxis(a: Axis, b: Axis): boolean {
  const apart = minus(a.place, b.place);
  const near = SAME * Math.max(1, Math.hypot(...a.place), Math.hypot(...b.place));
  if (a.direction === undefined || b.direction === undefined)
    return a.direction === b.direction && Math.hypot(...apart) < near;
  const along = dot(a.direction, b.direction);
  if (1 - Math.abs(along) > SAME) return false;
  const shift = dot(apart, a.direction);
  return Math.hypot(...apart.map((value, i) => value - shift * a.direction![i])) < near;
}

/** The instance numbers of one item or a set of items. */
function itemsOf(value: Part21Value | undefined): number[] {
  const single = idOf(value);
  return single === undefined ? idsWithin(value) : [single];
}

function add(map: Map<number, number[]>, key: number | undefined, values: readonly number[]): void {
  if (key === undefined) return;
  const known = map.get(key);
  if (known === undefined) map.set(key, [...values]);
  else for (const value of values) known.push(value);
}
