import type { Warning } from '../errors.js';

/** All that the engine keeps of a model's shape. Equal bytes in, equal bits out, on every machine. */
export interface ShapeDescription {
  readonly triangleCount: number;
  /** Components that carry a mesh. */
  readonly componentCount: number;
  /** Enclosed volume, mm³; the absolute signed sum where the mesh is open or inside out (with a warning). */
  readonly volumeMm3: number;
  /** Volume of the smallest box that fits in any orientation, mm³. */
  readonly bboxVolumeMm3: number;
  /** Edge lengths of that box, mm, falling. */
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
  /**
   * Encoded descriptors by name. Names and versions are those of `DESCRIPTORS`; a stored one of another version is
   * made anew from the file.
   */
  readonly descriptors: Readonly<Record<DescriptorName, Uint8Array>>;
  readonly warnings: readonly Warning[];
}

/**
 * - `compact`: f32[COMPACT_DIMENSION], Euclidean; finds candidates.
 * - `fine`: what the finer comparison of two parts needs.
 * - `surface`: the mesh itself, quantised; tells identical, mirrored and scaled parts from similar ones.
 */
export type DescriptorName = 'compact' | 'fine' | 'surface';

/** The present version of each descriptor; raised whenever the same bytes would give other bits. */
export const DESCRIPTORS: Readonly<Record<DescriptorName, number>> = Object.freeze({ compact: 1, fine: 2, surface: 2 });

/** Length of the `compact` vector. */
export const COMPACT_DIMENSION = 64;
