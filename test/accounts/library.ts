import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { AccountOptions, Accounts } from '../../dist/accounts/index.js';
import { Engine, type EngineError } from '../../dist/index.js';

/** Low, so that a test does not wait for what makes an attacker wait. */
export const CHEAP_SCRYPT = 1_024;

/** A clock that runs, and that a test can move on. */
export class Clock {
  #aheadMs = 0;
  readonly now = (): number => Date.now() + this.#aheadMs;

  passS(seconds: number): void {
    this.#aheadMs += 1_000 * seconds;
  }

  /** Moves on to a time to come. */
  passTo(time: number): void {
    this.#aheadMs += Math.max(0, time - this.now());
  }
}

/** What the interface sends in place of a password. */
export function sha1(password: string): Uint8Array {
  return createHash('sha1').update(password).digest();
}

/** The error of what must fail. */
export async function failure(promise: Promise<unknown>): Promise<EngineError> {
  return promise.then(
    () => Promise.reject(new Error('resolved, expected a failure')),
    (error: EngineError) => error,
  );
}

let libraries = 0;

/** A path for a new library in a folder. */
export function newLibrary(folder: string): string {
  return join(folder, `library-${libraries++}`);
}

/** Runs `body` with an open library, which is closed whatever happens. */
export async function withAccounts<T>(
  library: string,
  body: (accounts: Accounts, engine: Engine) => Promise<T>,
  options: Partial<AccountOptions> = {},
): Promise<T> {
  const engine = await Engine.open(library, { workers: 1, accounts: { scryptCost: CHEAP_SCRYPT, ...options } });
  try {
    return await body(engine.accounts, engine);
  } finally {
    await engine.close();
  }
}
