/**
 * Queries for the bench across kinds, generated from models and drawings; a seed determines every byte.
 *
 * scanOf       a page of line work as from a scanner: 150 dpi, rotated by up to ±5°, grey paper, uneven light, blur,
 * noise,
 *              JPEG.
 * photoOf      a model as a camera sees it: any pose, perspective, shaded by a random light, background plain, graded
 * or
 *              with a vignette, with or without a soft shadow; noise, JPEG.
 * sketchOf     a model as a person draws it from one of the six axis directions: outline and strong inner edges with a
 *              pen of varying width, shaky, with gaps and overshoot, without small details, on grainy paper; PNG.
 * pagePicture  a page of a PDF as grey pixels, for scanOf.
 *
 * All pictures are made by the software camera of this folder, not by the core's renderer.
 */
import sharp from 'sharp';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { drawPage, openPdf } from '../../dist/readers/pdf-file/pdfjs.js';
import { strokesOf } from './sketch-strokes.mjs';
import { blur, gaussian, poseMesh, randomRotation, rasterise, seededRandom } from './software-camera.mjs';

/** Resolution of scans, per inch. */
export const SCAN_DPI = 150;
/** Sizes of photos and sketches, pixels. */
const PHOTO = { width: 640, height: 520 };
const SKETCH = { width: 900, height: 760 };

/** A page of a PDF on white: { widthPx, heightPx, gray }. Pages count from 1. */
export async function pagePicture(pdf, page, dpi = SCAN_DPI) {
  const document = await openPdf(new Uint8Array(pdf), DEFAULT_LIMITS, { images: true });
  try {
    const { widthPx, heightPx, rgba } = await drawPage(document, await document.getPage(page), dpi / 72);
    const raw = { width: widthPx, height: heightPx, channels: 4 };
    const gray = await sharp(Buffer.from(rgba.buffer, rgba.byteOffset, rgba.byteLength), { raw })
      .flatten({ background: 'white' })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    return { widthPx, heightPx, gray: new Uint8Array(gray) };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** A page rotated clockwise by a number of quarter turns. */
export function turnedByQuarters({ widthPx, heightPx, gray }, quarters) {
  if (quarters === 0) return { widthPx, heightPx, gray };
  const turned = new Uint8Array(gray.length);
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) turned[x * heightPx + heightPx - 1 - y] = gray[y * widthPx + x];
  return turnedByQuarters({ widthPx: heightPx, heightPx: widthPx, gray: turned }, quarters - 1);
}

/** The angle by which {@link scanOf} turns a page about its middle, radians clockwise. */
export function scanAngleRad(seed) {
  return angleFrom(seededRandom(seed));
}

const angleFrom = (random) => ((10 * random() - 5) * Math.PI) / 180;

/** A page ({ widthPx, heightPx, gray }) as from a scanner, JPEG. */
export function scanOf({ widthPx, heightPx, gray }, seed) {
  const random = seededRandom(seed);
  const angle = angleFrom(random);
  const paper = 228 + 22 * random(),
    contrast = 0.75 + 0.2 * random(),
    noise = 3 + 5 * random(),
    slope = 14 * (random() - 0.5);
  const softened = blurSlightly(gray, widthPx, heightPx, 0.12 + 0.2 * random());
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const scan = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const u = x - widthPx / 2,
        v = y - heightPx / 2;
      const value = sample(
        softened,
        widthPx,
        heightPx,
        u * cos + v * sin + widthPx / 2,
        v * cos - u * sin + heightPx / 2,
      );
      const light = paper + slope * ((u + v) / (widthPx + heightPx)) * 2;
      scan[y * widthPx + x] = clamp(light * (1 - contrast * (1 - value / 255)) + noise * gaussian(random));
    }
  }
  return sharp(scan, { raw: { width: widthPx, height: heightPx, channels: 1 } })
    .jpeg({ quality: Math.round(50 + 30 * random()) })
    .toBuffer();
}

/** A mesh ({ positions, indices }) as a camera sees it, JPEG. */
export function photoOf(mesh, seed) {
  const random = seededRandom(seed);
  const posed = poseMesh(mesh, randomRotation(random));
  // Rendered at twice the resolution, then averaged.
  const width = 2 * PHOTO.width,
    height = 2 * PHOTO.height;
  const fieldRad = ((22 + 18 * random()) * Math.PI) / 180,
    distance = 1.15 / Math.sin(fieldRad / 2);
  const focal = height / 2 / Math.tan(fieldRad / 2);
  const shift = [0.06 * width * (random() - 0.5), 0.06 * height * (random() - 0.5)];
  const { depth, normals } = rasterise(posed, width, height, (x, y, z) => {
    const away = distance - z;
    return [width / 2 + shift[0] + (focal * x) / away, height / 2 + shift[1] - (focal * y) / away, away];
  });
  const tone = 0.25 + 0.5 * random(),
    ambient = 0.25 + 0.2 * random(),
    gloss = 0.35 * random();
  const light = unit([1.6 * (random() - 0.5), 0.3 + random(), 0.5 + random()]);
  const half = unit([light[0], light[1], light[2] + 1]);
  const style = ['plain', 'graded', 'vignette'][Math.floor(3 * random())],
    hasShadow = random() < 0.5;
  const bright = random() < 0.6 ? 0.9 + 0.1 * random() : 0.55 + 0.3 * random(),
    change = style === 'plain' ? 0 : 0.1 + 0.12 * random(),
    direction = 2 * Math.PI * random();
  const cover = Float32Array.from(depth, (value) => (value < Infinity ? 1 : 0));
  const shadow = hasShadow ? blur(cover, width, height, 36 + 30 * random()) : undefined;
  const fallX = Math.round(-60 * light[0]),
    fallY = Math.round(50 + 40 * random()),
    deep = 0.25 + 0.2 * random();
  const full = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (cover[at] === 1) {
        const n = unit([normals[3 * at], normals[3 * at + 1], normals[3 * at + 2]]);
        // Faces of open or wrongly oriented meshes are lit on both sides.
        const side = n[2] < 0 ? -1 : 1;
        const lit = Math.max(0, side * dot(n, light)),
          fill = 0.25 * Math.max(0, side * (-0.6 * n[0] + 0.3 * n[1] + 0.74 * n[2]));
        full[at] = tone * (ambient + 0.75 * lit + fill) + gloss * Math.max(0, side * dot(n, half)) ** 24;
        continue;
      }
      const u = (2 * x) / width - 1,
        v = (2 * y) / height - 1;
      const along =
        style === 'vignette' ? (u * u + v * v) / 2 : (1 + u * Math.cos(direction) + v * Math.sin(direction)) / 2;
      const shade =
        shadow === undefined
          ? 0
          : deep *
            (shadow[
              Math.min(height - 1, Math.max(0, y - fallY)) * width + Math.min(width - 1, Math.max(0, x - fallX))
            ] ?? 0);
      full[at] = bright * (1 - change * along) * (1 - shade);
    }
  }
  const noise = 1 + 2.5 * random();
  const photo = new Uint8Array(PHOTO.width * PHOTO.height);
  for (let y = 0; y < PHOTO.height; y++) {
    for (let x = 0; x < PHOTO.width; x++) {
      const at = 2 * y * width + 2 * x;
      const mean = (full[at] + full[at + 1] + full[at + width] + full[at + width + 1]) / 4;
      photo[y * PHOTO.width + x] = clamp(255 * Math.min(1, mean) + noise * gaussian(random));
    }
  }
  return sharp(photo, { raw: { ...PHOTO, channels: 1 } })
    .toColourspace('srgb')
    .jpeg({ quality: Math.round(75 + 20 * random()) })
    .toBuffer();
}

/**
 * A mesh ({ positions, indices }) as a person draws it, PNG: from one of the six axis directions, or as `seen` says.
 * seen.turn: rotation that turns the viewing direction to the camera, row-major 3 × 3; seen.oblique: how far depth
 * moves a point to the right and up, for each unit: [.354, .354] for a cabinet projection.
 */
export function sketchOf(mesh, seed, seen = {}) {
  const random = seededRandom(seed);
  const { width, height } = SKETCH;
  const front = AXIS_VIEWS[Math.floor(6 * random())];
  const turn = seen.turn ?? front;
  const strokes =
    seen.oblique === undefined ? strokesOf(mesh, turn) : strokesOf(obliqueOf(mesh, turn, seen.oblique), AXIS_VIEWS[0]);
  const box = boxOfStrokes(strokes);
  const scale = Math.min((0.72 * width) / (box.x1 - box.x0 || 1), (0.72 * height) / (box.y1 - box.y0 || 1));
  const size = scale * Math.max(box.x1 - box.x0, box.y1 - box.y0);
  const tilt = ((6 * random() - 3) * Math.PI) / 180,
    middle = [width / 2 + 30 * (random() - 0.5), height / 2 + 30 * (random() - 0.5)];
  const warp = [0, 1].map(() => waves(random, 3, 0.5 * size, 0.009 * size));
  const place = ([x, y]) => {
    const u = scale * (x - (box.x0 + box.x1) / 2),
      v = scale * (y - (box.y0 + box.y1) / 2);
    const px = u * Math.cos(tilt) - v * Math.sin(tilt) + middle[0],
      py = u * Math.sin(tilt) + v * Math.cos(tilt) + middle[1];
    return [px + warp[0](px + 0.7 * py), py + warp[1](py - 0.6 * px)];
  };
  const ink = new Float32Array(width * height),
    drawn = new Uint8Array(width * height);
  const pen = 2.2 + 1.6 * random();
  const near = Math.max(3, 0.011 * size);
  for (const stroke of [...strokes].sort((a, b) => lengthOf(b) - lengthOf(a))) {
    const path = resample(stroke.map(place), 2);
    // A person draws neither tiny details nor a line over an existing one.
    if (2 * path.length < 0.035 * size) continue;
    const fresh = path.filter(([x, y]) => drawn[Math.round(y) * width + Math.round(x)] !== 1).length;
    if (fresh < 0.5 * path.length) continue;
    for (const [x, y] of path) stamp(width, height, x, y, near, (at) => (drawn[at] = 1));
    drawStroke(ink, path, size, pen, random);
  }
  const paper = 238 + 14 * random(),
    dark = 0.72 + 0.2 * random(),
    slope = 16 * (random() - 0.5);
  const grain = blur(
    Float32Array.from({ length: width * height }, () => gaussian(random)),
    width,
    height,
    1,
  );
  const sketch = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const light = paper + slope * (x / width + y / height - 1) + 5 * grain[at] + 1.2 * gaussian(random);
      sketch[at] = clamp(light * (1 - Math.min(1, ink[at]) * dark * (1 + 0.25 * grain[at])));
    }
  }
  return sharp(sketch, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

/** A mesh, turned to the camera, whose points depth moves to the right and up. */
function obliqueOf({ positions, indices }, turn, [right, up]) {
  const moved = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, toward] = [0, 3, 6].map((row) =>
      [0, 1, 2].reduce((sum, axis) => sum + turn[row + axis] * positions[i + axis], 0),
    );
    moved.set([x - right * toward, y - up * toward, toward], i);
  }
  return { positions: moved, indices };
}

/** The six axis directions, as rotations that turn them to the camera. */
const AXIS_VIEWS = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [-1, 0, 0, 0, 1, 0, 0, 0, -1],
  [0, 1, 0, 0, 0, 1, 1, 0, 0],
  [0, -1, 0, 0, 0, 1, -1, 0, 0],
  [-1, 0, 0, 0, 0, 1, 0, 1, 0],
  [1, 0, 0, 0, 0, 1, 0, -1, 0],
];

/** One stroke of the pen: it trembles sideways, its width and pressure vary, it ends early or late, and has gaps. */
function drawStroke(ink, path, size, pen, random) {
  const { width, height } = SKETCH;
  const step = 2;
  const isClosed = Math.hypot(path[0][0] - path.at(-1)[0], path[0][1] - path.at(-1)[1]) < 3;
  const tremble = waves(random, 4, 0.2 * size, 0.003 * size),
    thick = waves(random, 3, 0.25 * size, 0.3);
  const end = () => (isClosed ? 0.012 * random() : 0.022 * random() - 0.012) * size;
  const points = extend(path, -Math.min(0, end()), -Math.min(0, end()));
  const from = Math.max(0, end()) / step,
    to = points.length - Math.max(0, end()) / step;
  const gaps = [];
  for (let at = (0.15 + 0.5 * random()) * size; at < step * points.length; at += (0.25 + 0.6 * random()) * size)
    gaps.push([at, at + (0.008 + 0.03 * random()) * size]);
  for (let i = 0; i + 1 < points.length; i++) {
    const along = step * i;
    if (i < from || i > to || gaps.some(([begin, finish]) => along > begin && along < finish)) continue;
    const [x, y] = points[i],
      [nx, ny] = points[i + 1];
    const length = Math.hypot(nx - x, ny - y) || 1,
      off = tremble(along);
    const radius = Math.max(0.6, (pen / 2) * (1 + thick(along)));
    for (let part = 0; part < 2; part++) {
      const px = x + ((nx - x) * part) / 2 - ((ny - y) / length) * off,
        py = y + ((ny - y) * part) / 2 + ((nx - x) / length) * off;
      stamp(
        width,
        height,
        px,
        py,
        radius + 0.5,
        (at, away) => (ink[at] = Math.max(ink[at], Math.min(1, radius + 0.5 - away))),
      );
    }
  }
}

function stamp(width, height, x, y, radius, put) {
  for (let v = Math.max(0, Math.floor(y - radius)); v <= Math.min(height - 1, Math.ceil(y + radius)); v++) {
    for (let u = Math.max(0, Math.floor(x - radius)); u <= Math.min(width - 1, Math.ceil(x + radius)); u++) {
      const away = Math.hypot(u - x, v - y);
      if (away <= radius) put(v * width + u, away);
    }
  }
}

/** A smooth random function: a sum of sines around a wavelength. */
function waves(random, count, length, amplitude) {
  const parts = Array.from({ length: count }, () => [
    (2 * Math.PI) / (length * (0.5 + random())),
    2 * Math.PI * random(),
    0.4 + random(),
  ]);
  return (at) =>
    parts.reduce((sum, [rate, phase, weight]) => sum + weight * Math.sin(rate * at + phase), 0) *
    (amplitude / Math.sqrt(count));
}

function boxOfStrokes(strokes) {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const [x, y] of strokes.flat()) {
    box.x0 = Math.min(box.x0, x);
    box.x1 = Math.max(box.x1, x);
    box.y0 = Math.min(box.y0, y);
    box.y1 = Math.max(box.y1, y);
  }
  return box;
}

function lengthOf(path) {
  let length = 0;
  for (let i = 1; i < path.length; i++) length += Math.hypot(path[i][0] - path[i - 1][0], path[i][1] - path[i - 1][1]);
  return length;
}

/** Points every `step` along a path. */
function resample(path, step) {
  const points = [path[0]];
  let left = step;
  for (let i = 1; i < path.length; i++) {
    const [[x0, y0], [x1, y1]] = [path[i - 1], path[i]];
    const length = Math.hypot(x1 - x0, y1 - y0);
    let at = left;
    for (; at <= length; at += step) points.push([x0 + ((x1 - x0) * at) / length, y0 + ((y1 - y0) * at) / length]);
    left = at - length;
  }
  return points;
}

/** The path, extended at both ends in its direction, with the same distance between points. */
function extend(path, before, after) {
  const beyond = (end, inner, distance) => {
    const length = Math.hypot(end[0] - inner[0], end[1] - inner[1]) || 1;
    return Array.from({ length: Math.floor(distance / 2) }, (_, i) =>
      [0, 1].map((k) => end[k] + ((end[k] - inner[k]) / length) * 2 * (i + 1)),
    );
  };
  const inner = Math.min(path.length - 1, 4);
  return [
    ...beyond(path[0], path[inner], before).reverse(),
    ...path,
    ...beyond(path.at(-1), path[path.length - 1 - inner], after),
  ];
}

function blurSlightly(gray, width, height, share) {
  const blurred = new Float32Array(gray.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const sides =
        (x > 0 ? gray[at - 1] : 255) +
        (x < width - 1 ? gray[at + 1] : 255) +
        (y > 0 ? gray[at - width] : 255) +
        (y < height - 1 ? gray[at + width] : 255);
      blurred[at] = (1 - 4 * share * 0.5) * gray[at] + share * 0.5 * sides;
    }
  }
  return blurred;
}

/** Bilinear; white outside. */
function sample(values, width, height, x, y) {
  const left = Math.floor(x),
    top = Math.floor(y);
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255;
  const at = top * width + left,
    dx = x - left,
    dy = y - top;
  return (
    (1 - dy) * ((1 - dx) * values[at] + dx * values[at + 1]) +
    dy * ((1 - dx) * values[at + width] + dx * values[at + width + 1])
  );
}

const clamp = (value) => Math.max(0, Math.min(255, Math.round(value)));
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (v) => {
  const length = Math.hypot(...v) || 1;
  return v.map((value) => value / length);
};
