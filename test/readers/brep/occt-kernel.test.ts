import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { TESSELLATION, readWithOcct, type OcctFormat } from '../../../dist/readers/brep/occt-kernel.js';
import { passNumbersFast } from '../../../dist/readers/brep/occt-values.js';
import { brepBox } from '../../fixtures/brep-writer.js';
import { igesBox } from '../../fixtures/iges-writer.js';
import { stepFile } from '../../fixtures/step-writer.js';

interface PlainKernel {
  ReadFile(format: OcctFormat, content: Uint8Array, parameters: object): object;
}

const plain = await (createRequire(import.meta.url)('occt-import-js') as (settings: object) => Promise<PlainKernel>)({
  print: () => undefined,
  printErr: () => undefined,
});

const step = (name: string): Uint8Array =>
  stepFile({ parts: [{ name, shape: { kind: 'torus', radius: 20, tube: 5 }, color: [1, 0.5, 0] }] });
const bytes = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % 256);

test.each<[string, OcctFormat, Uint8Array, boolean]>([
  ['a STEP file', 'step', step('Träger Ω'), true],
  ['an IGES file', 'iges', igesBox(3, 4, 5), true],
  ['a BREP file', 'brep', brepBox(3, 4, 5), true],
  ['all values of bytes', 'step', bytes, false],
  ['half a file', 'step', step('half').subarray(0, 900), false],
  ['nothing', 'step', new Uint8Array(), false],
])('%s gives what the kernel alone gives', async (_name, format, content, isSound) => {
  const { messages: _messages, ...found } = await readWithOcct(content, format);
  expect(found).toEqual(plain.ReadFile(format, content, TESSELLATION));
  expect('success' in found && found.success).toBe(isSound);
});

test('imports of another glue code stay as they are', () => {
  const take = (): number => 1;
  const imports = { env: { take } };
  passNumbersFast(imports)({});
  expect(imports.env.take).toBe(take);
});
