import { createHmac, timingSafeEqual } from 'node:crypto';

const COMPANY_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;
const LENGTH = COMPANY_BYTES + TIME_BYTES + MAC_BYTES;

/**
 * A token for the pictures of one file: base64url of the company's GUID, the end of its life (ms since 1970, 48 bits) and
 * HMAC-SHA256 over both and the file's GUID. Good without a look into the catalogue, and for nothing else.
 */
export function imageToken(key: Uint8Array, { companyUid, fileUid, expiresAt }: { companyUid: string; fileUid: string; expiresAt: number }): string {
  const head = Buffer.alloc(COMPANY_BYTES + TIME_BYTES);
  head.set(bytesOf(companyUid));
  head.writeUIntBE(expiresAt, COMPANY_BYTES, TIME_BYTES);
  return Buffer.concat([head, macOf(key, head, fileUid)]).toString('base64url');
}

/** The GUID of the company, when the token is good for this file at this time. */
export function companyOfImageToken(key: Uint8Array, token: string, { fileUid, now }: { fileUid: string; now: number }): string | undefined {
  if (token.length > 2 * LENGTH) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // The second condition: one token has one spelling.
  if (bytes.length !== LENGTH || bytes.toString('base64url') !== token) return undefined;
  const head = bytes.subarray(0, COMPANY_BYTES + TIME_BYTES);
  if (!timingSafeEqual(bytes.subarray(head.length), macOf(key, head, fileUid))) return undefined;
  if (head.readUIntBE(COMPANY_BYTES, TIME_BYTES) <= now) return undefined;
  return head.toString('hex', 0, COMPANY_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function macOf(key: Uint8Array, head: Uint8Array, fileUid: string): Uint8Array {
  return createHmac('sha256', key).update(head).update(bytesOf(fileUid)).digest();
}

function bytesOf(guid: string): Uint8Array {
  return Buffer.from(guid.replaceAll('-', ''), 'hex');
}
