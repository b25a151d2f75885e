import { mkdtempSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type EngineOptions } from '../../dist/index.js';
import { S3Blobs } from '../../dist/store/disk/s3-blobs.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { hasPostgres, HOW, startPostgres, type TestServer } from '../fixtures/postgres.mjs';
import { startBucket, type TestBucket } from '../fixtures/s3-server.js';

const folder = temporaryFolder();
const place = (): string => mkdtempSync(join(folder, 'place-'));
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.stop());

const bytesOf = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const found: Uint8Array[] = [];
  for await (const chunk of chunks) found.push(chunk);
  return Buffer.concat(found);
};

/** Files below the folder that this machine keeps. */
const held = (store: S3Blobs): string[] =>
  readdirSync(store.folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name);

async function newBlobs(cacheBytes: number, outageMs = 2_000): Promise<S3Blobs> {
  const blobs = new S3Blobs(bucket.url, place(), { fileBytesLimit: 1e9, cacheBytes, outageMs });
  await blobs.make();
  return blobs;
}

describe('bytes in a bucket', () => {
  test('are kept, read, listed by pages and removed, on this machine and on another', async () => {
    const [one, other] = [await newBlobs(1e6), await newBlobs(0)];
    const hashes: string[] = [];
    for (let i = 0; i < 7; i++) {
      const draft = await one.draft(Buffer.from(`bytes ${i}`));
      await one.keep(draft);
      hashes.push(draft.hash);
    }
    expect([...bucket.objects.keys()]).toContain(`some prefix/${hashes[0].slice(0, 2)}/${hashes[0].slice(2)}`);
    expect((await other.list()).hashes).toEqual([...hashes].sort());
    expect(Buffer.from(await other.read(hashes[3])).toString()).toBe('bytes 3');
    expect((await bytesOf(other.stream(hashes[4], 7))).toString()).toBe('bytes 4');
    expect(held(other)).toEqual([]);
    await other.bring(hashes[5]);
    expect(held(other)).toHaveLength(1);
    expect(await other.check(hashes[5], 7)).toBeUndefined();
    await one.remove(hashes[5]);
    expect(await other.check(hashes[5], 7)).toBe('missing');
    await expect(other.bring(hashes[6].replace(/./, 'f'))).rejects.toMatchObject({ code: 'LIBRARY_DAMAGED' });
    // An opening asks for one page, however much is there.
    bucket.asked.length = 0;
    await newBlobs(0);
    expect(bucket.asked).toHaveLength(1);
    // The same bytes again are not sent again.
    bucket.asked.length = 0;
    await other.keep(await other.draft(Buffer.from('bytes 1')));
    expect(bucket.asked.some((line) => line.startsWith('PUT'))).toBe(false);
  });

  test('that changed are told by their hash', async () => {
    const blobs = await newBlobs(0);
    const draft = await blobs.draft(Buffer.from('to be changed'));
    await blobs.keep(draft);
    const key = `some prefix/${draft.hash.slice(0, 2)}/${draft.hash.slice(2)}`;
    bucket.objects.set(key, Buffer.from('to be CHANGED'));
    expect(await blobs.check(draft.hash, 13)).toBe('changed');
    await expect(blobs.read(draft.hash)).rejects.toMatchObject({ code: 'LIBRARY_DAMAGED' });
    await expect(bytesOf(blobs.stream(draft.hash, 13))).rejects.toMatchObject({ code: 'LIBRARY_DAMAGED' });
    await expect(blobs.bring(draft.hash)).rejects.toMatchObject({ code: 'LIBRARY_DAMAGED' });
    bucket.objects.delete(key);
  });

  test('are waited for within bounds while it is busy, cut or gone, and come back by themselves', async () => {
    const blobs = await newBlobs(0, 500);
    const draft = await blobs.draft(Buffer.from('a longer text, of which a half comes'));
    await blobs.keep(draft);
    const outage = { code: 'STORAGE_FAILED', details: { outage: true } };
    for (const fault of ['busy', 'cuts', 'gone'] as const) {
      if (fault === 'gone') await bucket.stop();
      else bucket.behaviour = fault;
      const start = performance.now();
      await expect(blobs.read(draft.hash)).rejects.toMatchObject(outage);
      if (fault !== 'cuts')
        await expect(blobs.keep(await blobs.draft(Buffer.from(fault)))).rejects.toMatchObject(outage);
      expect(performance.now() - start).toBeLessThan(10_000);
      if (fault === 'gone') await bucket.start();
      bucket.behaviour = 'works';
      expect(Buffer.from(await blobs.read(draft.hash)).toString()).toContain('longer');
    }
    expect(held(blobs)).toEqual([]);
  });

  test.each(['busy', 'silent', 'gone'] as const)('that is %s at opening is given up in time', async (fault) => {
    const options = { fileBytesLimit: 1e9, cacheBytes: 0, outageMs: 60_000, connectMs: 500 };
    const opening = new S3Blobs(bucket.url, place(), options);
    if (fault === 'gone') await bucket.stop();
    else bucket.behaviour = fault;
    const start = performance.now();
    await expect(opening.make()).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { outage: true } });
    expect(performance.now() - start).toBeLessThan(options.connectMs + 4_000); // And time of a busy machine.
    if (fault === 'gone') await bucket.start();
    bucket.behaviour = 'works';
    await opening.make();
    opening.close();
  });

  test('need a bucket and credentials: errors say which', async () => {
    const options = { fileBytesLimit: 1e9, cacheBytes: 0, outageMs: 100 };
    for (const url of ['s3://', 's3://parts?bucket=x', 's3://parts?endpoint=ftp://x', 's3://UPPER'])
      expect(() => new S3Blobs(url, place(), options), url).toThrow(/options\.blobs/);
    const other = new S3Blobs(bucket.url.replace('parts', 'nothing'), place(), options);
    await expect(other.make()).rejects.toMatchObject({ code: 'STORAGE_FAILED', message: /bucket/ });
    const { AWS_ACCESS_KEY_ID: key } = process.env;
    process.env['AWS_ACCESS_KEY_ID'] = 'wrong';
    await expect(newBlobs(0)).rejects.toMatchObject({ code: 'STORAGE_FAILED', message: /403 SignatureDoesNotMatch/ });
    delete process.env['AWS_ACCESS_KEY_ID'];
    await expect(newBlobs(0)).rejects.toMatchObject({ code: 'STORAGE_FAILED', message: /AWS_ACCESS_KEY_ID/ });
    process.env['AWS_ACCESS_KEY_ID'] = key;
  });
});

describe('bytes in a bucket of a server that others wrote, s3rver', () => {
  // It checks signatures. It compares no SHA-256, and fails at a second page of a listing: ours is for these.
  type Server = { run(): Promise<AddressInfo>; close(): Promise<void> };
  type Options = Readonly<Record<string, unknown>>;
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: Options) => Server;
  const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  let before: NodeJS.ProcessEnv;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const buckets = { configureBuckets: [{ name: 'parts' }], directory: place() };
    server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, ...buckets });
    url = `s3://parts/a+b%20c?endpoint=http://127.0.0.1:${(await server.run()).port}&region=us-east-1`;
    before = { ...process.env };
    Object.assign(process.env, credentials);
  });
  afterAll(async () => {
    for (const name of Object.keys(credentials)) process.env[name] = before[name];
    await server.close();
  });

  test('are kept, read, listed and removed', async () => {
    const options = { fileBytesLimit: 1e9, cacheBytes: 0, outageMs: 500 };
    const blobs = new S3Blobs(url, place(), options);
    await blobs.make();
    const hashes: string[] = [];
    for (let i = 0; i < 5; i++) {
      const draft = await blobs.draft(Buffer.from(`bytes ${i}`));
      await blobs.keep(draft);
      hashes.push(draft.hash);
    }
    expect((await blobs.list()).hashes).toEqual([...hashes].sort());
    expect(Buffer.from(await blobs.read(hashes[3])).toString()).toBe('bytes 3');
    expect((await bytesOf(blobs.stream(hashes[4], 7))).toString()).toBe('bytes 4');
    await blobs.remove(hashes[2]);
    expect(await blobs.check(hashes[2], 7)).toBe('missing');
    expect(await blobs.check(hashes[1], 7)).toBeUndefined();
    blobs.close();
    const wrong = new S3Blobs(url.replace('parts', 'nothing'), place(), options);
    await expect(wrong.make()).rejects.toMatchObject({ code: 'STORAGE_FAILED', message: /404 NoSuchBucket/ });
    process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong';
    const refused = new S3Blobs(url, place(), options).make();
    await expect(refused).rejects.toMatchObject({ code: 'STORAGE_FAILED', message: /403 SignatureDoesNotMatch/ });
    process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
  });
});

describe.skipIf(!hasPostgres)(hasPostgres ? 'a library in PostgreSQL with bytes in a bucket' : HOW, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('indexes what another process put, rides out an outage, and moves to a folder', async () => {
    const url = await server.database();
    const open = (options: Partial<EngineOptions>): Promise<Engine> =>
      Engine.open(url, { blobs: bucket.url, replica: place(), pictures: 'none', outageMs: 1_000, ...options });
    const [putting, indexing] = [await open({ workers: 0 }), await open({ workers: 1 })];
    const acme = await putting.company('acme');
    const first = await acme.put('first.stl', boxStl(1, 2, 3));
    expect(first.state).toBe('indexed');
    expect(Buffer.from(await (await indexing.company('acme')).bytes(first.uid)).equals(boxStl(1, 2, 3))).toBe(true);

    // What is put just before an outage is indexed after it, and no file fails.
    for (const fault of ['busy', 'cuts'] as const) {
      const puts = [1, 2, 3, 4].map((i) => acme.put(`${fault} ${i}.stl`, boxStl(i, 2, 5), { wait: false }));
      const waiting = (await Promise.all(puts)).length;
      bucket.behaviour = fault;
      for (const end = performance.now() + 3_000; performance.now() < end; )
        expect((await putting.stats()).states.failed).toBe(0);
      const { files, states } = await indexing.stats();
      expect([states.failed, states.indexed + states.queued]).toEqual([0, files]);
      if (fault === 'busy')
        await expect(acme.put('refused.stl', boxStl(1, 2, 4))).rejects.toMatchObject({
          code: 'STORAGE_FAILED',
          details: { outage: true },
        });
      bucket.behaviour = 'works';
      await indexing.idle({ signal: AbortSignal.timeout(60_000) });
      expect((await indexing.stats()).states).toEqual({ indexed: files, queued: 0, failed: 0 });
      // The other process hears of it a moment later.
      const heard = { timeout: 10_000 };
      await expect
        .poll(async () => (await putting.stats()).states, heard)
        .toEqual({ indexed: files, queued: 0, failed: 0 });
      for (const { uid } of await acme.list({ prefix: fault })) await acme.delete(uid);
      expect([waiting, files]).toEqual([4, 5]);
    }
    const second = await acme.put('second.stl', boxStl(1, 2, 3.1));
    expect(second.state).toBe('indexed');
    expect((await putting.stats()).states).toEqual({ indexed: 2, queued: 0, failed: 0 });
    expect((await putting.verify({ repair: false })).problems).toEqual([]);
    await Promise.all([putting.close(), indexing.close()]);

    const back = place();
    expect(await Engine.migrate(url, back, { blobs: bucket.url })).toMatchObject({ blobs: 2, damaged: [] });
    const own = await Engine.open(back, { workers: 1 });
    const company = await own.company('acme');
    const { hits } = await company.search({ like: { uid: first.uid } });
    expect(hits.map(({ path }) => path)).toEqual(['first.stl', 'second.stl']);
    expect(Buffer.from(await company.bytes(first.uid)).equals(boxStl(1, 2, 3))).toBe(true);
    await own.close();
  });
});
