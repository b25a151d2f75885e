/** Child processes of campaigns that answer each line on standard input with a line on standard output. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

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
      const timer = setTimeout(() => {
        done({ hung: this.#options.timeoutMs, errors: this.#child.errors });
        this.#drop();
      }, this.#options.timeoutMs);
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
