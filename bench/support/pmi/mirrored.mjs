// Real drawings of public repositories as cases of `bench pmi`: all sizes of a page, labelled by eye
// (labels/pmi-drawings.json).
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { mirroredBytes } from '../mirror.mjs';
import { foundOf, wantedOf } from './written.mjs';

/** Signs that are a part of an item, and tables, which no label lists. */
const isPart = (type) => (type >= 20 && type <= 33) || type === 47 || type === 18;

/**
 * Cases as of `labelledDrawings`. Notes that state a size for all edges, zeros of ordinates and general tolerances
 * (`also`) may be found or not. What the mirror lacks is said.
 * @param {string} mirror folder of git directories.
 * @param {string | undefined} only part of the paths that are wanted.
 */
export async function* mirroredDrawings(mirror, only) {
  const labels = JSON.parse(await readFile(new URL('../../labels/pmi-drawings.json', import.meta.url), 'utf8'));
  const folder = await mkdtemp(join(tmpdir(), 'shapedex-mirrored-'));
  const missing = [];
  for (const [at, label] of labels.entries()) {
    if (only !== undefined && !label.path.includes(only)) continue;
    const bytes = mirroredBytes(mirror, label);
    if (bytes === undefined) {
      missing.push(`${label.repository}/${label.path}`);
      continue;
    }
    const extension = extname(label.path).toLowerCase();
    const path = join(folder, `${at}${extension}`);
    await writeFile(path, bytes);
    yield {
      name: label.path,
      path,
      kind: extension === '.pdf' ? `real, ${label.lettering}` : 'real, pictures',
      drawing: label.path,
      asksPrecision: true,
      casesOf: ({ pages }) => ({ wanted: label.items.map(itemOf), ...foundOn(pages, label) }),
    };
  }
  if (missing.length > 0) console.log(`not there, or with other bytes: ${missing.join(', ')}`);
}

function itemOf(said) {
  const [text, tol] = [said].flat();
  return { ...wantedOf({ text, tol: tol ?? 'basic' }), tolerance: tol ?? '', group: 'size', said: text };
}

function foundOn(pages, { page: wanted, also }) {
  const mayBe = new Set(also.map((text) => wantedOf({ text, tol: 'basic' }).text));
  const objects = pages
    .filter(({ page }) => page === wanted)
    .flatMap((page) => page.objects.map((object) => ({ object, page })))
    .filter(({ object }) => !isPart(object.typeId));
  const isAsked = ({ object }) => !mayBe.has(foundOf(object).text);
  return { found: objects.filter(isAsked), unasked: objects.filter((each) => !isAsked(each)) };
}
