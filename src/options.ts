import type { LengthUnit } from './content/units.js';

/** Bounds on hostile or oversized input. Passing one ends in `LIMIT_EXCEEDED` (or `TIMEOUT`) for that file alone. */
export interface Limits {
  /** Largest file accepted, bytes. Default 1 GiB. */
  readonly fileBytes: number;
  /** Largest total that an archive or compressed file may unpack to, bytes. Default 1 GiB. */
  readonly unpackedBytes: number;
  /** Most entries read from an archive. Default 10 000. */
  readonly archiveEntries: number;
  /** Largest unpacked / packed size of one archive entry. Default 1 000. */
  readonly archiveRatio: number;
  /** Most triangles of a model, all placements of shared meshes counted. Default 5 000 000. */
  readonly triangles: number;
  /** Most components in the product structure. Default 100 000. */
  readonly components: number;
  /** Deepest nesting of components, XML elements or archives. Default 64. */
  readonly depth: number;
  /** Longest time for reading and describing one file, ms. Default 120 000. */
  readonly timeoutMs: number;
  /** JavaScript heap of one worker, MiB (the STEP kernel's own memory ends at 2 GiB). Default 2 048. */
  readonly workerMemoryMiB: number;
}

/** Safe defaults for files of unknown origin. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  fileBytes: 1024 ** 3,
  unpackedBytes: 1024 ** 3,
  archiveEntries: 10_000,
  archiveRatio: 1_000,
  triangles: 5_000_000,
  components: 100_000,
  depth: 64,
  timeoutMs: 120_000,
  workerMemoryMiB: 2_048,
});

/** What a reader needs to know beside the bytes. */
export interface ReadOptions {
  readonly limits: Limits;
  /** Unit of formats that carry none (STL, OBJ, PLY, OFF). Default mm. */
  readonly defaultUnit: LengthUnit;
}

/**
 * Fills `given` up with `defaults`: `undefined` means default, an unknown key is refused.
 * @throws TypeError that names `what` and the unknown key.
 */
export function withDefaults<T extends object>(what: string, given: Partial<T> | undefined, defaults: T): T {
  if (given === undefined) return defaults;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what} must be an object, received ${String(given)}`);
  }
  const filled = { ...defaults } as Record<string, unknown>;
  for (const [key, value] of Object.entries(given)) {
    if (!(key in defaults)) {
      throw new TypeError(`${what}.${key} is not an option; known are ${Object.keys(defaults).join(', ')}`);
    }
    if (value !== undefined) filled[key] = value;
  }
  return filled as T;
}
