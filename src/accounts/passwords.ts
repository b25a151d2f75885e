import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../errors.js';
import type { Verifier } from './tables/users.js';

/** Length of what arrives in place of a password: its SHA-1. */
export const DIGEST_BYTES = 20;

const SALT_BYTES = 16;
const VERIFIER_BYTES = 32;
/**
 * scrypt's r and p; N is the cost. OWASP's second choice with N = 2^15: as safe as N = 2^17, p = 1, with 32 MiB in
 * place of 128.
 */
const BLOCK_SIZE = 8;
const PARALLELISM = 3;

/** Derivations at a time: each occupies a thread of the pool that file access needs, too. */
const RUNNING_LIMIT = 2;
/** Most waiting calls; further ones are refused with `RATE_LIMITED`. */
const WAITING_LIMIT = 100;

/** What an unknown user's password is compared with, so that it takes as long as a known one's. */
const NOBODY = Object.freeze({ salt: new Uint8Array(SALT_BYTES), verifier: new Uint8Array(VERIFIER_BYTES) });

/** Keeps and compares passwords as scrypt (RFC 7914) of their digests with a salt of their own. */
export class Passwords {
  readonly #cost: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor({ cost }: { cost: number }) {
    this.#cost = cost;
  }

  /** How a password is to be kept. */
  async keep(digest: Uint8Array): Promise<Verifier> {
    const salt = randomBytes(SALT_BYTES);
    return { salt, cost: this.#cost, verifier: await this.#derive(digest, salt, this.#cost) };
  }

  /** Whether this is the password; compared in constant time, and in no less for an unknown user. */
  async matches(digest: Uint8Array, kept: Verifier | undefined): Promise<boolean> {
    const { salt, cost, verifier } = kept ?? { ...NOBODY, cost: this.#cost };
    const same = timingSafeEqual(await this.#derive(digest, salt, cost), verifier);
    return same && kept !== undefined;
  }

  /** Whether it was kept at another cost than that of today. */
  isOutdated({ cost }: Verifier): boolean {
    return cost !== this.#cost;
  }

  async #derive(digest: Uint8Array, salt: Uint8Array, cost: number): Promise<Uint8Array> {
    if (this.#waiting.length >= WAITING_LIMIT) {
      throw new EngineError('RATE_LIMITED', `${WAITING_LIMIT} passwords wait to be checked`, {
        details: { retryAfterS: 1 },
      });
    }
    if (this.#running < RUNNING_LIMIT) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await new Promise((resolve, reject) => {
        const options = { N: cost, r: BLOCK_SIZE, p: PARALLELISM, maxmem: 2 * 128 * cost * BLOCK_SIZE };
        scrypt(digest, salt, VERIFIER_BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
      });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next(); // Hands its place on.
    }
  }
}
