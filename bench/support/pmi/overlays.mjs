// A page of overlays: each page of each drawing with the boxes of what was found, what was invented in orange, and what
// was missed in red, at its place where the truth knows it and else in a list.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../../dist/index.js';

/** Most pages of a file that are shown, and the width of their pictures, pixels. */
const MOST_PAGES = 8;
const WIDTH = 2_000;
const COLORS = { found: '#1a7f37', tolerance: '#8250df', invented: '#e36209', missed: '#cf222e' };

/**
 * Writes index.html and its pictures into a folder.
 * @param drawings { name, path, pages, result }: pages as the product gives them, result as `compared` gives it.
 * @returns the path of index.html.
 */
export async function writeOverlays(folder, drawings) {
  await mkdir(folder, { recursive: true });
  const library = await mkdtemp(join(tmpdir(), 'shapedex-overlays-'));
  const engine = await Engine.open(library, { workers: 1 });
  const shown = [];
  try {
    const company = await engine.company('bench');
    for (const [at, { name, path, pages, result }] of drawings.entries()) {
      const { uid, state, error } = await company.put(name, await readFile(path), { textOnly: true });
      shown.push(`<h2>${escaped(name)}</h2>`, missedList(result));
      if (state !== 'indexed') shown.push(`<p>failed: ${error?.code}</p>`);
      for (const page of state === 'indexed' ? pages.slice(0, MOST_PAGES) : []) {
        const file = `${at}-${page.page}.png`;
        await writeFile(join(folder, file), await company.pageImage(uid, { page: page.page, width: WIDTH }));
        shown.push(overlayOf(file, page, result));
      }
    }
  } finally {
    await engine.close();
    await rm(library, { recursive: true, force: true });
  }
  const html = join(folder, 'index.html');
  const key = Object.entries(COLORS).map(([what, color]) => `<b style="color:${color}">${what}</b>`);
  const style = 'body{font-family:sans-serif;margin:2em}svg{width:100%;border:1px solid #ccc}';
  await writeFile(
    html,
    `<!doctype html><meta charset="utf-8"><title>PMI</title><style>${style}</style><p>${key.join(', ')} ` +
      `(tolerance: the text is right, the tolerance is not)</p>${shown.join('\n')}\n`,
  );
  return html;
}

function missedList({ missed, invented }) {
  const items = (list) => list.map(({ text, tolerance }) => escaped(`${text} ${tolerance}`.trim() || '?')).join(', ');
  const line = (what, list) => `<p style="color:${COLORS[what]}">${what} ${list.length}: ${items(list)}</p>`;
  return line('missed', missed) + line('invented', invented);
}

function overlayOf(file, page, { pairs, missed, invented }) {
  const { widthPx, heightPx } = page;
  const size = Math.max(widthPx, heightPx) / 150;
  const boxed = (what, [x, y, w, h], said) =>
    `<g stroke="${COLORS[what]}" fill="none"><rect x="${x}" y="${y}" width="${w}" height="${h}" stroke-width="${size / 8}"/>` +
    `<text x="${x}" y="${y - size / 4}" fill="${COLORS[what]}" stroke="none">${escaped(said)}</text></g>`;
  const said = ({ text, tolerance }) => `${text} ${tolerance}`.trim();
  const marks = [
    ...pairs
      .filter(({ each }) => each.page === page)
      .map(({ item, each }) =>
        boxed(item.tolerance === each.tolerance ? 'found' : 'tolerance', each.object.box, said(each)),
      ),
    ...invented.filter((each) => each.page === page).map((each) => boxed('invented', each.object.box, said(each))),
    ...missed
      .filter(({ box }) => box !== undefined && page.page === 1)
      .map((item) => boxed('missed', item.box, said(item))),
  ];
  return (
    `<svg viewBox="0 0 ${widthPx} ${heightPx}" font-size="${size}"><image href="${file}" width="${widthPx}" ` +
    `height="${heightPx}"/>${marks.join('')}</svg>`
  );
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
