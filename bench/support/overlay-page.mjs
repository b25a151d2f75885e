// An HTML page of overlays for visual inspection: each page of each drawing, with a box and the text of each
// annotation.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../dist/index.js';

/** Most pages of a file that are shown. */
const MOST_PAGES = 8;

/**
 * Writes index.html and its pictures into a folder. @param files paths, and the names to show.
 * @returns the path of index.html.
 */
export async function writeOverlayPage(folder, files) {
  await mkdir(folder, { recursive: true });
  const library = await mkdtemp(join(tmpdir(), 'shapedex-overlays-'));
  const engine = await Engine.open(library, { workers: 1 });
  const shown = [];
  try {
    const company = await engine.company('bench');
    for (const { name, path } of files) {
      const { uid, state, error } = await company.put(name, await readFile(path), { textOnly: true });
      const pages = state === 'indexed' ? ((await company.pmi(uid))?.pages ?? []) : [];
      shown.push(
        `<h2>${name}</h2><p>${state === 'indexed' ? `${pages.reduce((sum, { objects }) => sum + objects.length, 0)} annotations on ${pages.length} pages` : `failed: ${error?.code}`}</p>`,
      );
      for (const { page } of pages.slice(0, MOST_PAGES)) {
        const file = `${name.replaceAll(/[^\w.-]/g, '_')}-${page}.png`;
        await writeFile(join(folder, file), await company.pictures.pmi(uid, { page }));
        shown.push(`<a href="${file}"><img loading="lazy" src="${file}" alt="page ${page}"></a>`);
      }
    }
  } finally {
    await engine.close();
    await rm(library, { recursive: true, force: true });
  }
  const html = join(folder, 'index.html');
  await writeFile(
    html,
    `<!doctype html><meta charset="utf-8"><title>PMI ` +
      `overlays</title><style>body{font-family:sans-serif;margin:2em}img{width:100%;border:1px solid ` +
      `#ccc;margin:.5em 0}</style>${shown.join('\n')}\n`,
  );
  return html;
}
