import type { Client, QueryConfig } from 'pg';
import { EngineError } from '../../errors.js';
import { loadOptional } from '../../optional-package.js';
import { codeOf } from '../database/storage-errors.js';

/** The default of `statementMs`: the network may be cut without a word. */
const STATEMENT_MS = 30_000;

/** Time after which the database ends a transaction whose process does not go on, ms. */
const IDLE_TRANSACTION_MS = 15_000;

/** PostgreSQL's type of whole numbers of 64 bits. Ours are below 2^53. */
const INT8 = 20;

/** How a {@link Link} connects. */
export interface LinkOptions {
  readonly url: string;
  /** Longest time for connecting, ms. */
  readonly connectMs: number;
  /** Time after which a statement without an answer counts as an outage, ms. Default 30 000. */
  readonly statementMs?: number;
}

/** A row of an answer. */
export type ServerRow = Readonly<Record<string, unknown>>;

/** A statement; with a `name` it is prepared once for a connection. */
export interface Statement {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string;
}

/** The answer to one statement. */
interface Answer {
  readonly rows: ServerRow[];
}

/**
 * One connection to the shared database. It connects when it is used; after a failure it is given up, and the next use
 * connects again.
 */
export class Link {
  readonly #options: LinkOptions;
  #client: Promise<Client> | undefined;
  /** The connection of the transaction that runs: its statements may not go to another. */
  #bound: Promise<Client> | undefined;
  /** The last statement: one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Called for each notification, with its text. */
  onNotice: ((text: string) => void) | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /**
   * Runs a statement; with a `name` it is prepared once for a connection.
   * @throws EngineError `STORAGE_FAILED` with `details.outage` true when the database cannot be reached or ends.
   */
  async query<Row extends ServerRow>(text: string, values: unknown[] = [], name?: string): Promise<Row[]> {
    const [rows = []] = await this.inTurn(() => ({ text, values, ...(name === undefined ? {} : { name }) }));
    return rows as Row[];
  }

  /** Runs the statement that `make` returns when all before it have their answers. Returns the rows of each answer. */
  inTurn(make: () => Statement): Promise<ServerRow[][]> {
    const answer = this.#last.then(() => this.#run(make()));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #run(statement: Statement): Promise<ServerRow[][]> {
    if (this.#bound !== undefined && this.#client !== this.#bound)
      throw serverError(new Error('the connection ended within a transaction'));
    const client = (this.#client ??= this.#connect());
    // Whatever the reason, the next use tries again.
    client.catch(() => this.#drop(client));
    try {
      // A script of several statements has several answers, which the types of the package do not tell.
      const answers: unknown = await (await client).query(statement);
      return (Array.isArray(answers) ? (answers as Answer[]) : [answers as Answer]).map(({ rows }) => rows);
    } catch (cause) {
      const failure = serverError(cause);
      if (isOutage(failure)) this.#drop(client);
      throw failure;
    }
  }

  /**
   * Runs `work` in a transaction, on one connection. `begin`: a script that begins it; `work` gets the rows of each of
   * its statements and ends the transaction itself; what it leaves open when it throws is undone. One at a time.
   */
  async transaction<T>(begin: string, work: (answers: readonly ServerRow[][]) => Promise<T>): Promise<T> {
    const answers = await this.script(begin);
    const client = this.#client;
    if (client === undefined) throw serverError(new Error('the connection ended as the transaction began'));
    this.#bound = client;
    try {
      return await work(answers);
    } catch (cause) {
      await this.close();
      throw cause;
    } finally {
      this.#bound = undefined;
    }
  }

  /** Runs fixed statements, separated by semicolons, in one turn with the database. Returns the rows of each. */
  script(text: string): Promise<ServerRow[][]> {
    return this.inTurn(() => ({ text }));
  }

  /** Whether a connection is there or being made. */
  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /** Gives the connection up: what it had not committed is undone. */
  async close(): Promise<void> {
    const client = this.#client;
    if (client !== undefined) this.#drop(client);
    await client?.then((one) => one.end()).catch(() => undefined);
  }

  #drop(client: Promise<Client>): void {
    if (this.#client === client) this.#client = undefined;
    client.then(
      (one) => void one.end().catch(() => undefined),
      () => undefined,
    );
  }

  async #connect(): Promise<Client> {
    const { url, connectMs, statementMs = STATEMENT_MS } = this.#options;
    const { default: pg } = await loadOptional('pg', 'a library in PostgreSQL', () => import('pg'));
    const client: Client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
      keepAlive: true,
      application_name: 'shapedex',
      types: {
        getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
          oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
    });
    // Without a listener, the end of an idle connection would end the process.
    client.on('error', () => {
      const current = this.#client;
      current?.then(
        (one) => {
          if (one === client) this.#drop(current);
        },
        () => undefined,
      );
    });
    client.on('notification', ({ payload }) => this.onNotice?.(payload ?? ''));
    try {
      await client.connect();
      // What took the connection may be no database: without an answer to this, an opening would wait a minute.
      await client.query({ text: '', query_timeout: connectMs } as QueryConfig);
    } catch (cause) {
      void client.end().catch(() => undefined);
      throw cause;
    }
    return client;
  }
}

/** Whether the database could not be reached, ended, or refused for now: the same may succeed later. */
export function isOutage(cause: unknown): boolean {
  return cause instanceof EngineError && cause.details['outage'] === true;
}

/** Classes of SQLSTATE that say nothing about the statement: connection, resources, intervention, conflicts. */
const PASSING = /^(08|53|57|40)|^(25006|25P03|55P03)$/;

/**
 * SQLSTATE of a write that a standby refuses. It passes when the standby is promoted or its address leads elsewhere.
 */
const READ_ONLY = '25006';

const STANDBY =
  'the database of the library is a standby, which only reads; a write needs the primary: promote it, or name the primary in the URL';

/** What a write to a standby rejects with. */
export function standbyRefuses(): EngineError {
  return new EngineError('STORAGE_FAILED', STANDBY, { details: { standby: true } });
}

/** A refusal of PostgreSQL that does not pass: password, database or right. */
const REFUSED = /^(28|3D000|42501)/;

function serverError(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  const errno = codeOf(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const isState = /^[0-9A-Z]{5}$/.test(errno);
  const outage = !isState || PASSING.test(errno);
  const doing = outage ? 'reach the database of the library' : 'use the database of the library';
  const hint = REFUSED.test(errno) ? '; check user, password, database and rights in the URL' : '';
  const told = `could not ${doing}: ${[errno, message].filter(Boolean).join(' ')}${hint}`;
  return new EngineError('STORAGE_FAILED', errno === READ_ONLY ? STANDBY : told, {
    details: {
      ...(errno === '' ? {} : { errno }),
      ...(outage ? { outage: true } : {}),
      ...(errno === READ_ONLY ? { standby: true } : {}),
    },
    cause,
  });
}

/** Whether a library's place is the URL of a database. */
export function isDatabaseUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

/** A URL as it may be shown. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return `${url.split('://')[0]}://…`;
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '…';
  for (const name of shown.searchParams.keys()) if (/pass/i.test(name)) shown.searchParams.set(name, '…');
  return decodeURI(shown.href);
}
