import { latin1, TextScanner } from '../text/text-scanner.js';

/** Length of the free text that opens a binary STL file, bytes. */
export const HEADER_BYTES = 80;
/** Header and triangle count of a binary file, bytes. */
export const PREAMBLE_BYTES = 84;
/** One facet of a binary file, bytes: normal and three vertices as twelve floats, then two bytes of attributes. */
export const FACET_BYTES = 50;

/**
 * True when the bytes are an STL file: text, or a binary file whose length is exactly what its facet count asks for.
 */
export function isStl(bytes: Uint8Array): boolean {
  return isStlText(bytes) || hasExactLength(bytes);
}

/** Whether the length of a binary file is exactly what its facet count asks for. */
export function hasExactLength(bytes: Uint8Array): boolean {
  return bytes.length >= PREAMBLE_BYTES && bytes.length === PREAMBLE_BYTES + FACET_BYTES * promisedFacets(bytes);
}

/**
 * Whether the bytes are ASCII STL. Text begins with "solid". Some binary files do too, but then either their length
 * fits their facet count, or the words that follow are not those of STL.
 */
export function isStlText(bytes: Uint8Array): boolean {
  if (hasExactLength(bytes)) return false;
  const scanner = new TextScanner(bytes);
  if (!scanner.next() || !scanner.is('solid')) return false;
  // The solid's name may be long, so the next keyword is looked for on the lines below; all of the start must be text.
  const start = latin1(bytes, 0, Math.min(bytes.length, 2_048));
  if (start.includes('\0')) return false;
  return (
    !scanner.nextLine() || !scanner.next() || ['facet', 'endsolid', 'color', 'solid'].some((word) => scanner.is(word))
  );
}

/** The number of facets that the preamble of a binary file announces; the file may hold fewer. */
export function promisedFacets(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(HEADER_BYTES, true);
}

/** No coordinate of a part is larger, in any unit: ten times the earth. */
const LARGEST_COORDINATE = 1e10;

/** Bytes behind the facet count that are examined for text. */
const EXAMINED_BYTES = 4_096;

/**
 * Whether bytes that have the name or the length of a binary STL file can be one; it may have trailing bytes, be cut
 * off, or have a wrong count. At least half of the facets must have coordinates that a part can have, and without the
 * right length they must not be text. Of random facets 1.4 % have such coordinates; in 733 files of others all have.
 */
export function isBelievableBinary(bytes: Uint8Array): boolean {
  const body = bytes.subarray(PREAMBLE_BYTES);
  const facets = Math.floor(body.length / FACET_BYTES);
  if (facets > 0 && !hasExactLength(bytes) && body.subarray(0, EXAMINED_BYTES).every(isTextByte)) return false;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let believable = 0;
  for (let facet = 0; facet < facets; facet++) {
    let fits = true;
    for (let offset = 12; fits && offset < 48; offset += 4) {
      fits = Math.abs(view.getFloat32(FACET_BYTES * facet + offset, true)) <= LARGEST_COORDINATE;
    }
    if (fits) believable++;
  }
  return 2 * believable >= facets;
}

function isTextByte(byte: number): boolean {
  return byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
