/**
 * Makes a library of many parts from one of fewer, by copying rows of its catalogue: a file, its sizes and descriptors.
 * The descriptors of each copy, compact, fine and surface, are moved slightly (support/moved-descriptors.mjs) and its
 * sizes are changed, as support/described-parts.mjs does, so no two files have one shape; bytes, faces, words,
 * attributes and views are not copied. {@link multiplyViews} copies views instead, with noise, and what drawings and
 * pictures have besides. The engine must be closed.
 */
import Database from 'better-sqlite3';
import { VIEW_BYTES } from '../../dist/descriptors/views.js';
import { unpackViews } from '../../dist/store/catalog/packed-views.js';
import { mulberry32 } from '../parts/reference/kit.mjs';
import { movedDescriptors } from './moved-descriptors.mjs';

const SIZES = [
  'volume_mm3',
  'bbox_volume_mm3',
  'bbox_length_mm',
  'bbox_width_mm',
  'bbox_height_mm',
  'surface_area_mm2',
];
/** Different noises of views. */
const NOISES = 4_096;

/**
 * @param {string} catalogue path of catalog.sqlite
 * @param {number} parts wanted in all
 */
export function multiply(catalogue, parts) {
  const { database, had, most, columns, valueOf } = opened(catalogue);
  // The number of the file is the seed: its fine descriptor repeats what its moved surface says.
  database.function('moved', (name, file, bytes, surface) => {
    const given = name === 'fine' ? { surface, fine: bytes } : { [name]: bytes };
    return Buffer.from(movedDescriptors(given, file)[name].buffer);
  });
  for (let copy = 1, left = parts - had; left > 0; copy++, left -= had) {
    const by = copy * most;
    const of = `id IN (SELECT id FROM file WHERE id <= ${most} ORDER BY id LIMIT ${left})`;
    const insert = ['compact', 'surface'].map(
      (name) => `INSERT INTO ${name}
        SELECT file_id + ${by}, version, moved('${name}', file_id + ${by}, bytes, NULL) FROM ${name} WHERE file_${of};`,
    );
    database.exec(`BEGIN;
      INSERT INTO file (${columns}) SELECT ${columns.map((name) => valueOf(name, copy))} FROM file WHERE ${of};
      ${insert.join('\n')}
      INSERT INTO fine
        SELECT file_id + ${by}, fine.version, moved('fine', file_id + ${by}, fine.bytes, surface.bytes)
        FROM fine JOIN surface USING (file_id) WHERE file_${of};
      COMMIT;`);
  }
  ended(database);
}

/**
 * @param {string} catalogue path of catalog.sqlite
 * @param {number} files wanted in all
 */
export function multiplyViews(catalogue, files) {
  const { database, random, had, most, columns, valueOf } = opened(catalogue);
  const noises = Array.from({ length: NOISES }, () => noiseOf(random));
  database.function('noisy', { deterministic: false }, (stored) => {
    const views = unpacked(stored);
    for (let at = 0; at < views.length; at += VIEW_BYTES) {
      const noise = noises[Math.floor(NOISES * random())];
      for (let k = 0; k < 128; k++) views[at + k] ^= noise[k];
      for (let k = 128; k < 640; k++) views[at + k] = Math.max(0, Math.min(255, views[at + k] + noise[k]));
    }
    return views;
  });
  // Another layout of the same ink: rolled along the page.
  database.function('rolled', { deterministic: false }, (bytes) => {
    const by = Math.floor(bytes.length * random());
    return Buffer.concat([bytes.subarray(by), bytes.subarray(0, by)]);
  });
  const views = database.pragma('table_info(views)').map(({ name }) => name);
  for (let copy = 1, left = files - had; left > 0; copy++, left -= had) {
    const of = `id IN (SELECT id FROM file WHERE id <= ${most} ORDER BY id LIMIT ${left})`;
    const copied = views.map((name) => {
      if (name === 'file_id') return `file_id + ${copy * most}`;
      if (name === 'bytes') return 'noisy(bytes)';
      return name === 'layouts' ? 'rolled(layouts)' : name;
    });
    database.exec(`BEGIN;
      INSERT INTO file (${columns}) SELECT ${columns.map((name) => valueOf(name, copy))} FROM file WHERE ${of};
      INSERT INTO views (${views}) SELECT ${copied} FROM views WHERE file_${of};
      COMMIT;`);
  }
  ended(database);
}

/** The catalogue, and how a copy's columns of the table of files are made. */
function opened(catalogue) {
  const database = new Database(catalogue);
  const had = database.prepare('SELECT count(*) FROM file').pluck().get();
  const random = mulberry32(11 + had);
  database.pragma('synchronous = OFF');
  database.function('times', { deterministic: false }, (value) =>
    value === null ? null : value * (0.6 + 0.8 * random()),
  );
  database.function('new_uid', { deterministic: false }, () => {
    const hex = Array.from({ length: 4 }, () =>
      Math.floor(2 ** 32 * random())
        .toString(16)
        .padStart(8, '0'),
    ).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  });
  const most = database.prepare('SELECT max(id) FROM file').pluck().get();
  const columns = database.pragma('table_info(file)').map(({ name }) => name);
  const valueOf = (name, copy) => {
    if (name === 'id') return `id + ${copy * most}`;
    if (name === 'uid') return 'new_uid()';
    if (name === 'path') return `'copy-${copy * most}/' || path`;
    return SIZES.includes(name) ? `times(${name})` : name;
  };
  return { database, random, had, most, columns, valueOf };
}

function ended(database) {
  database.exec("UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM file) WHERE name = 'file'");
  database.close();
}

/** What is changed of a view: some bits of the silhouette, and ink by up to 8. */
function noiseOf(random) {
  const noise = new Int16Array(VIEW_BYTES);
  for (let k = 0; k < 24; k++) noise[Math.floor(random() * 128)] ^= 1 << Math.floor(random() * 8);
  for (let k = 128; k < 640; k++) if (random() < 0.2) noise[k] = Math.floor(random() * 17) - 8;
  return noise;
}

/** Views as they were before they were packed: a copy that may be changed. */
function unpacked(stored) {
  return Buffer.from(unpackViews(stored));
}
