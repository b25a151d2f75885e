import type { Color, FaceRange, Model } from '../../content/model.js';
import { checkLimit, fileMalformed, warning, type Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { MeshBuilder, type Piece } from './mesh-builder.js';
import { modelOfPieces } from './model-of-pieces.js';
import {
  FACET_BYTES,
  HEADER_BYTES,
  isBelievableBinary,
  isStlText,
  PREAMBLE_BYTES,
  promisedFacets,
} from '../package/stl-signature.js';
import { latin1, TextScanner } from '../text/text-scanner.js';

/**
 * Reads STL, ASCII or binary (3D Systems 1989). Normals are ignored: the order of the vertices gives the orientation.
 * Several solids in an ASCII file become components. A binary file may begin with "solid", and its facet count is
 * checked against the bytes; where these disagree, its coordinates must be those of a part. Colours: one for all facets
 * in the header (Magics), and those of single facets in their attributes.
 *
 * three's STLLoader (0.187) was tried: a truncated file or a count beyond the bytes ends in a RangeError, and ASCII
 * coordinates are rounded to single precision.
 * @throws EngineError `FILE_MALFORMED`, `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export function readStl(bytes: Uint8Array, options: ReadOptions): Model {
  const warnings: Warning[] = [];
  const pieces = isStlText(bytes) ? readText(bytes, options, warnings) : readBinary(bytes, options, warnings);
  return modelOfPieces('stl', options.defaultUnit, pieces, warnings);
}

function readText(bytes: Uint8Array, { limits }: ReadOptions, warnings: Warning[]): Piece[] {
  const builder = new MeshBuilder(limits);
  const scanner = new TextScanner(bytes);
  let [begun, ended] = [false, false];
  while (scanner.next()) {
    if (scanner.is('vertex')) {
      // Coordinates are read one at a time: a word that is not a number must not consume the next keyword.
      const x = scanner.nextNumber(),
        y = scanner.nextNumber(),
        z = scanner.nextNumber();
      builder.corner(builder.vertexCount);
      builder.vertex(x, y, z);
    } else if (scanner.is('endloop') || scanner.is('endfacet')) {
      builder.endPolygon();
    } else if (scanner.is('facet')) {
      begun = true;
      builder.dropPolygon();
    } else if (scanner.is('solid')) {
      builder.startPiece(scanner.restOfLine());
      ended = false;
    } else if (scanner.is('endsolid')) {
      scanner.restOfLine();
      ended = true;
    }
  }
  builder.dropPolygon();
  const pieces = builder.pieces();
  if (begun && !ended && pieces.every(({ indices }) => indices.length === 0))
    throw fileMalformed('the text is cut off: it ends before its first facet does');
  if (!ended) warnings.push(warning('FILE_TRUNCATED', 'the text ends without "endsolid"; the facets before were kept'));
  return pieces;
}

function readBinary(bytes: Uint8Array, { limits }: ReadOptions, warnings: Warning[]): Piece[] {
  if (bytes.length < PREAMBLE_BYTES) {
    throw fileMalformed(`a binary STL file has at least ${PREAMBLE_BYTES} bytes, found ${bytes.length}`);
  }
  if (!isBelievableBinary(bytes)) {
    throw fileMalformed(
      'the bytes are neither STL text, which begins with "solid", nor binary STL: read as such, most coordinates are ' +
        'too large for a part, or no numbers, or the facets are text',
    );
  }
  const count = believableCount(bytes, warnings);
  checkLimit('the file', limits, 'triangles', count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const positions = new Float64Array(9 * count);
  const indices = new Uint32Array(3 * count);
  for (let corner = 0; corner < indices.length; corner++) indices[corner] = corner;
  for (let facet = 0, at = 0; facet < count; facet++) {
    const start = PREAMBLE_BYTES + FACET_BYTES * facet + 12;
    for (let offset = 0; offset < 36; offset += 4) positions[at++] = view.getFloat32(start + offset, true);
  }
  const color = magicsColor(bytes);
  return [{ name: nameIn(bytes), positions, indices, ...facetColors(view, count, color) }];
}

/** The header's facet count, or the number of facets in the bytes when these are fewer. */
function believableCount(bytes: Uint8Array, warnings: Warning[]): number {
  const promised = promisedFacets(bytes);
  const body = bytes.length - PREAMBLE_BYTES;
  const held = Math.floor(body / FACET_BYTES);
  if (promised > held) {
    if (held === 0) {
      throw fileMalformed(
        `the file is cut off: its header announces ${promised} triangles, and behind it are ${body} bytes, fewer ` +
          `than the ${FACET_BYTES} of one triangle`,
      );
    }
    const expected = PREAMBLE_BYTES + FACET_BYTES * promised;
    const message =
      `the header announces ${promised} triangles, which take ${expected} bytes; the file has ${bytes.length} bytes ` +
      `and holds ${held}`;
    warnings.push(warning('FILE_TRUNCATED', message));
    return held;
  }
  // Streaming writers leave the count at 0; the length then gives the count, if it is a whole number of facets.
  if (promised === 0 && held > 0 && body % FACET_BYTES === 0) {
    warnings.push(warning('COUNT_MISMATCH', `the header announces no triangles; the file holds ${held}`));
    return held;
  }
  return promised;
}

/** The name behind "solid" in the header of a binary file. Other headers name the writer, not the part. */
function nameIn(bytes: Uint8Array): string {
  const header = latin1(bytes, 0, HEADER_BYTES).replace(/\0.*$/s, '');
  return /^solid\s+([\x21-\x7e][\x20-\x7e]*)$/.exec(header.trimEnd())?.[1] ?? '';
}

/** The default colour of the facets: `COLOR=` and four bytes, red to alpha, anywhere in the header. */
function magicsColor(bytes: Uint8Array): Color | undefined {
  const at = latin1(bytes, 0, HEADER_BYTES).indexOf('COLOR=');
  if (at < 0 || at + 10 > HEADER_BYTES) return undefined;
  return [bytes[at + 6] / 255, bytes[at + 7] / 255, bytes[at + 8] / 255];
}

/** More colours or runs than this are not colours: some programs keep other data in the attributes. */
const MOST_COLORS = 256;
const MOST_RUNS = 100_000;

/**
 * Facet colours, five bits per channel, in the two attribute bytes of each facet. There are two conventions. Magics:
 * with a colour in the header, the highest bit means that the facet has the header's colour; red is lowest. VisCAM and
 * SolidView: the highest bit means that the facet has a colour; blue is lowest.
 */
function facetColors(
  view: DataView,
  count: number,
  header: Color | undefined,
): { color?: Color; colorRuns?: readonly FaceRange[] } {
  const runs: FaceRange[] = [];
  const colors = new Map<number, Color | undefined>();
  for (let facet = 0, last = -1; facet < count; facet++) {
    const bits = view.getUint16(PREAMBLE_BYTES + FACET_BYTES * facet + 48, true);
    // Programs without colours write 0.
    const isOwn = bits !== 0 && bits >= 0x8000 === (header === undefined);
    const key = isOwn ? bits : -2;
    if (key === last) continue;
    last = key;
    if (!colors.has(key)) colors.set(key, isOwn ? colorOfBits(bits, header === undefined ? 'blue' : 'red') : header);
    runs.push({ first: facet, count: 0, color: colors.get(key) });
    if (colors.size > MOST_COLORS || runs.length > MOST_RUNS) return { color: header };
  }
  if (runs.length <= 1) return { color: runs[0]?.color };
  return {
    color: header,
    colorRuns: runs.map(({ first, color }, i) => ({ first, count: (runs[i + 1]?.first ?? count) - first, color })),
  };
}

function colorOfBits(bits: number, lowest: 'blue' | 'red'): Color {
  const low = (bits & 31) / 31,
    middle = ((bits >> 5) & 31) / 31,
    high = ((bits >> 10) & 31) / 31;
  return lowest === 'blue' ? [high, middle, low] : [low, middle, high];
}
