import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { Engine, EngineError, verifyClosed, type VerifyReport } from '../../dist/index.js';
import { runCli } from '../cli/run-cli.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { makeLibrary } from './damaged-library.js';
import { runs } from '../fixtures/runs.js';

/** `verify` ends with a report whatever stands in the places of a library's files and folders. */

const folder = temporaryFolder();
const sound = join(folder, 'sound');
const library = join(folder, 'damaged');

/** What may stand in the place of a file or a folder. Who is root may read what is unreadable to others. */
const STATES: Readonly<Record<string, (path: string) => void>> = {
  'a file': (path) => inPlaceOf(path, () => writeFileSync(path, 'x')),
  'an empty file': (path) => inPlaceOf(path, () => writeFileSync(path, '')),
  'a folder': (path) => inPlaceOf(path, () => mkdirSync(path)),
  'a folder that holds something': (path) => inPlaceOf(path, () => mkdirSync(join(path, 'x'), { recursive: true })),
  'a link to nothing': (path) => inPlaceOf(path, () => symlinkSync('/nowhere/at/all', path)),
  'a link to itself': (path) => inPlaceOf(path, () => symlinkSync(path, path)),
  'a link to zeros without end': (path) => inPlaceOf(path, () => symlinkSync('/dev/zero', path)),
  'a pipe': (path) => inPlaceOf(path, () => process.platform !== 'win32' && execFileSync('mkfifo', [path])),
  nothing: (path) => inPlaceOf(path, () => undefined),
  zeros: (path) => changed(path, (bytes) => bytes.fill(0)),
  'its first half': (path) => isFile(path) && truncateSync(path, statSync(path).size >> 1),
  'its first half and zeros': (path) => changed(path, (bytes) => bytes.fill(0, bytes.length >> 1)),
  noise: (path) => changed(path, (bytes) => bytes.map((_, at) => (7_919 * at + 13) & 255)),
  'something unreadable': (path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false && chmodSync(path, 0),
};

function inPlaceOf(path: string, put: () => void): void {
  rmSync(path, { recursive: true, force: true });
  put();
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function changed(path: string, change: (bytes: Buffer) => Uint8Array): void {
  if (isFile(path)) writeFileSync(path, change(readFileSync(path)));
}

interface Damage {
  readonly entry: string;
  readonly state: string;
}

/** Files and folders of the library; of those that are many alike, the first. */
let entries: readonly string[];

beforeAll(async () => {
  await makeLibrary(sound);
  const seen = new Set<string>();
  const all = (readdirSync(sound, { recursive: true }) as string[]).sort();
  const first = all.filter((name) => {
    const alike = name.replaceAll(/[0-9a-f]{20,}|(?<=[\\/])[0-9a-f]{2}(?=[\\/]|$)/g, '*');
    return !seen.has(alike) && seen.add(alike);
  });
  const besides = [
    'catalog.sqlite-wal',
    'catalog.sqlite-shm',
    'catalog.sqlite-journal',
    'lock.sqlite-journal',
    'holder.json',
    'service',
  ];
  entries = [...first, ...besides, 'lost+found', join('lost+found', 'list.jsonl')];
}, 300_000);

/** Puts damages into a copy of the sound library; one whose place is gone by another is left out. */
function damaged(damages: readonly Damage[]): void {
  if (existsSync(library)) openAll(library);
  rmSync(library, { recursive: true, force: true });
  cpSync(sound, library, { recursive: true });
  mkdirSync(join(library, 'lost+found'));
  writeFileSync(join(library, 'lost+found', 'list.jsonl'), '');
  for (const { entry, state } of damages) {
    const path = join(library, entry);
    if (lstatSync(join(path, '..'), { throwIfNoEntry: false })?.isDirectory()) STATES[state](path);
  }
}

/** So that it can be removed. */
function openAll(path: string): void {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about?.isDirectory() !== true && about?.isFile() !== true) return;
  chmodSync(path, 0o700);
  if (about.isDirectory()) for (const name of readdirSync(path)) openAll(join(path, name));
}

/** What does not end with a report, or with another error than an EngineError. */
async function wrongWith(damages: readonly Damage[]): Promise<string[]> {
  damaged(damages);
  const wrong: string[] = [];
  const reported = async (what: string, check: () => Promise<VerifyReport>): Promise<void> => {
    const report = await check().catch((cause: unknown) => cause as Partial<VerifyReport>);
    if (!Array.isArray(report.problems)) wrong.push(`${what}: ${String((report as Error).stack)}`);
  };
  try {
    const engine = await Engine.open(library, { workers: 1 });
    await reported('verify', () => engine.verify({ repair: false }));
    await reported('verify and repair', () => engine.verify());
    await reported('verify and purge', () => engine.verify({ purge: true }));
    await engine.close();
  } catch (cause) {
    if (!(cause instanceof EngineError)) wrong.push(`open or close: ${String((cause as Error).stack)}`);
    else await reported('verifyClosed', () => verifyClosed(library, cause));
  }
  return wrong;
}

test('each damage of what every library has', { timeout: 600_000 }, async () => {
  const wrong: string[] = [];
  const damages = ['catalog.sqlite', 'blobs', 'lost+found', 'lock.sqlite'].flatMap((entry) =>
    Object.keys(STATES).map((state) => ({ entry, state })),
  );
  // SQLite opens these by itself, and opening a pipe waits for a writer.
  for (const end of ['wal', 'shm', 'journal']) damages.push({ entry: `catalog.sqlite-${end}`, state: 'a pipe' });
  for (const { entry, state } of damages)
    for (const found of await wrongWith([{ entry, state }])) wrong.push(`${entry} is ${state}: ${found}`);
  expect(wrong).toEqual([]);
});

test('two damages at once', { timeout: 600_000 }, async () => {
  const one = fc.record({
    entry: fc.nat().map((at) => entries[at % entries.length]),
    state: fc.constantFrom(...Object.keys(STATES)),
  });
  await fc.assert(
    fc.asyncProperty(one, one, async (first, second) => {
      expect(await wrongWith([first, second])).toEqual([]);
    }),
    { seed: 16, numRuns: runs(24) },
  );
});

test('the command ends with a report where the library does not open', async () => {
  for (const damages of [
    [{ entry: 'catalog.sqlite', state: 'a folder' }],
    [
      { entry: 'catalog.sqlite', state: 'zeros' },
      { entry: 'blobs', state: 'a file' },
    ],
    [{ entry: 'lock.sqlite', state: 'a folder' }],
  ]) {
    damaged(damages);
    const { code, stdout } = await runCli(['verify', '--library', library, '--json'], { cwd: folder });
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as VerifyReport).problems[0].repaired).toBe(false);
  }
});

test('a folder that is no library is told as that, and nothing is written to it', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'letter.txt'), 'x');
  const refused = await Engine.open(other).catch((cause: unknown) => cause as EngineError);
  await expect(verifyClosed(other, refused as EngineError)).rejects.toBe(refused);
  expect(readdirSync(other)).toEqual(['letter.txt']);
});
