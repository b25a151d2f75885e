import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import type { Steps } from '../catalog/migrations.js';
import { namedBytes } from '../catalog/named-bytes.js';
import { openCatalog } from '../catalog/open-catalog.js';
import { BlobStore, syncFolder } from '../disk/blobs.js';
import { checkFolder, hasCatalog } from '../disk/library-folder.js';
import { S3Blobs } from '../disk/s3-blobs.js';
import { isBucket } from '../disk/s3-bucket.js';
import { LibraryLock } from '../disk/lock.js';
import { Link } from './link.js';
import { checkSignal, copyBytes } from './migration-bytes.js';
import type { MigrationOptions, MigrationReport } from './migration-options.js';
import { RowDigest } from './row-digest.js';
import { MAKING, ServerTables, SHARED_VERSION, UNFINISHED } from './server-tables.js';
import { quoted, SEQUENCES, tableShapes, type RowValue, type TableChange, type TableShape } from './table-shapes.js';
import { putStatement, SCHEMA, tableOf } from './write-statements.js';
import { openDatabase } from '../database/open-database.js';

/** Rows in one transaction. */
const PAGE_ROWS = 500;

/** Where the catalogue of a folder lies until it is whole. */
const UNFINISHED_FOLDER = 'unfinished';

/** Settings that tell of a folder: the database has no use for them, and a new folder begins its own. */
const OF_FOLDER = "('terms', 'attribute index', 'tidy', 'commits', 'history', 'older', 'older lost')";

/** Number of the change that brought the library into the database. */
const FIRST_CHANGE = 1;

/**
 * Copies the library in a folder into an empty database: bytes, then rows, page by page, then everything is read back
 * and compared. The folder is left as it is and may not be open meanwhile. A run that was cut short goes on where it
 * stopped; until the end nobody can open the library in the database.
 * @throws EngineError `CONFLICT` when the database holds a library, `LIBRARY_LOCKED`, `LIBRARY_UNREADABLE`,
 * `STORAGE_FAILED`, `ABORTED`.
 */
export async function migrateToServer(
  path: string,
  url: string,
  { steps, ...options }: MigrationOptions & { readonly steps: readonly Steps[] },
): Promise<MigrationReport> {
  const folder = resolve(path);
  if (!hasCatalog(folder))
    throw new EngineError('LIBRARY_UNREADABLE', `${folder} is not a library: it has no catalog.sqlite`);
  const lock = LibraryLock.take(folder);
  let database: Database.Database | undefined;
  const link = new Link({ url, connectMs: options.connectTimeoutMs });
  const scratch = await mkdtemp(join(tmpdir(), 'shapedex-migrate-'));
  try {
    database = openCatalog(folder, steps);
    database.exec('UPDATE job SET running = 0 WHERE running <> 0'); // As each opening does.
    const shapes = tableShapes(database);
    const tables = new ServerTables(link, shapes);
    await beginOnServer(link, tables);
    const bytes = await copyBytes(
      namedBytes(database),
      { from: blobsIn(join(folder, 'blobs')), to: sharedBlobs(options, scratch) },
      options,
    );
    const counts: Record<string, number> = {};
    for (const [at, shape] of shapes.entries()) {
      options.onProgress?.({ what: 'rows', done: at, total: shapes.length });
      counts[shape.name] = await copyTable(shape, { database, link, tables, signal: options.signal });
    }
    await link.transaction('BEGIN', async () => {
      await link.script(`INSERT INTO ${SCHEMA}.change (number, batch, tables)
          VALUES (${FIRST_CHANGE}, gen_random_uuid(), '{}') ON CONFLICT DO NOTHING;
        UPDATE ${SCHEMA}.library SET number = ${FIRST_CHANGE}, version = ${SHARED_VERSION};
        DROP TABLE ${SCHEMA}.migration; COMMIT`);
    });
    return { tables: counts, ...bytes };
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await link.close();
    database?.close();
    lock.release();
  }
}

/** Makes the tables, or finds those of a run that was cut short. */
async function beginOnServer(link: Link, tables: ServerTables): Promise<void> {
  await link.transaction(`BEGIN; SELECT pg_advisory_xact_lock(${MAKING})`, async () => {
    const [{ found }] = await link.query<{ found: boolean }>(
      `SELECT to_regclass('${SCHEMA}.library') IS NOT NULL AS found`,
    );
    if (!found)
      await link.script(`${tables.statements().join(';')};
        UPDATE ${SCHEMA}.library SET version = ${UNFINISHED};
        CREATE TABLE ${SCHEMA}.migration (name text PRIMARY KEY, rows bigint NOT NULL)`);
    const [{ version }] = await link.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.library`);
    if (version !== UNFINISHED)
      throw new EngineError('CONFLICT', 'the database holds a library already; a library is moved into an empty one');
    await link.query('COMMIT');
  });
}

interface Copying {
  readonly database: Database.Database;
  readonly link: Link;
  readonly tables: ServerTables;
  readonly signal: AbortSignal | undefined;
}

/**
 * Copies a table, from where an earlier run stopped, and compares. What differs is copied once more from the beginning.
 */
async function copyTable(shape: TableShape, { database, link, tables, signal }: Copying): Promise<number> {
  const [known] = await link.query<{ rows: number }>(`SELECT rows FROM ${SCHEMA}.migration WHERE name = $1`, [
    shape.name,
  ]);
  let done = known?.rows ?? 0;
  for (const isLast of [false, true]) {
    const here = new RowDigest();
    for (const page of pagesOf(database, shape)) {
      checkSignal(signal);
      here.add(page);
      if (here.count <= done) continue;
      await link.transaction('BEGIN', async () => {
        const { text, values, name } = putStatement(page, FIRST_CHANGE);
        await link.query(text, values, name);
        await link.query(
          `INSERT INTO ${SCHEMA}.migration (name, rows) VALUES ($1, $2)
           ON CONFLICT (name) DO UPDATE SET rows = excluded.rows`,
          [shape.name, here.count],
          'migrated',
        );
        await link.query('COMMIT');
      });
    }
    const there = await digestOnServer(shape, { link, tables });
    if (there.text === here.text) return here.count;
    if (isLast)
      throw new EngineError(
        'STORAGE_FAILED',
        `the rows of ${shape.name} in the database are not those of the library`,
        {
          details: { table: shape.name, here: here.text, there: there.text },
        },
      );
    // Rows of an earlier run of a library that has changed since.
    await link.script(`TRUNCATE ${tableOf(shape)}`);
    done = 0;
  }
  throw new TypeError('not reached: the last pass returns or throws');
}

/** The rows of a table of a catalogue in the order of their keys, by pages. */
function* pagesOf(database: Database.Database, shape: TableShape): Generator<TableChange> {
  const { columns, key, company, name } = shape;
  const rows = database
    .prepare<[], RowValue[]>(
      `SELECT ${company}, ${columns.map((column) => `t.${quoted(column.name)}`).join(', ')} FROM main.${quoted(name)} AS t
       ${name === 'setting' ? `WHERE name NOT IN ${OF_FOLDER}` : ''}
       ORDER BY ${(name === SEQUENCES ? ['name'] : key).map((one) => `t.${quoted(one)}`).join(', ')}`,
    )
    .raw();
  let page: RowValue[][] = [];
  for (const row of rows.iterate()) {
    page.push(row);
    if (page.length < PAGE_ROWS) continue;
    yield changeOf(shape, page);
    page = [];
  }
  if (page.length > 0) yield changeOf(shape, page);
}

function changeOf(shape: TableShape, rows: readonly RowValue[][]): TableChange {
  return {
    shape,
    rows: rows.map((row) => row.slice(1)),
    companies: rows.map(([company]) => company as number),
    gone: [],
    goneCompanies: [],
  };
}

async function digestOnServer(
  shape: TableShape,
  { link, tables }: Pick<Copying, 'link' | 'tables'>,
): Promise<RowDigest> {
  const digest = new RowDigest();
  await link.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async () => {
    for await (const page of tables.rows(shape, 0)) for (const change of page) digest.add(withoutFolder(change));
    await link.query('COMMIT');
  });
  return digest;
}

/** Settings of a folder that came into a database before this was minded are not compared. */
function withoutFolder(change: TableChange): TableChange {
  if (change.shape.name !== 'setting') return change;
  const isOfFolder = ([name]: readonly RowValue[]): boolean => OF_FOLDER.includes(`'${String(name)}'`);
  const kept = change.rows.map((row) => !isOfFolder(row));
  return {
    ...change,
    rows: change.rows.filter((_, at) => kept[at]),
    companies: change.companies.filter((_, at) => kept[at]),
  };
}

/** Fills a replica in a folder with the rows of a library in PostgreSQL, and closes it. */
export type FillReplica = (url: string, replica: string) => Promise<void>;

/**
 * Copies the library in a database into an empty folder: bytes, then rows, which are compared with those of the
 * database. No process may have it open. The catalogue gets its place last, so that a copy that was cut short does not
 * open; the next run goes on with it.
 * @throws EngineError `CONFLICT` when the folder holds something else, a process has the library open or writes to it;
 * `STORAGE_FAILED`, `LIBRARY_UNREADABLE`, `ABORTED`.
 */
export async function migrateToFolder(
  url: string,
  path: string,
  { fill, ...options }: MigrationOptions & { readonly fill: FillReplica },
): Promise<MigrationReport> {
  const folder = resolve(path);
  const unfinished = join(folder, UNFINISHED_FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).some((name) => name !== 'blobs' && name !== UNFINISHED_FOLDER))
    throw new EngineError('CONFLICT', `a library is moved to an empty folder; ${folder} holds something`);
  const link = new Link({ url, connectMs: options.connectTimeoutMs });
  try {
    await checkUnused(link);
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    options.onProgress?.({ what: 'rows', done: 0, total: 1 });
    await fill(url, unfinished);
    checkSignal(options.signal);
    const database = openDatabase(join(unfinished, 'catalog.sqlite'), { fileMustExist: true });
    let report: MigrationReport;
    try {
      const tables = await compare(database, { link, ...options });
      const bytes = await copyBytes(
        namedBytes(database),
        { from: sharedBlobs(options, join(unfinished, 'bytes')), to: blobsIn(join(folder, 'blobs')) },
        options,
      );
      report = { tables, ...bytes };
      toCatalog(database);
    } finally {
      database.close();
    }
    await place(folder, unfinished);
    checkFolder(folder);
    return report;
  } finally {
    await link.close();
  }
}

/** @throws EngineError `CONFLICT` when a process has the library open. */
async function checkUnused(link: Link): Promise<void> {
  const [{ alive }] = await link.query<{ alive: number }>(
    `SELECT count(*) AS alive FROM ${SCHEMA}.process WHERE alive_until > now()`,
  );
  if (alive > 0)
    throw new EngineError(
      'CONFLICT',
      `${alive} process(es) have the library open, or ended less than a lease ago; end them and try again`,
      { details: { processes: alive } },
    );
}

/** Compares a filled replica with the database, table by table. Returns the rows of each. */
async function compare(
  database: Database.Database,
  { link, signal, onProgress }: Pick<Copying, 'link'> & Pick<MigrationOptions, 'signal' | 'onProgress'>,
): Promise<Record<string, number>> {
  const shapes = tableShapes(database);
  const tables = new ServerTables(link, shapes);
  const held = database.prepare<[], number>('SELECT number FROM replica').pluck().get() ?? 0;
  const counts: Record<string, number> = {};
  for (const [at, shape] of shapes.entries()) {
    checkSignal(signal);
    onProgress?.({ what: 'check', done: at, total: shapes.length });
    const here = new RowDigest();
    for (const page of pagesOf(database, shape)) here.add(page);
    const there = await digestOnServer(shape, { link, tables });
    if (there.text !== here.text)
      throw new EngineError('STORAGE_FAILED', `the rows of ${shape.name} are not those of the database`, {
        details: { table: shape.name, here: here.text, there: there.text },
      });
    counts[shape.name] = here.count;
  }
  if ((await tables.library()).number !== held)
    throw new EngineError('CONFLICT', 'the library was written to while it was copied; end what has it open');
  return counts;
}

/** Makes a replica the catalogue of a folder: it gets its triggers back, and nobody indexes its files yet. */
function toCatalog(database: Database.Database): void {
  database
    .transaction(() => {
      for (const sql of database.prepare<[], string>('SELECT sql FROM replica_trigger ORDER BY name').pluck().all())
        database.exec(sql);
      database.exec(`DROP TABLE replica_trigger; DROP TABLE replica_batch; DROP TABLE replica;
        UPDATE job SET running = 0 WHERE running <> 0;
        DELETE FROM setting WHERE name IN ${OF_FOLDER} AND name <> 'terms'`);
    })
    .immediate();
  database.pragma('wal_checkpoint(TRUNCATE)');
}

/** Gives the catalogue its place, once everything is on disk. */
async function place(folder: string, unfinished: string): Promise<void> {
  const file = join(unfinished, 'catalog.sqlite');
  if (existsSync(`${file}-wal`)) throw new EngineError('STORAGE_FAILED', `the log of ${file} was not brought into it`);
  const catalogue = await open(file, 'r+');
  try {
    await catalogue.sync();
  } finally {
    await catalogue.close();
  }
  await rename(file, join(folder, 'catalog.sqlite'));
  await syncFolder(folder);
  await syncFolder(dirname(folder));
  await rm(unfinished, { recursive: true, force: true });
}

/** The bytes of the library in PostgreSQL. scratch: a folder for drafts on their way to a bucket. */
function sharedBlobs(
  { blobs, connectTimeoutMs: outageMs }: Pick<MigrationOptions, 'blobs' | 'connectTimeoutMs'>,
  scratch: string,
): BlobStore {
  if (!isBucket(blobs)) return blobsIn(resolve(blobs));
  return new S3Blobs(blobs, scratch, { fileBytesLimit: Infinity, cacheBytes: 0, outageMs });
}

function blobsIn(folder: string): BlobStore {
  return new BlobStore(folder, { fileBytesLimit: Infinity });
}
