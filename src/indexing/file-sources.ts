import type { LengthUnit } from '../content/units.js';
import { EngineError } from '../errors.js';
import type { SearchInput } from '../search/query/query.js';
import type { SeenInputs } from '../store/catalog/seen-inputs.js';
import type { Library } from '../library.js';
import type { WorkerPool } from './pool/pool.js';
import type { AnswerTo, FileSource, WorkerRequest } from './worker/messages.js';

/** Determines where a worker reads the bytes of a file: from the store, or from bytes that the caller passed. */
export class FileSources {
  readonly #store: Library;
  readonly #bytesLimit: number;
  /** Looks up a stored file again; throws when it is there no more. */
  readonly #again = new WeakMap<object, () => Promise<{ readonly blob_hash: string }>>();

  /** bytesLimit: the largest input accepted, bytes (`limits.fileBytes`). */
  constructor(store: Library, bytesLimit: number) {
    this.#store = store;
    this.#bytesLimit = bytesLimit;
  }

  /** @throws EngineError `FILE_UNKNOWN`, `LIMIT_EXCEEDED`. */
  async of(companyId: number, input: SearchInput, seen?: SeenInputs): Promise<FileSource> {
    const source = await ('uid' in input
      ? this.stored(companyId, input.uid, seen)
      : this.given(companyId, input.bytes, nameOf(input.extension)));
    if (input.component === undefined) return source;
    const component = { ...source, component: input.component };
    const again = this.#again.get(source);
    if (again !== undefined) this.#again.set(component, again);
    return component;
  }

  /**
   * uid: of a file, of a search input, or of a separately indexed component. seen: default all search inputs.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async stored(companyId: number, uid: string, seen?: SeenInputs): Promise<FileSource> {
    const part = await this.#store.componentWith(companyId, uid.toLowerCase(), seen);
    const component = part && (await this.#store.components.one(part.fileId));
    const fileUid = component?.assemblyUid ?? uid;
    const { blob_hash: hash, path } = await this.#store.fileOrInput(companyId, fileUid, seen);
    await this.#store.blobs.bring(hash);
    const source: FileSource = {
      kind: 'stored',
      blobFolder: this.#store.blobs.folder,
      hash,
      name: path,
      unit: await this.unitOf(companyId),
      ...(component === undefined ? {} : { component: component.number }),
    };
    this.#again.set(source, () => this.#store.fileOrInput(companyId, fileUid, seen));
    return source;
  }

  /**
   * Has a worker read files. One that was deleted or replaced while the request waited is unknown as it was: its bytes
   * are missing, and that is no damage.
   * @throws EngineError `FILE_UNKNOWN`, or the reason why a file cannot be read.
   */
  async read<Request extends WorkerRequest>(
    pool: WorkerPool,
    request: Request,
    signal?: AbortSignal,
  ): Promise<AnswerTo<Request>> {
    try {
      return await pool.run(request, signal);
    } catch (cause) {
      if (cause instanceof EngineError && cause.code === 'LIBRARY_DAMAGED')
        for (const value of Object.values(request) as unknown[])
          if (typeof value === 'object' && value !== null) await this.#checkThere(value);
      throw cause;
    }
  }

  /** @throws EngineError `FILE_UNKNOWN`. */
  async #checkThere(source: object): Promise<void> {
    const row = await this.#again.get(source)?.();
    if (row !== undefined && 'hash' in source && source.hash !== row.blob_hash)
      throw new EngineError('FILE_UNKNOWN', 'the file was replaced while it waited to be read; ask again');
  }

  /**
   * The bytes are not copied: they must not change until the worker has answered.
   * @throws EngineError `LIMIT_EXCEEDED`.
   */
  async given(companyId: number, bytes: Uint8Array, name: string): Promise<FileSource> {
    const allowed = this.#bytesLimit;
    if (bytes.length > allowed) {
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `the input has ${bytes.length} bytes, allowed are ${allowed} (limits.fileBytes)`,
        { details: { limit: 'fileBytes', allowed, found: bytes.length } },
      );
    }
    return { kind: 'bytes', bytes, name, unit: await this.unitOf(companyId) };
  }

  /** The company's unit for files whose format has none; undefined: the engine's `defaultUnit`. */
  async unitOf(companyId: number): Promise<LengthUnit | undefined> {
    const { inputs, rooms } = this.#store;
    const fields = await rooms.accounts.companies.fields(await inputs.ownerOf(companyId));
    return (fields['preferredUnits'] as LengthUnit | null | undefined) ?? undefined;
  }
}

function nameOf(extension: string): string {
  return `input${extension === '' || extension.startsWith('.') ? extension : `.${extension}`}`;
}
