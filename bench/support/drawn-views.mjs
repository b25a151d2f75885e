/** Views, pictures and page layouts as files of `bench views-scale` have them: rotated polygons with round holes. */
import { uprightOf } from '../../dist/core/view-facts.js';
import { LAYOUT_BYTES, LAYOUT_SIDE } from '../../dist/descriptors/layouts.js';
import { packPictures } from '../../dist/descriptors/pack-pictures.js';
import { VIEWS_VERSION, VIEW_BYTES, describeViews } from '../../dist/descriptors/views.js';

const POOL = 2_000;
const CAMERA = { kind: 'camera', direction: [0, 0, 1], up: [0, 1, 0], scaleMmPerPixel: 1 };
const PAGE = { kind: 'page', page: 1, box: { x: 0.2, y: 0.2, width: 0.3, height: 0.3 } };
const PLACES = { ThreeD: CAMERA, TwoD: PAGE, Image: PAGE };
const VIEWS_OF = { ThreeD: 30, TwoD: 4, Image: 1 };

/**
 * Draws and describes a pool of views.
 * @param {import('../../dist/core-entry.js').Core} core
 * @param {() => number} random
 * @returns {(kind: 'ThreeD' | 'TwoD' | 'Image') => object} the views of one file, from the pool and with noise, as the
 * store takes them
 */
export function viewMaker(core, random) {
  const drawn = Array.from({ length: POOL }, () => drawView(random));
  const pools = Object.fromEntries(
    Object.entries(PLACES).map(([kind, place]) => [
      kind,
      describeViews(
        core,
        drawn.map((pictures) => shapeletOf(pictures, place)),
      ),
    ]),
  );
  return (kind) => viewsOf(kind, pools[kind], drawn, random);
}

function viewsOf(kind, pool, drawn, random) {
  const count = VIEWS_OF[kind];
  const bytes = new Uint8Array(count * VIEW_BYTES);
  const chosen = Array.from({ length: count }, () => Math.floor(random() * POOL));
  chosen.forEach((view, i) => {
    const row = bytes.subarray(i * VIEW_BYTES, (i + 1) * VIEW_BYTES);
    row.set(pool.subarray(view * VIEW_BYTES, (view + 1) * VIEW_BYTES));
    for (let k = 0; k < 24; k++) row[Math.floor(random() * 128)] ^= 1 << Math.floor(random() * 8);
    for (let k = 128; k < 640; k++)
      if (random() < 0.2) row[k] = Math.max(0, Math.min(255, row[k] + Math.floor(random() * 17) - 8));
  });
  const place = PLACES[kind];
  return {
    version: VIEWS_VERSION,
    bytes,
    first: uprightOf(bytes, VIEW_BYTES),
    shapelets: chosen.map(() => ({ place, size: [0.3, 0.3], isToScale: kind === 'ThreeD' })),
    numbersMm: kind === 'TwoD' ? [120, 80, 35.5, 12, 8] : [],
    extentsMm: kind === 'ThreeD' ? [100, 50, 20, 90, 55, 20] : [],
    pictures: kind === 'ThreeD' ? null : packPictures(chosen.map((view) => drawn[view].lines)),
    ...(kind === 'ThreeD' ? {} : { layouts: layoutOf(random) }),
  };
}

function shapeletOf({ mask, lines }, place) {
  return { place, mask, lines, hiddenLines: new Uint8Array(), size: [0.3, 0.3], isToScale: false };
}

/** A layout of ink: some boxes on a page. */
function layoutOf(random) {
  const layout = new Uint8Array(LAYOUT_BYTES);
  for (let box = 0; box < 8; box++) {
    const x = Math.floor(28 * random()),
      y = Math.floor(28 * random()),
      width = 1 + Math.floor(12 * random()),
      ink = 20 + 60 * random();
    for (let row = y; row < Math.min(LAYOUT_SIDE, y + 1 + 10 * random()); row++)
      layout.fill(ink, row * LAYOUT_SIDE + x, row * LAYOUT_SIDE + Math.min(LAYOUT_SIDE, x + width));
  }
  return layout;
}

/** A polygon with round holes, filled and in outline. */
function drawView(random) {
  const corners = 3 + Math.floor(random() * 6);
  const wide = 0.3 + 0.7 * random();
  const outline = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners,
      radius = 18 + 12 * random();
    return [32 + radius * Math.cos(angle), 32 + wide * radius * Math.sin(angle)];
  });
  const holes = Array.from({ length: Math.floor(random() * 4) }, () => [
    20 + 24 * random(),
    24 + 16 * random(),
    2 + 4 * random(),
  ]);
  const mask = new Uint8Array(64 * 64),
    lines = new Uint8Array(64 * 64);
  for (let i = 0; i < mask.length; i++) {
    const x = (i % 64) + 0.5,
      y = Math.floor(i / 64) + 0.5;
    let inside = false;
    outline.forEach(([ax, ay], k) => {
      const [bx, by] = outline[(k + 1) % corners];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    });
    if (inside && !holes.some(([hx, hy, radius]) => Math.hypot(x - hx, y - hy) < radius)) mask[i] = 255;
  }
  for (let i = 65; i < mask.length - 65; i++)
    if (mask[i] > 0 && (mask[i - 1] === 0 || mask[i + 1] === 0 || mask[i - 64] === 0 || mask[i + 64] === 0))
      lines[i] = 255;
  return { mask, lines };
}
