// The bytes of the learned tables in src/tables. The package only reads them; its decoders refuse other layouts.
import { GLYPH_FEATURES } from '../../dist/pmi/outlines/glyph-features.js';
import { GLYPH_SHAPES } from '../../dist/pmi/pictures/glyph-net.js';
import { layerByteLength } from '../../dist/pmi/network-layer.js';
import { FINE_TERMS } from '../../dist/core/compare.js';
import { FAMILY_DIMENSION, FEATURE_LENGTH } from '../../dist/descriptors/reference.js';

const REFERENCE_MAGIC = 0x58444853; // "SHDX", little endian
const REFERENCE_FORMAT = 4;
const REFERENCE_HEADER_BYTES = 36;
const OUTLINE_MAGIC = 0x594c4753; // "SGLY"
const OUTLINE_FORMAT = 1;
const OUTLINE_HEADER_BYTES = 20;
const PICTURE_MAGIC = 0x58594c47; // "GLYX"

/** Largest whole number of a weight. */
const MOST_WEIGHT = 32_767;

/**
 * The bytes of `reference.bin`: header of u32 and f32, views, spread, family, cohort. @param reference a `Reference`.
 */
export function encodeReference({ termMeans, unit, views, spread, family, cohort, cohortCount }) {
  const units = Float32Array.from({ length: FAMILY_DIMENSION }, (_, row) => unitOf(family.weights, row));
  const tables = [views.weights, views.offsets, spread.weights, spread.offsets, family.mean, units];
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const bytes = new Uint8Array(REFERENCE_HEADER_BYTES + 4 * length + 2 * family.weights.length + cohort.length);
  const view = new DataView(bytes.buffer);
  [REFERENCE_MAGIC, REFERENCE_FORMAT, FEATURE_LENGTH, cohortCount].forEach((value, i) =>
    view.setUint32(4 * i, value, true),
  );
  [...FINE_TERMS.map((term) => termMeans[term]), unit].forEach((value, i) => view.setFloat32(16 + 4 * i, value, true));
  let at = REFERENCE_HEADER_BYTES;
  for (const table of tables) {
    for (const value of table) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  family.weights.forEach((value, i) => {
    view.setInt16(at, Math.round(value / units[Math.floor(i / FEATURE_LENGTH)]), true);
    at += 2;
  });
  bytes.set(cohort, at);
  return bytes;
}

/** The weights of a family table as they are stored: whole multiples of each row's unit. */
export function storedWeights(weights) {
  return Float32Array.from(weights, (value, i) => {
    const unit = unitOf(weights, Math.floor(i / FEATURE_LENGTH));
    return unit * Math.round(value / unit);
  });
}

function unitOf(weights, row) {
  const own = weights.subarray(row * FEATURE_LENGTH, (row + 1) * FEATURE_LENGTH);
  const most = own.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
  return Math.fround(most > 0 ? most / MOST_WEIGHT : 1);
}

/** The bytes of `outline-glyphs.bin`. @param network a `GlyphNetwork`. */
export function encodeGlyphNetwork({ classes, hidden, output }) {
  const names = new TextEncoder().encode(JSON.stringify(classes));
  const hiddenCount = hidden.bias.length;
  const first = OUTLINE_HEADER_BYTES + 4 * Math.ceil(names.length / 4),
    second = first + layerByteLength(hiddenCount, GLYPH_FEATURES);
  const bytes = new Uint8Array(second + layerByteLength(classes.length, hiddenCount));
  const view = new DataView(bytes.buffer);
  [OUTLINE_MAGIC, OUTLINE_FORMAT, GLYPH_FEATURES, hiddenCount, names.length].forEach((value, i) =>
    view.setUint32(4 * i, value, true),
  );
  bytes.set(names, OUTLINE_HEADER_BYTES);
  writeLayer(view, first, hidden);
  writeLayer(view, second, output);
  return bytes;
}

/**
 * The bytes of `picture-glyphs.bin`. @param layers weights and bias, in the order and with the sizes of `GLYPH_SHAPES`.
 */
export function encodeGlyphNet(layers) {
  const bytes = new Uint8Array(GLYPH_SHAPES.reduce((sum, shape) => sum + layerByteLength(...shape), 4));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, PICTURE_MAGIC, true);
  let at = 4;
  layers.forEach((layer, i) => {
    writeLayer(view, at, layer);
    at += layerByteLength(...GLYPH_SHAPES[i]);
  });
  return bytes;
}

/** Writes a layer as `readLayer` reads it: 8 bits a weight; the largest weight of each row becomes ±127. */
function writeLayer(view, at, { weights, bias }) {
  const rows = bias.length,
    columns = weights.length / rows;
  for (let row = 0; row < rows; row++) {
    let most = 1e-9;
    for (let i = row * columns; i < (row + 1) * columns; i++) most = Math.max(most, Math.abs(weights[i]));
    const scale = most / 127;
    view.setFloat32(at + 4 * row, bias[row], true);
    view.setFloat32(at + 4 * (rows + row), scale, true);
    for (let i = row * columns; i < (row + 1) * columns; i++)
      view.setInt8(at + 8 * rows + i, Math.round(weights[i] / scale));
  }
}
