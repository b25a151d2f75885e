import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';
import { jsonLines, runCli } from './run-cli.js';

const cwd = temporaryFolder();
const run = (...args: string[]) => runCli(args, { cwd });

test('assembly shows equal placements in one line', async () => {
  mkdirSync(join(cwd, 'parts'));
  writeFileSync(join(cwd, 'parts', 'one.stl'), boxStl(1, 2, 3));
  writeFileSync(join(cwd, 'parts', 'whole.step'), stepFile({
    parts: [{ name: 'cube', shape: { kind: 'box', x: 2, y: 2, z: 2 } }],
    assemblies: [
      { name: 'pair', places: [{ of: { part: 0 }, at: [0, 0, 0], occurrence: 'left' }, { of: { part: 0 }, at: [3, 0, 0], occurrence: 'right' }] },
      { name: 'whole', places: [{ of: { assembly: 0 }, at: [0, 0, 0] }, { of: { assembly: 0 }, at: [0, 9, 0] }] },
    ],
  }));
  expect((await run('index', 'parts')).code).toBe(0);
  expect((await run('assembly', 'whole.step')).stdout).toBe([
    'whole.step', '  whole  32.0000 mm³', '    2 × pair  16.0000 mm³', '      2 × cube  8.00000 mm³  (left, right)', '',
  ].join('\n'));
  const [{ assembly }] = jsonLines<{ assembly: { children: { transform: number[] | null }[] } }>((await run('assembly', 'whole.step', '--json')).stdout);
  expect(assembly.children.map(({ transform }) => transform?.[13])).toEqual([undefined, 9]);
  expect((await run('assembly', 'one.stl')).stdout).toBe('one.stl is a single part.\n');
  expect((await run('assembly', 'none.step')).code).toBe(1);
}, 60_000);
