import type { ConversionFormat, ConvertedModel } from '../convert/conversion-format.js';
import { EngineError } from '../errors.js';
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
   * Largest distance between a curved surface (STEP, IGES, BREP) and the triangles that stand for it, mm; 0.0001 to 1 000. Default: a
   * thousandth of the size of the model. A full circle has 108 sides at least in any case. Meshes stay as they are.
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

/** Tolerances that are heard, mm: finer ones take for ever, coarser ones are no shape any more. */
const TOLERANCE_LEAST_MM = 1e-4;
const TOLERANCE_MOST_MM = 1_000;

/** See `Company.convertFiles`. convert: writes one of them, in a worker. */
export async function convertFiles(
  files: readonly NamedBytes[],
  options: ConvertOptions,
  convert: (file: NamedBytes, options: ConvertOptions) => Promise<ConvertedModel>,
): Promise<ConvertedFile[]> {
  const { to, toleranceMm } = options;
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
  const { uniqueNames } = await import('../convert/pack-zip.js');
  const names = uniqueNames(
    files.map(({ name }) => name),
    `.${to}`,
  );
  return Promise.all(
    files.map(async ({ name: from, bytes }, i) => {
      try {
        return { name: names[i], from, ...(await convert({ name: from, bytes }, options)) };
      } catch (cause) {
        if (!(cause instanceof EngineError)) throw cause;
        // What is wrong with its content is said with its name.
        throw new EngineError(cause.code, cause.message.includes(from) ? cause.message : `${from}: ${cause.message}`, {
          details: { ...cause.details, name: from },
          cause,
        });
      }
    }),
  );
}
