import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './fixtures/folder.js';

const LICENCES = fileURLToPath(new URL('../.ci/licences.mjs', import.meta.url));
const folder = temporaryFolder();

interface Listed {
  name: string;
  version: string;
  licence: string;
}

const list = (...args: string[]): { status: number | null; packages: Listed[]; errors: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LICENCES, '--json', ...args], { encoding: 'utf8' });
  return { status, packages: JSON.parse(stdout) as Listed[], errors: stderr };
};

test('every package that users get is listed with its licence, and all may be used', () => {
  const { status, packages, errors } = list();
  expect(errors).toBe('');
  expect(status).toBe(0);
  const names = packages.map(({ name }) => name);
  // A dependency, an optional one, one of a dependency, another platform's, and what is built into the page.
  expect(names).toEqual(
    expect.arrayContaining(['better-sqlite3', 'replicad', 'bindings', '@img/sharp-win32-x64', 'three', 'preact']),
  );
  expect(names).not.toContain('vitest');
  for (const { licence, version } of packages) expect([licence, version]).not.toContain('');
});

test('a licence that binds the program, one that nobody knows, and none at all are refused', () => {
  const licences: Record<string, string | undefined> = {
    gpl: 'GPL-3.0-or-later',
    agpl: 'AGPL-3.0',
    both: 'MIT AND GPL-2.0-only',
    unknown: 'SEE LICENSE IN FILE',
    none: undefined,
    choice: '(GPL-2.0 OR MIT)',
    lesser: 'Apache-2.0 AND LGPL-3.0-or-later',
  };
  const packages = Object.fromEntries(
    Object.entries(licences).map(([name, license]) => [`node_modules/${name}`, { version: '1.0.0', license }]),
  );
  const lock = join(folder, 'lock.json');
  writeFileSync(lock, JSON.stringify({ packages: { '': {}, ...packages } }));
  const { status, errors } = list('--lock', lock);
  expect(status).toBe(1);
  expect(errors.match(/(?<=may not be used: )\w+/g)).toEqual(['agpl', 'both', 'gpl', 'none', 'unknown']);
});
