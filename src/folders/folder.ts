import { setMaxListeners } from 'node:events';
import { EngineError } from '../errors.js';
import { ATTRIBUTE_FORMS } from '../words/attribute-forms.js';
import { checkInteger, withDefaults, type Defaults, type Filled } from '../options.js';
import { EXTENSIONS } from '../readers/package/sniff.js';
import { parseAttributes } from '../attributes/attribute.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { FileError, FileRecord, FileRow } from '../store/catalog/record.js';
import { FileBelow } from '../store/disk/file-below.js';
import { walkFolder, type FoundFile, type PassedOver } from '../store/disk/walk.js';

/**
 * Extensions of the files that {@link putFolder} takes, with their dots, lower case. The first step reports how many
 * others there are.
 */
export const FILE_EXTENSIONS: readonly string[] = Object.freeze(
  Object.values(EXTENSIONS)
    .flat()
    .map((extension) => `.${extension}`),
);

/** How a folder is put. */
export interface PutFolderOptions {
  /**
   * True: skip files that are indexed under their path with the same size and time or the same bytes. Default false.
   */
  readonly resume?: boolean;
  readonly signal?: AbortSignal;
  /** Which files to take, with their dots. Default {@link FILE_EXTENSIONS}. */
  readonly extensions?: readonly string[];
  /** Given to every file. */
  readonly attributes?: readonly string[];
  /** As `PutOptions` have it, for every file. With `resume`, models that were put otherwise are read again. */
  readonly indexAssemblyComponents?: boolean;
  /** Put before every path, as a folder. Default ''. */
  readonly prefix?: string;
  /**
   * True: links to files are followed wherever they lead. Default false: only to files below the folder, so that who
   * can write into it cannot have others read. Links to folders are never followed.
   */
  readonly followLinks?: boolean;
  /** Files on their way at a time. Default 64: enough to fill every worker and to share commits. */
  readonly inFlight?: number;
}

const DEFAULTS = Object.freeze({
  resume: false,
  signal: undefined,
  extensions: FILE_EXTENSIONS,
  attributes: undefined,
  indexAssemblyComponents: undefined,
  prefix: '',
  followLinks: false,
  inFlight: 64,
} satisfies Defaults<PutFolderOptions>);

type CheckedOptions = Filled<PutFolderOptions, typeof DEFAULTS>;

/** How far a folder is, after one more file. Counts include it. */
export interface PutFolderProgress {
  /** Indexed now. */
  readonly done: number;
  /** Of those done: files under whose path other bytes were stored before, of this folder or of another one. */
  readonly replaced: number;
  readonly failed: number;
  /** Indexed before, hence not read again. */
  readonly skipped: number;
  readonly total: number;
  /** Of files done, failed or skipped. */
  readonly bytes: number;
  readonly bytesTotal: number;
  /** Files done or failed in a second, over the run. */
  readonly ratePerS: number;
  /** Estimated from bytes; null as long as nothing was read. */
  readonly remainingS: number | null;
  /**
   * In the first step: files of other kinds, which are left alone, by their extension, the most frequent first; ''
   * those without one. Hidden files (`.name`) are not counted.
   */
  readonly leftOut?: readonly { readonly extension: string; readonly files: number }[];
  /** In the first step: links that are not followed, and what is not a file. */
  readonly passedOver?: PassedOver;
  /** The file that this step is about; absent in the first step, and of a folder that could not be listed its path. */
  readonly path?: string;
  /** Its record; absent when it was skipped or could not be stored. */
  readonly record?: FileRecord;
  /** Why it failed. */
  readonly error?: FileError;
}

/** What putting a folder needs of a company. */
export interface FolderTarget {
  put(
    path: string,
    file: string | URL,
    options: {
      attributes?: readonly string[];
      indexAssemblyComponents?: boolean;
      overwrite: true;
      signal?: AbortSignal;
    },
  ): Promise<FileRecord>;
  /** What is known of a path. */
  known(path: string): Promise<KnownFile | undefined>;
}

/** What a folder needs to know of a stored file: columns of its row. */
export type KnownFile = Pick<
  FileRow,
  'state' | 'kind' | 'components' | 'byte_length' | 'source_mtime_ms' | 'indexed_at' | 'uid' | 'blob_hash'
>;

interface Outcome {
  readonly kind: 'done' | 'failed' | 'skipped';
  readonly path: string;
  readonly byteLength: number;
  /** Whether other bytes were stored under its path. */
  readonly hasReplaced?: boolean;
  readonly record?: FileRecord;
  readonly error?: FileError;
}

/**
 * See `Company.putFolder`. A changed file replaces what is stored under its path, whatever the company's
 * `overwriteFiles` says. The first step comes when the folder is listed, before any file.
 */
export async function* putFolder(
  folder: string,
  options: PutFolderOptions | undefined,
  target: FolderTarget,
): AsyncGenerator<PutFolderProgress, void, void> {
  const given = withDefaults('putFolder options', options, DEFAULTS);
  checkInteger('putFolder options.inFlight', given.inFlight, 1);
  if (typeof given.followLinks !== 'boolean')
    throw new TypeError(`putFolder options.followLinks must be true or false, received ${String(given.followLinks)}`);
  if (given.attributes !== undefined) parseAttributes(given.attributes, ATTRIBUTE_FORMS.key);
  const stop = new AbortController();
  const { signal } = stop;
  setMaxListeners(0, signal); // One for each file in flight.
  const onAbort = (): void => stop.abort(given.signal?.reason);
  if (given.signal?.aborted) onAbort();
  given.signal?.addEventListener('abort', onAbort, { once: true });
  const extensions = new Set(given.extensions.map((extension) => extension.toLowerCase()));

  const others = new Map<string, number>();
  const onOther = (name: string): void => {
    const extension = lastExtension(name);
    if (!name.startsWith('.')) others.set(extension, (others.get(extension) ?? 0) + 1);
  };
  const { files, unreadable, passedOver } = await walkFolder(folder, {
    accepts: (name) => extensions.has(lastExtension(name)),
    onOther,
    followLinks: given.followLinks,
    signal,
  });
  const leftOut = [...others]
    .map(([extension, count]) => ({ extension, files: count }))
    .sort((a, b) => b.files - a.files || (a.extension < b.extension ? -1 : 1));
  const clashes = clashesOf(files, given.prefix);
  const bytesTotal = files.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const count = { done: 0, replaced: 0, failed: 0, skipped: 0, bytes: 0, bytesRead: 0 };
  const startedAt = performance.now();
  const progress = (outcome?: Outcome): PutFolderProgress => {
    const elapsedS = (performance.now() - startedAt) / 1000;
    const { done, replaced, failed, skipped, bytes, bytesRead } = count;
    return {
      done,
      replaced,
      failed,
      skipped,
      total: files.length + unreadable.length,
      bytes,
      bytesTotal,
      ratePerS: elapsedS > 0 ? (done + failed) / elapsedS : 0,
      remainingS: bytesRead > 0 ? ((bytesTotal - bytes) * elapsedS) / bytesRead : null,
      ...(outcome === undefined ? {} : { path: outcome.path, record: outcome.record, error: outcome.error }),
    };
  };
  const tell = (outcome: Outcome): PutFolderProgress => {
    count[outcome.kind]++;
    if (outcome.hasReplaced === true) count.replaced++;
    count.bytes += outcome.byteLength;
    if (outcome.kind !== 'skipped') count.bytesRead += outcome.byteLength;
    return progress(outcome);
  };

  yield { ...progress(), leftOut, passedOver };
  for (const { path, message } of unreadable)
    yield tell({ kind: 'failed', path, byteLength: 0, error: { code: 'STORAGE_FAILED', message } });

  const flying = new Set<Promise<void>>();
  const landed: Outcome[] = [];
  const launch = (file: FoundFile): void => {
    const flight = putOne(file, { ...given, folder, clash: clashes.get(file) }, signal, target).then((outcome) => {
      landed.push(outcome);
      flying.delete(flight);
    });
    flying.add(flight);
    flight.catch(() => undefined); // Reported by the race below.
  };
  try {
    let next = 0;
    while (next < files.length || flying.size > 0 || landed.length > 0) {
      throwIfAborted(signal);
      while (next < files.length && flying.size < given.inFlight) launch(files[next++]);
      if (landed.length === 0) await Promise.race(flying);
      for (const outcome of landed.splice(0)) yield tell(outcome);
    }
  } finally {
    // Also when the caller leaves the loop: nothing goes on in the background.
    given.signal?.removeEventListener('abort', onAbort);
    stop.abort();
    await Promise.allSettled(flying);
  }
}

/** Files whose paths are the same in the library as that of another one before them, with that one. */
function clashesOf(files: readonly FoundFile[], prefix: string): Map<FoundFile, FoundFile> {
  const first = new Map<string, FoundFile>();
  const clashes = new Map<FoundFile, FoundFile>();
  for (const file of files) {
    const path = pathOf(file, prefix);
    if (nameError(path) !== undefined) continue;
    const label = normalizeFilePath(path);
    const other = first.get(label);
    if (other === undefined) first.set(label, file);
    else clashes.set(file, other);
  }
  return clashes;
}

function pathOf({ path }: FoundFile, prefix: string): string {
  return prefix === '' ? path : `${prefix}/${path}`;
}

/** folder: in which the file was found. clash: another file of it that has the same path in the library. */
async function putOne(
  file: FoundFile,
  options: CheckedOptions & { folder: string; clash: FoundFile | undefined },
  signal: AbortSignal,
  target: FolderTarget,
): Promise<Outcome> {
  const path = pathOf(file, options.prefix);
  const facts = { path, byteLength: file.byteLength };
  const error = nameError(path) ?? (options.clash && clashError(options.clash));
  if (error !== undefined) return { kind: 'failed', ...facts, error };
  try {
    const before = await target.known(path);
    const indexed = options.resume && before?.state === 'indexed';
    const { attributes, indexAssemblyComponents } = options;
    const asWished =
      indexAssemblyComponents === undefined ||
      before?.kind !== 'ThreeD' ||
      (before.components === 1) === indexAssemblyComponents;
    if (indexed && asWished && before.byte_length === file.byteLength && before.source_mtime_ms === file.mtimeMs)
      return { kind: 'skipped', ...facts };
    const source = options.followLinks ? file.file : new FileBelow(options.folder, file.file);
    const record = await target.put(path, source, { attributes, indexAssemblyComponents, overwrite: true, signal });
    if (record.state === 'failed') return { kind: 'failed', ...facts, record, error: record.error ?? undefined };
    // The same bytes under a new date were not read again.
    const same = indexed && record.indexedAt?.getTime() === before.indexed_at;
    if (same) return { kind: 'skipped', ...facts, record };
    const hasReplaced = before !== undefined && before.blob_hash !== record.sha256;
    return { kind: 'done', hasReplaced, ...facts, record };
  } catch (cause) {
    if (!(cause instanceof EngineError) || endsTheRun(cause)) throw cause;
    return { kind: 'failed', ...facts, error: { code: cause.code, message: cause.message } };
  }
}

/** A file that cannot be read is one failure; a library that cannot be written ends the run. */
export function endsTheRun({ code, details }: EngineError): boolean {
  return (
    code === 'ABORTED' ||
    code === 'ENGINE_CLOSED' ||
    code === 'LIBRARY_DAMAGED' ||
    (code === 'STORAGE_FAILED' && details['source'] === undefined)
  );
}

/** Names that no record can have are told apart before anything is put. */
export function nameError(path: string): FileError | undefined {
  try {
    normalizeFilePath(path);
    return undefined;
  } catch (cause) {
    return { code: 'PATH_INVALID', message: (cause as Error).message };
  }
}

function clashError({ path }: FoundFile): FileError {
  return {
    code: 'CONFLICT',
    message:
      `its name is the same in the library as that of ${JSON.stringify(path)}, which was put: ` +
      'Unicode spellings of one text, and \\ and /, are told apart on disk alone',
  };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
}

/** In lower case with its dot; '' when there is none. */
export function lastExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}
