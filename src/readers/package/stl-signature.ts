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

function hasExactLength(bytes: Uint8Array): boolean {
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
