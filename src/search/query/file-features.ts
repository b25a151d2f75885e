import type { Feature, PartShape } from '../../descriptors/features/feature.js';
import { featuresOf } from './inputs.js';

/** What a machinist would name of a part. */
export interface FileFeatures {
  /** Null where it is none of these, or where its bodies differ. */
  readonly shape: PartShape | null;
  /** Thickness of a sheet or of the wall of a tube, mm; null for other shapes. */
  readonly wallMm: number | null;
  /** Number of faces: of the exact surface, or those that were found on a mesh. */
  readonly faces: number;
  /**
   * Equal ones together, holes first; lengths with four digits. `faces`: their numbers in the file, from 0: of a STEP
   * file among its ADVANCED_FACEs. Of an open surface holes (without saying whether they go through), bosses, teeth and
   * threads alone; null where its normals do not say which side is out, so that holes cannot be told from pins.
   */
  readonly features: readonly Feature[] | null;
}

/** Of stored features; undefined where there are none, or those of an older form. */
export function fileFeatures(stored: string | undefined): FileFeatures | undefined {
  const found = featuresOf(stored);
  if (found === undefined) return undefined;
  const { shape, wallMm, faceCount, features } = found;
  return { shape, wallMm, faces: faceCount, features };
}
