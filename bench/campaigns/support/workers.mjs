/** Child processes of campaigns that answer each line on standard input with a line on standard output. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** How often a process that wants a processor and gets none, on a busy machine, is waited for again. */
const MOST_WAITS = 20;

/** A child process that is asked one thing at a time, and started again when it ended or did not answer. */
export class LineWorker {
  #script;
  #options;
  #child;

  /** @param {URL} script @param {{ args?: string[], env?: Record<string, string>, timeoutMs: number }} options */
  constructor(script, options) {
    this.#script = script;
    this.#options = options;
  }

  /** Asks, and resolves with the answer; with `ended` or `hung` and what was written to stderr if none came. */
  ask(question) {
    this.#child ??= this.#start();
    const { process: child, lines } = this.#child;
    child.stdin.write(`${JSON.stringify(question)}\n`);
    return new Promise((resolve) => {
      const { timeoutMs } = this.#options;
      let waits = 0;
      const late = () => {
        if (wantsProcessor(child.pid) && ++waits < MOST_WAITS) {
          timer = setTimeout(late, timeoutMs);
          return;
        }
        done({ hung: timeoutMs * (waits + 1), errors: this.#child.errors });
        this.#drop();
      };
      let timer = setTimeout(late, timeoutMs);
      const onLine = (line) => done(JSON.parse(line));
      const onClose = (code, signal) => {
        done({ ended: signal ?? code, errors: this.#child?.errors ?? '' });
        this.#child = undefined;
      };
      const done = (answer) => {
        clearTimeout(timer);
        lines.off('line', onLine);
        child.off('close', onClose);
        resolve(answer);
      };
      lines.on('line', onLine);
      child.on('close', onClose);
    });
  }

  /** Lets the process end. */
  close() {
    this.#child?.process.stdin.end();
    this.#child = undefined;
  }

  #drop() {
    this.#child?.process.kill('SIGKILL');
    this.#child = undefined;
  }

  #start() {
    const { args = [], env = {} } = this.#options;
    const child = spawn(process.execPath, [this.#script.pathname, ...args], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C ends the campaign, not the case that it waits for.
      detached: true,
    });
    const started = { process: child, lines: createInterface({ input: child.stdout }), errors: '' };
    child.stdin.on('error', () => undefined);
    child.stderr.on('data', (chunk) => {
      started.errors = (started.errors + chunk).slice(-4_000);
    });
    return started;
  }
}

/**
 * Whether a thread of a process, or of one that it started, runs, waits for its turn or for a disk (proc_pid_stat(5));
 * false where that is not told.
 */
export function wantsProcessor(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).some((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
      if (/^[RD]/.test(stat.slice(stat.lastIndexOf(')') + 2))) return true;
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean);
      return children.some(wantsProcessor);
    });
  } catch {
    return false;
  }
}
