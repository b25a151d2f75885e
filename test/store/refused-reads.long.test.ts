import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { compileFaults, faultEnvironment } from '../../bench/campaigns/support/faults.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();

/** What a program says whose system calls fail; `missing`: why they cannot. */
async function saidBy(program: string): Promise<{ said?: unknown; missing?: string }> {
  const { file, missing } = compileFaults(folder);
  if (file === undefined) return { missing };
  const root = join(folder, program);
  mkdirSync(root);
  const state = join(folder, `${program}.state`);
  const child = fileURLToPath(new URL(`${program}.mjs`, import.meta.url));
  const env = { ...process.env, ...faultEnvironment(file, { root, state }) };
  const { stdout } = await promisify(execFile)(process.execPath, [child, root, state], { env });
  return { said: JSON.parse(stdout) };
}

test('a disk that refuses to read is told as that, never as a damaged catalogue', async ({ skip }) => {
  const { said, missing } = await saidBy('refused-reads');
  if (missing !== undefined) return skip(missing);
  expect(said).toEqual(['BLOB_UNREADABLE', 'CHECK_FAILED', 'STORAGE_FAILED']);
});

test('a process that may open no more files makes no backup that lacks bytes', async ({ skip }) => {
  const { said, missing } = await saidBy('refused-backup');
  if (missing !== undefined) return skip(missing);
  expect(said).toEqual(['STORAGE_FAILED', 'whole']);
});
