import { signal } from '@preact/signals';
import { putInput } from '../api/records.js';
import { messageOf } from '../api/request.js';

/** A file on its way to become a search input. */
export interface DroppedFile {
  readonly id: number;
  readonly name: string;
  readonly byteLength: number;
  readonly bytesSent: number;
  /** 'reading': all of it has arrived, and the engine looks at it. */
  readonly state: 'sending' | 'reading' | 'failed';
  /** Why it failed. */
  readonly message: string;
}

/** Files of one search. */
export const MOST_INPUTS = 10;

/** What is on its way or has failed; those that came through are in the address. */
export const droppedFiles = signal<readonly DroppedFile[]>([]);

let nextId = 1;
let leaving = new AbortController();

/** Sends files to search with. Returns the UIDs of those that could be read, in their order; the others stay in {@link droppedFiles} with the reason. */
export async function sendInputs(files: readonly File[]): Promise<string[]> {
  forgetDropped();
  leaving = new AbortController();
  const { signal: aborted } = leaving;
  const uids = await Promise.all(
    files.map((file, i) =>
      i < MOST_INPUTS ? sendOne(file, aborted) : refuse(file, `A search takes at most ${MOST_INPUTS} files.`),
    ),
  );
  return aborted.aborted ? [] : uids.filter((uid) => uid !== undefined);
}

/** Takes one that failed off the list. */
export function forgetOne(id: number): void {
  droppedFiles.value = droppedFiles.value.filter((file) => file.id !== id);
}

/** Stops what is on its way and clears the list. */
export function forgetDropped(): void {
  leaving.abort();
  droppedFiles.value = [];
}

async function sendOne(file: File, aborted: AbortSignal): Promise<string | undefined> {
  const id = add(file);
  try {
    const record = await putInput(file.name, file, {
      signal: aborted,
      onProgress: (bytesSent) => change(id, { bytesSent, state: bytesSent >= file.size ? 'reading' : 'sending' }),
    });
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
