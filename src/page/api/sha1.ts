/**
 * SHA-1 of a text as UTF-8, 40 hexadecimal digits: the HTTP interface expects passwords in this form. Browsers offer
 * `crypto.subtle` only on secure origins (https, localhost); for a server on a company network without https it is
 * computed here (FIPS 180-4, 6.1.2).
 */
export async function sha1Hex(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const digest =
    globalThis.crypto.subtle === undefined ? sha1(bytes) : new Uint8Array(await crypto.subtle.digest('SHA-1', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SHA-1 of bytes, 20 bytes. */
export function sha1(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, 8n * BigInt(bytes.length));
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const words = new Uint32Array(80);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 80; i++) {
      words[i] =
        i < 16
          ? view.getUint32(block + 4 * i)
          : rotatedLeft(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    let [a, b, c, d, e] = state;
    for (let i = 0; i < 80; i++) {
      const [mixed, constant] =
        i < 20
          ? [(b & c) | (~b & d), 0x5a827999]
          : i < 40
            ? [b ^ c ^ d, 0x6ed9eba1]
            : i < 60
              ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
              : [b ^ c ^ d, 0xca62c1d6];
      const next = (rotatedLeft(a, 5) + mixed + e + constant + words[i]) >>> 0;
      [e, d, c, b, a] = [d, c, rotatedLeft(b, 30), a, next];
    }
    [a, b, c, d, e].forEach((value, i) => {
      state[i] += value;
    });
  }
  const digest = new DataView(new ArrayBuffer(20));
  state.forEach((word, i) => digest.setUint32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

function rotatedLeft(word: number, bits: number): number {
  return ((word << bits) | (word >>> (32 - bits))) >>> 0;
}
