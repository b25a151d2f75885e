/** The library of faults (faults.c): compiling it, and telling it what must fail. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kinds of calls, in the order of faults.c. */
export const CALLS = ['write', 'sync', 'rename', 'open', 'read', 'truncate', 'unlink', 'mkdir', 'list'];

const HEADER_WORDS = 6;
const WORDS = HEADER_WORDS + CALLS.length + 2;
const PATH_BYTES = 256;

/** Every call from `at` on. */
export const TO_THE_END = 2 ** 31;

/**
 * Compiles the library into `folder` with the C compiler that is there.
 * @returns {{ file: string } | { missing: string }} `missing`: why it cannot be had
 */
export function compileFaults(folder) {
  if (process.platform !== 'linux') return { missing: 'LD_PRELOAD is of Linux' };
  const file = join(folder, 'faults.so');
  const source = fileURLToPath(new URL('faults.c', import.meta.url));
  const { error, status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', file, source, '-ldl']);
  if (error !== undefined) return { missing: `there is no C compiler: ${error.message}` };
  return status === 0 ? { file } : { missing: `faults.c does not compile: ${stderr}` };
}

/** What a process needs in its environment so that calls on files below `root` can fail. */
export function faultEnvironment(library, { root, state }) {
  writeFileSync(state, new Uint8Array(4 * WORDS + PATH_BYTES));
  // Node may hand files to io_uring, which no library sees.
  return {
    LD_PRELOAD: library,
    SHAPEDEX_FAULTS_ROOT: root,
    SHAPEDEX_FAULTS_STATE: state,
    UV_USE_IO_URING: '0',
  };
}

/** The state file, as the process under test writes and reads it. */
export class FaultState {
  #file;

  constructor(file) {
    this.#file = openSync(file, 'r+');
  }

  /** Begins to count; call number `at` of `call` and the `length - 1` after it fail with `error`. */
  arm({ call, error, at, length = 1, torn = false }) {
    const words = [1, CALLS.indexOf(call), constants.errno[error] ?? 0, at, length, torn ? 1 : 0];
    const bytes = Buffer.alloc(4 * WORDS + PATH_BYTES);
    words.forEach((word, i) => {
      bytes.writeUInt32LE(word, 4 * i);
    });
    writeSync(this.#file, bytes, 0, bytes.length, 0);
  }

  /** Ends counting and failing. Returns the number of calls of each kind, and what failed. */
  disarm() {
    writeSync(this.#file, new Uint8Array(4), 0, 4, 0);
    const bytes = Buffer.alloc(4 * WORDS + PATH_BYTES);
    readSync(this.#file, bytes, 0, bytes.length, 0);
    const word = (i) => bytes.readUInt32LE(4 * i);
    const path = bytes.subarray(4 * WORDS);
    return {
      counts: Object.fromEntries(CALLS.map((call, i) => [call, word(HEADER_WORDS + i)])),
      failed: word(HEADER_WORDS + CALLS.length),
      pid: word(HEADER_WORDS + CALLS.length + 1),
      path: path.subarray(0, path.indexOf(0)).toString(),
    };
  }

  close() {
    closeSync(this.#file);
  }
}
