// Drawings made by code (bench/drawings) as cases of `bench pmi`. Their truths are exact, so an item is found at its place
// or not at all.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pdfOf } from '../../drawings/pdf.mjs';
import { sheetOf } from '../../drawings/sheet.mjs';
import { wantedOf } from './written.mjs';

/** How a drawing is written, by the name of the kind: extension, and bytes of a page. */
const KINDS = {
  'pdf-text': ['.pdf', (page) => pdfOf(page, 'text')],
  'pdf-outlines': ['.pdf', (page) => pdfOf(page, 'outlines')],
};
/** Signs that are a part of an item, and tables, which are no item here. */
const isPart = (type) => (type >= 20 && type <= 33) || type === 47 || type === 18;

/**
 * @param {{ seed: number, count: number, kinds?: string[] }} options drawings `seed` to `seed + count - 1`, each in every
 * kind.
 * @returns {AsyncGenerator<object>} cases as of `labelledDrawings`, with `attributes` of the title block.
 */
export async function* generatedDrawings({ seed, count, kinds = Object.keys(KINDS) }) {
  const folder = await mkdtemp(join(tmpdir(), 'shapedex-drawings-'));
  for (const kind of kinds) {
    if (KINDS[kind] === undefined) throw new Error(`no kind '${kind}'; there are ${Object.keys(KINDS).join(', ')}`);
    const [extension, write] = KINDS[kind];
    for (let number = seed; number < seed + count; number++) {
      const page = sheetOf(number);
      const path = join(folder, `${kind}-${number}${extension}`);
      await writeFile(path, await write(page, number));
      yield {
        name: `${kind} ${number}`,
        path,
        kind,
        drawing: String(number),
        asksPrecision: true,
        isPlaced: true,
        attributes: page.attributes,
        casesOf: ({ pages }) => {
          const scale = (pages[0]?.widthPx ?? 0) / page.widthMm;
          const wanted = page.truth.map((item) => {
            const tol = item.tols ?? (item.tol === 'limits' ? `limits ${item.text}` : item.tol || undefined);
            const { text, tolerance } =
              tol === undefined && item.group === 'dimension'
                ? { ...wantedOf({ ...item, tol: 'basic' }), tolerance: '' }
                : wantedOf({ ...item, tol });
            const box = item.boxMm.map((each) => each * scale);
            return { text, tolerance, typeId: item.typeId, group: item.group, box, said: item.text };
          });
          const found = pages
            .flatMap((each) => each.objects.map((object) => ({ object, page: each })))
            .filter(({ object }) => !isPart(object.typeId));
          return { wanted, found };
        },
      };
    }
  }
}
