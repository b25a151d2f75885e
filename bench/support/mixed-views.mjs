/**
 * Views for any number of files, from those of some parts made by code: each file mixes a part with another one of its
 * kind, view by view, by a share of its own. Ink is mixed (the stored roots are squared before), the silhouette is
 * that of the part with the larger share. A file is a function of its number. These are not views of solids, but they
 * fill the space between those: no clusters of near copies, which an index would find too easily.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { turnedViews } from '../../dist/core/views.js';
import { VIEW_BYTES, VIEW_FLAG, describeViews, pickViews } from '../../dist/descriptors/views.js';
import { DRAWING_CAMERAS, renderModelViews } from '../../dist/shapelets/model/model-views.js';
import { manyParts } from '../parts/many-parts.mjs';
import { mulberry32 } from '../parts/reference/kit.mjs';

const LINES_AT = 128;
const LINES_END = 640;
const FLAGS_AT = 648;
const PAGE_AT = 649;
const UPRIGHT = DRAWING_CAMERAS.length;
/** Kinds of parts, and members of a kind that follow each other. */
const KINDS = 10;
const GROUP = 8;

/**
 * @param {import('../../dist/core/core.js').Core} core
 * @param {{ parts: number, stock?: string }} options stock: a file that keeps the views of the parts
 * @returns {Promise<{ models: (number: number) => Uint8Array, drawing: (number: number, views?: number) => Uint8Array }>}
 * views of a model (30 upright ones), and of a drawing that shows some of them, each turned by quarters, with noise
 */
export async function mixedViews(core, { parts, stock }) {
  const views = await viewsOfParts(core, parts, stock);
  const partViews = (part) => views.subarray(part * UPRIGHT * VIEW_BYTES, (part + 1) * UPRIGHT * VIEW_BYTES);
  const models = (number) => {
    const random = mulberry32(31 * number + 7);
    const part = Math.floor(random() * parts);
    const share = 0.05 + 0.45 * random();
    return mix(partViews(part), partViews(otherOfKind(part, parts, random)), share);
  };
  const drawing = (number, count = 4) => {
    const random = mulberry32(17 * number + 5);
    const model = models(number);
    const shown = [0, 2, 4, ...Array.from({ length: count }, () => 6 + Math.floor(random() * (UPRIGHT - 6)))];
    const picked = pickViews(model, shown.slice(0, count));
    const turned = turnedViews(picked, VIEW_BYTES);
    for (let i = 0; i < count; i++) {
      const at = i * VIEW_BYTES;
      const from = (4 * i + Math.floor(4 * random())) * VIEW_BYTES;
      picked.set(turned.subarray(from, from + LINES_END), at);
      picked.set(turned.subarray(from + FLAGS_AT + 4, from + VIEW_BYTES), at + FLAGS_AT + 4);
      picked[at + FLAGS_AT] &= ~(VIEW_FLAG.CAMERA | VIEW_FLAG.TO_SCALE);
      picked[at + PAGE_AT] = 1;
      for (let k = 0; k < 24; k++) picked[at + Math.floor(random() * LINES_AT)] ^= 1 << Math.floor(random() * 8);
      for (let k = at + LINES_AT; k < at + LINES_END; k++)
        if (random() < 0.2) picked[k] = Math.max(0, Math.min(255, picked[k] + Math.floor(random() * 17) - 8));
    }
    return picked;
  };
  return { models, drawing };
}

function otherOfKind(part, parts, random) {
  const group = Math.floor(part / GROUP);
  const groups = Math.ceil(parts / GROUP);
  const other = (group % KINDS) + KINDS * Math.floor((random() * groups) / KINDS);
  return Math.min(parts - 1, other * GROUP + Math.floor(random() * GROUP));
}

function mix(own, other, share) {
  const mixed = own.slice();
  for (let at = 0; at < own.length; at += VIEW_BYTES)
    for (let k = at + LINES_AT; k < at + LINES_END; k++)
      mixed[k] = Math.round(Math.sqrt((1 - share) * own[k] * own[k] + share * other[k] * other[k]));
  return mixed;
}

async function viewsOfParts(core, parts, stock) {
  const length = parts * UPRIGHT * VIEW_BYTES;
  if (stock !== undefined && existsSync(stock)) {
    const kept = readFileSync(stock);
    if (kept.length >= length) return new Uint8Array(kept.buffer, kept.byteOffset, length);
  }
  const partOf = await manyParts();
  const views = new Uint8Array(length);
  for (let part = 0; part < parts; part++)
    views.set(
      describeViews(core, renderModelViews(core, partOf(part).mesh(), { cameras: DRAWING_CAMERAS })),
      part * UPRIGHT * VIEW_BYTES,
    );
  if (stock !== undefined) writeFileSync(stock, views);
  return views;
}
