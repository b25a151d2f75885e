/**
 * A drawing that was saved anew: by other writers (SVG, DXF), moved or scaled on its paper, as a picture, as a scan;
 * and revisions of it with one change.
 *
 * Measured, for each way: how often the drawing is the first hit, what is said of it (`similarity`, quartiles), how
 * often it is called `identical`, and the greatest similarity that is said of another file. A revision must not be
 * identical.
 *
 * Data: sheets made by code (parts/drawings.mjs, lines, PDF): parts in four proportions each, the four on the same form
 * in the same style, so that much of their ink is the same.
 *
 * With `--siblings N` so many sheets of each of the first `--families F` ones that have a hole are stored beside them,
 * with this hole elsewhere, and these F sheets are asked for: a copy must be told whatever stands beside it.
 *
 * npm run bench -- saved-anew [--parts N] [--seed N] [--ways svg,dxf,...] [--siblings N] [--families F] [--list]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { drawSheet, encoded, partsOfSheets } from './parts/drawings.mjs';
import { pdfOf } from './parts/drawings/page-pdf.mjs';
import { dxfOf, movedBy, revisionOf, siblingsOf, svgOf } from './parts/drawings/saved-anew.mjs';
import { pagePicture, scanOf } from './support/crossmodal-queries.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { seededRandom } from './support/software-camera.mjs';

/** Factors of the sides of a part: of each family four proportions. */
const PROPORTIONS = [
  [1, 1, 1],
  [1.1, 1, 1],
  [1, 1.07, 1],
  [1, 1, 0.92],
];
const picture = async (page, dpi) => pagePicture(pdfOf(page), 1, dpi);
/** Each way: the bytes and the extension of the query. */
const WAYS = {
  svg: async (page) => [svgOf(page), 'svg'],
  'svg moved': async (page) => [svgOf(movedBy(page, { x: 2.1, y: -1.4 }), 2), 'svg'],
  'pdf moved': async (page) => [pdfOf(movedBy(page, { x: -2.3, y: 1.7 })), 'pdf'],
  'pdf larger': async (page) => [pdfOf(movedBy(page, { scale: Math.SQRT2, paper: Math.SQRT2 })), 'pdf'],
  'larger paper': async (page) => [pdfOf(movedBy(page, { paper: Math.SQRT2 })), 'pdf'],
  'svg larger paper': async (page) => [svgOf(movedBy(page, { paper: 2 })), 'svg'],
  'pdf fitted': async (page) => [pdfOf(movedBy(page, { scale: 0.97, x: 4, y: 3 })), 'pdf'],
  dxf: async (page) => [dxfOf(page), 'dxf'],
  png: async (page) => [await encoded(await picture(page, 150), 'png'), 'png'],
  'png moved': async (page) => [await encoded(await picture(movedBy(page, { x: 2, y: -2 }), 200), 'png'), 'png'],
  jpeg: async (page) => [await encoded(await picture(page, 100), 'jpeg'), 'jpg'],
  scan: async (page, _, seed) => [new Uint8Array(await scanOf(await picture(page, 150), seed)), 'jpg'],
  ...Object.fromEntries(
    ['number', 'swapped', 'word', 'line', 'hole', 'moved', 'solid'].map((how) => [
      `revision ${how}`,
      async (page, random) => {
        const revised = revisionOf(page, how, random);
        return revised && [pdfOf(revised), 'pdf'];
      },
    ]),
  ),
};

const args = benchOptions({
  parts: { type: 'string', default: '6' },
  seed: { type: 'string', default: '1' },
  ways: { type: 'string', default: Object.keys(WAYS).join(',') },
  siblings: { type: 'string', default: '0' },
  families: { type: 'string', default: '3' },
  list: { type: 'boolean', default: false },
});
const seed = Number(args.seed);
const folder = await mkdtemp(join(tmpdir(), 'shapedex-saved-anew-'));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('saved-anew');
  const pages = await drawnPages();
  const families = pages.flatMap(({ name, page }) => {
    const siblings = args.siblings === '0' ? undefined : siblingsOf(page, Number(args.siblings));
    return siblings === undefined ? [] : [{ name, page, siblings }];
  });
  const asked = args.siblings === '0' ? pages : families.slice(0, Number(args.families));
  const stored = [
    ...pages,
    ...asked.flatMap(({ name, siblings = [] }) => siblings.map((page, i) => ({ name: `${name} sibling ${i}`, page }))),
  ];
  await Promise.all(stored.map(({ name, page }) => company.put(`${name}.pdf`, pdfOf(page))));
  for (const way of args.ways.split(',')) print(way, await measure(company, asked, way));
  console.log(`${asked.length} of ${stored.length} drawings; ${await machine()}`);
} finally {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
}

async function drawnPages() {
  const sheets = await partsOfSheets({ seed, count: Number(args.parts), siblings: 1 });
  const pages = [];
  for (const [i, [part]] of sheets.entries())
    for (const [k, factors] of PROPORTIONS.entries()) {
      const positions = part.positions.map((value, at) => value * factors[at % 3]);
      const drawn = await drawSheet([{ ...part, positions }], 1_000 * seed + i, { file: 'lines', shading: 'none' });
      const { widthMm, heightMm, items } = drawn;
      pages.push({ name: `${part.name}-${k}`, page: { widthMm, heightMm, items } });
    }
  return pages;
}

async function measure(company, pages, way) {
  const found = [];
  for (const [i, { name, page }] of pages.entries()) {
    const query = await WAYS[way](page, seededRandom(77 * seed + i), 100 * seed + i);
    if (query === undefined) continue;
    const [bytes, extension] = query;
    const begun = process.cpuUsage();
    const like = { bytes, extension };
    const { hits } = await company.search({ like, limit: 100, highlights: false }).catch((error) => {
      if (error.code !== 'NO_GEOMETRY') throw error;
      return { hits: [] };
    });
    const { user, system } = process.cpuUsage(begun);
    const place = hits.findIndex(({ path }) => path === `${name}.pdf`);
    const own = hits[place];
    const other = hits.find(({ path }) => path !== `${name}.pdf`);
    found.push({ name, place: place + 1, own, other, ms: (user + system) / 1e3 });
    if (args.list)
      console.log(
        `  ${way} ${name}: place ${place + 1}, ${own?.matchClass} ${own?.score.toFixed(3)} ` +
          `${own?.similarity.toFixed(1)}; other ${other?.score.toFixed(3)} ${other?.similarity.toFixed(1)}`,
      );
  }
  return found;
}

function print(way, found) {
  const said = found.map(({ own }) => own?.similarity ?? 0);
  const wrong = found.map(({ other }) => other?.similarity ?? 0);
  const quartiles = (values) =>
    values.sort((a, b) => a - b) && [0, 0.25, 0.5, 0.75, 1].map((q) => quantile(values, q).toFixed(1)).join(' ');
  const identical = found.filter(({ own }) => own?.matchClass === 'identical').length;
  // The input is read in a process of its own, which is not counted.
  const times = found.map(({ ms }) => ms);
  const others = found.filter(({ other }) => other?.matchClass === 'identical').length;
  console.log(
    `${way.padEnd(17)} first ${found.filter(({ place }) => place === 1).length} of ${found.length}, identical ` +
      `${identical}${others > 0 ? `, OTHERS IDENTICAL ${others}` : ''}; said ${quartiles(said)}; ` +
      `of the nearest other ${quartiles(wrong)}; ${quantile(times, 0.5).toFixed(0)} ms of processor a search`,
  );
}
