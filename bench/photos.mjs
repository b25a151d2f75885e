/**
 * Photos of parts, made by another renderer than the product's → their models, through the public API.
 *
 * Measured: the place of the right model among all models: share of photos where it is first and in the first ten, by
 * background; and what failed. `found`: the photo as it is. `cut out`: the same photo with the part alone, cut out by
 * its exact mask, so that finding the object cannot fail: what is lost there is lost by ranking. IoU is that of the
 * object's pixels as found with the exact mask. A photo that is not found in the first ten counts as `object` where
 * the cut-out one is, and as `ranking` otherwise.
 *
 * Data: models are parts/reference.mjs of seed 21, the photos support/photo-scene.mjs of --seed; nothing that is in
 * `src/tables` was learned from them. With --data DIR the models are those of DIR/parts instead.
 * With --turned each photo is asked once for each of these angles, clockwise, degrees; corners are filled with the mean
 * of its border. --out FILE.png draws the photos that are not in the first ten: red what was found, blue what is there.
 *
 * npm run bench -- photos [--models 320] [--photos 100] [--seed 1] [--styles plain,graded,table,wood,clutter]
 *     [--turned 0,90,180,270,30] [--cut-out] [--data DIR] [--library DIR] [--out FILE.png] [--json]
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Engine } from 'shapedex';
import { Core } from '../dist/core/core.js';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { decodeGray, withMore } from '../dist/readers/pixels/gray-pictures.js';
import { readContent } from '../dist/readers/read.js';
import { placeMeshes } from '../dist/shapelets/model/mesh.js';
import { findObject } from '../dist/shapelets/scan/object-mask.js';
import { referenceParts } from './parts/reference.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { cutOut, PHOTO_STYLES, photoScene } from './support/photo-scene.mjs';
import { seededRandom } from './support/software-camera.mjs';

const SEED_OF_MODELS = 21;
const FIRST_TEN = 10;
const TILE = 240;

const args = benchOptions({
  models: { type: 'string', default: '320' },
  photos: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  styles: { type: 'string', default: PHOTO_STYLES.join(',') },
  turned: { type: 'string', default: '0' },
  'cut-out': { type: 'boolean', default: false },
  library: { type: 'string' },
  out: { type: 'string' },
});
const styles = args.styles.split(',');
const turns = args.turned.split(',').map(Number);
const core = await Core.load();
const models = args.data === undefined ? await partsByCode() : await partsOf(args.data);
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-photos-')));
const isNew = !existsSync(join(folder, 'catalog.sqlite'));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('photos');
  if (isNew) await fill(company);
  const rows = [];
  const random = seededRandom(Number(args.seed));
  for (let i = 0; i < Number(args.photos); i++) {
    const model = models[Math.floor(random() * models.length)];
    const style = styles[i % styles.length];
    const photo = await photoScene(await model.mesh(), { seed: 7919 * Number(args.seed) + i, style });
    for (const deg of turns)
      rows.push({ name: model.path, style, deg, ...(await measure(company, model, await turnedBy(photo, deg))) });
  }
  for (const deg of turns) {
    if (turns.length > 1) console.log(`turned by ${deg}°`);
    for (const style of [...styles, 'all'])
      print(
        style,
        rows.filter((row) => row.deg === deg),
      );
  }
  if (args.out !== undefined) await draw(rows.filter(({ found }) => found > FIRST_TEN));
  const figures = rows.map(({ photo: _, object: __, ...row }) => row);
  if (args.json) console.log(JSON.stringify(figures));
  console.log(`${models.length} models; ${await machine()}`);
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

async function partsByCode() {
  const parts = [];
  for await (const part of referenceParts({ seed: SEED_OF_MODELS, count: Number(args.models) }))
    parts.push({ path: `${part.name}.stl`, bytes: async () => stlOf(part), mesh: async () => part });
  return parts;
}

async function partsOf(data) {
  const [, ...lines] = (await readFile(join(data, 'parts', 'manifest.csv'), 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const path = `parts/${line.split(',')[0]}`;
    const bytes = () => readFile(join(data, path));
    const mesh = async () =>
      placeMeshes(await readContent(await bytes(), path, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' }));
    return { path, bytes, mesh };
  });
}

async function fill(company) {
  for (let first = 0; first < models.length; first += 32) {
    for (const { path, bytes } of models.slice(first, first + 32))
      await company.put(path, new Uint8Array(await bytes()), { wait: false });
    await engine.idle();
  }
}

/** The photo turned clockwise, with its mask. */
async function turnedBy(photo, deg) {
  if (deg === 0) return photo;
  const { rgb, mask, widthPx, heightPx } = photo;
  const turned = (bytes, channels, background) =>
    sharp(bytes, { raw: { width: widthPx, height: heightPx, channels } })
      .rotate(deg, { background })
      .raw()
      .toBuffer({ resolveWithObject: true });
  const colors = await turned(rgb, 3, borderOf(photo)),
    cover = await turned(
      mask.map((value) => 255 * value),
      1,
      '#000',
    );
  const { width, height } = colors.info;
  const jpeg = await sharp(colors.data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
  const step = cover.info.channels;
  const turnedMask = Uint8Array.from({ length: width * height }, (_, i) => (cover.data[step * i] > 127 ? 1 : 0));
  return { ...photo, jpeg, rgb: new Uint8Array(colors.data), mask: turnedMask, widthPx: width, heightPx: height };
}

/** The mean color of the border. */
function borderOf({ rgb, widthPx, heightPx }) {
  const sums = [0, 0, 0];
  let count = 0;
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x += y === 0 || y === heightPx - 1 ? 1 : widthPx - 1, count++)
      for (let color = 0; color < 3; color++) sums[color] += rgb[3 * (y * widthPx + x) + color];
  const [r, g, b] = sums.map((sum) => Math.round(sum / count));
  return { r, g, b };
}

async function measure(company, { path }, photo) {
  const open = () => sharp(photo.jpeg);
  const picture = await withMore(await decodeGray(open()), Math.max(photo.widthPx, photo.heightPx), open);
  const object = findObject(picture, core);
  const { place, ms } = await placeOf(company, path, photo.jpeg, '.jpg');
  const cut = args['cut-out'] ? await placeOf(company, path, await cutOut(photo), '.png') : undefined;
  return { found: place, ms, cut: cut?.place, iou: iouOf(object, photo), isCut: photo.isCut, photo, object };
}

async function placeOf(company, path, bytes, extension) {
  const { uid } = await company.putInput(new Uint8Array(bytes), { extension });
  const began = process.cpuUsage();
  const { hits } = await company.search({ like: { uid }, kinds: ['ThreeD'], limit: 1000, highlights: false });
  const { user, system } = process.cpuUsage(began);
  const at = hits.findIndex((hit) => hit.path === path);
  return { place: at < 0 ? Infinity : at + 1, ms: (user + system) / 1_000 };
}

function iouOf(object, { mask, widthPx, heightPx }) {
  let both = 0,
    either = 0;
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const isFound = object !== undefined && isIn(object, x, y),
        isThere = mask[y * widthPx + x] === 1;
      if (isFound && isThere) both++;
      if (isFound || isThere) either++;
    }
  }
  return both / Math.max(1, either);
}

function isIn({ box, mask, scale }, x, y) {
  const u = Math.floor((x + 0.5) / scale) - box.x0,
    v = Math.floor((y + 0.5) / scale) - box.y0;
  return u >= 0 && v >= 0 && u < mask.width && v < mask.height && mask.bits[v * mask.width + u] === 1;
}

function print(style, all) {
  const rows = all.filter((row) => style === 'all' || row.style === style);
  if (rows.length === 0) return;
  const share = (key, most) => ((100 * rows.filter((row) => row[key] <= most).length) / rows.length).toFixed(1);
  const ious = rows.map(({ iou }) => iou);
  const lost = rows.filter(({ found }) => found > FIRST_TEN);
  const byObject = lost.filter(({ cut }) => cut <= FIRST_TEN).length;
  const cut = args['cut-out']
    ? `; cut out ${share('cut', 1)} / ${share('cut', FIRST_TEN)}; ` +
      `lost by object ${byObject}, by ranking ${lost.length - byObject}`
    : '';
  console.log(
    `${style.padEnd(8)} ${rows.length} photos: first ${share('found', 1)}, ` +
      `first ten ${share('found', FIRST_TEN)} %${cut}; ` +
      `IoU mean ${(ious.reduce((sum, iou) => sum + iou, 0) / rows.length).toFixed(3)}, ` +
      `median ${quantile(ious, 0.5).toFixed(3)}; ` +
      `search ${quantile(
        rows.map(({ ms }) => ms),
        0.5,
      ).toFixed(0)} ms of processor time`,
  );
}

/** The photos side by side with what was found and what is there. */
async function draw(rows) {
  const columns = 6;
  const tiles = await Promise.all(
    rows.map(async ({ photo, object }, i) => {
      const { widthPx, heightPx, mask } = photo;
      const rgb = Buffer.from(photo.rgb);
      for (let at = 0; at < mask.length; at++) {
        if (object !== undefined && isIn(object, at % widthPx, Math.floor(at / widthPx))) rgb[3 * at] = 255;
        if (mask[at] === 1) rgb[3 * at + 2] = 255;
      }
      const input = await sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } })
        .resize(TILE, TILE, { fit: 'contain' })
        .png()
        .toBuffer();
      return { input, left: (i % columns) * TILE, top: Math.floor(i / columns) * TILE };
    }),
  );
  const height = TILE * Math.max(1, Math.ceil(rows.length / columns));
  const sheet = sharp({ create: { width: columns * TILE, height, channels: 3, background: 'black' } });
  await writeFile(args.out, await sheet.composite(tiles).png().toBuffer());
}

/** Binary STL. */
function stlOf({ positions, indices }) {
  const bytes = Buffer.alloc(84 + 50 * (indices.length / 3));
  bytes.writeUInt32LE(indices.length / 3, 80);
  for (let corner = 0; corner < indices.length; corner++) {
    const at = 84 + 50 * Math.floor(corner / 3) + 12 + 12 * (corner % 3);
    for (let axis = 0; axis < 3; axis++) bytes.writeFloatLE(positions[3 * indices[corner] + axis], at + 4 * axis);
  }
  return bytes;
}
