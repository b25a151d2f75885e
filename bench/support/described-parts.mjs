/**
 * Descriptors of generated parts, for any number of files: each file gets those of one part, slightly moved and
 * resized.
 */
import { Engine } from 'shapedex';
import { DESCRIPTORS } from '../../dist/descriptors/description.js';
import { TERM_MAKER } from '../../dist/words/file-terms.js';
import { openLibrary } from '../../dist/library.js';
import { manyParts } from '../parts/many-parts.mjs';

const COMPANY = 'parts';
const BATCH = 512;
/** Largest shift of a compact vector per component; the nearest of 2 000 parts are about 0.3 apart. */
const MOVED = 0.02;

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
    return {
      triangleCount: 100,
      componentCount: 1,
      volumeMm3: part.volumeMm3 * times(),
      bboxVolumeMm3: part.bboxVolumeMm3 * times(),
      surfaceAreaMm2: part.surfaceAreaMm2 * times(),
      bboxSizeMm: part.bboxSizeMm.map((edge) => edge * times()).sort((a, b) => b - a),
      descriptors: Object.fromEntries(
        names.map((name, i) => {
          const bytes = stored[i][at];
          return [name, { version: DESCRIPTORS[name], bytes: name === 'compact' ? moved(bytes, random) : bytes }];
        }),
      ),
    };
  };
}

function moved(bytes, random) {
  const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  for (let i = 0; i < vector.length; i++) vector[i] += MOVED * (random() + random() - 1);
  return new Uint8Array(vector.buffer);
}
