import { signal } from '@preact/signals';
import { putRecord, readExtensions } from '../api/records.js';
import { ApiError, messageOf } from '../api/request.js';
import type { PlacedFile } from './folder-files.js';
import { isStored, storedBelow, type StoredFiles } from './stored-files.js';
import { Throughput } from './throughput.js';

/** A file that was not stored, and why. */
export interface FailedUpload {
  readonly placed: PlacedFile;
  readonly message: string;
}

/** How far an upload is. */
export interface UploadState {
  /** 'looking': what is stored already is being asked for. 'stopped': by the user, or because the server is gone; the same files again go on. */
  readonly phase: 'idle' | 'looking' | 'sending' | 'stopped' | 'done';
  readonly files: number;
  readonly bytes: number;
  /** Files that are stored now; those that were before. */
  readonly sent: number;
  readonly unchanged: number;
  /** Bytes that are dealt with, sent or not. */
  readonly bytesDone: number;
  readonly bytesPerSecond: number;
  /** Files of kinds that are not read. */
  readonly leftOut: readonly string[];
  readonly failed: readonly FailedUpload[];
  /** Why nothing goes on; '' when nothing is wrong. */
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
/** Files on their way at a time. */
const AT_A_TIME = 3;

/** The upload of this window; it goes on while other screens are shown. */
export const upload = signal<UploadState>(IDLE);

/** Paths that this window has stored, so that those that could not be read can be told. */
export const uploadedPaths: Set<string> = new Set();

let running: AbortController | undefined;
/** What was left when it was stopped. */
let rest: readonly PlacedFile[] = [];

/** Whether an upload runs. */
export function isUploading(): boolean {
  return running !== undefined;
}

/** Stores files under their paths, but not those that are stored with the same bytes. below: a folder to put them in; '' for none. */
export async function startUpload(placed: readonly PlacedFile[], below: string): Promise<void> {
  if (running !== undefined) return;
  const prefix = below
    .split(/[/\\]+/)
    .filter((part) => part !== '')
    .map((part) => `${part}/`)
    .join('');
  await run(placed.map(({ path, file }) => ({ path: `${prefix}${path}`, file })));
}

/** Ends it; files that are on their way are not stored. */
export function stopUpload(): void {
  running?.abort();
}

/** Goes on with what was left when it was stopped. */
export async function goOn(): Promise<void> {
  if (running === undefined) await run(rest, upload.value);
}

/** Sends those once more that were not stored. */
export async function retryFailed(): Promise<void> {
  if (running === undefined) await run(upload.value.failed.map(({ placed }) => placed));
}

/** before: how far the upload is that goes on; what it has done is counted further. */
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
      // It may have been stopped before anything was counted.
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

/** With the window what is left to be sent is gone. */
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
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined && !own.signal.aborted; one = waiting.pop()) {
      try {
        await sendOne(one);
      } catch (cause) {
        if (own.signal.aborted) return;
        // Without the server, or without leave, every other file would fail as well.
        if (cause instanceof ApiError && [0, 401, 403, 503].includes(cause.status)) {
          own.abort();
          throw cause;
        }
        change({ failed: [...upload.value.failed, { placed: one, message: messageOf(cause) ?? '' }] });
      } finally {
        inFlight.delete(one);
        if (!own.signal.aborted) {
          open.delete(one);
          rest = [...open];
          settledBytes += one.file.size;
          tell();
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

/** By its extension; a file without one is told by its bytes. Files that begin with a dot are programs' own. */
function isReadable(path: string, known: ReadonlySet<string>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith('.') || name === '') return false;
  const dot = name.lastIndexOf('.');
  return dot > 0 && known.has(name.slice(dot).toLowerCase());
}

function change(changes: Partial<UploadState>): void {
  upload.value = { ...upload.value, ...changes };
}
