import type { Warning } from '../errors.js';
import type { PartFeatures } from './features/part-features.js';

/** Everything that the engine stores of a model's shape. The same file gives the same bits on every machine. */
export interface ShapeDescription {
  readonly triangleCount: number;
  /** Number of components that have a mesh. */
  readonly componentCount: number;
  /** Enclosed volume, mm³; the absolute signed sum where the mesh is open or inside out (with a warning). */
  readonly volumeMm3: number;
  /** Volume of the smallest box that fits in any orientation, mm³. */
  readonly bboxVolumeMm3: number;
  /** Side lengths of that box, mm, descending: around exact planes and round faces where the file has such. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
  /** Null for an assembly of several components: they have features of their own. */
  readonly features: PartFeatures | null;
  /**
   * Encoded descriptors by name, in the versions of `DESCRIPTORS`. A stored descriptor of another version is recomputed
   * from the file.
   */
  readonly descriptors: Readonly<Record<DescriptorName, Uint8Array>>;
  readonly warnings: readonly Warning[];
}

/**
 * - `compact`: f32[COMPACT_DIMENSION], compared by Euclidean distance; finds candidates.
 * - `fine`: input of the finer comparison of two parts.
 * - `surface`: the mesh, quantised; distinguishes identical, mirrored and scaled parts from similar ones.
 * - `faces`: its faces as planes, cylinders and so on, with their neighbours; tells which shapes the part holds.
 * - `faceWords`: words of these faces; finds candidates of that.
 */
export type DescriptorName = 'compact' | 'fine' | 'surface' | 'faces' | 'faceWords';

/** The current version of each descriptor; raised whenever the same file would give other bits. */
export const DESCRIPTORS: Readonly<Record<DescriptorName, number>> = Object.freeze({
  compact: 4,
  fine: 5,
  surface: 2,
  faces: 3,
  faceWords: 3,
});

/** Length of the `compact` vector. */
export const COMPACT_DIMENSION = 64;
