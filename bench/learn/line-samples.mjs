/**
 * Writes what `line-reader.py` learns from: letters as fields of distance, and lines of text. Seeded. Fonts are
 * packages
 * @fontsource/NAME (SIL Open Font License 1.1) that `lines/atlas.mjs` names; they are no dependencies of the project.
 *
 *   npm run bench -- learn/line-samples --fonts DIR/node_modules/@fontsource --out FOLDER [--texts 400000]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LINE_CHARACTERS } from '../../dist/pmi/pictures/line-characters.js';
import { Dice } from '../drawings/styles.mjs';
import { atlasOf, CELL, FORMS } from '../lines/atlas.mjs';
import { LONGEST, textOf } from '../lines/texts.mjs';

const { values } = parseArgs({
  options: { fonts: { type: 'string' }, out: { type: 'string' }, texts: { type: 'string', default: '400000' } },
});
if (values.fonts === undefined || values.out === undefined)
  throw new Error('usage: learn/line-samples --fonts DIR --out FOLDER');
const SEED = 20261126;
await mkdir(values.out, { recursive: true });
const { styles, table, cells, advances, isStroke, tested } = atlasOf(values.fonts);
await writeFile(join(values.out, 'cells.bin'), Buffer.concat(cells.map((cell) => Buffer.from(cell.buffer))));
await writeFile(join(values.out, 'table.bin'), Buffer.from(table.buffer));
await writeFile(join(values.out, 'advances.bin'), Buffer.from(Float32Array.from(advances).buffer));
await writeFile(join(values.out, 'strokes.bin'), Buffer.from(Uint8Array.from(isStroke)));
const dice = new Dice(SEED);
const count = Number(values.texts);
const numbers = new Map(LINE_CHARACTERS.map((sign, i) => [sign, i]));
const texts = new Uint8Array(count * LONGEST).fill(255);
for (let i = 0; i < count; i++) [...textOf(dice)].forEach((sign, k) => (texts[i * LONGEST + k] = numbers.get(sign)));
await writeFile(join(values.out, 'texts.bin'), texts);
await writeFile(
  join(values.out, 'about.json'),
  JSON.stringify({ characters: LINE_CHARACTERS, cell: CELL, forms: FORMS, longest: LONGEST, styles, tested }),
);
console.log(`${cells.length} cells of ${styles.length} styles, ${count} lines`);
