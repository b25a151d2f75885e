import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine, type EngineError, rescueFiles, verifyClosed } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { pdf } from '../fixtures/pdf-writer.js';
import { stepFile } from '../fixtures/step-writer.js';
import { catalog, inStore, putTexts, text, withOlderCatalogue } from './library-with-lost-files.js';

const folder = temporaryFolder();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('whole files are copied out of a library, with their paths as far as rows can be read', async () => {
  const library = join(folder, 'damaged');
  await inStore(library, (store) => putTexts(store, 0, 200));
  const bytes = readFileSync(catalog(library));
  // The pages that hold paths, but for the first two and the last two.
  const pages = Array.from({ length: bytes.length / 4_096 }, (_, page) => page).filter((page) =>
    bytes.subarray(4_096 * page, 4_096 * (page + 1)).includes(sha256(text(1)).slice(0, 3)),
  );
  for (const page of pages.slice(2, -2)) bytes.fill(0, 4_096 * page, 4_096 * (page + 1));
  writeFileSync(catalog(library), bytes);
  const damaged = sha256(text(7));
  writeFileSync(join(library, 'blobs', damaged.slice(0, 2), damaged.slice(2)), 'other');
  const before = readFileSync(catalog(library));

  const to = join(folder, 'rescued');
  const report = await rescueFiles(library, to);
  expect(report.damaged).toEqual([
    {
      hash: damaged,
      fault: 'changed',
      file: join(library, 'blobs', damaged.slice(0, 2), damaged.slice(2)),
      files: expect.anything() as object,
    },
  ]);
  expect(report.catalogue).toMatch(/^could not read .*the catalogue is damaged/);
  expect(report.named + report.unnamed).toBe(199);
  expect(report.named).toBeGreaterThan(0);
  const named = readdirSync(join(to, 'acme'));
  for (const path of named)
    expect(readFileSync(join(to, 'acme', path))).toEqual(text(Number(path.replace('.txt', ''))));
  const unnamed = existsSync(join(to, 'unnamed')) ? readdirSync(join(to, 'unnamed')) : [];
  for (const name of unnamed) expect(`${sha256(readFileSync(join(to, 'unnamed', name)))}.txt`).toBe(name);
  expect([named.length, unnamed.length]).toEqual([report.named, report.unnamed]);
  expect(readFileSync(catalog(library)).equals(before)).toBe(true);
  await expect(rescueFiles(library, to)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('without a catalogue all bytes are copied, those in lost+found too', async () => {
  const { library } = await withOlderCatalogue(join(folder, 'without'));
  await inStore(library);
  rmSync(catalog(library));
  mkdirSync(join(folder, 'empty'));
  expect(await rescueFiles(library, join(folder, 'empty'))).toEqual({
    named: 0,
    inputs: 0,
    unnamed: 10,
    damaged: [],
    catalogue: expect.stringContaining('could not read the catalogue') as string,
    unreadable: [],
  });
  await inStore(join(folder, 'open'), async (store) => {
    await expect(rescueFiles(store.folder, join(folder, 'other'))).rejects.toMatchObject({ code: 'LIBRARY_LOCKED' });
  });
});

const assembly = (): Uint8Array =>
  stepFile({
    parts: [
      { name: 'plate', shape: { kind: 'box', x: 60, y: 40, z: 5 } },
      { name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 30 } },
    ],
    assembly: {
      name: 'plate with pin',
      placements: [
        { part: 0, at: [0, 0, 0] },
        { part: 1, at: [15, 20, 5] },
      ],
    },
  });

test('files are told apart by their content, search inputs by their rows, and what is missing is named', async () => {
  const library = join(folder, 'kinds');
  const files = {
    'box.stl': boxStl(1, 2, 3),
    'drawing.pdf': pdf([{ content: '' }]),
    'gone.txt': text(1),
    'random.bin': randomBytes(2_000),
  };
  const engine = await Engine.open(library, { workers: 1 });
  const company = await engine.company('acme');
  for (const [path, bytes] of Object.entries(files)) await company.put(path, bytes);
  const input = await company.putInput(boxStl(4, 5, 6), { extension: '.stl' });
  await company.put('pump.step', assembly(), { indexAssemblyComponents: true });
  expect((await company.components((await company.find('pump.step'))!.uid)).length).toBeGreaterThan(1);
  await engine.close();
  const gone = sha256(text(1));
  rmSync(join(library, 'blobs', gone.slice(0, 2), gone.slice(2)));

  const to = join(folder, 'kinds-rescued');
  expect(await rescueFiles(library, to)).toEqual({
    named: 4,
    inputs: 1,
    unnamed: 0,
    damaged: [{ hash: gone, fault: 'missing', files: [{ company: 'acme', path: 'gone.txt' }] }],
    unreadable: [],
  });
  expect(readdirSync(join(to, 'acme')).sort()).toEqual(['box.stl', 'drawing.pdf', 'pump.step', 'random.bin']);
  expect(readdirSync(join(to, 'search-inputs', 'acme'))).toHaveLength(1);
  expect(input.uid).toBeDefined();

  rmSync(catalog(library));
  const unnamed = join(folder, 'kinds-unnamed');
  expect(await rescueFiles(library, unnamed)).toMatchObject({ named: 0, inputs: 0, unnamed: 5, damaged: [] });
  expect(readdirSync(join(unnamed, 'unnamed')).sort()).toEqual(
    [
      `${sha256(boxStl(1, 2, 3))}.stl`,
      `${sha256(boxStl(4, 5, 6))}.stl`,
      `${sha256(files['drawing.pdf'])}.pdf`,
      `${sha256(files['random.bin'])}`,
      `${sha256(assembly())}.step`,
    ].sort(),
  );
});

test('bytes that cannot be listed are told, never an empty list', async () => {
  const library = join(folder, 'unlisted');
  await inStore(library, (store) => putTexts(store, 0, 3));
  const blobs = join(library, 'blobs');
  renameSync(blobs, join(library, 'moved'));
  writeFileSync(blobs, 'no folder');
  expect(await rescueFiles(library, join(folder, 'nothing'))).toMatchObject({
    ...{ named: 0, unnamed: 0, damaged: [] },
    unreadable: [{ folder: blobs, errno: 'ENOTDIR' }],
  });
});

test('a catalogue that the system refuses to look at is not taken for a missing one', async () => {
  const library = join(folder, 'refused');
  await inStore(library, (store) => putTexts(store, 0, 1));
  renameSync(catalog(library), join(folder, 'catalogue-of-refused'));
  symlinkSync('catalog.sqlite', catalog(library));
  await expect(Engine.open(library)).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'ELOOP' } });
  rmSync(catalog(library));
  await expect(Engine.open(library)).rejects.toMatchObject({
    code: 'LIBRARY_DAMAGED',
    message: expect.stringContaining('shapedex verify --rescue <folder>') as string,
  });
});

test('a library that does not open has a report of its bytes, and nothing of it is changed', async () => {
  const { library } = await withOlderCatalogue(join(folder, 'closed'));
  await inStore(library);
  const bytes = readFileSync(catalog(library)).fill(0, 4_096, 8_192);
  writeFileSync(catalog(library), bytes);
  const own = readdirSync(join(library, 'blobs')).flatMap((first) =>
    readdirSync(join(library, 'blobs', first)).map((rest) => join(library, 'blobs', first, rest)),
  );
  writeFileSync(own[0], 'other');
  const refused = await Engine.open(library).catch((cause: unknown) => cause as EngineError);
  expect(refused).toMatchObject({ code: 'LIBRARY_DAMAGED' });
  const lost = readdirSync(join(library, 'lost+found')).length;

  const report = await verifyClosed(library, refused as EngineError);
  expect(report.problems[0]).toMatchObject({ code: 'CATALOG_DAMAGED', repaired: false });
  expect(report.problems.slice(1).map(({ code }) => code)).toContain('BLOB_CHANGED');
  expect(report.blobsChecked).toBe(10);
  expect(report.lostAndFound).toMatchObject({ count: 10 - own.length, moved: 0, removed: 0 });
  expect(readFileSync(catalog(library)).equals(bytes)).toBe(true);
  expect(readdirSync(join(library, 'lost+found'))).toHaveLength(lost);
});

test('a lock file that was overwritten holds up no opening, and still locks', async () => {
  const library = join(folder, 'lock');
  await inStore(library, (store) => putTexts(store, 0, 1));
  writeFileSync(join(library, 'lock.sqlite'), 'something else, longer than a page'.repeat(200));
  await inStore(library, async () => {
    await expect(Engine.open(library)).rejects.toMatchObject({ code: 'LIBRARY_LOCKED' });
  });
  expect(readFileSync(join(library, 'lock.sqlite'))).toHaveLength(0);
});
