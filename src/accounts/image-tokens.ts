import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

const COMPANY_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;
const LENGTH = COMPANY_BYTES + TIME_BYTES + MAC_BYTES;

/**
 * Tokens made within a tenth of their life expire at the same time, so that a link stays the same for a while and
 * browsers can cache its target.
 */
const STEPS = 10;
/** Most tokens that are cached until that tenth has passed. */
const TOKENS_KEPT = 10_000;

/**
 * Tokens for the pictures of one file each: base64url of the company's GUID, the expiry time (ms since 1970, 48 bits),
 * and an HMAC-SHA256 of both and the file's GUID. They are checked without reading the catalogue and give access to
 * nothing else.
 * @internal
 */
export class ImageTokens {
  readonly #key: KeyObject;
  readonly #lifeMs: number;
  readonly #now: () => number;
  readonly #made = new Map<string, string>();
  #expiresAt = 0;

  constructor(key: Uint8Array, { lifeMs, now }: { lifeMs: number; now: () => number }) {
    this.#key = createSecretKey(key);
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  /** Makes a token that is valid for at least nine tenths of `imageTokenS` and at most all of it. */
  make(companyUid: string, fileUid: string): string {
    const step = Math.ceil(this.#lifeMs / STEPS);
    const expiresAt = Math.floor(this.#now() / step) * step + this.#lifeMs;
    if (expiresAt !== this.#expiresAt || this.#made.size >= TOKENS_KEPT) this.#made.clear();
    this.#expiresAt = expiresAt;
    const name = companyUid + fileUid;
    let token = this.#made.get(name);
    if (token === undefined) {
      const head = Buffer.alloc(COMPANY_BYTES + TIME_BYTES);
      head.set(bytesOf(companyUid));
      head.writeUIntBE(expiresAt, COMPANY_BYTES, TIME_BYTES);
      this.#made.set(name, (token = Buffer.concat([head, this.#macOf(head, fileUid)]).toString('base64url')));
    }
    return token;
  }

  /** The GUID of the company, if the token is valid for this file now. */
  companyOf(token: string, fileUid: string): string | undefined {
    if (token.length > 2 * LENGTH) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // The second condition ensures that a token has only one accepted spelling.
    if (bytes.length !== LENGTH || bytes.toString('base64url') !== token) return undefined;
    const head = bytes.subarray(0, COMPANY_BYTES + TIME_BYTES);
    if (!timingSafeEqual(bytes.subarray(head.length), this.#macOf(head, fileUid))) return undefined;
    if (head.readUIntBE(COMPANY_BYTES, TIME_BYTES) <= this.#now()) return undefined;
    return head.toString('hex', 0, COMPANY_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  #macOf(head: Uint8Array, fileUid: string): Uint8Array {
    return createHmac('sha256', this.#key).update(head).update(bytesOf(fileUid)).digest();
  }
}

function bytesOf(guid: string): Uint8Array {
  return Buffer.from(guid.replaceAll('-', ''), 'hex');
}
