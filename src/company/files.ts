import { kindOfName } from '../folders/kind-of-name.js';
import { EngineError } from '../errors.js';
import type { IndexQueue } from '../indexing/queue.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';
import type { CompanySummary, FailureSummary, FolderSummary } from '../store/catalog/company-summary.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { EnteredFile } from '../store/catalog/files.js';
import type { CompanyListOptions } from '../store/catalog/list-options.js';
import type { InputUsage, KeptBounds } from '../store/catalog/search-inputs.js';
import {
  recordOf,
  type FileError,
  type FileKind,
  type FileRecord,
  type FileRow,
  type FileState,
  type KindCounts,
} from '../store/catalog/record.js';
import type { ByteSource } from '../store/disk/blobs.js';
import type { Lifetime } from '../store/lifetime.js';
import { checkOneOf, checkString } from './checks.js';
import type { CompanyContext } from './context.js';
import type { CheckedInputOptions, CheckedPutOptions } from './put-options.js';

/** The indexing state of a file. */
export interface FileStatus {
  readonly uid: string;
  readonly state: FileState;
  /** Time at which it was indexed; null before that, and when indexing failed. */
  readonly indexedAt: Date | null;
  /** Why indexing failed. */
  readonly error: FileError | null;
}

/** The bytes of a file in pieces, in their order. */
export interface StoredStream {
  readonly byteLength: number;
  readonly pieces: AsyncGenerator<Uint8Array>;
}

/** The record of a file that is stored only to search with. Its `path` is its UID with the extension. */
export interface SearchInputRecord extends FileRecord {
  /** Who put it; null when no owner was given. */
  readonly owner: string | null;
  /** Time at which it is removed. */
  readonly expiresAt: Date;
}

/**
 * What {@link CompanyFiles} works with, in addition to the store.
 * @internal
 */
interface FilesParts extends CompanyContext {
  readonly queue: IndexQueue;
  readonly callbacks: { wakeCallbacks(): void };
  readonly inputTtlMs: number;
}

const LIST_DEFAULTS = Object.freeze({
  prefix: '',
  state: undefined,
  kind: undefined,
  category: undefined,
  order: 'path',
  direction: 'rising',
  after: undefined,
  limit: 1_000,
} satisfies Defaults<CompanyListOptions>);

const DAY_MS = 86_400_000;
const KINDS: readonly FileKind[] = ['Text', 'Image', 'TwoD', 'ThreeD'];
const STATES: readonly FileState[] = ['queued', 'indexed', 'failed'];

/**
 * The files and search inputs of a company: their rows, their bytes, and their jobs in the queue.
 * @internal
 */
export class CompanyFiles {
  readonly #parts: FilesParts;

  constructor(parts: FilesParts) {
    this.#parts = parts;
  }

  async status(uid: string): Promise<FileStatus> {
    // Without the attributes, which would have to be read from the store.
    const { state, indexedAt, error } = recordOf(await this.row(uid), [], []);
    return { uid, state, indexedAt, error };
  }

  async get(uid: string): Promise<FileRecord> {
    return this.#parts.store.files.record(await this.row(uid));
  }

  async find(path: string): Promise<FileRecord | undefined> {
    const row = await this.rowAt(path);
    return row === undefined ? undefined : this.#parts.store.files.record(row);
  }

  async list(options: CompanyListOptions | undefined): Promise<FileRecord[]> {
    const given = withDefaults('list options', options, LIST_DEFAULTS);
    const { prefix, state, kind, category, order, after, direction } = given;
    checkInteger('list options.limit', given.limit, 1);
    checkString('list options.prefix', prefix);
    checkOneOf('list options.order', order, ['path', 'addedAt']);
    checkOneOf('list options.direction', direction, ['rising', 'falling']);
    if (state !== undefined) checkOneOf('list options.state', state, STATES);
    if (kind !== undefined) checkOneOf('list options.kind', kind, KINDS);
    if (category !== undefined && category !== null) checkInteger('list options.category', category, 1);
    if (after !== undefined && order === 'path') checkString('list options.after', after);
    if (after !== undefined && order === 'addedAt') checkInteger('list options.after', after, 0);
    return this.#parts.store.files.list({ companyId: this.#parts.companyId, ...given });
  }

  async counts(): Promise<KindCounts> {
    return this.#parts.store.files.counts(this.#parts.companyId);
  }

  async summary(): Promise<CompanySummary> {
    return this.#parts.store.files.summary(this.#parts.companyId);
  }

  async foldersIn(folder: string): Promise<FolderSummary[]> {
    const prefix = folder === '' ? '' : `${normalizeFilePath(folder)}/`;
    return this.#parts.store.files.folders(this.#parts.companyId, prefix);
  }

  async respelled(text: string): Promise<readonly string[]> {
    const { store, companyId } = this.#parts;
    return store.rooms.words.door.respelled(companyId, text);
  }

  async failures(): Promise<FailureSummary[]> {
    return this.#parts.store.files.failures(this.#parts.companyId);
  }

  async put(path: string, source: ByteSource, options: CheckedPutOptions): Promise<FileRecord> {
    const { store, companyId, lifetime } = this.#parts;
    const { wait, uid, indexAssemblyComponents: components, signal, callbackParam, ...file } = options;
    const { fileId, record } = await lifetime.write(async () => {
      if (uid !== undefined) await this.#checkReplaceable(uid);
      const entered = await store.put({
        ...file,
        companyId,
        path,
        uid,
        components,
        kind: kindOfName(path),
        source,
        signal,
        callbackParam,
      });
      if (callbackParam !== undefined) this.#parts.callbacks.wakeCallbacks();
      if (uid !== undefined) await this.#removeInput(entered.uid);
      return this.#entered(entered);
    });
    return wait ? this.settled(fileId, record, companyId, signal) : record;
  }

  async putInput(source: ByteSource, options: CheckedInputOptions): Promise<SearchInputRecord> {
    const { store, companyId, lifetime, inputTtlMs } = this.#parts;
    const { path, owner = null, wait, uid, textOnly, mostOfOwner: mostInputs, callbackParam, signal } = options;
    const components = options.indexAssemblyComponents;
    const { fileId, inputs, record } = await lifetime.write(async () => {
      const inputs = await store.companyOfInputs(companyId);
      await this.#checkFree(uid, owner);
      const entered = await store.put({
        companyId: inputs,
        path,
        uid,
        overwrite: true,
        textOnly,
        components,
        kind: kindOfName(path),
        priority: 3,
        input: { owner, expiresAt: Date.now() + inputTtlMs, components },
        mostInputs,
        source,
        signal,
        callbackParam,
      });
      if (callbackParam !== undefined) this.#parts.callbacks.wakeCallbacks();
      return { inputs, ...(await this.#entered(entered)) };
    });
    const settled = wait ? await this.settled(fileId, record, inputs, signal) : record;
    const known = await this.input(settled.uid);
    if (known === undefined) throw deleted(uid);
    return known;
  }

  async input(uid: string): Promise<SearchInputRecord | undefined> {
    const { store, companyId, seen } = this.#parts;
    const row = await store.inputs.row(companyId, uid, seen);
    const facts = row && (await store.inputs.facts(row.id));
    if (row === undefined || facts === undefined) return undefined;
    return { ...(await store.files.record(row)), owner: facts.owner, expiresAt: new Date(facts.expiresAt) };
  }

  async inputUsage(owner: string | null): Promise<InputUsage> {
    const { store, companyId } = this.#parts;
    return store.inputs.usage(companyId, owner);
  }

  async keepInput(
    uid: string,
    { days, ...bounds }: KeptBounds & { readonly days: number },
  ): Promise<SearchInputRecord> {
    const { store, companyId, lifetime, seen } = this.#parts;
    const row = await store.inputs.row(companyId, uid, seen);
    if (row === undefined) throw unknownInput(uid);
    await lifetime.write(() => store.keepInput(row, Date.now() + days * DAY_MS, bounds));
    return (await this.input(uid)) ?? Promise.reject(unknownInput(uid));
  }

  async bytes(uid: string): Promise<Uint8Array> {
    const row = await this.row(uid);
    return this.#parts.lifetime.write(() => this.#parts.store.bytes(row));
  }

  async stream(uid: string): Promise<StoredStream> {
    const { store, lifetime } = this.#parts;
    const row = await this.row(uid);
    return { byteLength: row.byte_length, pieces: whileOpen(store.stream(row), lifetime) };
  }

  async rename(uid: string, path: string): Promise<FileRecord> {
    const { store, companyId, lifetime } = this.#parts;
    return lifetime.write(() => store.rename(companyId, uid, path));
  }

  async delete(uid: string): Promise<void> {
    const { company_id: owner } = await this.row(uid);
    const { fileId } = await this.#parts.lifetime.write(() => this.#parts.store.remove(owner, uid));
    this.#removed(fileId);
  }

  async retry(uid: string | undefined): Promise<number> {
    const { store, queue, companyId, lifetime } = this.#parts;
    const owner = uid === undefined ? companyId : (await this.row(uid)).company_id;
    const count = await lifetime.write(() => store.jobs.retryFailed(owner, uid));
    if (count > 0) queue.wake();
    return count;
  }

  /** The row of a file or search input. @throws EngineError `FILE_UNKNOWN`. */
  async row(uid: string): Promise<FileRow> {
    const { store, companyId, seen } = this.#parts;
    return store.fileOrInput(companyId, uid, seen);
  }

  /** The row of the file at a path; all spellings of the path are equivalent. */
  async rowAt(path: string): Promise<FileRow | undefined> {
    return this.#parts.store.files.rowAt(this.#parts.companyId, normalizeFilePath(path));
  }

  /** Waits until the file with this UID is indexed or failed, even if its bytes are replaced in the meantime. */
  async settled(
    fileId: number,
    record: FileRecord,
    companyId: number,
    signal: AbortSignal | undefined,
  ): Promise<FileRecord> {
    const { store, queue } = this.#parts;
    const { uid } = record;
    try {
      for (let id = fileId, now = record; ; ) {
        if (now.state !== 'queued') return now;
        await queue.ended(id, signal);
        const row = await store.files.row(companyId, uid);
        id = row.id;
        now = await store.files.record(row);
      }
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
      throw new EngineError(cause.code, cause.message, { details: { ...cause.details, uid }, cause });
    }
  }

  /** Called when a put is durable: drops search data of the replaced file and starts the queue. */
  async #entered(entered: EnteredFile): Promise<{ fileId: number; record: FileRecord }> {
    for (const { fileId } of entered.removed) this.#removed(fileId);
    if (!entered.unchanged) this.#parts.queue.wake();
    const record = await this.#parts.store.files.recordById(entered.fileId);
    if (record === undefined) throw deleted(entered.uid);
    return { fileId: entered.fileId, record };
  }

  #removed(fileId: number): void {
    this.#parts.queue.forget(fileId);
    this.#parts.search.remove(fileId);
  }

  /** A stored file replaces a search input with the same UID. */
  async #removeInput(uid: string): Promise<void> {
    const { store, companyId } = this.#parts;
    const row = await store.inputs.row(companyId, uid, 'all');
    if (row !== undefined) this.#removed((await store.remove(row.company_id, uid)).fileId);
  }

  /**
   * Checks that an input of this owner may have the UID.
   * @throws EngineError `UID_TAKEN`.
   */
  async #checkFree(uid: string, owner: string | null): Promise<void> {
    const { store, companyId } = this.#parts;
    const stored = (await store.files.idsOf(companyId, [uid])).length > 0;
    const row = await store.inputs.row(companyId, uid, 'all');
    if (!stored && (row === undefined || (await store.inputs.facts(row.id))?.owner === owner)) return;
    throw taken(uid);
  }

  /**
   * Checks that a stored file may have the UID: one that replaces a search input replaces one that the caller sees.
   * @throws EngineError `UID_TAKEN`.
   */
  async #checkReplaceable(uid: string): Promise<void> {
    const { store, companyId, seen } = this.#parts;
    const isThere = (await store.inputs.row(companyId, uid, 'all')) !== undefined;
    if (isThere && (await store.inputs.row(companyId, uid, seen)) === undefined) throw taken(uid);
  }
}

function taken(uid: string): EngineError {
  return new EngineError('UID_TAKEN', `the UID ${uid} is that of another file`, { details: { uid } });
}

function deleted(uid: string): EngineError {
  return new EngineError('FILE_UNKNOWN', `the file ${uid} was deleted while it was put`, { details: { uid } });
}

function unknownInput(uid: string): EngineError {
  return new EngineError('FILE_UNKNOWN', `no search input has the UID ${uid}`, { details: { uid } });
}

/** Pieces as long as the engine is open. @throws EngineError `ENGINE_CLOSED` at the first one after that. */
async function* whileOpen(pieces: AsyncGenerator<Uint8Array>, lifetime: Lifetime): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    lifetime.checkOpen();
    yield piece;
  }
}
