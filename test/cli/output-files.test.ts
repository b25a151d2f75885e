import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkOutputs } from '../../dist/cli/output-files.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
import { pdf, textAt } from '../fixtures/pdf-writer.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { runCli } from './run-cli.js';

const cwd = temporaryFolder();

test('what pmi takes for one file is refused where two are compared, and not left out', async () => {
  const { code, stderr } = await runCli(['pmi', 'compare', 'a.step', 'b.step', '--xlsx', 'list.xlsx'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--xlsx is for the dimensions of one file')]);
});

test('of a PDF that was taken for a document it is said how it is read as a drawing', async () => {
  writeFileSync(join(cwd, 'words.pdf'), pdf([{ content: textAt('R5 is a radius, and 20 a length', 60, 700) }]));
  const { code, stderr } = await runCli(['pmi', 'words.pdf'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/taken for a document.* with --pdf-drawings it is read/)]);
  const { stdout } = await runCli(['pmi', 'words.pdf', '--pdf-drawings'], { cwd });
  expect(stdout).toContain('No dimensions');
  expect((await runCli(['pmi', 'stored', '--pdf-drawings'], { cwd })).code).not.toBe(0);
  rmSync(join(cwd, 'words.pdf'));
});

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

test('a list goes to standard output where its file is named "-", and nothing else does', async () => {
  const sides = [line(0, 0, 200, 0), line(200, 0, 200, 100), line(200, 100, 0, 100), line(0, 100, 0, 0)];
  writeFileSync(join(cwd, 'plate.dxf'), dxf({ entities: [...sides, text('%%c40', 50, 40)] }));
  const { code, stdout, stderr } = await runCli(['pmi', 'plate.dxf', '--csv', '-'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining('Measurement')]);
  const [head, row, ...more] = stdout.trim().split(/\r?\n/);
  expect(head).toMatch(/nominal/i);
  // Spreadsheets want a byte order mark in a file; a pipe does not.
  expect(stdout.startsWith('\ufeff')).toBe(false);
  expect((await runCli(['pmi', 'plate.dxf', '--csv', 'list.csv'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'list.csv'), 'utf8').startsWith(`\ufeff${head}`)).toBe(true);
  expect(row).toContain('40');
  expect(more).toEqual([]);
  for (const [args, said] of [
    [['--csv', '-', '--json'], '--csv - and --json would both write to standard output'],
    [['--csv', '-', '--xlsx', '-'], '--csv - and --xlsx would both write to standard output'],
  ] as const)
    expect(await runCli(['pmi', 'plate.dxf', ...args], { cwd })).toMatchObject({
      code: 2,
      stdout: expect.not.stringContaining('40'),
      stderr: expect.stringContaining(said),
    });
  expect(existsSync(join(cwd, '-'))).toBe(false);
});

test('a kind is named in capitals or not, and the message for another one lists them', async () => {
  for (const command of ['search', 'list']) {
    const said = async (kind: string): Promise<string> => (await runCli([command, '--kind', kind], { cwd })).stderr;
    expect(await said('Threed')).toContain('there is no library');
    expect(await said('3d')).toContain('Allowed choices are Image, ThreeD, TwoD, Text.');
  }
});

test.skipIf(process.platform === 'win32')(
  'who reads a pipe gets all that is written after it was checked',
  async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Tells when it is about to wait for a writer; that it waits, nothing tells.
    const reader = spawn('sh', ['-c', 'echo waits; exec cat "$0"', pipe]);
    let said = '';
    reader.stdout.on('data', (bytes) => (said += String(bytes)));
    await once(reader.stdout, 'data');
    for (let check = 0; check < 50; check++) {
      await checkOutputs({ csv: pipe });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    // One that had read to an end would be gone, and this would wait for another.
    expect(reader.exitCode).toBeNull();
    await writeFile(pipe, 'rows');
    await once(reader, 'close');
    expect(said).toBe('waits\nrows');
  },
);

test.skipIf(process.platform === 'win32')('a link to a file that is still to be made stays a link to it', async () => {
  const made = temporaryFolder();
  const link = join(made, 'link.csv');
  symlinkSync(join(made, 'rows.csv'), link);
  await checkOutputs({ csv: link });
  expect(existsSync(join(made, 'rows.csv'))).toBe(false);
  await writeFile(link, 'rows');
  expect(readFileSync(join(made, 'rows.csv'), 'utf8')).toBe('rows');
});

test.skipIf(!existsSync('/dev/full'))('an output that cannot be written ends in a coded error, not in a stack', () => {
  const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" --help > /dev/full', process.execPath, cli], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^error: STORAGE_FAILED: could not write the output: ENOSPC.*\n$/);
  expect(status).toBe(1);
});
