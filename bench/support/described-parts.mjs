/**
 * Descriptors of generated parts, for any number of files: each file gets those of one part, slightly moved
 * (moved-descriptors.mjs) and resized; its faces and their words as they are.
 */
import { Engine } from 'shapedex';
import { DESCRIPTORS } from '../../dist/descriptors/description.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { openLibrary } from '../../dist/library.js';
import { manyParts } from '../parts/many-parts.mjs';
import { movedDescriptors } from './moved-descriptors.mjs';

const COMPANY = 'parts';
const BATCH = 512;

/**
 * Reads and describes parts in a separate library.
 * @param {string} folder of that library
 * @param {number} count of parts
 * @returns {Promise<(random: () => number) => object>} makes the shape that a file is stored with, none a copy of
 * another
 */
export async function describedParts(folder, count) {
  const engine = await Engine.open(folder);
  const company = await engine.company(COMPANY);
  const partOf = await manyParts();
  for (let first = 0; first < count; first += BATCH) {
    await Promise.all(
      Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => {
        const { path, bytes } = partOf(first + i);
        return company.put(path, bytes, { wait: false });
      }),
    );
    await engine.idle();
  }
  await engine.close();

  const store = await openLibrary(folder, {
    fileBytesLimit: 1e9,
    crashLimit: 10,
    terms: TERM_MAKER,
  });
  const companyId = await store.company(COMPANY);
  const known = await store.files.list({ companyId, limit: count, state: 'indexed' });
  const ids = await store.files.idsOf(
    companyId,
    known.map(({ uid }) => uid),
  );
  const names = Object.keys(DESCRIPTORS);
  const stored = await Promise.all(names.map((name) => store.shapes.descriptors(name, ids)));
  await store.close();

  return (random) => {
    const at = Math.floor(random() * known.length);
    const times = () => 0.6 + 0.8 * random();
    const part = known[at];
    const described = Object.fromEntries(names.map((name, i) => [name, stored[i][at]]));
    const moved = movedDescriptors(described, Math.floor(2 ** 32 * random()));
    return {
      triangleCount: 100,
      componentCount: 1,
      volumeMm3: part.volumeMm3 * times(),
      bboxVolumeMm3: part.bboxVolumeMm3 * times(),
      surfaceAreaMm2: part.surfaceAreaMm2 * times(),
      bboxSizeMm: part.bboxSizeMm.map((edge) => edge * times()).sort((a, b) => b - a),
      descriptors: Object.fromEntries(
        Object.entries(moved).map(([name, bytes]) => [name, { version: DESCRIPTORS[name], bytes }]),
      ),
    };
  };
}
