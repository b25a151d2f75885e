import type { ConversionFormat, ConvertedModel } from '../convert/conversion-format.js';
import { checkString } from './checks.js';

/** A file in memory. */
export interface NamedBytes {
  /** File name with its extension; folders before it are ignored. */
  readonly name: string;
  /** Not copied: they must not change before the result is there. */
  readonly bytes: Uint8Array;
}

/** The target of a conversion. */
export interface ConvertOptions {
  readonly to: ConversionFormat;
  /**
   * Largest distance between a curved surface (STEP, IGES, BREP) and its triangles, mm; 0.0001 to 1 000. Default: a
   * thousandth of the size of the model. In any case a full circle has at least 108 sides. Meshes stay unchanged.
   */
  readonly toleranceMm?: number;
  readonly signal?: AbortSignal;
}

/** A converted file. */
export interface ConvertedFile extends ConvertedModel {
  /** The input's name without folders, with the new extension; numbered when several inputs have the same name. */
  readonly name: string;
  /** The name as it was given. */
  readonly from: string;
}

/** Smallest and largest tolerance, mm: a finer one takes too long, a coarser one loses the shape. */
const TOLERANCE_LEAST_MM = 1e-4;
const TOLERANCE_MOST_MM = 1_000;

/** @throws TypeError or RangeError that names the wrong field. */
export function checkConversion(files: readonly NamedBytes[], { to, toleranceMm }: ConvertOptions): void {
  if (to !== 'stl' && to !== 'step')
    throw new RangeError(`convert options.to must be 'stl' or 'step', received ${String(to)}`);
  if (
    toleranceMm !== undefined &&
    !(typeof toleranceMm === 'number' && toleranceMm >= TOLERANCE_LEAST_MM && toleranceMm <= TOLERANCE_MOST_MM)
  ) {
    throw new RangeError(
      `convert options.toleranceMm must be a number from ${TOLERANCE_LEAST_MM} to ${TOLERANCE_MOST_MM}, ` +
        `received ${String(toleranceMm)}`,
    );
  }
  for (const { name, bytes } of files) {
    checkString('name', name);
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes of ${name} must be a Uint8Array`);
  }
}
