/**
 * Makes `src/tables/ordinary-views.bin`: views of parts made by code (`bench/parts/reference.mjs`), against which it is
 * measured how ordinary a view on a page is. No file of anybody's library goes in. Deterministic: the same parts give
 * the same bytes.
 *
 *   npm run bench -- learn/ordinary-views
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Core } from '../../dist/core/core.js';
import { describeViews } from '../../dist/descriptors/views.js';
import { DRAWING_CAMERAS, PHOTO_CAMERAS, renderModelViews } from '../../dist/shapelets/model/model-views.js';
import { referenceParts } from '../parts/reference.mjs';

const PARTS = 300;
/** Views that stand upright, and as many that were laid along their longest axis. */
const VIEWS_OF_A_SORT = 256;

const core = await Core.load();
const wanted = [DRAWING_CAMERAS, PHOTO_CAMERAS].map(choose);
const views = wanted.map((of) => new Array(of.length));
let part = 0;
for await (const mesh of referenceParts({ count: PARTS })) {
  for (const [sort, of] of wanted.entries()) {
    for (const [i, choice] of of.entries())
      if (choice.part === part)
        views[sort][i] = describeViews(core, renderModelViews(core, mesh, { cameras: [choice.camera] }));
  }
  part++;
}
await writeFile(
  fileURLToPath(new URL('../../src/tables/ordinary-views.bin', import.meta.url)),
  Buffer.concat(views.flat()),
);

/** Evenly from all views of all parts. */
function choose(cameras) {
  return Array.from({ length: VIEWS_OF_A_SORT }, (_, i) => {
    const at = Math.floor((i * PARTS * cameras.length) / VIEWS_OF_A_SORT);
    return { part: Math.floor(at / cameras.length), camera: cameras[at % cameras.length] };
  });
}
