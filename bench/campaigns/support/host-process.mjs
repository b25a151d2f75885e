/** A host (host.mjs) as its driver sees it, and what Linux says about a process. */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('host.mjs', import.meta.url));

/** The answer to a call that the host refused: an EngineError's code, or `uncoded`. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The host ended before it answered. */
export class Gone extends Error {}

export class HostProcess {
  /** Resolves with `{ url, pid }` when the library is open and served; rejects with {@link Gone}. */
  ready;
  /** Resolves with `{ code, signal, errors }` when the process has ended. */
  ended;
  #child;
  #waiting = new Map();
  #next = 1;
  #errors = '';

  /** @param {string} library @param {object} [options] of the engine */
  constructor(library, options = {}) {
    this.#child = spawn(process.execPath, [SCRIPT, library, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.on('data', (chunk) => {
      this.#errors = (this.#errors + chunk).slice(-4_000);
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => resolve({ code, signal, errors: this.#errors }));
    });
    this.ready = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const said = JSON.parse(line);
        if (said.url === undefined) this.#answered(said);
        else resolve(said);
      });
      void this.ended.then(() => {
        reject(new Gone('the host ended'));
        for (const { reject: refuse } of this.#waiting.values()) refuse(new Gone('the host ended'));
      });
    });
    this.ready.catch(() => undefined);
  }

  get pid() {
    return this.#child.pid;
  }

  /** Whether the process has ended. */
  get gone() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Asks the host. @throws Refused, Gone */
  ask(does, rest = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.gone) return reject(new Gone('the host ended'));
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin.write(`${JSON.stringify({ id, does, ...rest })}\n`);
    });
  }

  kill() {
    this.#child.kill('SIGKILL');
  }

  #answered({ id, answer, refused, message }) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (refused === undefined) resolve(answer);
    else reject(new Refused(refused, message));
  }
}

/** Process ids of the children of a process, as Linux tells; none elsewhere. */
export function childrenOf(pid) {
  const children = [];
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = statOf(name)?.parent;
    if (parent === pid) children.push(Number(name));
  }
  return children;
}

/** Those children of a host that read files. */
export function readersOf(pid) {
  return childrenOf(pid).filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker.js');
    } catch {
      // It has ended since.
      return false;
    }
  });
}

/** Whether a process is there; one that has ended and was not yet waited for is not. */
export function isAlive(pid) {
  const stat = statOf(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.state !== 'X';
}

function statOf(pid) {
  try {
    // The name stands in brackets and may hold anything.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
