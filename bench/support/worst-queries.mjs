/** Draws the worst queries of a bench: one row each, the query and its first hits. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { contactSheet } from '../../dist/pictures/contact-sheet.js';
import { thumbnail } from '../../dist/pictures/thumbnail.js';
import { Core } from '../../dist/core-entry.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { placeMeshes } from '../../dist/shapelets/model/mesh.js';

const SHOWN = 5;
const TILE_SIZE = 200;

/**
 * Writes one PNG. A file that cannot be drawn leaves its place empty, with the reason in its caption.
 * @param {string} dataFolder folder that the paths are relative to
 * @param {{ path: string, measures: { map: number }, first: { path: string, score: number }[] }[]} worst
 * @param {string} file where to write
 */
export async function drawWorst(dataFolder, worst, file) {
  const core = await Core.load();
  const pictures = new Map();
  const tiles = [];
  for (const { path, measures, first } of worst) {
    tiles.push(await tile(path, `mAP ${measures.map.toFixed(3)}`));
    for (let i = 0; i < SHOWN; i++) {
      tiles.push(i < first.length ? await tile(first[i].path, first[i].score.toFixed(3)) : { title: '', caption: '' });
    }
  }
  await writeFile(file, await contactSheet(tiles, { columns: 1 + SHOWN, tileSize: TILE_SIZE }));

  async function tile(path, figure) {
    if (!pictures.has(path)) pictures.set(path, await picture(join(dataFolder, path)));
    const { png, problem } = pictures.get(path);
    return { png, title: basename(path), caption: `${dirname(path)}, ${problem ?? figure}` };
  }

  async function picture(place) {
    try {
      const model = await readContent(await readFile(place), basename(place), {
        limits: DEFAULT_LIMITS,
        defaultUnit: 'mm',
      });
      return { png: await thumbnail(core, placeMeshes(model), { size: TILE_SIZE }) };
    } catch (cause) {
      return { problem: cause.code ?? cause.name };
    }
  }
}
