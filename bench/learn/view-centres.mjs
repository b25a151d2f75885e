/**
 * Learns `src/tables/view-centres.bin`, i8[2048][28]: the centres of the lists in which a large library keeps its views
 * (`src/core/view-lists.ts`): spherical k-means of the compact vectors of all 80 views of parts made by code
 * (`bench/parts/reference.mjs`). No file of anybody's library goes in. Deterministic: the same parts give the same
 * bytes.
 *
 *   npm run bench -- learn/view-centres [--parts 750]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Core } from '../../dist/core/core.js';
import { VIEW_BYTES, describeViews } from '../../dist/descriptors/views.js';
import { renderModelViews } from '../../dist/shapelets/model/model-views.js';
import { referenceParts } from '../parts/reference.mjs';

const CENTRES = 2048;
const LENGTH = 28;
const ROW = 32;
const ROUNDS = 8;

const { values } = parseArgs({ options: { parts: { type: 'string', default: '750' } } });
const core = await Core.load();
const axes = await readFile(fileURLToPath(new URL('../../src/tables/view-axes.bin', import.meta.url)));
const parts = [];
for await (const part of referenceParts({ count: Number(values.parts) }))
  parts.push(rowsOf(describeViews(core, renderModelViews(core, part))));
const rows = Buffer.concat(parts);
await writeFile(fileURLToPath(new URL('../../src/tables/view-centres.bin', import.meta.url)), centresOf(rows));

/** i8[views][32]: 28 numbers, then 0. */
function rowsOf(views) {
  const count = views.length / VIEW_BYTES;
  return core.call((arena) => {
    const viewsAt = arena.copyIn(views),
      axesAt = arena.copyIn(axes);
    const vectors = arena.reserve(64 * count),
      out = arena.reserve(ROW * count);
    arena.kernels.projectViews(viewsAt, VIEW_BYTES, count, axesAt, vectors);
    arena.kernels.narrowViews(vectors, count, 0, out);
    return arena.u8(out, ROW * count);
  });
}

/** The first centres are rows spread over all; a centre that no row is nearest to stays. */
function centresOf(rows) {
  const signed = new Int8Array(rows.buffer, rows.byteOffset, rows.length);
  const count = rows.length / ROW;
  const centres = new Int16Array(CENTRES * ROW);
  for (let centre = 0; centre < CENTRES; centre++) {
    const row = Math.floor(((centre + 0.5) * count) / CENTRES);
    centres.set(signed.subarray(row * ROW, row * ROW + LENGTH), centre * ROW);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const nearest = core.call((arena) => {
      const rowsAt = arena.copyIn(rows),
        centresAt = arena.copyIn(centres);
      const out = arena.reserve(2 * count);
      arena.kernels.nearestCentres(rowsAt, count, centresAt, CENTRES, out);
      return new Uint16Array(arena.u8(out, 2 * count).buffer);
    });
    const sums = new Float64Array(CENTRES * LENGTH);
    for (let row = 0; row < count; row++)
      for (let k = 0; k < LENGTH; k++) sums[nearest[row] * LENGTH + k] += signed[row * ROW + k];
    for (let centre = 0; centre < CENTRES; centre++) {
      const sum = sums.subarray(centre * LENGTH, (centre + 1) * LENGTH);
      const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0));
      if (length > 0) for (let k = 0; k < LENGTH; k++) centres[centre * ROW + k] = Math.round((127 * sum[k]) / length);
    }
  }
  return Int8Array.from({ length: CENTRES * LENGTH }, (_, i) => centres[ROW * Math.floor(i / LENGTH) + (i % LENGTH)]);
}
