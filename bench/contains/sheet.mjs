/** Draws what a set of the bench missed: one row each, the query and hits beside it. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Core } from '../../dist/core-entry.js';
import { contactSheet } from '../../dist/pictures/contact-sheet.js';
import { thumbnail } from '../../dist/pictures/thumbnail.js';
import { placeMeshes } from '../../dist/shapelets/model/mesh.js';
import { modelOf } from './library.mjs';

const SHOWN = 3;
const TILE_SIZE = 200;
export const MOST_ROWS = 20;

/** misses: { query: a path or { bytes, name }, what, hits: { file, path, coverage }[] }, worst first. */
export async function drawMisses(misses, file) {
  const core = await Core.load();
  const tiles = [];
  for (const { query, what, hits } of misses.slice(0, MOST_ROWS)) {
    tiles.push(await tile(query, what));
    for (let i = 0; i < SHOWN; i++) {
      const hit = hits[i];
      tiles.push(
        hit ? await tile(hit.file, `${hit.path} ${hit.coverage?.toFixed(3) ?? 'no hit'}`) : { title: '', caption: '' },
      );
    }
  }
  await writeFile(file, await contactSheet(tiles, { columns: 1 + SHOWN, tileSize: TILE_SIZE }));

  async function tile(source, caption) {
    const name = typeof source === 'string' ? basename(source) : source.name;
    try {
      const model = await modelOf(typeof source === 'string' ? await readFile(source) : source.bytes, name);
      return { png: await thumbnail(core, placeMeshes(model), { size: TILE_SIZE }), title: name, caption };
    } catch (cause) {
      return { title: name, caption: `${caption} ${cause.code ?? cause.name}` };
    }
  }
}
