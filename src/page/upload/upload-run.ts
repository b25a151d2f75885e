import { signal } from '@preact/signals';
import { putRecord, readExtensions } from '../api/endpoints.js';
import { ApiError, messageOf } from '../api/request.js';
import type { PlacedFile } from './folder-files.js';
import { isStored, storedBelow, type StoredFiles } from './stored-files.js';

/** A file that was not stored, and why. */
export interface FailedUpload {
  readonly placed: PlacedFile;
  readonly message: string;
}

/** The progress of an upload. */
export interface UploadState {
  /**
   * 'looking': asking which files are already stored. 'stopped': by the user, or because the server cannot be reached;
   * it can be resumed.
   */
  readonly phase: 'idle' | 'looking' | 'sending' | 'stopped' | 'done';
  readonly files: number;
  readonly bytes: number;
  /** Number of files that this upload stored, and of those that were already stored. */
  readonly sent: number;
  readonly unchanged: number;
  /** Bytes of finished files and of those being sent. */
  readonly bytesDone: number;
  readonly bytesPerSecond: number;
  /** Paths of files that the engine does not read; they are not sent. */
  readonly leftOut: readonly string[];
  readonly failed: readonly FailedUpload[];
  /** Why the upload stopped; '' without an error. */
  readonly message: string;
}

const IDLE: UploadState = Object.freeze({
  phase: 'idle',
  files: 0,
  bytes: 0,
  sent: 0,
  unchanged: 0,
  bytesDone: 0,
  bytesPerSecond: 0,
  leftOut: [],
  failed: [],
  message: '',
});
/** Files sent at the same time. */
const AT_A_TIME = 3;

/** The upload of this window; it continues while other screens are shown. */
export const upload = signal<UploadState>(IDLE);

/** Paths that this window has stored, to list those of them that could not be read. */
export const uploadedPaths: Set<string> = new Set();

let running: AbortController | undefined;
/** Files not yet stored, to resume with. */
let rest: readonly PlacedFile[] = [];

/** Whether an upload is running. */
export function isUploading(): boolean {
  return running !== undefined;
}

/**
 * Stores files under their paths; skips those that are already stored with the same bytes. below: folder to put them
 * in; '' for none.
 */
export async function startUpload(placed: readonly PlacedFile[], below: string): Promise<void> {
  if (running !== undefined) return;
  const prefix = below
    .split(/[/\\]+/)
    .filter((part) => part !== '')
    .map((part) => `${part}/`)
    .join('');
  await run(placed.map(({ path, file }) => ({ path: `${prefix}${path}`, file })));
}

/** Stops the upload; files that are being sent are not stored. */
export function stopUpload(): void {
  running?.abort();
}

/** Resumes a stopped upload. */
export async function goOn(): Promise<void> {
  if (running === undefined) await run(rest, upload.value);
}

/** Sends the failed files again. */
export async function retryFailed(): Promise<void> {
  if (running === undefined) await run(upload.value.failed.map(({ placed }) => placed));
}

/** before: progress of the upload that is resumed; its counts continue. */
async function run(placed: readonly PlacedFile[], before?: UploadState): Promise<void> {
  const own = (running = new AbortController());
  const { signal: aborted } = own;
  upload.value = { ...(before ?? IDLE), phase: 'looking', message: '' };
  addEventListener('beforeunload', askBeforeLeaving);
  rest = placed;
  try {
    const known = new Set((await readExtensions(aborted)).map((extension) => extension.toLowerCase()));
    const readable = placed.filter(({ path }) => isReadable(path, known));
    rest = readable;
    const bytes = readable.reduce((sum, { file }) => sum + file.size, 0);
    if (before === undefined || before.files === 0) {
      // A new upload, or one that was stopped before its files were counted.
      change({
        leftOut: placed.filter(({ path }) => !isReadable(path, known)).map(({ path }) => path),
        files: readable.length,
        bytes,
      });
    }
    const stored = await storedBelow(
      readable.map(({ path }) => path),
      aborted,
    );
    change({ phase: 'sending' });
    await sendAll(readable, stored, own);
    if (!aborted.aborted) change({ phase: 'done', bytesPerSecond: 0 });
  } catch (cause) {
    change({ message: messageOf(cause) ?? '' });
    own.abort();
  } finally {
    removeEventListener('beforeunload', askBeforeLeaving);
    if (aborted.aborted) change({ phase: 'stopped', bytesPerSecond: 0 });
    running = undefined;
  }
}

/** Asks before the window is closed, because that ends the upload. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

async function sendAll(placed: readonly PlacedFile[], stored: StoredFiles, own: AbortController): Promise<void> {
  const waiting = [...placed].reverse();
  const open = new Set(placed);
  const throughput = new Throughput();
  const inFlight = new Map<PlacedFile, number>();
  let settledBytes = upload.value.bytes - placed.reduce((sum, { file }) => sum + file.size, 0);
  const tell = (): void => {
    const moving = [...inFlight.values()].reduce((sum, bytes) => sum + bytes, 0);
    change({ bytesDone: settledBytes + moving, bytesPerSecond: throughput.bytesPerSecond });
  };
  const sendOne = async (one: PlacedFile): Promise<void> => {
    if (await isStored(stored, one.path, one.file)) {
      change({ unchanged: upload.value.unchanged + 1 });
      return;
    }
    inFlight.set(one, 0);
    await putRecord(one.path, one.file, {
      signal: own.signal,
      onProgress: (bytesSent) => {
        throughput.note(bytesSent - (inFlight.get(one) ?? 0));
        inFlight.set(one, Math.min(bytesSent, one.file.size));
        tell();
      },
    });
    uploadedPaths.add(one.path.normalize('NFC'));
    change({ sent: upload.value.sent + 1 });
  };
  const settle = (one: PlacedFile): void => {
    open.delete(one);
    rest = [...open];
    settledBytes += one.file.size;
    tell();
  };
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined && !own.signal.aborted; one = waiting.pop()) {
      try {
        await sendOne(one);
        inFlight.delete(one);
        // Settled even if another file has stopped the upload by now: its count would rise again at the resumption.
        settle(one);
      } catch (cause) {
        inFlight.delete(one);
        if (own.signal.aborted) return;
        // Server unreachable or access denied: all other files would fail too.
        if (cause instanceof ApiError && [0, 401, 403, 503].includes(cause.status)) {
          own.abort();
          throw cause;
        }
        change({ failed: [...upload.value.failed, { placed: one, message: messageOf(cause) ?? '' }] });
        settle(one);
      }
    }
  };
  // All end before the upload is said to have stopped: one still at work would change the counts of the resumed one.
  const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/**
 * Whether the engine reads files with this extension. Hidden files (with a leading dot) and files without an extension
 * are left out.
 */
function isReadable(path: string, known: ReadonlySet<string>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith('.') || name === '') return false;
  const dot = name.lastIndexOf('.');
  return dot > 0 && known.has(name.slice(dot).toLowerCase());
}

function change(changes: Partial<UploadState>): void {
  upload.value = { ...upload.value, ...changes };
}

/** Span over which the rate is measured, ms. */
const WINDOW_MS = 8_000;

/** The rate at which bytes are sent, over the last seconds. */
class Throughput {
  readonly #notes: { readonly at: number; readonly bytes: number }[] = [];
  readonly #startedAt = performance.now();

  /** Records the bytes sent since the last call. */
  note(bytes: number): void {
    this.#notes.push({ at: performance.now(), bytes });
    while (this.#notes.length > 0 && this.#notes[0].at < performance.now() - WINDOW_MS) this.#notes.shift();
  }

  get bytesPerSecond(): number {
    const spanMs = Math.min(WINDOW_MS, performance.now() - this.#startedAt);
    return spanMs < 200 ? 0 : (1_000 * this.#notes.reduce((sum, { bytes }) => sum + bytes, 0)) / spanMs;
  }
}
