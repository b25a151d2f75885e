import { signal } from '@preact/signals';
import { putInput } from '../api/endpoints.js';
import { messageOf } from '../api/request.js';
import { noteOwner } from '../api/session.js';

/** A file that is being sent as a search input. */
export interface DroppedFile {
  readonly id: number;
  readonly name: string;
  readonly byteLength: number;
  readonly bytesSent: number;
  /** 'reading': all bytes are sent, and the engine reads the file. */
  readonly state: 'sending' | 'reading' | 'failed';
  /** The reason of a failure. */
  readonly message: string;
}

/** Most files of one search. */
export const MOST_INPUTS = 10;

/** Files that are being sent or have failed; files that were read are in the address. */
export const droppedFiles = signal<readonly DroppedFile[]>([]);

let nextId = 1;
let controller = new AbortController();

/**
 * Sends files as search inputs. Returns the UIDs of those that could be read, in order; the others stay in {@link
 * droppedFiles} with the reason.
 */
export async function sendInputs(files: readonly File[]): Promise<string[]> {
  forgetDropped();
  controller = new AbortController();
  const { signal: aborted } = controller;
  const uids = await Promise.all(
    files.map((file, i) =>
      i < MOST_INPUTS ? sendOne(file, aborted) : refuse(file, `A search takes at most ${MOST_INPUTS} files.`),
    ),
  );
  return aborted.aborted ? [] : uids.filter((uid) => uid !== undefined);
}

/** Removes a failed file from the list. */
export function forgetOne(id: number): void {
  droppedFiles.value = droppedFiles.value.filter((file) => file.id !== id);
}

/** Aborts running uploads and clears the list. */
export function forgetDropped(): void {
  controller.abort();
  droppedFiles.value = [];
}

async function sendOne(file: File, aborted: AbortSignal): Promise<string | undefined> {
  const id = add(file);
  try {
    const record = await putInput(file.name, file, {
      signal: aborted,
      onProgress: (bytesSent) => change(id, { bytesSent, state: bytesSent >= file.size ? 'reading' : 'sending' }),
    });
    if (record.owner !== null) noteOwner(record.owner);
    if (record.state === 'failed') {
      change(id, { state: 'failed', message: record.error?.message ?? 'It cannot be read.' });
      return undefined;
    }
    droppedFiles.value = droppedFiles.value.filter((other) => other.id !== id);
    return record.uid;
  } catch (cause) {
    change(id, { state: 'failed', message: messageOf(cause) ?? 'Stopped.' });
    return undefined;
  }
}

function refuse(file: File, message: string): undefined {
  change(add(file), { state: 'failed', message });
}

function add({ name, size }: File): number {
  const id = nextId++;
  droppedFiles.value = [
    ...droppedFiles.value,
    { id, name, byteLength: size, bytesSent: 0, state: 'sending', message: '' },
  ];
  return id;
}

function change(id: number, changes: Partial<DroppedFile>): void {
  droppedFiles.value = droppedFiles.value.map((file) => (file.id === id ? { ...file, ...changes } : file));
}
