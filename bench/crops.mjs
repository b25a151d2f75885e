/**
 * Pictures of one view of a drawing, and pictures of its pages: whether they find their drawing, and where they say
 * that they lie on it.
 *
 * Measured: the place of the right drawing (first, first three, worst) for one view cut out of the picture of a page at
 * several resolutions, closely (`tight`: 3 % of margin, dimensions cut off) and with its dimensions (`loose`), and for
 * the same view marked by a crop on the stored file or on a picture of its page. Then, for pictures of whole pages at
 * all, half and a quarter of the pixels, turned by 90° and by 7°: the place, and whether the position of the hit is
 * right to 1 % of the page's longer side, 1 % of the scale and 1°.
 *
 * Data: drawings made by code in many styles (parts/drawings.mjs), two of each family of parts; every second one is
 * asked for, its most detailed view or the second one in turn; sheets that are taken for documents are not. With --data
 * the vector drawings of DIR/pairs and DIR/drawings instead, whose views are those that the engine finds, in an order
 * that the seed decides. A file with the bytes of the right one is as right: of the 84 real drawings nine are twice.
 *
 * A drawing is asked for by up to nine pictures, each read in 1 to 3 s of processor time. --seconds N begins no further
 * drawing after N seconds of asking and prints what was found until then.
 *
 * npm run bench -- crops [--drawings N] [--queries N] [--seed N] [--library DIR] [--data DIR] [--rows WORD,…]
 *     [--seconds N] [--failures] [--json]
 */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Engine } from 'shapedex';
import { drawSheet, encoded, partsOfSheets } from './parts/drawings.mjs';
import { pagePicture, turnedByQuarters } from './support/crossmodal-queries.mjs';
import { benchOptions, machine } from './support/options.mjs';
import { seededRandom } from './support/software-camera.mjs';

/** Pixels on the longer side of the picture of a page. */
const PAGE_PX = 2000;
/** Pixels on the longer side of a drawing's page in which crops are stated. */
const CROP_PX = 1024;
/** Hits of a search; a file that is not among them has the next place. */
const MOST_PLACES = 200;
const RIGHT = 0.01;
const RIGHT_DEG = 1;

const args = benchOptions({
  drawings: { type: 'string', default: '130' },
  queries: { type: 'string', default: '65' },
  seed: { type: 'string', default: '1' },
  library: { type: 'string' },
  rows: { type: 'string', default: 'view,crop,page' },
  seconds: { type: 'string', default: 'Infinity' },
  failures: { type: 'boolean', default: false },
});
const seed = Number(args.seed);
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-crops-')));
const engine = await Engine.open(folder);
const rows = {};
let searchCpuMs = 0;
let searches = 0;
let readingMs = 0;
try {
  const company = await engine.company('crops');
  const sheets = args.data === undefined ? await madeSheets(company) : await givenSheets(company);
  const filledMs = performance.now();
  const asked = [];
  for (const sheet of sheets.slice(0, Number(args.queries))) {
    if (performance.now() - filledMs > 1_000 * Number(args.seconds)) break;
    await ask(company, sheet);
    asked.push(sheet);
    if (process.stderr.isTTY) process.stderr.write(`\r${asked.length}`);
  }
  console.log(
    `${(filledMs / 1_000).toFixed(0)} s until all drawings were indexed, then ` +
      `${((performance.now() - filledMs) / 1_000 / asked.length).toFixed(1)} s a drawing asked for, of which ` +
      `${(readingMs / 1_000 / asked.length).toFixed(1)} s reading its pictures`,
  );
  console.log(
    `${asked.length} of ${sheets.length} drawings asked for among ${(await company.list()).length}; ${await machine()}`,
  );
  for (const [name, found] of Object.entries(rows)) console.log(lineOf(name, found));
  console.log(`${(searchCpuMs / searches).toFixed(0)} ms of this process's processor time a search`);
  if (args.failures)
    for (const [name, found] of Object.entries(rows))
      for (const { sheet, place, position, truth } of found)
        if (place > 1 || (truth !== undefined && !isRight(position, truth)))
          console.log(name, sheet, place, position === undefined ? '' : shown(position), truth ? shown(truth) : '');
  if (args.json) console.log(JSON.stringify(rows));
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

/** Drawings made by code, put where the library lacks them; every second one is asked for. */
async function madeSheets(company) {
  const known = new Set((await company.list()).map(({ path }) => path));
  const parts = await partsOfSheets({ seed, count: Number(args.drawings) });
  const asked = [];
  for (const [i, own] of parts.entries()) {
    const name = `${String(i).padStart(3, '0')}-${own[0].name}`;
    const isAsked = i % 2 === 0;
    if (!isAsked && [...known].some((path) => path.startsWith(name))) continue;
    const sheet = await drawSheet(own, 1_000 * seed + i);
    const path = `${name}${sheet.extension}`;
    if (!known.has(path)) await company.put(path, sheet.bytes, { wait: false });
    // The most detailed view, or the second one: a person does not cut out a plain rectangle.
    const views = [...sheet.views].sort((a, b) => b.detail - a.detail);
    const view = views[Math.floor(i / 2) % Math.min(2, views.length)];
    const longer = Math.max(sheet.widthMm, sheet.heightMm);
    const share = (box) => box.map((value) => value / longer);
    const { file, shading } = sheet.style;
    if (isAsked)
      asked.push({
        name: `${name} (${file}, ${shading} shaded, ${view.side})`,
        path,
        page: (px) => sheet.page((25.4 * px) / longer),
        box: share(view.box),
        around: share(view.around),
        isPicture: !path.endsWith('.pdf'),
      });
  }
  await engine.idle();
  const documents = new Set((await company.list()).flatMap(({ path, kind }) => (kind === 'Text' ? [path] : [])));
  return asked.filter(({ path }) => !documents.has(path));
}

/** The vector drawings of a folder of labelled files, and the largest views that the engine finds on them. */
async function givenSheets(company) {
  const folders = ['pairs', 'drawings/pdf-vector', 'drawings/pdf-outline'];
  const asked = [];
  for (const name of folders) {
    const entries = await readdir(join(args.data, name), { recursive: true }).catch(() => []);
    for (const entry of entries.filter((file) => /\.pdf$/i.test(file)).sort()) {
      const path = `${name}/${entry}`;
      const bytes = await readFile(join(args.data, path));
      const { uid, state } = await company.put(path, bytes, { overwrite: true });
      if (state !== 'indexed') continue;
      const views = (await company.shapelets(uid)).filter(({ place }) => place.kind === 'page' && place.page === 1);
      if (views.length === 0) continue;
      const { widthPx, heightPx } = await pagePicture(bytes, 1, 20);
      const unit = Math.max(widthPx, heightPx);
      const { x, y, width, height } = views[Math.min(1, views.length - 1, asked.length % 2)].place.box;
      const box = [(x * widthPx) / unit, (y * heightPx) / unit, (width * widthPx) / unit, (height * heightPx) / unit];
      const page = (px) => pagePicture(bytes, 1, (20 * px) / unit);
      asked.push({ name: path, path, page, box, around: undefined, isPicture: false });
    }
  }
  return shuffled(asked);
}

/** In an order that the seed decides, so that a run that ends early has asked for drawings of all hands. */
function shuffled(asked) {
  const random = seededRandom(seed);
  return asked
    .map((sheet) => ({ sheet, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ sheet }) => sheet);
}

async function ask(company, { name, path, page, box, around, isPicture }) {
  const picture = await page(PAGE_PX);
  const { sha256, uid: storedUid } = (await company.list()).find((file) => file.path === path);
  const find = async (row, like, truth) => {
    const before = process.cpuUsage();
    const { hits } = await company.search({ like, kinds: ['TwoD', 'Image'], limit: MOST_PLACES, highlights: false });
    const { user, system } = process.cpuUsage(before);
    searchCpuMs += (user + system) / 1000;
    searches++;
    const at = hits.findIndex((hit) => hit.sha256 === sha256);
    (rows[row] ??= []).push({
      sheet: name,
      place: at < 0 ? hits.length + 1 : at + 1,
      ...(truth === undefined ? {} : { truth, position: hits[at]?.position }),
    });
  };
  // A picture that cannot be read counts as one that finds nothing, and the bench goes on.
  const asked = async (row, input, truth) => {
    try {
      await find(row, await input, truth);
    } catch (error) {
      (rows[row] ??= []).push({ sheet: `${name}: ${error.message}`, place: Infinity, ...(truth ? { truth } : {}) });
    }
  };
  const wanted = args.rows.split(',');
  const tight = widened(box, 0.03, picture);
  if (wanted.includes('view')) {
    for (const px of [PAGE_PX, PAGE_PX / 2])
      await asked(`view ${px}, tight`, pictureInput(company, cutOut(await page(px), tight)));
    if (around !== undefined)
      await asked(`view ${PAGE_PX}, loose`, pictureInput(company, cutOut(picture, widened(around, 0.03, picture))));
  }
  if (wanted.includes('crop')) {
    // The stored pictures of the generator have 150 dots an inch.
    const bytes = await encoded(picture, 'png');
    const { uid } = await company.putInput(bytes, { extension: '.png' });
    const unit = isPicture ? undefined : CROP_PX;
    if (unit !== undefined) await asked('crop of the file', { uid: storedUid, crop: cropOf(tight, unit) });
    await asked('crop of a picture of the page', {
      uid,
      crop: cropOf(tight, Math.max(picture.widthPx, picture.heightPx)),
    });
  }
  if (wanted.includes('page')) {
    for (const [row, px] of [
      ['page, all pixels', PAGE_PX],
      ['page, half', PAGE_PX / 2],
      ['page, quarter', PAGE_PX / 4],
    ])
      await asked(row, pictureInput(company, await page(px)), { x: 0, y: 0, deg: 0, scale: 1 });
    const long = Math.max(picture.widthPx, picture.heightPx);
    await asked('page, turned by 90°', pictureInput(company, turnedByQuarters(picture, 1)), {
      x: picture.heightPx / long,
      y: 0,
      deg: 90,
      scale: 1,
    });
    const { turned, truth } = await turnedPage(picture, 7);
    await asked('page, turned by 7°', pictureInput(company, turned), truth);
  }
}

/** Stored as a search input, so that the time of a search does not contain reading it. */
async function pictureInput(company, picture) {
  const started = performance.now();
  const { uid, state } = await company.putInput(await encoded(picture, 'png'), { extension: '.png' });
  readingMs += performance.now() - started;
  if (state !== 'indexed') throw new Error(`the input is ${state}`);
  return { uid };
}

/** A box with a margin of a share of its longer side, within the page; in shares of the page's longer side. */
function widened([x, y, width, height], margin, { widthPx, heightPx }) {
  const by = margin * Math.max(width, height),
    unit = Math.max(widthPx, heightPx);
  const [left, top] = [Math.max(0, x - by), Math.max(0, y - by)];
  return [left, top, Math.min(widthPx / unit, x + width + by) - left, Math.min(heightPx / unit, y + height + by) - top];
}

function cropOf(box, unit) {
  const [x, y, width, height] = box.map((value) => Math.round(unit * value));
  return { x, y, width: Math.max(1, width), height: Math.max(1, height) };
}

function cutOut({ widthPx, heightPx, gray }, box) {
  const crop = cropOf(box, Math.max(widthPx, heightPx));
  const width = Math.min(crop.width, widthPx - crop.x),
    height = Math.min(crop.height, heightPx - crop.y);
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (crop.y + row) * widthPx + crop.x;
    pixels.set(gray.subarray(from, from + width), row * width);
  }
  return { widthPx: width, heightPx: height, gray: pixels };
}

/** A page turned clockwise about its middle on a larger white sheet, and where it lies there. */
async function turnedPage({ widthPx, heightPx, gray }, deg) {
  const { data, info } = await sharp(gray, { raw: { width: widthPx, height: heightPx, channels: 1 } })
    .rotate(deg, { background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const own = Math.max(widthPx, heightPx),
    long = Math.max(info.width, info.height);
  const scale = own / long,
    angle = (deg * Math.PI) / 180;
  const [u, v] = [widthPx / 2 / own, heightPx / 2 / own].map((half) => half * scale);
  const truth = {
    x: info.width / 2 / long - (u * Math.cos(angle) - v * Math.sin(angle)),
    y: info.height / 2 / long - (u * Math.sin(angle) + v * Math.cos(angle)),
    deg,
    scale,
  };
  return { turned: { widthPx: info.width, heightPx: info.height, gray: new Uint8Array(data) }, truth };
}

function isRight(position, { x, y, deg, scale }) {
  if (position === undefined) return false;
  const off = (position.rotationRad * 180) / Math.PI - deg;
  return (
    Math.abs(position.x - x) <= RIGHT &&
    Math.abs(position.y - y) <= RIGHT &&
    Math.abs(off - 360 * Math.round(off / 360)) <= RIGHT_DEG &&
    Math.abs(position.scale / scale - 1) <= RIGHT
  );
}

function shown({ x, y, rotationRad, deg = (rotationRad * 180) / Math.PI, scale }) {
  return [x, y, deg, scale].map((value) => value.toFixed(3)).join(',');
}

function lineOf(name, found) {
  const share = (count) => `${((100 * count) / found.length).toFixed(1)} %`.padStart(7);
  const within = (most) => share(found.filter(({ place }) => place <= most).length);
  const worst = Math.max(...found.map(({ place }) => place));
  const told = found.filter(({ truth }) => truth !== undefined);
  const right = told.filter(({ position, truth }) => isRight(position, truth)).length;
  return (
    `${name.padEnd(30)} first ${within(1)}  three ${within(3)}  worst ${String(worst).padStart(4)}` +
    (told.length === 0 ? '' : `  position ${share(right)}`)
  );
}
