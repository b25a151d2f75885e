import { readFileSync } from 'node:fs';
import { EngineError } from '../../errors.js';
import { dense, layerByteLength, readLayer, rectify, type Layer } from '../network-layer.js';
import { GLYPH_FEATURES } from './glyph-features.js';

/** The network that tells outlined glyphs apart: one hidden layer of rectified units. */
export interface GlyphNetwork {
  /** A string each; '' for what is no glyph. */
  readonly classes: readonly string[];
  /** {@link GLYPH_FEATURES} inputs. */
  readonly hidden: Layer;
  /** As many outputs as there are classes. */
  readonly output: Layer;
}

const MAGIC = 0x59_4c_47_53; // "SGLY", little endian
const FORMAT = 1;
const HEADER_BYTES = 20;

let loaded: GlyphNetwork | undefined;

/** The network of the package (made by bench/learn/glyphs.mjs); read from disk at the first call. */
export function glyphNetwork(): GlyphNetwork {
  return (loaded ??= decodeGlyphNetwork(readFileSync(new URL('../../tables/outline-glyphs.bin', import.meta.url))));
}

/**
 * Layout: header of u32 (magic, format, features, hidden units, bytes of the class names), the names as JSON padded to
 * four bytes, then the two layers.
 * @throws EngineError `CORE_FAILED` when the bytes are not a network of this version.
 */
export function decodeGlyphNetwork(bytes: Uint8Array): GlyphNetwork {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, format, features, hiddenCount, nameBytes] = [0, 4, 8, 12, 16].map((at) =>
    at + 4 <= bytes.length ? view.getUint32(at, true) : 0,
  );
  if (magic !== MAGIC || format !== FORMAT || features !== GLYPH_FEATURES)
    throw new EngineError(
      'CORE_FAILED',
      `outline-glyphs.bin does not fit this version: ${bytes.length} bytes, ${features} features, ` +
        `expected ${GLYPH_FEATURES}`,
    );
  const classes = JSON.parse(
    new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + nameBytes)),
  ) as readonly string[];
  const at = HEADER_BYTES + 4 * Math.ceil(nameBytes / 4);
  return {
    classes,
    hidden: readLayer(view, at, hiddenCount, features),
    output: readLayer(view, at + layerByteLength(hiddenCount, features), classes.length, hiddenCount),
  };
}

/** Shares of the classes that add up to 1. @param features of {@link import('./glyph-features.js').glyphFeatures}. */
export function classify({ classes, hidden, output }: GlyphNetwork, features: Float32Array): Float32Array {
  const units = new Float32Array(hidden.bias.length);
  dense(features, hidden, units);
  rectify(units);
  const shares = new Float32Array(classes.length);
  dense(units, output, shares);
  const most = shares.reduce((a, b) => Math.max(a, b), -Infinity);
  let total = 0;
  for (let each = 0; each < shares.length; each++) total += shares[each] = Math.exp(shares[each] - most);
  for (let each = 0; each < shares.length; each++) shares[each] /= total;
  return shares;
}
