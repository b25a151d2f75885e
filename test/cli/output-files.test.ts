import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../fixtures/folder.js';
import { runCli } from './run-cli.js';

const cwd = temporaryFolder();

test('a file that cannot be written is told before the work, and one that can be stays as it is', async () => {
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'kept.csv'), 'kept');
  // Neither library nor query is there: what is said first was looked at first.
  for (const [args, said] of [
    [['search', 'part.step', '--export', 'nowhere/x.csv'], 'could not open or write nowhere/x.csv'],
    [['pmi', 'part.step', '--overlay', 'folder'], 'could not open or write folder: it is a folder'],
    [['pmi', 'compare', 'a.step', 'b.step', '--csv', 'nowhere/x.csv'], 'could not open or write nowhere/x.csv'],
    [['duplicates', '--csv', 'kept.csv'], 'there is no library'],
    [['duplicates', '--csv', 'new.csv'], 'there is no library'],
  ] as const) {
    const { code, stderr } = await runCli(args, { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  }
  expect(readFileSync(join(cwd, 'kept.csv'), 'utf8')).toBe('kept');
  expect(readdirSync(cwd).sort()).toEqual(['folder', 'kept.csv']);
});

test('a kind is named in capitals or not, and the message for another one lists them', async () => {
  for (const command of ['search', 'list']) {
    const said = async (kind: string): Promise<string> => (await runCli([command, '--kind', kind], { cwd })).stderr;
    expect(await said('Threed')).toContain('there is no library');
    expect(await said('3d')).toContain('Allowed choices are Image, ThreeD, TwoD, Text.');
  }
});
