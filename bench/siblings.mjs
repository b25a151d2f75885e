/**
 * What is said of drawings of one kind of part on the same form: several sizes of it, revisions of it, the same part
 * drawn by another office, with another number of views, on other paper, other parts on the form. Each sheet asks for
 * all others, and so do the part's with an isometric view more (or less) and on other paper.
 *
 * Measured, by what a hit is of the query: the similarity that is said (least, quartiles, most) beside the mean
 * likeness (1 the same part, 1 / (1 + d / 2) one whose sides differ by d in logarithms, 0 another part), and how often
 * the nearest in size comes before the others; and how often the part's other sheets stand before all other parts.
 *
 * Data: parts made by code (parts/drawings.mjs), PDF of lines, dimensions that state the part's sizes.
 *
 * npm run bench -- siblings [--parts N] [--seed N] [--library DIR] [--list]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { drawSheet, partsOfSheets } from './parts/drawings.mjs';
import { pdfOf } from './parts/drawings/page-pdf.mjs';
import { revisionOf } from './parts/drawings/saved-anew.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { seededRandom } from './support/software-camera.mjs';

/** Factors of the sides of a part. */
const SIZES = {
  own: [1, 1, 1],
  '3 %': [1.03, 1, 1],
  '10 %': [1, 1.1, 1],
  '30 %': [1, 1, 1.3],
  'two sides': [1.2, 0.9, 1],
  scaled: [1.25, 1.25, 1.25],
};
/** Changes of the sheet, not of the part. */
const REVISED = ['word', 'line'];
/** Sheets of the part itself: with an isometric view more, or less; on the next larger paper, or the next smaller. */
const DRAWN_AGAIN = ['isometric', 'paper'];
const PAPERS = { a4: 'a3', 'a4 upright': 'a4', a3: 'a2', a2: 'a3', letter: 'a4' };
const SIZE_SHARE = 0.5;
const ALL = 10_000;

const args = benchOptions({
  parts: { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
  library: { type: 'string' },
  list: { type: 'boolean', default: false },
});
const seed = Number(args.seed);
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-siblings-')));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('siblings');
  print(await askAll(company, await fill(company)));
  console.log(await machine());
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

/** Puts `part/what.pdf`. Returns for each part the one on whose form it is drawn as another part. */
async function fill(company) {
  const known = new Set((await company.list({ limit: ALL / 10 })).map(({ path }) => path));
  const sheets = await partsOfSheets({ seed, count: Number(args.parts), siblings: 1 });
  const fixed = { file: 'lines', shading: 'none', statesSizes: true };
  for (const [i, [part]] of sheets.entries()) {
    const put = async (what, bytes) => {
      const path = `${part.name}/${what}.pdf`;
      if (!known.has(path)) await company.put(path, bytes, { wait: false });
    };
    const own = 1_000 * seed + i;
    for (const [what, factors] of Object.entries(SIZES)) {
      const positions = part.positions.map((value, at) => value * factors[at % 3]);
      const page = await drawSheet([{ ...part, positions }], own, fixed);
      await put(what, page.bytes);
      if (what !== 'own') continue;
      const { hasIsometric, paper } = page.style;
      await put('isometric', (await drawSheet([part], own, { ...fixed, hasIsometric: !hasIsometric })).bytes);
      await put('paper', (await drawSheet([part], own, { ...fixed, paper: PAPERS[paper] })).bytes);
      for (const how of REVISED) {
        const revised = revisionOf(page, how, seededRandom(own));
        if (revised !== undefined) await put(how, pdfOf(revised));
      }
    }
    await put('other office', (await drawSheet([part], own + 500, fixed)).bytes);
    const next = sheets[(i + 1) % sheets.length][0];
    await put('other part', (await drawSheet([next], own, fixed)).bytes);
  }
  await engine.idle();
  return new Map(sheets.map(([{ name }], i) => [sheets[(i + 1) % sheets.length][0].name, name]));
}

/** Every hit of every sheet of the first size, also as it is drawn again. */
async function askAll(company, formOf) {
  const files = (await company.list({ limit: ALL / 10 })).filter(({ state }) => state === 'indexed');
  const found = [];
  for (const { uid, path } of files) {
    const [part, asking] = path.split(/[/.]/);
    if (asking !== 'own' && !DRAWN_AGAIN.includes(asking)) continue;
    let others = 0;
    const { hits } = await company
      .search({ like: { uid }, limit: 1000, highlights: false })
      .catch(() => ({ hits: [] }));
    for (const [place, hit] of hits.entries()) {
      if (hit.uid === uid) continue;
      const [name, file] = hit.path.split('/');
      const isOnForm = name === formOf.get(part) && file === 'other part.pdf';
      const what = name === part ? file.slice(0, -4) : isOnForm ? 'other form' : 'others';
      const factors = SIZES[what] ?? [1, 1, 1];
      const apart = Math.hypot(...factors.map((factor) => Math.log(factor)));
      const isOther = what === 'others' || what === 'other part';
      if (isOther) others++;
      found.push({
        query: part,
        asking,
        what,
        others,
        place,
        similarity: hit.similarity,
        score: hit.score,
        because: hit.because.length,
        likeness: isOther ? 0 : 1 / (1 + SIZE_SHARE * apart),
      });
      if (args.list && (name === part || what === 'other part' || others < 4)) {
        const said = `${hit.matchClass} ${hit.score.toFixed(4)} ${hit.similarity.toFixed(1)}`;
        console.log(`  ${part} ${asking} ${what}${name === part ? '' : ` ${hit.path}`}: ${said}`);
        if (what !== 'others') console.log('     ', hit.because.map(({ code }) => code).join(', '));
      }
    }
  }
  return found;
}

function print(all) {
  const found = all.filter(({ asking }) => asking === 'own');
  for (const what of [
    ...Object.keys(SIZES),
    ...REVISED,
    ...DRAWN_AGAIN,
    'other office',
    'other form',
    'other part',
    'others',
  ])
    printRow(
      what,
      found.filter((hit) => hit.what === what),
    );
  for (const asking of DRAWN_AGAIN)
    for (const what of ['own', ...DRAWN_AGAIN, 'other part', 'others'])
      printRow(
        `${asking} > ${what}`,
        all.filter((hit) => hit.asking === asking && hit.what === what),
      );
  printOrder(found);
}

function printRow(what, own) {
  if (own.length === 0) return;
  const said = own.map(({ similarity }) => similarity).sort((a, b) => a - b);
  const likeness = own.reduce((sum, hit) => sum + hit.likeness, 0) / own.length;
  const before = own.filter(({ others }) => others === 0).length;
  console.log(
    `${what.padEnd(21)}${String(own.length).padStart(5)} said ` +
      `${[0, 0.25, 0.5, 0.75, 1].map((q) => quantile(said, q).toFixed(1).padStart(5)).join(' ')}; ` +
      `like ${(100 * likeness).toFixed(1)}; before all other parts ${before}`,
  );
}

function printOrder(found) {
  // Of the sizes of a part the one that differs least is to stand before the others.
  const parts = [...new Set(found.map(({ query }) => query))];
  const pairs = parts.flatMap((part) => {
    const own = found.filter((hit) => hit.query === part && hit.what in SIZES);
    return own.flatMap((a) => own.filter((b) => a.likeness > b.likeness + 1e-3).map((b) => a.place < b.place));
  });
  console.log(`pairs of sizes in the right order ${pairs.filter(Boolean).length} of ${pairs.length}`);
}
