import { expect, test } from 'vitest';
import type { Model } from '../../../dist/content/model.js';
import type { OcctFormat } from '../../../dist/readers/brep/occt-kernel.js';
import { checkKernelWork } from '../../../dist/readers/brep/kernel-work.js';
import { readContent } from '../../../dist/readers/read.js';
import { brepBox } from '../../fixtures/brep-writer.js';
import { igesDrilledPlate, igesSolidBox } from '../../fixtures/iges-solids.js';
import { igesBox } from '../../fixtures/iges-writer.js';
import { stepFile } from '../../fixtures/step-writer.js';
import { options } from '../helpers.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

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

const countOf = ({ meshes }: Model): number => meshes.reduce((sum, { faces }) => sum + (faces?.length ?? 0), 0);
/** What a file counts, found by bounds that it passes. */
function countsOf(bytes: Uint8Array): { readonly instances: number } {
  for (let instances = 1; ; instances++)
    try {
      checkKernelWork(bytes, 'step', { faces: 1e6, instances });
      return { instances };
    } catch (error) {
      expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    }
}

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

const TEXT = Buffer.from(STEP).toString('latin1');
/** The box with more lines at the beginning of its data. */
const withLines = (lines: string): Buffer => Buffer.from(TEXT.replace('DATA;', `DATA;\n${lines}\n`), 'latin1');
const SAID = "ADVANCED_FACE(;'' FACE_SURFACE(;";

test.each([
  ['a comment', withLines(`/* ${SAID.repeat(20)} * / ' */`)],
  ['a text', withLines(`#9000=DESCRIPTIVE_REPRESENTATION_ITEM('${SAID.repeat(20)}','');`)],
  ['other words', withLines('#9000=X_ADVANCED_FACE();#9001=FACE_SURFACE_2(3);')],
])('what %s says is no face and no instance of a file', async (_, bytes) => {
  const { instances } = countsOf(STEP);
  expect(() => checkKernelWork(bytes, 'step', { faces: 6, instances: instances + 2 })).not.toThrow();
  expect((await readContent(bytes, 'box.step', options({ faces: 6 }))).kind).toBe('model');
});

test.each([
  ['comments around words', Buffer.from(TEXT.replaceAll('=ADVANCED_FACE(', '=/*x*/ADVANCED_FACE/**/('), 'latin1')],
  ['short names', Buffer.from(TEXT.replaceAll('=ADVANCED_FACE(', '=ADVFC('), 'latin1')],
  // By the standard such texts would go on behind what the kernel takes for their end.
  ['a doubled quote before a comma', withLines("#9000=DESCRIPTIVE_REPRESENTATION_ITEM('a'',$);")],
  ['a doubled quote before a parenthesis', withLines("#9000=DESCRIPTIVE_REPRESENTATION_ITEM($,'a'' \n);")],
  ['a quote within a text', withLines("#9000=DESCRIPTIVE_REPRESENTATION_ITEM('a' b',$);")],
  ['stars in a comment', withLines("/* ' ***/")],
  ['a comment in a comment', withLines("/* /* ' */")],
  ['a comment in a text', withLines("#9000=DESCRIPTIVE_REPRESENTATION_ITEM('/*',$);")],
  ['the end of a comment that has no beginning', withLines('*/')],
])('%s hides no face: what the kernel reads is counted', async (_, bytes) => {
  expect(countOf((await readContent(bytes, 'box.step', options())) as Model)).toBe(6);
  expect(() => checkKernelWork(bytes, 'step', { faces: 5, instances: 1e6 })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ limit: 'faces', found: 6 }) }),
  );
});

/** The lines of a directory with another switch that says whether an entity belongs to another one. */
const owned = (bytes: Uint8Array, flag: string): Buffer =>
  Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .split('\n')
      .map((line) => (/^[ \d]{8}.{64}D *\d*[13579]$/.test(line) ? line.slice(0, 66) + flag + line.slice(68) : line))
      .join('\n'),
    'latin1',
  );

test.each(['00', '01'])('a face of an IGES file is counted once, whatever it says of its owner: %s', async (flag) => {
  for (const [bytes, faces] of [
    [igesBox(1, 2, 3), 6],
    [igesSolidBox(1, 2, 3).bytes(), 6],
    [igesDrilledPlate([10, 20, 3], { x: 5, y: 5, radius: 2 }).bytes(), 7],
  ] as const) {
    const changed = owned(bytes, flag);
    expect(changed.toString('latin1').includes('00010000')).toBe(flag === '01');
    expect(() => checkKernelWork(changed, 'iges', { faces, instances: 1e6 })).not.toThrow();
    expect(() => checkKernelWork(changed, 'iges', { faces: faces - 1, instances: 1e6 })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ found: faces }) }),
    );
  }
  // The kernel reads a surface that says so and has no owner.
  expect(countOf((await readContent(owned(igesBox(1, 2, 3), flag), 'box.igs', options())) as Model)).toBe(6);
});

test('a file of many faces is refused within a moment, not after what the kernel would take', () => {
  const bytes = Buffer.from("#1=ADVANCED_FACE('',(#2),#3,.T.);\n".repeat(1_000_000));
  const took = stopwatch();
  expect(() => checkKernelWork(bytes, 'step', options().limits)).toThrow('limits.faces');
  expect(took()).toBeLessThan(5_000);
});
