import { expect, test } from 'vitest';
import type { OcctFormat } from '../../../dist/readers/brep/occt-kernel.js';
import { checkKernelWork } from '../../../dist/readers/brep/kernel-work.js';
import { readContent } from '../../../dist/readers/read.js';
import { brepBox } from '../../fixtures/brep-writer.js';
import { igesBox } from '../../fixtures/iges-writer.js';
import { stepFile } from '../../fixtures/step-writer.js';
import { options } from '../helpers.js';

const STEP = stepFile({ parts: [{ name: 'box', shape: { kind: 'box', x: 1, y: 2, z: 3 } }] });
const FILES: [OcctFormat, Uint8Array][] = [
  ['step', STEP],
  ['iges', igesBox(1, 2, 3)],
  ['brep', brepBox(1, 2, 3)],
];

test.each(FILES)('the six faces of a box are counted before the kernel reads it: %s', async (format, bytes) => {
  const few = { faces: 5, instances: 1e6 };
  expect(() => checkKernelWork(bytes, format, few)).toThrow(
    expect.objectContaining({ code: 'LIMIT_EXCEEDED', details: { limit: 'faces', allowed: 5, found: 6 } }),
  );
  expect(() => checkKernelWork(bytes, format, { ...few, faces: 6 })).not.toThrow();
  await expect(readContent(bytes, `box.${format}`, options({ faces: 5 }))).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: { limit: 'faces' },
  });
});

const IGES = Buffer.from(igesBox(1, 2, 3))
  .toString('latin1')
  .split(/\r?\n/)
  .filter((line) => line !== '')
  .map((line) => line.padEnd(80));
const BREP = Buffer.from(brepBox(1, 2, 3)).toString('latin1');

test.each<[string, OcctFormat, string]>([
  ['returns alone', 'iges', IGES.join('\r')],
  ['no ends of lines', 'iges', IGES.join('')],
  ['returns first', 'iges', `\r${IGES.join('\n\r')}`],
  ['blank lines', 'iges', IGES.join('\r\n\r\n')],
  ['words behind spaces', 'brep', BREP.replaceAll('\nFa', '\n  Fa')],
  ['words in one line', 'brep', BREP.replaceAll('\nFa', ' Fa')],
])('the kernel reads other ends of lines too, and so they are counted: %s', async (_, format, text) => {
  const bytes = Buffer.from(text, 'latin1');
  expect((await readContent(bytes, `box.${format}`, options())).kind).toBe('model');
  expect(() => checkKernelWork(bytes, format, { faces: 5, instances: 1e6 })).toThrow(
    expect.objectContaining({ code: 'LIMIT_EXCEEDED', details: { limit: 'faces', allowed: 5, found: 6 } }),
  );
});

test.each(FILES.slice(0, 2))('so are the instances of its text: %s', (format, bytes) => {
  expect(() => checkKernelWork(bytes, format, { faces: 6, instances: 10 })).toThrow(
    expect.objectContaining({ code: 'LIMIT_EXCEEDED', details: expect.objectContaining({ limit: 'instances' }) }),
  );
});

test('a file of many faces is refused within a moment, not after what the kernel would take', () => {
  const bytes = Buffer.from("#1=ADVANCED_FACE('',(#2),#3,.T.);\n".repeat(1_000_000));
  const began = process.cpuUsage().user;
  expect(() => checkKernelWork(bytes, 'step', options().limits)).toThrow('limits.faces');
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(5);
});
