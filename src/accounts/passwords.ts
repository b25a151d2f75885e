import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Verifier } from './tables/users.js';

/** Length of a password as it is received: as a SHA-1, bytes. */
export const DIGEST_BYTES = 20;

const SALT_BYTES = 16;
const VERIFIER_BYTES = 32;
/**
 * scrypt parameters r and p; N is the cost. This is OWASP's second recommended setting with N = 2^15: as strong as N =
 * 2^17, p = 1, with 32 MiB of memory instead of 128.
 */
const BLOCK_SIZE = 8;
const PARALLELISM = 3;

/** The password of an unknown user is compared with this, so that the check takes as long as for a known user. */
const NOBODY = Object.freeze({ salt: new Uint8Array(SALT_BYTES), verifier: new Uint8Array(VERIFIER_BYTES) });

/** Stores and compares passwords: scrypt (RFC 7914) of their SHA-1, each with its own salt. Callers take turns. */
export class Passwords {
  readonly #cost: number;

  constructor({ cost }: { cost: number }) {
    this.#cost = cost;
  }

  /** The stored form of a password. */
  async keep(digest: Uint8Array): Promise<Verifier> {
    const salt = randomBytes(SALT_BYTES);
    return { salt, cost: this.#cost, verifier: await this.#derive(digest, salt, this.#cost) };
  }

  /** Whether this is the password. The comparison takes constant time, and no less for an unknown user. */
  async matches(digest: Uint8Array, kept: Verifier | undefined): Promise<boolean> {
    const { salt, cost, verifier } = kept ?? { ...NOBODY, cost: this.#cost };
    const same = timingSafeEqual(await this.#derive(digest, salt, cost), verifier);
    return same && kept !== undefined;
  }

  /** Whether the stored password was derived with a cost other than the current one. */
  isOutdated({ cost }: Verifier): boolean {
    return cost !== this.#cost;
  }

  #derive(digest: Uint8Array, salt: Uint8Array, cost: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      // RFC 7914: blocks of 128 r bytes, N of them and one for each of p; OpenSSL takes two more.
      const maxmem = 2 * 128 * BLOCK_SIZE * (cost + PARALLELISM + 2);
      const options = { N: cost, r: BLOCK_SIZE, p: PARALLELISM, maxmem };
      scrypt(digest, salt, VERIFIER_BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
    });
  }
}
