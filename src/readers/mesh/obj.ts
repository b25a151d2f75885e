import type { Model } from '../../content/model.js';
import { EngineError, warning, type Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { MeshBuilder } from './mesh-builder.js';
import { modelOfPieces } from './model-of-pieces.js';
import { parseNumber, TextScanner } from '../text/text-scanner.js';

const SLASH = 0x2f;

/**
 * Keywords of free-form curves and surfaces (Wavefront, Advanced Visualizer, appendix B), which are not tessellated.
 */
const FREE_FORM = ['curv', 'curv2', 'surf'];

/**
 * Reads Wavefront OBJ: vertices, and faces with any number of corners, also concave ones, with positive or negative
 * indices. Objects and groups become components unless they are patches of one body. Materials, normals, texture
 * coordinates, lines and points are not read.
 *
 * three's OBJLoader (0.187) was tried: it fans concave faces (a U of area 7 came out with 13) and rounds to single
 * precision.
 * @throws EngineError `FILE_MALFORMED`, `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export function readObj(bytes: Uint8Array, options: ReadOptions): Model {
  const warnings: Warning[] = [];
  const builder = new MeshBuilder(options.limits);
  const scanner = new TextScanner(bytes, { comments: true, continuations: true });
  let badFaces = 0;
  let surfaces = 0;
  let name = '';
  do {
    if (!scanner.nextInLine()) continue;
    if (scanner.is('v')) {
      builder.vertex(numberInLine(scanner), numberInLine(scanner), numberInLine(scanner));
    } else if (scanner.is('f') || scanner.is('fo')) {
      if (!readFace(scanner, builder)) badFaces++;
    } else if (scanner.is('o') || scanner.is('g')) {
      const isObject = scanner.is('o');
      const next = scanner.restOfLine();
      // Some writers repeat the group before each face. An object starts a new piece even when it has the same name.
      if (isObject || next !== name) builder.startPiece(next);
      name = next;
    } else if (FREE_FORM.some((word) => scanner.is(word))) {
      surfaces++;
    }
  } while (scanner.nextLine());

  if (surfaces > 0) warnings.push(warning('CONTENT_SKIPPED', `${surfaces} free-form curves or surfaces were skipped`));
  if (badFaces > 0)
    warnings.push(warning('TRIANGLES_DROPPED', `${badFaces} faces with fewer than three corners were left out`));
  const pieces = builder.pieces();
  if (pieces.length === 0 && surfaces > 0) {
    throw new EngineError(
      'NO_GEOMETRY',
      `the OBJ file holds no faces, only ${surfaces} free-form curves or surfaces, which are not supported`,
    );
  }
  return modelOfPieces('obj', options.defaultUnit, pieces, warnings);
}

/** Reads the corners of a face up to the end of the line; false when there are fewer than three. */
function readFace(scanner: TextScanner, builder: MeshBuilder): boolean {
  while (scanner.nextInLine()) {
    const { bytes, start } = scanner;
    let stop = start;
    while (stop < scanner.stop && bytes[stop] !== SLASH) stop++;
    const index = parseNumber(bytes, start, stop);
    // 1 is the first vertex of the file, −1 the latest one so far. 0 and NaN refer to none.
    builder.corner(index > 0 ? index - 1 : index < 0 ? builder.vertexCount + index : -1);
  }
  return builder.endPolygon();
}

function numberInLine(scanner: TextScanner): number {
  return scanner.nextInLine() ? scanner.number() : NaN;
}
