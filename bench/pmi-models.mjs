/**
 * PMI of models, compared with the PMI of their drawings.
 *
 * Data: DIR/pairs holds folders with `model_ap242.step` (semantic PMI) and `drawing.pdf`.
 *
 * Measured, by kind: how many annotations of the drawing are in the model, and how many of the model are in the
 * drawing; seconds. Two annotations are equal after this normalisation: counts (`4x`) are dropped, numbers are compared
 * as numbers, letter case and spaces are ignored. A drawing shows some annotations in several views, and a model has
 * one per feature, so repeated annotations count once.
 *
 * npm run bench -- pmi-models --data DIR [--list]
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { modelPmi } from '../dist/pmi/model-pmi.js';
import { readPmi } from '../dist/pmi/read-pmi.js';
import { readContent } from '../dist/readers/read.js';
import { readStepAnnotations } from '../dist/readers/brep/step/annotations.js';

const {
  values: { data, list },
} = parseArgs({ options: { data: { type: 'string' }, list: { type: 'boolean' } } });
if (data === undefined) throw new Error('usage: npm run bench -- pmi-models --data DIR [--list]');

const KINDS = {
  dimensions: (type) => type === 3 || type === 35 || type === 41 || (type >= 6 && type <= 10) || type === 0,
  frames: (type) => type === 5,
  datums: (type) => type === 34,
};

console.log('pair          kind         drawing  model  both  of the drawing  of the model');
for (const pair of readdirSync(join(data, 'pairs')).sort()) {
  const paths = ['model_ap242.step', 'drawing.pdf'].map((name) => join(data, 'pairs', pair, name));
  if (!paths.every((path) => existsSync(path))) continue;
  const [step, pdf] = await Promise.all(paths.map(async (path) => new Uint8Array(await readFile(path))));
  const started = performance.now();
  const annotations = readStepAnnotations(step) ?? [];
  const model = modelPmi(annotations);
  const milliseconds = performance.now() - started;
  const drawing = readPmi(await readContent(pdf, 'drawing.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' }));
  for (const [kind, wanted] of Object.entries(KINDS)) {
    const [shown, carried] = [drawing, model].map(
      ({ pages }) =>
        new Set(pages.flatMap(({ objects }) => objects.filter(({ typeId }) => wanted(typeId)).flatMap(keysOf))),
    );
    const both = [...shown].filter((key) => carried.has(key)).length;
    const share = (of) => (of === 0 ? '-' : (both / of).toFixed(2));
    console.log(
      `${pair.padEnd(13)} ${kind.padEnd(12)} ${String(shown.size).padStart(7)} ` +
        `${String(carried.size).padStart(6)} ${String(both).padStart(5)} ${share(shown.size).padStart(15)} ` +
        `${share(carried.size).padStart(13)}`,
    );
    if (list) {
      console.log('   only drawn:  ', [...shown].filter((key) => !carried.has(key)).join('   '));
      console.log('   only carried:', [...carried].filter((key) => !shown.has(key)).join('   '));
    }
  }
  const standing = annotations.filter(({ faces }) => faces.length > 0).length;
  console.log(
    `${pair.padEnd(13)} ${annotations.length} annotations, ${standing} with faces, ${milliseconds.toFixed(0)} ` +
      `ms for ${(step.length / 1e6).toFixed(1)} MB`,
  );
}

/** Splits control frames into rows; other annotations are one item. */
function keysOf(object) {
  const { parts } = object;
  // The sign of a composite frame is given only before its first row.
  const [sign] = (parts[0]?.text ?? '').split(' | ');
  const rows = parts
    .filter(({ text }) => text.includes(' | '))
    .map(({ text, tolerance }) => ({ text: /^[S⌀\d.,]/.test(text) ? `${sign} | ${text}` : text, tolerance }));
  return (
    object.typeId === 5
      ? rows
      : [{ text: parts.map(({ text }) => text).join(' '), tolerance: parts.flatMap(({ tolerance = [] }) => tolerance) }]
  ).map(({ text, tolerance = [] }) =>
    [text.replace(/^\d+\s?[x×]\s?/i, '').replace('↧', ''), ...tolerance]
      .join(' ')
      .toUpperCase()
      .replace(/\s+/g, '')
      .replace(/\d*\.?\d+/g, (digits) => String(Number(digits))),
  );
}
