/**
 * Makes a library of many parts from one of fewer, by copying rows of its catalogue: a file, its sizes and descriptors.
 * The compact vector of each copy is moved slightly and its sizes are changed, as support/described-parts.mjs does;
 * bytes, faces, words, attributes and views are not copied. The engine must be closed.
 */
import Database from 'better-sqlite3';
import { mulberry32 } from '../parts/reference/kit.mjs';

/** Largest shift of a compact vector per component. */
const MOVED = 0.02;
const SIZES = [
  'volume_mm3',
  'bbox_volume_mm3',
  'bbox_length_mm',
  'bbox_width_mm',
  'bbox_height_mm',
  'surface_area_mm2',
];

/**
 * @param {string} catalogue path of catalog.sqlite
 * @param {number} parts wanted in all
 */
export function multiply(catalogue, parts) {
  const database = new Database(catalogue);
  const had = database.prepare('SELECT count(*) FROM file').pluck().get();
  const random = mulberry32(11 + had);
  database.pragma('synchronous = OFF');
  database.function('moved', (bytes) => {
    const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    for (let i = 0; i < vector.length; i++) vector[i] += MOVED * (random() + random() - 1);
    return Buffer.from(vector.buffer);
  });
  database.function('times', { deterministic: false }, (value) => value * (0.6 + 0.8 * random()));
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
  for (let copy = 1, left = parts - had; left > 0; copy++, left -= had) {
    const of = `id IN (SELECT id FROM file WHERE id <= ${most} ORDER BY id LIMIT ${left})`;
    database.exec(`BEGIN;
      INSERT INTO file (${columns}) SELECT ${columns.map((name) => valueOf(name, copy))} FROM file WHERE ${of};
      INSERT INTO compact SELECT file_id + ${copy * most}, version, moved(bytes) FROM compact WHERE file_${of};
      INSERT INTO fine SELECT file_id + ${copy * most}, version, bytes FROM fine WHERE file_${of};
      INSERT INTO surface SELECT file_id + ${copy * most}, version, bytes FROM surface WHERE file_${of};
      COMMIT;`);
  }
  database.exec("UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM file) WHERE name = 'file'");
  database.close();
}
