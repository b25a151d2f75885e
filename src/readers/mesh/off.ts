import type { Model } from '../../content/model.js';
import { EngineError, fileMalformed, warning, type Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { MeshBuilder } from './mesh-builder.js';
import { modelOfPieces } from './model-of-pieces.js';
import { TextScanner } from '../text/text-scanner.js';

/**
 * The keyword with its variants: texture coordinates, colours, normals, a fourth coordinate, n dimensions. The counts
 * may follow without a blank.
 */
const KEYWORD = /^(ST)?(C)?(N)?(4)?(n)?OFF(\d*)$/;

/**
 * Reads ASCII files in the Object File Format of Geomview: OFF, COFF, NOFF and STOFF, faces with any number of corners.
 * Values after the three coordinates or after the corners of a face (colours, normals) are skipped. The keyword is
 * optional.
 * @throws EngineError `FORMAT_UNSUPPORTED` for binary files and for more than three dimensions; `FILE_MALFORMED`,
 * `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export function readOff(bytes: Uint8Array, options: ReadOptions): Model {
  const warnings: Warning[] = [];
  const scanner = new TextScanner(bytes, { comments: true });
  const { vertices, faces } = readCounts(scanner);
  const builder = new MeshBuilder(options.limits);
  const complete = readVertices(scanner, builder, vertices) && readFaces(scanner, builder, faces);
  if (!complete) {
    warnings.push(
      warning('FILE_TRUNCATED', `the header announces ${vertices} vertices and ${faces} faces; the file holds fewer`),
    );
  }
  return modelOfPieces('off', options.defaultUnit, builder.pieces(), warnings);
}

/** Reads the start of the file through the line of counts, of which the third (edges) is optional. */
function readCounts(scanner: TextScanner): { vertices: number; faces: number } {
  if (!scanner.next()) throw fileMalformed('an OFF file begins with OFF or counts, found no word');
  let vertices = scanner.number();
  if (Number.isNaN(vertices)) {
    const keyword = KEYWORD.exec(scanner.word());
    if (keyword === null)
      throw fileMalformed(`an OFF file begins with OFF, found ${JSON.stringify(scanner.word().slice(0, 40))}`);
    if (keyword[4] !== undefined || keyword[5] !== undefined) {
      throw new EngineError('FORMAT_UNSUPPORTED', `${keyword[0]} has more than three dimensions; only three are read`);
    }
    if (keyword[6] !== '') {
      vertices = Number(keyword[6]);
    } else {
      if (scanner.next() && scanner.is('binary'))
        throw new EngineError('FORMAT_UNSUPPORTED', 'binary OFF is not supported; save the file as ASCII OFF');
      vertices = scanner.number();
    }
  }
  const faces = scanner.nextNumber();
  if (!(Number.isInteger(vertices) && vertices >= 0 && Number.isInteger(faces) && faces >= 0)) {
    throw fileMalformed(`an OFF file needs the numbers of vertices and faces, found ${vertices} and ${faces}`);
  }
  scanner.nextLine();
  return { vertices, faces };
}

/** False when the text ends first. */
function readVertices(scanner: TextScanner, builder: MeshBuilder, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if (!scanner.next()) return false;
    builder.vertex(scanner.number(), scanner.nextNumber(), scanner.nextNumber());
    scanner.nextLine();
  }
  return true;
}

/** False when the text ends first. */
function readFaces(scanner: TextScanner, builder: MeshBuilder, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if (!scanner.next()) return false;
    const corners = scanner.number();
    if (!(Number.isInteger(corners) && corners >= 0)) {
      throw fileMalformed(
        `face ${i} of the OFF file begins with ${JSON.stringify(scanner.word().slice(0, 40))}; ` +
          'expected its number of corners',
      );
    }
    for (let k = 0; k < corners; k++) {
      if (!scanner.next()) {
        builder.dropPolygon();
        return false;
      }
      builder.corner(scanner.number());
    }
    builder.endPolygon();
    scanner.nextLine();
  }
  return true;
}
