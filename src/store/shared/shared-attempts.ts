import { ATTEMPT_KEYS } from '../attempt-counts.js';
import type { AttemptDoor, CountedAttempts } from '../catalogue.js';
import type { Link } from './link.js';

/** Time after which an attempt that runs counts as ended, s: its process may have died. */
const RUNNING_S = 60;

/** What libraries of before lack. */
export const ATTEMPT_TABLE = `CREATE TABLE IF NOT EXISTS shapedex.attempt (key text PRIMARY KEY,
  failures bigint NOT NULL DEFAULT 0, until double precision NOT NULL DEFAULT 0,
  last_failure_at double precision NOT NULL DEFAULT 0, running bigint NOT NULL DEFAULT 0,
  running_until timestamptz NOT NULL DEFAULT now())`;

interface AttemptRow extends Readonly<Record<string, unknown>> {
  readonly key: string;
  readonly failures: number;
  readonly until: number;
  readonly last_failure_at: number;
  readonly running: number;
  readonly now: number;
}

/**
 * Attempts at signing in, counted for all processes of a library, by the clock of the database. Short transactions of
 * their own, which hold no lock but those of their keys.
 */
export class SharedAttempts implements AttemptDoor {
  readonly #link: Link;
  #last: Promise<unknown> = Promise.resolve();

  constructor(link: Link) {
    this.#link = link;
  }

  update<T>(keys: readonly string[], change: (counted: readonly CountedAttempts[], now: number) => T): Promise<T> {
    const done = this.#last.then(() => this.#update(keys, change));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Forgets what counts no more. link: another one, with no transaction open. */
  async forget(link: Link): Promise<void> {
    await link.query(
      `DELETE FROM shapedex.attempt WHERE running_until < now()
         AND (until < ${NOW} OR key IN (SELECT key FROM shapedex.attempt ORDER BY until DESC OFFSET ${ATTEMPT_KEYS}))`,
    );
  }

  async #update<T>(
    keys: readonly string[],
    change: (counted: readonly CountedAttempts[], now: number) => T,
  ): Promise<T> {
    const link = this.#link;
    // In an order, so that two processes with the same keys do not wait for each other.
    const sorted = [...new Set(keys)].sort();
    return link
      .transaction('BEGIN', async () => {
        await link.query(
          `INSERT INTO shapedex.attempt (key) SELECT key FROM unnest($1::text[]) AS given (key) ORDER BY key
         ON CONFLICT DO NOTHING`,
          [sorted],
          'enter attempts',
        );
        const rows = await link.query<AttemptRow>(
          `SELECT key, failures, until, last_failure_at,
           CASE WHEN running_until <= clock_timestamp() THEN 0 ELSE running END AS running, ${NOW} AS now
         FROM shapedex.attempt WHERE key = ANY($1) ORDER BY key FOR UPDATE`,
          [sorted],
          'attempts',
        );
        const counted = keys.map((key) => {
          const { failures, until, last_failure_at: lastFailureAt, running } = rows.find((row) => row.key === key)!;
          return { failures, until, lastFailureAt, running };
        });
        const before = counted.map(({ running }) => running);
        let answer: () => T;
        try {
          const made = change(counted, rows[0].now);
          answer = () => made;
        } catch (cause) {
          answer = () => {
            throw cause;
          };
        }
        await link.query(
          `UPDATE shapedex.attempt AS a SET failures = given.failures, until = given.until,
           last_failure_at = given.last_failure_at, running = given.running,
           running_until = CASE WHEN given.begins THEN now() + interval '${RUNNING_S} seconds'
             WHEN given.running > 0 THEN a.running_until ELSE now() END
         FROM unnest($1::text[], $2::bigint[], $3::double precision[], $4::double precision[], $5::bigint[],
           $6::boolean[]) AS given (key, failures, until, last_failure_at, running, begins) WHERE a.key = given.key`,
          [
            keys,
            counted.map(({ failures }) => failures),
            counted.map(({ until }) => until),
            counted.map(({ lastFailureAt }) => lastFailureAt),
            counted.map(({ running }) => Math.max(0, running)),
            // Only these put the end off: what a dead process left must end while others look at it.
            counted.map(({ running }, at) => running > before[at]),
          ],
          'count attempts',
        );
        await link.query('COMMIT');
        return answer;
      })
      .then((answer) => answer());
  }
}

/** The time of the database, ms since 1970. */
const NOW = 'extract(epoch FROM clock_timestamp())::double precision * 1000';
