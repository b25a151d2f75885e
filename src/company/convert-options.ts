import type { ConversionFormat, ConvertedModel } from '../convert/conversion-format.js';
import { checkString } from './checks.js';

/** A file in memory. */
export interface NamedBytes {
  /** With its extension; folders before it do not matter. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What models are converted to. */
export interface ConvertOptions {
  readonly to: ConversionFormat;
  /**
   * Largest distance between a curved surface (STEP, IGES, BREP) and the triangles that stand for it, mm; 0.0001 to 1
   * 000. Default: a thousandth of the size of the model. A full circle has 108 sides at least in any case. Meshes stay
   * as they are.
   */
  readonly toleranceMm?: number;
  readonly signal?: AbortSignal;
}

/** A file that was converted. */
export interface ConvertedFile extends ConvertedModel {
  /** Its own name without folders, with the new extension; numbered where several have the same. */
  readonly name: string;
  /** As it was given. */
  readonly from: string;
}

/** Smallest and largest tolerance, mm: a finer one takes too long, with a coarser one the shape is lost. */
const TOLERANCE_LEAST_MM = 1e-4;
const TOLERANCE_MOST_MM = 1_000;

/** @throws TypeError or RangeError that names what is wrong. */
export function checkConversion(files: readonly NamedBytes[], { to, toleranceMm }: ConvertOptions): void {
  if (to !== 'stl' && to !== 'step')
    throw new RangeError(`convert options.to must be 'stl' or 'step', received ${String(to)}`);
  if (
    toleranceMm !== undefined &&
    !(typeof toleranceMm === 'number' && toleranceMm >= TOLERANCE_LEAST_MM && toleranceMm <= TOLERANCE_MOST_MM)
  ) {
    throw new RangeError(
      `convert options.toleranceMm must be a number from ${TOLERANCE_LEAST_MM} to ${TOLERANCE_MOST_MM}, received ${String(toleranceMm)}`,
    );
  }
  for (const { name, bytes } of files) {
    checkString('name', name);
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes of ${name} must be a Uint8Array`);
  }
}
