/** Gives models of a library surfaces, faces and sizes: for libraries whose files were stored without. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DESCRIPTORS } from '../../dist/descriptors/description.js';
import { mulberry32 } from '../parts/reference/kit.mjs';
import { describedParts } from './described-parts.mjs';

/**
 * Writes the shape of one of `shapes` generated parts, moved, for each model that has none. The engine must be closed;
 * what it kept of shapes is deleted.
 * @param {string} library
 * @param {number} shapes
 */
export async function giveShapes(library, shapes) {
  const database = new Database(join(library, 'catalog.sqlite'));
  try {
    const models = database
      .prepare("SELECT id FROM file WHERE kind = 'ThreeD' AND id NOT IN (SELECT file_id FROM compact) ORDER BY id")
      .pluck()
      .all();
    if (models.length === 0) return;
    const shapeOf = await describedParts(`${library}-shapes`, shapes);
    rmSync(`${library}-shapes`, { recursive: true });
    const random = mulberry32(5);
    const setSizes = database.prepare(
      `UPDATE file SET triangle_count = ?, component_count = ?, volume_mm3 = ?, bbox_volume_mm3 = ?,
        bbox_length_mm = ?, bbox_width_mm = ?, bbox_height_mm = ?, surface_area_mm2 = ? WHERE id = ?`,
    );
    const insert = Object.fromEntries(
      Object.keys(DESCRIPTORS).map((name) => [
        name,
        database.prepare(`INSERT INTO ${name} (file_id, version, bytes) VALUES (?, ?, ?)`),
      ]),
    );
    database.transaction(() => {
      for (const id of models) {
        const { triangleCount, componentCount, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2, descriptors } =
          shapeOf(random);
        setSizes.run(triangleCount, componentCount, volumeMm3, bboxVolumeMm3, ...bboxSizeMm, surfaceAreaMm2, id);
        for (const [name, { version, bytes }] of Object.entries(descriptors)) insert[name].run(id, version, bytes);
      }
    })();
  } finally {
    database.close();
  }
  const cache = join(library, 'cache');
  if (existsSync(cache)) rmSync(cache, { recursive: true });
}
