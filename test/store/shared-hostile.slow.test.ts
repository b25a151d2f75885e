import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, EngineError, type Company, type EngineOptions } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { hasPostgres, HOW, inDatabase, startPostgres, type TestServer } from '../fixtures/postgres.mjs';

// What comes from outside and lands in PostgreSQL, a database that somebody damaged, and one that goes away at the
// wrong moment: every failure is an EngineError, and what was acknowledged is there.

const folder = temporaryFolder();
let server: TestServer;
let places = 0;

interface Shared {
  readonly url: string;
  readonly blobs: string;
  open(options?: Partial<EngineOptions>, url?: string): Promise<Engine>;
}

async function newLibrary(): Promise<Shared> {
  const url = await server.database();
  const blobs = join(folder, `blobs-${places++}`);
  const open = (options: Partial<EngineOptions> = {}, at = url): Promise<Engine> =>
    Engine.open(at, { blobs, replica: join(folder, `replica-${places++}`), workers: 1, pictures: 'none', ...options });
  return { url, blobs, open };
}

/** The value, or the code of the EngineError. Any other error fails the test. */
async function coded<T>(what: string, work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof EngineError) return cause.code;
    if (cause instanceof TypeError || cause instanceof RangeError) return cause.name;
    throw new Error(`${what}: no EngineError`, { cause });
  }
}

/** Reads all that a company tells of its files. */
async function readAll(engine: Engine, company: Company, uids: readonly string[]): Promise<unknown[]> {
  const reads: [string, () => Promise<unknown>][] = [
    ['list', () => company.list()],
    ['counts', () => company.counts()],
    ['summary', () => company.summary()],
    ['attributes', () => company.attributes()],
    ['text', () => company.search({ text: 'steel' })],
    ['stats', () => engine.stats()],
    ['duplicates', () => company.duplicates.find()],
    ['folders', () => company.foldersIn('')],
    ...uids.flatMap((uid): [string, () => Promise<unknown>][] => [
      ['get', () => company.get(uid)],
      ['status', () => company.status(uid)],
      ['bytes', () => company.bytes(uid)],
      ['text of', () => company.text(uid)],
      ['pmi', () => company.pmi(uid)],
      ['like', () => company.search({ like: { uid } })],
      ['features', () => company.features(uid)],
      ['thumbnail', () => company.thumbnail(uid)],
      ['set', () => company.setAttributes(uid, ['a=1'])],
      ['rename', () => company.rename(uid, `renamed/${uid}.stl`)],
    ]),
    ['verify', () => engine.verify()],
    ['reindex', () => engine.reindex()],
  ];
  const answers: unknown[] = [];
  for (const [name, read] of reads) {
    const answer = await coded(name, read);
    answers.push(typeof answer === 'string' ? [name, answer] : name);
  }
  return answers;
}

const TEXTS = [
  "'; DROP TABLE shapedex.file; --",
  '$1 $$ %s \\ \\x00 \\u0000',
  'a\u0000b',
  '\u0001\u00010\u0000\u0001',
  '\uD800 alone',
  'e\u0301 \u{1F529} \uFFFF \uFEFF',
  'x'.repeat(5_000),
  '{"json": [1, 2',
  'NULL',
  '\r\n\t',
];
const NUMBERS = ['1e308', '-1e308', '5e-324', '9007199254740993', '1e999', '-0', 'NaN', '0x10', '1'.repeat(400)];

describe.skipIf(!hasPostgres)(hasPostgres ? 'a library in PostgreSQL' : HOW, () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('answers to hostile names, texts and numbers as a library in a folder does', async () => {
    const library = await newLibrary();
    const engine = await library.open();
    const local = await Engine.open(join(folder, `local-${places++}`), { workers: 1, pictures: 'none' });
    const outcomes = { shared: [] as unknown[], local: [] as unknown[] };
    for (const [name, here] of Object.entries({ shared: engine, local })) {
      const seen = outcomes[name as 'shared' | 'local'];
      const company = await here.company('acme');
      for (const [i, text] of TEXTS.entries()) {
        const uid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
        const put =
          (path: string, attributes: string[], bytes = boxStl(1, 2, 3 + i)) =>
          () =>
            company.put(path, bytes, { attributes, uid, overwrite: true, wait: path.endsWith('.txt') });
        const kept = async (
          what: string,
          work: () => Promise<{ path: string; state: string; attributes: readonly string[] }>,
        ) => {
          const answer = await coded(what, work);
          seen.push(typeof answer === 'string' ? answer : [answer.path, answer.state, answer.attributes]);
        };
        await kept('path', put(`${text}.stl`, []));
        await kept('value', put(`value-${i}.stl`, [`Material=${text}`]));
        await kept('name', put(`name-${i}.stl`, [`${text}=Steel`]));
        await kept('content', put(`content-${i}.txt`, [], Buffer.from(`steel ${text} bolt`) as never));
        for (const read of [
          () => company.search({ text }),
          () => company.search({ attributes: [{ name: text, equals: text }] } as never),
          () => company.find(`${text}.stl`),
          () => company.attributeValues(text),
          () => here.company(text),
          () => company.categories.add(text),
          () => company.text(uid),
        ] as (() => Promise<any>)[]) {
          const answer = await coded('read', read);
          seen.push(typeof answer === 'string' ? answer : (answer?.total ?? answer?.path ?? typeof answer));
        }
      }
      for (const [i, number] of NUMBERS.entries()) {
        const answer = await coded('number', () =>
          company.put(`number-${i}.stl`, boxStl(1, 2, 30 + i), { attributes: [`Length(mm)=${number}`, `N=${number}`] }),
        );
        seen.push(typeof answer === 'string' ? answer : [answer.state, answer.attributes]);
        const found = await coded('number', () => company.search({ text: [`Length>=${number}mm`] }));
        seen.push(typeof found === 'string' ? found : found.hits.map(({ path }) => path));
      }
      const huge = await coded('huge', () => company.put('huge.stl', boxStl(1e19, 1e19, 1e19)));
      seen.push(typeof huge === 'string' ? huge : [huge.state, huge.volumeMm3]);
    }
    expect(outcomes.shared).toEqual(outcomes.local);
    // Another process reads the same rows.
    const other = await library.open({ workers: 0 });
    const rows = async (one: Engine) =>
      (await (await one.company('acme')).list({ limit: 1_000 })).map(({ uid, path, attributes }) => [
        uid,
        path,
        attributes,
      ]);
    expect(await rows(other)).toEqual(await rows(engine));
    expect((await rows(engine)).length).toBeGreaterThan(TEXTS.length);
    await Promise.all([engine.close(), local.close(), other.close()]);
  });

  /** Rows that somebody changed by hand, or a disk. */
  const DAMAGES: readonly (readonly [name: string, sql: string])[] = [
    ['JSON that ends early', `UPDATE shapedex.file SET warnings = '[{"code":'`],
    ['JSON of another form', `UPDATE shapedex.file SET warnings = '42'`],
    ['a hash that is none', `UPDATE shapedex.file SET blob_hash = '../../../etc/passwd'`],
    ['a path that is none', `UPDATE shapedex.file SET path = E'\\x01\\x02/../..' || id`],
    ['a state that is none', `UPDATE shapedex.file SET state = 'gone'`],
    ['numbers beyond all bounds', `UPDATE shapedex.file SET byte_length = 9223372036854775807`],
    ['no rows of companies', `DELETE FROM shapedex.company`],
    ['no rows of files', `DELETE FROM shapedex.file`],
    ['no library', `DELETE FROM shapedex.library`],
    ['no settings', `DELETE FROM shapedex.setting`],
    ['a table that is away', `DROP TABLE shapedex.file CASCADE`],
    ['a column that is away', `ALTER TABLE shapedex.file DROP COLUMN state`],
    ['a column of another type', `ALTER TABLE shapedex.file ALTER COLUMN path TYPE bytea USING path::bytea`],
    ['a schema that is away', `DROP SCHEMA shapedex CASCADE`],
    ['changes of the far future', `UPDATE shapedex.library SET number = 9007199254740991`],
  ];

  describe('that was damaged', () => {
    let sound: Shared;
    const uids: string[] = [];
    beforeAll(async () => {
      sound = await newLibrary();
      const engine = await sound.open();
      const acme = await engine.company('acme');
      for (let i = 0; i < 2; i++)
        uids.push((await acme.put(`${i}.stl`, boxStl(1, 2, 3 + i), { attributes: ['Material=Steel'] })).uid);
      await engine.close();
    });

    test.each(DAMAGES)('says so of %s', async (name, sql) => {
      const url = await server.database(sound.url);
      const options = { outageMs: 500, connectTimeoutMs: 5_000, workers: 0 };
      const engine = await sound.open(options, url);
      const acme = await engine.company('acme');
      await inDatabase(url, sql);
      // One that opens it now, and the process that has it open.
      const other = await coded('open', () => sound.open(options, url));
      if (typeof other !== 'string') {
        const company = await coded('company', () => other.company('acme'));
        if (typeof company !== 'string') {
          if (name.includes('hash')) expect(await coded('bytes', () => company.bytes(uids[0]))).toBe('LIBRARY_DAMAGED');
          await readAll(other, company, uids);
        }
        await coded('close', () => other.close());
      }
      await readAll(engine, acme, uids);
      await coded('put', () => acme.put('after.stl', boxStl(5, 5, 5), { wait: false }));
      await coded('close', () => engine.close());
    });
  });

  test('says of bytes that are away or others that they are', async () => {
    const library = await newLibrary();
    const engine = await library.open();
    const acme = await engine.company('acme');
    const [away, others] = [await acme.put('a.stl', boxStl(1, 2, 3)), await acme.put('b.stl', boxStl(1, 2, 4))];
    const blob = ({ sha256 }: { sha256: string }): string => {
      const at = readdirSync(library.blobs, { recursive: true, encoding: 'utf8' }).find((name) =>
        name.replaceAll(/[\\/]/g, '').endsWith(sha256),
      );
      return join(library.blobs, at!);
    };
    rmSync(blob(away));
    writeFileSync(blob(others), 'other bytes');
    for (const { uid } of [away, others]) {
      await expect(acme.bytes(uid)).rejects.toMatchObject({ code: 'LIBRARY_DAMAGED' });
      await readAll(engine, acme, [uid]);
    }
    await engine.close();
  });

  test('loses nothing and says so when connections are cut at any byte', async () => {
    const library = await newLibrary();
    const cutter = await Cutter.before(library.url);
    const engine = await library.open({ outageMs: 10_000 }, cutter.url);
    const acme = await engine.company('acme');
    const acknowledged: string[] = [];
    for (let i = 0; i < 24; i++) {
      cutter.cutAfter((i * 977) % 6_000);
      const put = await coded('put', () => acme.put(`${i}.stl`, boxStl(1, 2, 3 + i), { wait: false }));
      if (typeof put !== 'string') acknowledged.push(put.uid);
      if (i % 4 === 0) await coded('get', () => acme.setAttributes(acknowledged[0] ?? '', [`n=${i}`]));
    }
    cutter.cutAfter(Infinity);
    expect(cutter.cuts).toBeGreaterThan(10);
    expect(acknowledged.length).toBeGreaterThan(12);
    await coded('close', () => engine.close());
    await cutter.close();
    const after = await library.open();
    const company = await after.company('acme');
    await after.idle();
    for (const uid of acknowledged) expect((await company.get(uid)).state).toBe('indexed');
    expect((await after.verify({ repair: false })).problems).toEqual([]);
    await after.close();
  });

  test('says that the disk of the database is full, and goes on when it is not', async () => {
    const library = await newLibrary();
    const engine = await library.open({ outageMs: 500 });
    const acme = await engine.company('acme');
    const before = await acme.put('before.stl', boxStl(1, 2, 3));
    for (const code of ['53100', '53200', '58030', 'XX001']) {
      await inDatabase(
        library.url,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '${code}'; END $$;
         CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON shapedex.file FOR EACH ROW EXECUTE FUNCTION refuse()`,
      );
      await expect(acme.put('full.stl', boxStl(1, 2, 4), { wait: false }), code).rejects.toMatchObject({
        code: 'STORAGE_FAILED',
      });
      expect((await acme.search({ like: { uid: before.uid } })).hits).toHaveLength(1);
      expect(await acme.find('full.stl')).toBeUndefined();
      await inDatabase(library.url, 'DROP TRIGGER refuse ON shapedex.file; DROP FUNCTION refuse()');
    }
    expect((await acme.put('full.stl', boxStl(1, 2, 4))).state).toBe('indexed');
    await engine.close();
  });

  const TALKERS: Readonly<Record<string, (socket: Socket) => void>> = {
    'ends at once': (socket) => socket.destroy(),
    'says nothing': () => undefined,
    'speaks HTTP': (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'sends noise': (socket) => socket.write(Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7_919) % 251))),
    'says it is ready and then sends noise': (socket) =>
      socket.write(
        Buffer.concat([Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1'), Buffer.alloc(4_096, 0x44)]),
      ),
    'claims a message of 2 GiB': (socket) => socket.write(Buffer.from('R\x7f\xff\xff\xff\0\0\0\0', 'latin1')),
  };
  test.each(Object.keys(TALKERS))('refuses a server that %s', async (name) => {
    const talker = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => TALKERS[name](socket));
    });
    const port = await listening(talker);
    const opened = Engine.open(`postgres://shapedex@127.0.0.1:${port}/any`, {
      blobs: join(folder, 'none'),
      replica: join(folder, `replica-${places++}`),
      connectTimeoutMs: 2_000,
    });
    await expect(opened).rejects.toMatchObject({ name: 'EngineError', code: 'STORAGE_FAILED' });
    talker.close();
  });
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Stands before a server and cuts a connection after so many bytes, in whichever direction they go. */
class Cutter {
  readonly url: string;
  cuts = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #left = Infinity;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async before(url: string): Promise<Cutter> {
    const target = new URL(url);
    const server = createServer();
    const shown = new URL(url);
    shown.port = String(await listening(server));
    const cutter = new Cutter(server, shown.href);
    server.on('connection', (near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ]) {
        cutter.#open.add(from);
        from.on('error', () => undefined);
        from.on('close', () => to.destroy());
        from.on('data', (bytes: Buffer) => cutter.#pass(bytes, to));
      }
    });
    return cutter;
  }

  cutAfter(bytes: number): void {
    this.#left = bytes;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(bytes: Buffer, to: Socket): void {
    to.write(bytes.subarray(0, Math.min(bytes.length, this.#left)));
    this.#left -= bytes.length;
    if (this.#left > 0) return;
    this.#left = Infinity;
    this.cuts++;
    for (const socket of this.#open) socket.destroy();
    this.#open.clear();
  }
}
