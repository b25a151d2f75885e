import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';
import { jsonLines, runCli } from './run-cli.js';

const cwd = temporaryFolder();
const run = (...args: string[]) => runCli(args, { cwd });

test('convert writes files, says what is faceted, and goes on after one that fails', async () => {
  const step = stepFile({ parts: [{ name: 'block', shape: { kind: 'box', x: 1, y: 2, z: 3 } }] });
  writeFileSync(join(cwd, 'block.step'), step);
  writeFileSync(join(cwd, 'cube.stl'), boxStl(2, 2, 2));
  writeFileSync(join(cwd, 'notes.stl'), 'no model');
  const { code, stdout, stderr } = await run(
    'convert',
    'block.step',
    'cube.stl',
    'notes.stl',
    'nowhere.stl',
    '--to',
    'step',
    '--out',
    'out',
  );
  expect(code).toBe(1);
  expect(stdout.split('\n').map((line) => line.replace(/ {2}.*,/, ''))).toEqual([
    `block.step -> ${join('out', 'block.step')} exact`,
    `cube.stl -> ${join('out', 'cube.step')} faceted`,
    '',
  ]);
  expect(stderr).toContain('2 files could not be converted');
  expect(readFileSync(join(cwd, 'out', 'block.step')).equals(step)).toBe(true);
  // What is there already is not lost.
  expect((await run('convert', 'block.step', '--to', 'step', '--out', 'out')).code).toBe(1);
  const json = await run('convert', 'block.step', '--to', 'stl', '--tolerance', '0.1', '--out', 'out', '--json');
  expect(jsonLines(json.stdout)).toEqual([
    { from: 'block.step', path: join('out', 'block.stl'), byteLength: 84 + 12 * 50, faceted: true },
  ]);
  expect(existsSync(join(cwd, 'out', 'block.stl'))).toBe(true);
  expect((await run('convert', 'block.step', '--to', 'obj')).code).toBe(2);
}, 240_000);
