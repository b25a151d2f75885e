/**
 * The page on a large library: time until first results, and smoothness of scrolling.
 *
 * Data: a library of --files models. --shapes generated parts (support/many-parts.mjs) are read and described; every
 * model gets the descriptors of one of them, moved slightly, some words and attributes, and the bytes of one of 64
 * boxes, so that it has a picture. Everything is written through the store without reading files. A library that is
 * kept (--library) is used again. The page runs in headless Chromium on this machine over loopback, 1440 × 900, with
 * pictures; SHAPEDEX_CHROMIUM names the browser if it is not found.
 *
 * First results: from the change of the address until the first card or row is drawn; median and p95 of --rounds
 * searches, each with another query; and the processor time of one search, of the server and of the browser's page.
 *
 * Scrolling: the list is scrolled by 90 px per frame for --frames frames, then to distant places. Printed: the interval
 * between frames, the browser's processor time per frame (scripts, styles and layout; on a busy machine the interval
 * depends on other work), and the largest number of elements in the document.
 *
 * Asked: first results within 300 ms.
 *
 * npm run bench -- page [--files 10000] [--shapes 100] [--rounds 20] [--frames 300] [--library DIR] [--json]
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { Engine } from 'shapedex';
import { createHandler, toNodeListener } from 'shapedex/http';
import { ATTRIBUTE_FORMS } from '../dist/words/attribute-forms.js';
import { TERM_MAKER } from '../dist/words/file-terms.js';
import { CONTENT_VERSION } from '../dist/indexing/worker/file-description.js';
import { parseAttributes } from '../dist/attributes/attribute.js';
import { openLibrary } from '../dist/library.js';
import { boxStl } from '../test/fixtures/box.mjs';
import { mulberry32 } from './parts/reference/kit.mjs';
import { describedParts } from './support/described-parts.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

const COMPANY = 'bench';
const KEY = 'a-key-of-this-bench';
const BATCH = 512;
const BLOBS = 64;
const WORDS = ['flange', 'bracket', 'housing', 'shaft', 'cover', 'plate', 'bush', 'lever', 'clamp', 'spacer'];
const MATERIALS = ['Steel', 'Aluminium', 'Brass', 'POM', 'Titanium'];

const args = benchOptions({
  files: { type: 'string', default: '10000' },
  shapes: { type: 'string', default: '100' },
  rounds: { type: 'string', default: '20' },
  frames: { type: 'string', default: '300' },
  library: { type: 'string' },
});
const library = args.library ?? mkdtempSync(join(tmpdir(), 'shapedex-page-'));
try {
  if (!existsSync(join(library, 'full'))) await fill(library, Number(args.files), Number(args.shapes));
  const report = {
    machine: await machine(),
    load: loadavg()[0],
    ...(await measure(join(library, 'full'), Number(args.rounds), Number(args.frames))),
  };
  if (args.json) console.log(JSON.stringify(report));
  else print(report);
} finally {
  if (args.library === undefined) rmSync(library, { recursive: true, force: true });
}

/** Describes parts in one library and writes changed ones to another. */
async function fill(folder, files, shapes) {
  const shapeOf = await describedParts(join(folder, 'parts'), shapes);
  const draft = join(folder, 'draft');
  rmSync(draft, { recursive: true, force: true });
  await (await Engine.open(draft)).close();
  const store = await openLibrary(draft, {
    fileBytesLimit: 1e9,
    crashLimit: 10,
    terms: TERM_MAKER,
  });
  const companyId = await store.company(COMPANY);
  const random = mulberry32(7);
  const blobs = Array.from({ length: BLOBS }, (_, i) => boxStl(10 + i, 10 + ((7 * i) % 31), 5 + ((11 * i) % 17)));
  const pick = (list) => list[Math.floor(random() * list.length)];
  for (let first = 0; first < files; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, files - first) }, (_, i) => first + i);
    const entered = await Promise.all(
      numbers.map((i) =>
        store.put({
          companyId,
          path: `project ${String(i % 100).padStart(2, '0')}/${pick(WORDS)}-${String(i).padStart(5, '0')}.stl`,
          overwrite: true,
          textOnly: false,
          kind: 'ThreeD',
          priority: 3,
          source: blobs[i % BLOBS],
          attributes: parseAttributes(
            [`Material=${pick(MATERIALS)}`, `Mass(g)=${(500 * random()).toFixed(1)}`, `Number=P-${i}`],
            ATTRIBUTE_FORMS.key,
          ),
        }),
      ),
    );
    await Promise.all(
      entered.map(({ fileId }) =>
        store.jobs.complete(fileId, {
          kind: 'ThreeD',
          warnings: [],
          contentVersion: CONTENT_VERSION,
          faceCount: null,
          pageCount: null,
          extracted: [],
          shape: shapeOf(random),
          pages: [{ number: 1, name: '', text: Array.from({ length: 20 }, () => pick(WORDS)).join(' ') }],
        }),
      ),
    );
  }
  await store.close();
  renameSync(draft, join(folder, 'full'));
}

async function measure(folder, rounds, frames) {
  const engine = await Engine.open(folder);
  const company = await engine.company(COMPANY);
  const uids = (await company.list({ limit: 10 * rounds + 10 })).map(({ uid }) => uid);
  const authenticate = async ({ headers }) =>
    headers.get('authorization') === `Bearer ${KEY}`
      ? { kind: 'user', companyName: COMPANY, role: 'operator', tokenId: 'bench' }
      : undefined;
  const server = createServer(toNodeListener(createHandler(engine, { authenticate })));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const executablePath = [
    process.env.SHAPEDEX_CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('no Chromium was found; SHAPEDEX_CHROMIUM names one');
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const opened = performance.now();
    await page.goto(`http://127.0.0.1:${server.address().port}/#key=${KEY}`);
    await page.locator('.begin img').first().waitFor();
    const openMs = performance.now() - opened;
    const firsts = {};
    firsts['search with a model'] = await firstResults(
      page,
      rounds,
      (round) => `#/?like=${uids[10 * round]}`,
      '.card-name',
    );
    firsts['search with words'] = await firstResults(
      page,
      rounds,
      (round) => `#/?text=${WORDS[round % 10]} ${WORDS[(round * 3 + 1) % 10]}`,
      '.card-name',
    );
    firsts['search with a model and words'] = await firstResults(
      page,
      rounds,
      (round) => `#/?like=${uids[10 * round + 1]}&text=${WORDS[round % 10]}`,
      '.card-name',
    );
    firsts['list of the library'] = await firstResults(
      page,
      rounds,
      (round) => `#/library?prefix=project ${10 + round}`,
      '.record a',
    );
    const scrolls = {};
    scrolls['list of the library'] = await scroll(page, '#/library', '.record a', frames);
    scrolls['pictures of the library'] = await scroll(page, '#/library?view=grid', '.card-name', frames);
    scrolls['results of a search'] = await scroll(page, `#/?like=${uids[5]}`, '.card-name', frames);
    return { files: (await company.counts()).total, openMs, firsts, scrolls };
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await engine.close();
  }
}

/** ms from the change of the address until `selector` is drawn; the screen is empty before. */
async function firstResults(page, rounds, hashOf, selector) {
  const times = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const pageMs = async () =>
    1_000 * (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  let before;
  for (let round = -2; round < rounds; round++) {
    if (round === 0) before = { server: process.cpuUsage(), page: await pageMs() };
    await page.evaluate(async () => {
      location.hash = '#/searches';
      while (document.querySelector('.card, .record') !== null) await new Promise(requestAnimationFrame);
    });
    const ms = await page.evaluate(
      async ([hash, wanted]) => {
        const started = performance.now();
        location.hash = hash;
        while (document.querySelector(wanted) === null) await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame); // It is drawn.
        return performance.now() - started;
      },
      [hashOf(Math.max(0, round)), selector],
    );
    if (round >= 0) times.push(ms); // The first rounds fetch and compile code.
  }
  const { user, system } = process.cpuUsage(before.server);
  const busy = { serverMs: (user + system) / 1_000 / rounds, pageMs: ((await pageMs()) - before.page) / rounds };
  await session.detach();
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), ...busy };
}

async function scroll(page, hash, selector, frames) {
  await page.evaluate((target) => {
    location.hash = target;
  }, hash);
  await page.locator(selector).first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const busyMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name) => metrics.find((metric) => metric.name === name).value;
    return 1_000 * (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration'));
  };
  const before = await busyMs();
  const { intervals, elements, heightPx } = await page.evaluate(async (count) => {
    const times = [];
    let most = 0;
    const frame = () => new Promise(requestAnimationFrame);
    for (let i = 0, last = await frame(); i < count; i++) {
      scrollBy(0, 90);
      const now = await frame();
      times.push(now - last);
      last = now;
      most = Math.max(most, document.getElementsByTagName('*').length);
    }
    return { intervals: times, elements: most, heightPx: document.documentElement.scrollHeight };
  }, frames);
  const perFrame = ((await busyMs()) - before) / frames;
  // Jumps to distant places; the time until the rows there are drawn.
  const jumps = [];
  for (const share of [0.5, 0.95, 0.2, 1, 0]) {
    jumps.push(
      await page.evaluate(
        async ([to, wanted]) => {
          const started = performance.now();
          scrollTo(0, to * (document.documentElement.scrollHeight - innerHeight));
          await new Promise(requestAnimationFrame);
          const shown = () =>
            [...document.querySelectorAll(wanted)].some((element) => {
              const { top, bottom } = element.getBoundingClientRect();
              return bottom > 100 && top < innerHeight;
            });
          while (!shown()) await new Promise(requestAnimationFrame);
          return performance.now() - started;
        },
        [share, selector],
      ),
    );
  }
  await session.detach();
  return {
    p50: quantile(intervals, 0.5),
    p95: quantile(intervals, 0.95),
    most: Math.max(...intervals),
    perFrame,
    elements,
    heightPx,
    jump: Math.max(...jumps),
  };
}

function print({ machine: on, load, files, openMs, firsts, scrolls }) {
  console.log(`${on}, load ${load.toFixed(1)}; ${files} files`);
  console.log(`page opened, pictures there: ${openMs.toFixed(0)} ms`);
  console.log(`${'first results'.padEnd(32)}      p50     p95  ms | processor: server    page  ms`);
  for (const [name, { p50, p95, serverMs, pageMs }] of Object.entries(firsts)) {
    console.log(
      `${name.padEnd(32)}  ${p50.toFixed(0).padStart(7)} ${p95.toFixed(0).padStart(7)}     |          ` +
        `${serverMs.toFixed(0).padStart(7)} ${pageMs.toFixed(0).padStart(7)}`,
    );
  }
  console.log(
    `${'scrolling'.padEnd(32)} interval p50     p95    most  ms | processor a frame, ms | elements | far jump, ` +
      `ms | height, px`,
  );
  for (const [name, { p50, p95, most, perFrame, elements, heightPx, jump }] of Object.entries(scrolls)) {
    console.log(
      `${name.padEnd(32)}      ${p50.toFixed(1).padStart(7)} ${p95.toFixed(1).padStart(7)} ` +
        `${most.toFixed(1).padStart(7)}     | ${perFrame.toFixed(2).padStart(21)} | ` +
        `${String(elements).padStart(8)} | ${jump.toFixed(0).padStart(12)} | ${heightPx}`,
    );
  }
}
