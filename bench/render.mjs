/**
 * Rendering a mesh of 20 000 triangles from a corner: depth, normals, mask and feature lines; and all views of its
 * shapelets in one call.
 *
 * Data, generated: a bumpy sphere (small triangles, few lines) and a plate of studs (every stud has two circles and two
 * silhouette lines, visible or hidden). Medians and quartiles of 41 renderings after 20 warm-up runs.
 *
 * npm run bench -- render [--json]
 */
import { Core, renderView } from '../dist/core-entry.js';
import { renderModelViews } from '../dist/shapelets/model/model-views.js';
import { benchOptions, machine, quantile } from './support/options.mjs';

const WARM_UP = 20;
const RUNS = 41;
const SIZES = [128, 256, 512, 1024];

const options = benchOptions();
const core = await Core.load();
const rows = [];
for (const [name, mesh] of [
  ['bumpy sphere', bumpySphere(100)],
  ['plate of studs', plateOfStuds(18, 9, 31)],
]) {
  const drawn = [
    ...SIZES.map((size) => [`${size} px`, () => renderView(core, mesh, { size })]),
    ['all views', () => renderModelViews(core, mesh)],
  ];
  for (const [size, draw] of drawn) {
    const ms = [];
    for (let run = -WARM_UP; run < RUNS; run++) {
      const started = performance.now();
      draw();
      if (run >= 0) ms.push(performance.now() - started);
    }
    rows.push({
      mesh: name,
      triangles: mesh.indices.length / 3,
      size,
      ms: quantile(ms, 0.5),
      lowMs: quantile(ms, 0.25),
      highMs: quantile(ms, 0.75),
    });
  }
}
const report = { machine: await machine(), rows };
if (options.json) console.log(JSON.stringify(report, undefined, 2));
else {
  console.log(report.machine);
  for (const { mesh, triangles, size, ms, lowMs, highMs } of rows) {
    console.log(
      `${mesh.padEnd(15)} ${triangles} triangles, ${size.padStart(9)}: ${ms.toFixed(2)} ms (${lowMs.toFixed(2)} ` +
        `to ${highMs.toFixed(2)})`,
    );
  }
}

function bumpySphere(rings) {
  const positions = [];
  const indices = [];
  for (let ring = 0; ring <= rings; ring++) {
    for (let i = 0; i < rings; i++) {
      const latitude = (Math.PI * ring) / rings,
        longitude = (2 * Math.PI * i) / rings;
      const radius = 50 + Math.sin(5 * longitude) * Math.sin(latitude) ** 3;
      positions.push(
        radius * Math.sin(latitude) * Math.cos(longitude),
        radius * Math.sin(latitude) * Math.sin(longitude),
        radius * Math.cos(latitude),
      );
      const a = ring * rings + i,
        b = ring * rings + ((i + 1) % rings);
      if (ring > 0 && ring < rings) indices.push(a, b, a - rings);
      if (ring > 0 && ring < rings) indices.push(b, a, b + rings);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Closed cylinders, slightly above a box. */
function plateOfStuds(columns, rows, segments) {
  const positions = [];
  const indices = [];
  prism(
    [
      [0, 0],
      [10 * columns, 0],
      [10 * columns, 10 * rows],
      [0, 10 * rows],
    ],
    0,
    6,
  );
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      prism(
        Array.from({ length: segments }, (_, i) => {
          const angle = (2 * Math.PI * i) / segments;
          return [10 * column + 5 + 3 * Math.cos(angle), 10 * row + 5 + 3 * Math.sin(angle)];
        }),
        6.01,
        9,
      );
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };

  function prism(polygon, low, high) {
    const first = positions.length / 3,
      n = polygon.length;
    for (const z of [low, high]) for (const [x, y] of polygon) positions.push(x, y, z);
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      const corner = (k) => first + k;
      indices.push(corner(i), corner(j), corner(n + j), corner(i), corner(n + j), corner(n + i));
      if (i > 0 && j > 0) indices.push(corner(0), corner(j), corner(i), corner(n), corner(n + i), corner(n + j));
    }
  }
}
