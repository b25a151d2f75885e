/**
 * Learns `src/tables/view-axes.bin`, i8[64][512]: the axes along which the first stage of a search compares the lines
 * of views: the principal axes of lines of views of parts made by code (`bench/parts/reference.mjs`). No file of
 * anybody's library goes in. Deterministic: the same parts give the same bytes.
 *
 *   npm run bench -- learn/view-axes [--parts 165]
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Core } from '../../dist/core/core.js';
import { LINE_BYTES, SILHOUETTE_BYTES, turnedViews } from '../../dist/core/views.js';
import { VIEW_BYTES, describeViews } from '../../dist/descriptors/views.js';
import { DRAWING_CAMERAS, renderModelViews } from '../../dist/shapelets/model/model-views.js';
import { referenceParts } from '../parts/reference.mjs';

const AXES = 64;
/** Rounds of the power iteration of all axes together; more change the last axes alone. */
const ROUNDS = 60;

const { values } = parseArgs({ options: { parts: { type: 'string', default: '165' } } });
const core = await Core.load();
const products = new Float64Array(LINE_BYTES * LINE_BYTES);
for await (const part of referenceParts({ count: Number(values.parts) })) addProducts(part);
for (let i = 0; i < LINE_BYTES; i++)
  for (let j = 0; j < i; j++) products[i * LINE_BYTES + j] = products[j * LINE_BYTES + i];
await writeFile(fileURLToPath(new URL('../../src/tables/view-axes.bin', import.meta.url)), bytesOf(principalAxes()));

/**
 * One axis view of each pair and one corner of each line of sight, in all four turns: no direction of lines is
 * preferred.
 */
function addProducts(mesh) {
  const cameras = DRAWING_CAMERAS.filter((_, i) => (i < 6 ? i % 2 === 0 : i % 6 === 0));
  const views = turnedViews(describeViews(core, renderModelViews(core, mesh, { cameras })), VIEW_BYTES);
  for (let at = 0; at < views.length; at += VIEW_BYTES) {
    const lines = views.subarray(at + SILHOUETTE_BYTES, at + SILHOUETTE_BYTES + LINE_BYTES);
    const squares = lines.reduce((sum, value) => sum + value * value, 0);
    if (squares === 0) continue;
    const held = [...lines.keys()].filter((i) => lines[i] > 0);
    for (const i of held)
      for (const j of held) if (j >= i) products[i * LINE_BYTES + j] += (lines[i] * lines[j]) / squares;
  }
}

/** Of the products about 0, not about the mean: cosines are wanted. Orthogonal iteration. */
function principalAxes() {
  let axes = Array.from({ length: AXES }, (_, axis) =>
    Float64Array.from(
      { length: LINE_BYTES },
      (_, i) => Math.cos(((axis + 1) * (i + 0.5) * Math.PI) / LINE_BYTES) + (axis === 0 ? 2 : 0),
    ),
  );
  for (let round = 0; round < ROUNDS; round++) {
    axes = orthonormal(
      axes.map((axis) =>
        Float64Array.from({ length: LINE_BYTES }, (_, i) => {
          let sum = 0;
          for (let j = 0; j < LINE_BYTES; j++) sum += products[i * LINE_BYTES + j] * axis[j];
          return sum;
        }),
      ),
    );
  }
  return axes;
}

function orthonormal(vectors) {
  const done = [];
  for (const vector of vectors) {
    for (const before of done) {
      const along = vector.reduce((sum, value, i) => sum + value * before[i], 0);
      for (let i = 0; i < vector.length; i++) vector[i] -= along * before[i];
    }
    const length = Math.hypot(...vector);
    done.push(vector.map((value) => value / length));
  }
  return done;
}

/** One scale for all axes, or their coordinates could not be compared. */
function bytesOf(axes) {
  const most = Math.max(...axes.flatMap((axis) => [...axis].map(Math.abs)));
  return Int8Array.from(axes.flatMap((axis) => [...axis].map((value) => Math.round((127 * value) / most))));
}
