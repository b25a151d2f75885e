import { EngineError } from '../errors.js';
import { ABI_VERSION, type CoreExports, type WasmModule } from './exports.js';
import { loadBytes, type BytesSource } from './load-bytes.js';
import { checkStatus } from './status.js';

/** Where the WASM file may come from: its bytes, a compiled module, or its address. */
export type CoreSource = WasmModule | BytesSource;

/** Kernels that return a status. */
type StatusKernel = {
  [Name in keyof CoreExports]: CoreExports[Name] extends (...args: never[]) => number ? Name : never;
}[keyof CoreExports];

/** Scratch memory of one call. All of it is released when the call ends, so no address may leave the call. */
export interface Arena {
  readonly kernels: CoreExports;
  /** Calls a kernel and throws the coded error of its status. */
  run<Name extends StatusKernel>(name: Name, ...args: Parameters<CoreExports[Name]>): void;
  /** Reserves `byteLength` bytes and returns their address. It may detach views of the memory: make them afterwards. */
  reserve(byteLength: number): number;
  /** Reserves room for the array and copies it in; returns its address. */
  copyIn(
    values: Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array | Int8Array | Uint16Array | Int16Array,
  ): number;
  /** The same with several arrays, one behind the other. */
  copyInAll(values: readonly Uint8Array[]): number;
  /** A copy of `length` floats at the address. */
  f32(address: number, length: number): Float32Array;
  f64(address: number, length: number): Float64Array;
  u32(address: number, length: number): Uint32Array;
  u8(address: number, length: number): Uint8Array;
}

/**
 * One instance of the WebAssembly core. Functions take a `Core` as their first argument (`massProperties(core, mesh)`);
 * each one reserves memory, copies in, calls its kernel, copies out and releases, inside {@link Core.call}. After a
 * trap the instance is discarded, and the next call creates a new one.
 */
export class Core {
  readonly #module: WebAssembly.Module;
  #instance: CoreExports | undefined;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * Compiles the core.
   * @param source by default the `shapedex.wasm` beside this file, in Node and with bundlers that understand
   *   `new URL(…, import.meta.url)`.
   * @throws EngineError `CORE_FAILED` when it is missing or of another ABI version.
   */
  static async load(source: CoreSource = new URL('./shapedex.wasm', import.meta.url)): Promise<Core> {
    try {
      const core = new Core(await compile(source));
      core.#kernels();
      return core;
    } catch (cause) {
      if (cause instanceof EngineError) throw cause;
      throw new EngineError('CORE_FAILED', `the WebAssembly core could not be loaded from ${describe(source)}`, {
        cause,
      });
    }
  }

  /**
   * The same at once, for a reader that may not wait: compiling takes some milliseconds.
   * @param bytes of `shapedex.wasm`.
   * @throws EngineError `CORE_FAILED` when they are no module or of another ABI version.
   */
  static loadNow(bytes: Uint8Array): Core {
    try {
      const core = new Core(new WebAssembly.Module(bytes as BufferSource));
      core.#kernels();
      return core;
    } catch (cause) {
      if (cause instanceof EngineError) throw cause;
      throw new EngineError('CORE_FAILED', 'the WebAssembly core could not be loaded from the given bytes', { cause });
    }
  }

  /** The compiled module. A worker that receives it calls `Core.load(module)` and need not compile again. */
  get module(): WasmModule {
    return this.#module;
  }

  /** Runs `body` with scratch memory that is released when it returns or throws. Calls may nest. */
  call<T>(body: (arena: Arena) => T): T {
    const kernels = this.#kernels();
    const mark = kernels.mark();
    try {
      return this.#run(kernels, body);
    } finally {
      kernels.reset(mark);
    }
  }

  /**
   * Runs `body` and keeps what it reserves for the life of the instance. Only for a core with a single owner, and not
   * inside {@link call}. After `CORE_FAILED` all kept memory is lost.
   */
  keep<T>(body: (arena: Arena) => T): T {
    return this.#run(this.#kernels(), body);
  }

  #run<T>(kernels: CoreExports, body: (arena: Arena) => T): T {
    try {
      return body(arenaOf(kernels));
    } catch (cause) {
      if (cause instanceof WebAssembly.RuntimeError) {
        this.#instance = undefined;
        throw new EngineError('CORE_FAILED', `the WebAssembly core trapped: ${cause.message}`, { cause });
      }
      throw cause;
    }
  }

  #kernels(): CoreExports {
    if (this.#instance === undefined) {
      const instance = new WebAssembly.Instance(this.#module, {
        env: {
          abort(_message: number, _file: number, line: number, column: number): never {
            throw new WebAssembly.RuntimeError(`assertion failed at ${line}:${column}`);
          },
        },
      });
      const kernels = instance.exports as unknown as CoreExports;
      const found: unknown = kernels.ABI_VERSION?.value;
      if (found !== ABI_VERSION) {
        throw new EngineError(
          'CORE_FAILED',
          `the WebAssembly core has ABI version ${String(found)}, expected ${ABI_VERSION}`,
        );
      }
      this.#instance = kernels;
    }
    return this.#instance;
  }
}

function arenaOf(kernels: CoreExports): Arena {
  const reserve = (byteLength: number): number => {
    const address = kernels.reserve(byteLength) >>> 0;
    if (address === 0) {
      throw new EngineError('LIMIT_EXCEEDED', `the core's memory cannot grow by ${byteLength} bytes`, {
        details: { limit: 'core memory', found: byteLength },
      });
    }
    return address;
  };
  return {
    kernels,
    run: (name, ...args) => checkStatus(name, (kernels[name] as (...args: number[]) => number)(...args)),
    reserve,
    copyIn(values) {
      const address = reserve(values.byteLength);
      new Uint8Array(kernels.memory.buffer, address, values.byteLength).set(
        new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
      );
      return address;
    },
    copyInAll(values) {
      const address = reserve(values.reduce((sum, { length }) => sum + length, 0));
      const memory = new Uint8Array(kernels.memory.buffer);
      let at = address;
      for (const bytes of values) {
        memory.set(bytes, at);
        at += bytes.length;
      }
      return address;
    },
    f32: (address, length) => new Float32Array(kernels.memory.buffer, address, length).slice(),
    f64: (address, length) => new Float64Array(kernels.memory.buffer, address, length).slice(),
    u32: (address, length) => new Uint32Array(kernels.memory.buffer, address, length).slice(),
    u8: (address, length) => new Uint8Array(kernels.memory.buffer, address, length).slice(),
  };
}

async function compile(source: CoreSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL && source.protocol !== 'file:') return WebAssembly.compileStreaming(fetch(source));
  return WebAssembly.compile((await loadBytes(source as BytesSource)) as BufferSource);
}

function describe(source: CoreSource): string {
  return source instanceof URL ? source.href : source instanceof WebAssembly.Module ? 'a module' : 'the given bytes';
}
