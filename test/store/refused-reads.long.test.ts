import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { compileFaults, faultEnvironment } from '../../bench/campaigns/support/faults.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();

test('a disk that refuses to read is told as that, never as a damaged catalogue', async ({ skip }) => {
  const { file, missing } = compileFaults(folder);
  if (file === undefined) return skip(missing);
  const root = join(folder, 'libraries');
  mkdirSync(root);
  const state = join(folder, 'state');
  const child = fileURLToPath(new URL('refused-reads.mjs', import.meta.url));
  const env = { ...process.env, ...faultEnvironment(file, { root, state }) };
  const { stdout } = await promisify(execFile)(process.execPath, [child, root, state], { env });
  expect(JSON.parse(stdout)).toEqual(['BLOB_UNREADABLE', 'CHECK_FAILED', 'STORAGE_FAILED']);
});
