import { triangleNormal } from '../../content/triangle-normal.js';
import type { Component, Mesh, Model, ModelFormat } from '../../content/model.js';
import { MILLIMETRES, type LengthUnit } from '../../content/units.js';
import { EngineError, fileMalformed, warning, type Warning } from '../../errors.js';
import { GrowableF64 } from '../geometry/growable.js';
import type { Piece } from './mesh-builder.js';
import { joinPatches } from './patches.js';
import { weld } from './weld.js';

/**
 * Coordinates beyond this count as damage, like NaN: a million kilometres. The squared area of a triangle of this size
 * still fits in single precision.
 */
export const FARTHEST_MM = 1e12;

/**
 * Builds the model of a format that has only named runs of triangles: each run becomes a component with one welded
 * mesh; a single run becomes the root. Runs that share open edges are patches of one body and are joined.
 * @throws EngineError as {@link requireArea}.
 */
export function modelOfPieces(
  format: ModelFormat,
  unit: LengthUnit,
  pieces: readonly Piece[],
  warnings: readonly Warning[],
): Model {
  const { meshes, dropped, wrong } = weldPieces(pieces, unit);
  requireArea(format, meshes, warnings, wrong);
  // When patches were joined into one body, their names are those of its faces; the caller names the body after the
  // file.
  const single = meshes.length === 1 ? { ...meshes[0], name: pieces.length === 1 ? meshes[0].name : '' } : undefined;
  const parts: Component[] = meshes.map((mesh, i) => ({ name: mesh.name, meshes: [i], children: [] }));
  return {
    kind: 'model',
    format,
    unit,
    root:
      single === undefined
        ? { name: '', meshes: [], children: parts }
        : { name: single.name, meshes: [0], children: [] },
    meshes: single === undefined ? meshes : [single],
    warnings: withDropped(warnings, dropped, wrong),
  };
}

/**
 * Welds pieces into meshes, mm. Pieces without a valid triangle are left out; patches of one body are joined.
 * @returns the meshes, the number of triangles dropped, and the first coordinate for which one was, in words.
 */
export function weldPieces(
  pieces: readonly Piece[],
  unit: LengthUnit,
): { readonly meshes: Mesh[]; readonly dropped: number; readonly wrong: string | undefined } {
  const meshes: Mesh[] = [];
  let dropped = 0;
  for (const piece of pieces) {
    const { positions, indices } = scaled(piece, MILLIMETRES[unit]);
    const welded = weld(positions, indices, piece.colorRuns);
    dropped += piece.indices.length / 3 - welded.indices.length / 3;
    if (welded.indices.length === 0) continue;
    meshes.push({
      name: piece.name,
      positions: welded.positions,
      indices: welded.indices,
      ...(piece.color === undefined ? {} : { color: piece.color }),
      ...(welded.faces === undefined ? {} : { colorRuns: welded.faces }),
    });
  }
  const wrong = dropped === 0 ? undefined : wrongCoordinate(pieces, unit);
  return { meshes: joinPatches(meshes), dropped, wrong };
}

/** The first coordinate of a triangle that no part has, and where it stands; undefined where there is none. */
function wrongCoordinate(pieces: readonly Piece[], unit: LengthUnit): string | undefined {
  const scale = MILLIMETRES[unit];
  for (const { name, positions, indices } of pieces) {
    for (const [corner, vertex] of indices.entries()) {
      for (let axis = 0; axis < 3 && 3 * vertex < positions.length; axis++) {
        const value = positions[3 * vertex + axis];
        if (!Number.isNaN(toMillimetres(value, scale))) continue;
        const piece = pieces.length > 1 && name !== '' ? ` of ${JSON.stringify(name.slice(0, 80))}` : '';
        const place = `${'xyz'[axis]} of corner ${(corner % 3) + 1} of triangle ${Math.floor(corner / 3) + 1}${piece}`;
        const found = Number.isNaN(value) ? 'no number' : `${value} ${unit}`;
        return `${place} is ${found}, expected at most ${FARTHEST_MM / scale} ${unit} to either side`;
      }
    }
  }
  return undefined;
}

/** The root of a model: its only component unless that is moved, else one around all. */
export function rootOf(children: readonly Component[], name = ''): Component {
  return children.length === 1 && children[0].transform === undefined ? children[0] : { name, meshes: [], children };
}

/**
 * The warnings, with one more when triangles were dropped.
 * @param wrong the first coordinate for which one was, in words.
 */
export function withDropped(warnings: readonly Warning[], dropped: number, wrong?: string): readonly Warning[] {
  if (dropped === 0) return warnings;
  const message =
    `${dropped} triangles were left out: degenerate, or with invalid coordinates or missing vertices` +
    (wrong === undefined ? '' : `; ${wrong}`);
  return [...warnings, warning('TRIANGLES_DROPPED', message)];
}

/**
 * Checks that a model has area.
 * @throws EngineError `NO_GEOMETRY` when no mesh has a triangle of positive area; `FILE_MALFORMED` where the warnings
 * say that the file is cut off, which is why.
 * @param wrong the first coordinate for which triangles were left out, in words: the reason where there is one.
 */
export function requireArea(
  format: ModelFormat,
  meshes: readonly Mesh[],
  warnings: readonly Warning[] = [],
  wrong?: string,
): void {
  if (meshes.some(hasArea)) return;
  const cut = warnings.find(({ code }) => code === 'FILE_TRUNCATED');
  if (cut !== undefined)
    throw fileMalformed(`the file is cut off, and no triangle of positive area is left: ${cut.message}`);
  const why = wrong === undefined ? 'no triangle of positive area' : `no triangle that can be measured: ${wrong}`;
  throw new EngineError('NO_GEOMETRY', `the ${format.toUpperCase()} file holds ${why}`);
}

function hasArea({ positions, indices }: Mesh): boolean {
  const normal = new Float64Array(3);
  for (let triangle = 0; 3 * triangle < indices.length; triangle++) {
    triangleNormal(positions, indices, triangle, normal);
    // Not by its length, whose square may be too small for a number.
    if (normal.some((value) => value !== 0)) return true;
  }
  return false;
}

/**
 * The piece in millimetres, without its unused vertices when these are many: pieces may share a long list of vertices,
 * so the work must be proportional to the piece's triangles, not to the list.
 */
function scaled({ positions, indices }: Piece, scale: number): { positions: Float64Array; indices: Uint32Array } {
  const vertexCount = positions.length / 3;
  if (4 * indices.length >= vertexCount)
    return { positions: positions.map((value) => toMillimetres(value, scale)), indices };
  const numbers = new Map<number, number>();
  const places = new GrowableF64();
  const renumbered = indices.map((vertex) => {
    if (vertex >= vertexCount) return vertex;
    let number = numbers.get(vertex);
    if (number === undefined) {
      numbers.set(vertex, (number = numbers.size));
      const at = 3 * vertex;
      places.push3(
        toMillimetres(positions[at], scale),
        toMillimetres(positions[at + 1], scale),
        toMillimetres(positions[at + 2], scale),
      );
    }
    return number;
  });
  return { positions: places.view(), indices: renumbered };
}

/** Millimetres, or NaN when the value is too large; welding drops the triangles of such a vertex. */
function toMillimetres(value: number, scale: number): number {
  const millimetres = value * scale;
  return Math.abs(millimetres) <= FARTHEST_MM ? millimetres : NaN;
}
