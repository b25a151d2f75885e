import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { hasPostgres, HOW, inDatabase, startPostgres, type TestServer } from '../fixtures/postgres.mjs';

const folder = temporaryFolder();
let server: TestServer;
let places = 0;
const place = (name: string): string => join(folder, `${name}-${places++}`);

/** Everything that a company shows: records, and the hits of each file by shape and of some words. */
async function shownBy(engine: Engine): Promise<unknown> {
  const acme = await engine.company('acme');
  const records = await acme.list();
  const hits = [];
  for (const { uid } of records.filter(({ kind }) => kind === 'ThreeD'))
    hits.push((await acme.search({ like: { uid } })).hits.map((hit) => [hit.path, hit.score]));
  for (const text of ['steel', 'part', 'Width=3mm'])
    hits.push((await acme.search({ text })).hits.map(({ path }) => path));
  return { records, hits, settings: await acme.settings.get(), categories: await acme.categories.list() };
}

async function newFolder(): Promise<string> {
  const library = place('library');
  const engine = await Engine.open(library, { workers: 2, pictures: 'none' });
  const acme = await engine.company('acme');
  const { id: categoryId } = await acme.categories.add('Boxes');
  for (let i = 0; i < 12; i++)
    await acme.put(`part ${i}.stl`, boxStl(1 + (i % 3), 2, 3 + i / 9), {
      wait: false,
      attributes: [`Width(mm)=${i % 5}`, i % 2 ? 'Material=Steel' : 'Material=Brass'],
      ...(i % 4 === 0 ? { categoryId } : {}),
    });
  await engine.idle();
  await acme.delete((await acme.find('part 7.stl'))!.uid);
  await acme.put('note.txt', Buffer.from('steel and brass'));
  await engine.close();
  return library;
}

async function inFolder<T>(library: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await Engine.open(library, { workers: 1, pictures: 'none' });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

describe.skipIf(!hasPostgres)(hasPostgres ? 'moving a library into PostgreSQL and back' : HOW, () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('both hold and find the same, and the one that came back is whole', async () => {
    const library = await newFolder();
    const before = await inFolder(library, shownBy);
    const [url, blobs, back] = [await server.database(), place('blobs'), place('back')];
    const report = await Engine.migrate(library, url, { blobs });
    expect(report).toMatchObject({ blobs: 12, kept: 0, damaged: [] });
    expect(report.tables['file']).toBe(12);

    const engine = await Engine.open(url, { blobs, replica: place('replica'), workers: 1, pictures: 'none' });
    expect(await shownBy(engine)).toEqual(before);
    expect((await engine.verify({ repair: false })).problems).toEqual([]);
    const acme = await engine.company('acme');
    await acme.put('later.stl', boxStl(1, 2, 3.05), { attributes: ['Material=Steel'] });
    await acme.delete((await acme.find('part 2.stl'))!.uid);
    const after = await shownBy(engine);
    await expect(Engine.migrate(url, place('busy'), { blobs })).rejects.toMatchObject({ code: 'CONFLICT' });
    await engine.close();

    const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, [cli, 'migrate', url, back, '--blobs', blobs, '--json']);
    expect([status, JSON.parse(stdout.toString())]).toMatchObject([0, { blobs: 12, damaged: [] }]);
    // The first to open it: its words are only just being made.
    const verified = spawnSync(process.execPath, [cli, 'verify', '--no-repair', '--library', back, '--json']);
    expect([verified.status, JSON.parse(verified.stdout.toString())]).toMatchObject([0, { problems: [] }]);
    await inFolder(back, async (own) => {
      expect(await shownBy(own)).toEqual(after);
      expect((await own.verify({ repair: false })).problems).toEqual([]);
      // Its triggers are there again: a search by words follows.
      const company = await own.company('acme');
      await company.setAttributes((await company.find('later.stl'))!.uid, ['Colour=red']);
      expect((await company.search({ text: 'red' })).hits.map(({ path }) => path)).toEqual(['later.stl']);
    });
  });

  test('goes on where it was killed, and until then neither opens', async () => {
    const library = await newFolder();
    const before = await inFolder(library, shownBy);
    const [url, blobs, back] = [await server.database(), place('blobs'), place('back')];
    const script = fileURLToPath(new URL('migrating-process.mjs', import.meta.url));
    const killed = (from: string, to: string, report: number): void => {
      const { signal } = spawnSync(process.execPath, [script, from, to, blobs, `${report}`], { stdio: 'ignore' });
      expect(signal).toBe('SIGKILL');
    };
    for (const report of [7, 30]) killed(library, url, report);
    await expect(Engine.open(url, { blobs, replica: place('replica') })).rejects.toMatchObject({
      code: 'LIBRARY_UNREADABLE',
      message: expect.stringContaining('shapedex migrate'),
    });
    expect(await Engine.migrate(library, url, { blobs })).toMatchObject({ blobs: 12, kept: 12, damaged: [] });
    const engine = await Engine.open(url, { blobs, replica: place('replica'), workers: 1, pictures: 'none' });
    expect(await shownBy(engine)).toEqual(before);
    await engine.close();

    for (const report of [2, 50]) killed(url, back, report);
    await expect(Engine.open(back)).rejects.toMatchObject({ code: 'LIBRARY_UNREADABLE' });
    await Engine.migrate(url, back, { blobs });
    expect(await inFolder(back, shownBy)).toEqual(before);
  });

  test('copies anew what does not agree, tells damaged bytes, and refuses what is in use', async () => {
    const library = await newFolder();
    const [url, blobs] = [await server.database(), place('blobs')];
    const script = fileURLToPath(new URL('migrating-process.mjs', import.meta.url));
    // Killed at its last table; meanwhile the folder changes, and a row in the database.
    spawnSync(process.execPath, [script, library, url, blobs, '50'], { stdio: 'ignore' });
    await inDatabase(url, `UPDATE shapedex.company SET name = 'other'`);
    await inFolder(library, async (engine) => {
      const acme = await engine.company('acme');
      await acme.delete((await acme.find('part 3.stl'))!.uid);
      await expect(Engine.migrate(library, url, { blobs })).rejects.toMatchObject({ code: 'LIBRARY_LOCKED' });
    });
    const [{ hash }] = await inFolder(library, async (engine) => {
      const { path, byteLength } = (await (await engine.company('acme')).find('note.txt'))!;
      expect([path, byteLength]).toEqual(['note.txt', 15]);
      return [{ hash: (await import('node:crypto')).createHash('sha256').update('steel and brass').digest('hex') }];
    });
    rmSync(join(library, 'blobs', hash.slice(0, 2), hash.slice(2)));
    rmSync(join(blobs, hash.slice(0, 2), hash.slice(2)));
    const report = await Engine.migrate(library, url, { blobs });
    expect(report.damaged).toEqual([{ hash, fault: 'missing' }]);
    expect(report.tables['file']).toBe(11);
    await expect(Engine.migrate(library, url, { blobs })).rejects.toMatchObject({ code: 'CONFLICT' });
    const engine = await Engine.open(url, { blobs, replica: place('replica'), workers: 1, pictures: 'none' });
    expect(await engine.companies()).toEqual(['acme']);
    await engine.close();
  });
});
