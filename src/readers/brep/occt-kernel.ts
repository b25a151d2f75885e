import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { EngineError, fileMalformed } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { KernelMemory } from './kernel-memory.js';
import { passNumbersFast } from './occt-values.js';

/** Formats that the Open CASCADE kernel in occt-import-js reads. */
export type OcctFormat = 'step' | 'iges' | 'brep';

/**
 * A mesh as occt-import-js returns it: plain arrays, mm (BREP: the file's unit), with separate vertices for every face.
 */
export interface OcctMesh {
  readonly name: string;
  /** Red, green, blue in linear light, 0–1. */
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

/** A node of the product structure as occt-import-js returns it. Its placement is baked into the meshes. */
export interface OcctNode {
  readonly name: string;
  readonly meshes: readonly number[];
  readonly children: readonly OcctNode[];
}

/** The result of one read: a tree with meshes (possibly none), or a failure without a reason. */
export type OcctResult =
  | {
      readonly success: true;
      readonly root: OcctNode;
      readonly meshes: readonly OcctMesh[];
      readonly messages: readonly string[];
    }
  | { readonly success: false; readonly messages: readonly string[] };

/**
 * How finely surfaces are tessellated: one rule for all files, so that the same bytes always give the same triangles.
 * `linearDeflection` is the largest distance between surface and triangle, as a fraction of the mean of the bounding
 * box's sides. `angularDeflection` bounds the turn between neighbouring segments, rad: the kernel divides a full circle
 * into 1 + floor(4π / angularDeflection) segments, and into more where the linear bound requires it.
 *
 * 0.198 rad gives 64 segments, a multiple of four, so that the bounding box of a round part is exact where this bound
 * applies. A cylinder's volume comes out at most 0.17 % small, a torus' 0.27 %; the kernel's default of 0.5 rad loses 1
 * %. Time relative to that default: 1.03 on STEP files of single parts (1.09 at 0.15 rad, 1.18 at 0.12 rad), 1.04–1.26
 * on assemblies with many small rounds (1.14–1.74 at 0.13 rad).
 */
export const TESSELLATION = Object.freeze({
  linearUnit: 'millimeter',
  linearDeflectionType: 'bounding_box_ratio',
  linearDeflection: 0.001,
  angularDeflection: 0.198,
});

/** The kernel is built for a WebAssembly memory of at most 2 GiB. */
const HEAP_BYTES_ALLOWED = 2 * 1024 ** 3;
/** A WebAssembly memory never shrinks: an instance that grew beyond this is discarded after the read. */
const HEAP_BYTES_KEPT = 512 * 1024 ** 2;
/** Most messages of the kernel that are kept per read. */
const MESSAGES_KEPT = 20;

/** Tessellation parameters in the form that the kernel takes. */
type Tessellation = {
  readonly [Name in keyof typeof TESSELLATION]: (typeof TESSELLATION)[Name] extends number ? number : string;
};

interface Kernel {
  readonly HEAPU8: Uint8Array;
  ReadFile(format: OcctFormat, content: Uint8Array, parameters: Tessellation): OcctResult;
}

/** A kernel with its memory as it was before the first file. */
interface FreshKernel {
  readonly kernel: Kernel;
  readonly memory: KernelMemory;
}

interface KernelSettings {
  print(line: string): void;
  printErr(line: string): void;
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
}

/** The compiled module outlives its instances: compiling and optimising it again would cost the next files a second. */
let compiled: Promise<WebAssembly.Module> | undefined;
let kernel: Promise<FreshKernel> | undefined;
let messages: string[] = [];

/**
 * Reads a whole file with this thread's kernel, which is started on first use in about 0.1 s. Blocks the thread while
 * it reads; to stop it, end the worker.
 * @param bounds replace those of {@link TESSELLATION}: `toleranceMm` the linear one (in the file's unit for BREP),
 * `turnRad` the angular one.
 * @throws EngineError `LIMIT_EXCEEDED` when the kernel ran out of memory, `FILE_MALFORMED` when it trapped,
 * `WORKER_FAILED` when it could not be loaded. The next call starts a fresh instance.
 */
export async function readWithOcct(
  bytes: Uint8Array,
  format: OcctFormat,
  { toleranceMm, turnRad }: Pick<ReadOptions, 'toleranceMm' | 'turnRad'> = {},
): Promise<OcctResult> {
  kernel ??= startKernel();
  let running: Kernel, memory: KernelMemory;
  try {
    ({ kernel: running, memory } = await kernel);
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
    memory.restore();
    // Returns one object: what the kernel built and the messages that it printed.
    const result = running.ReadFile(format, bytes, tessellation);
    return Object.assign(result, { messages });
  } catch (cause) {
    disposeOcct();
    throw failure(cause, format, running.HEAPU8.length);
  } finally {
    if (running.HEAPU8.length > HEAP_BYTES_KEPT) disposeOcct();
  }
}

/** Discards this thread's kernel and its memory. The next read starts a new one. */
export function disposeOcct(): void {
  kernel = undefined;
}

async function startKernel(): Promise<FreshKernel> {
  const { default: load } = await import('occt-import-js');
  compiled ??= compileKernel();
  const module = await compiled;
  const keep = (line: string): void => {
    if (messages.length < MESSAGES_KEPT && line.trim() !== '') messages.push(line.trim());
  };
  let memory: WebAssembly.Memory | undefined;
  const settings: KernelSettings = {
    print: keep,
    printErr: keep,
    instantiateWasm(imports, receive) {
      const tell = passNumbersFast(imports);
      const instance = new WebAssembly.Instance(module, imports);
      memory = Object.values(instance.exports).find((one) => one instanceof WebAssembly.Memory);
      tell(instance.exports);
      receive(instance);
      return instance.exports;
    },
  };
  const started = (await load(settings)) as Kernel;
  if (memory === undefined) throw new TypeError('the CAD kernel exports no memory');
  return { kernel: started, memory: new KernelMemory(memory) };
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
  return fileMalformed(`the ${format} file is damaged: the CAD kernel broke off reading it (${text.slice(0, 200)})`, {
    cause,
  });
}
