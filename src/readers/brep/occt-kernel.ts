import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { EngineError } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { passNumbersFast } from './occt-values.js';

/** Formats that the Open CASCADE kernel of occt-import-js reads. */
export type OcctFormat = 'step' | 'iges' | 'brep';

/** A mesh as occt-import-js gives it: the vertices of every face by themselves, in plain arrays, mm (BREP: as written). */
export interface OcctMesh {
  readonly name: string;
  /** Linear red, green, blue. */
  readonly color?: readonly number[];
  readonly attributes: { readonly position: { readonly array: readonly number[] } };
  readonly index: { readonly array: readonly number[] };
  /** Triangles `first` to `last`, both included; `last` is `first - 1` for a face without triangles. */
  readonly brep_faces: readonly {
    readonly first: number;
    readonly last: number;
    readonly color: readonly number[] | null;
  }[];
}

/** A node of the product structure as occt-import-js gives it: placements are baked into the meshes. */
export interface OcctNode {
  readonly name: string;
  readonly meshes: readonly number[];
  readonly children: readonly OcctNode[];
}

/** What one read gave: a tree with meshes (perhaps none), or no success without a reason. */
export type OcctResult =
  | {
      readonly success: true;
      readonly root: OcctNode;
      readonly meshes: readonly OcctMesh[];
      readonly messages: readonly string[];
    }
  | { readonly success: false; readonly messages: readonly string[] };

/**
 * How finely surfaces become triangles: the same rule for every file, so that the same bytes always give the same triangles.
 * `linearDeflection` is the largest distance between surface and triangle, as a part of the mean of the box's sides.
 * `angularDeflection` bounds the turn between neighbouring segments, rad: the kernel cuts a full circle into
 * 1 + floor(4π / angularDeflection) segments, and into more where the linear bound asks for it.
 *
 * 0.198 rad gives 64 segments: a multiple of four, so that where this bound holds a round part's box is exact. A cylinder's
 * volume comes out 0.17 % small at most, a torus' 0.27 %; the kernel's default of 0.5 rad loses 1 %. Time beside that default:
 * 1.03 on STEP files of single parts (at 0.15 rad 1.09, at 0.12 rad 1.18), 1.04–1.26 on assemblies with many small rounds (at
 * 0.13 rad 1.14–1.74).
 */
export const TESSELLATION = Object.freeze({
  linearUnit: 'millimeter',
  linearDeflectionType: 'bounding_box_ratio',
  linearDeflection: 0.001,
  angularDeflection: 0.198,
});

/** The kernel is built for a WebAssembly memory of at most 2 GiB. */
const HEAP_BYTES_ALLOWED = 2 * 1024 ** 3;
/** A WebAssembly memory never shrinks: an instance that grew beyond this is thrown away after the read. */
const HEAP_BYTES_KEPT = 512 * 1024 ** 2;
/** Messages of the kernel that are kept of one read. */
const MESSAGES_KEPT = 20;

/** How finely surfaces become triangles, as the kernel takes it. */
type Tessellation = {
  readonly [Name in keyof typeof TESSELLATION]: (typeof TESSELLATION)[Name] extends number ? number : string;
};

interface Kernel {
  readonly HEAPU8: Uint8Array;
  ReadFile(format: OcctFormat, content: Uint8Array, parameters: Tessellation): OcctResult;
}

interface KernelSettings {
  print(line: string): void;
  printErr(line: string): void;
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
}

/** The compiled code is kept when an instance goes: compiling and optimising it anew costs the next files a second. */
let compiled: Promise<WebAssembly.Module> | undefined;
let kernel: Promise<Kernel> | undefined;
let messages: string[] = [];

/**
 * Reads a whole file with this thread's kernel, which is made on first use and takes about 0.1 s. Blocks the thread while it
 * reads; end the worker to stop it.
 * finer: other bounds than those of {@link TESSELLATION}: toleranceMm instead of the linear one, turnRad instead of the angular one.
 * @throws EngineError `LIMIT_EXCEEDED` when the kernel's memory was full, `FILE_MALFORMED` when it trapped; the next call
 * starts with a fresh instance.
 */
export async function readWithOcct(
  bytes: Uint8Array,
  format: OcctFormat,
  { toleranceMm, turnRad }: Pick<ReadOptions, 'toleranceMm' | 'turnRad'> = {},
): Promise<OcctResult> {
  kernel ??= startKernel();
  let running: Kernel;
  try {
    running = await kernel;
  } catch (cause) {
    disposeOcct();
    throw new EngineError('WORKER_FAILED', 'the CAD kernel occt-import-js could not be loaded', { cause });
  }
  messages = [];
  const tessellation = {
    ...TESSELLATION,
    ...(toleranceMm === undefined ? {} : { linearDeflectionType: 'absolute_value', linearDeflection: toleranceMm }),
    ...(turnRad === undefined ? {} : { angularDeflection: turnRad }),
  };
  try {
    // Assigning the messages makes one object of what the kernel built and what it said.
    const result = running.ReadFile(format, bytes, tessellation);
    return Object.assign(result, { messages });
  } catch (cause) {
    disposeOcct();
    throw failure(cause, format, running.HEAPU8.length);
  } finally {
    if (running.HEAPU8.length > HEAP_BYTES_KEPT) disposeOcct();
  }
}

/** Throws this thread's kernel away, and its memory with it. The next read makes a new one. */
export function disposeOcct(): void {
  kernel = undefined;
}

async function startKernel(): Promise<Kernel> {
  const { default: load } = await import('occt-import-js');
  compiled ??= compileKernel();
  const module = await compiled;
  const keep = (line: string): void => {
    if (messages.length < MESSAGES_KEPT && line.trim() !== '') messages.push(line.trim());
  };
  const settings: KernelSettings = {
    print: keep,
    printErr: keep,
    instantiateWasm(imports, receive) {
      const tell = passNumbersFast(imports);
      const instance = new WebAssembly.Instance(module, imports);
      tell(instance.exports);
      receive(instance);
      return instance.exports;
    },
  };
  return (await load(settings)) as Kernel;
}

async function compileKernel(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('occt-import-js/dist/occt-import-js.wasm');
  return WebAssembly.compile(await readFile(path));
}

function failure(cause: unknown, format: OcctFormat, heapBytes: number): EngineError {
  const text = String(cause);
  if (
    /OOM|out of memory|bad_alloc|Array buffer allocation failed/i.test(text) ||
    heapBytes > 0.95 * HEAP_BYTES_ALLOWED
  ) {
    return new EngineError(
      'LIMIT_EXCEEDED',
      `the ${format} file needs more memory than the CAD kernel has (${HEAP_BYTES_ALLOWED / 1024 ** 3} GiB)`,
      { details: { limit: 'kernelMemoryBytes', allowed: HEAP_BYTES_ALLOWED, found: heapBytes }, cause },
    );
  }
  return new EngineError(
    'FILE_MALFORMED',
    `the CAD kernel broke off while it read the ${format} file: ${text.slice(0, 200)}`,
    { cause },
  );
}
