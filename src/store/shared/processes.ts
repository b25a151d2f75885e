import type { Link } from './link.js';

/** Processes that have a library open, by the clock of the database. */
export class Processes {
  readonly #link: Link;
  readonly #leaseMs: number;
  #id = 0;

  constructor(link: Link, leaseMs: number) {
    this.#link = link;
    this.#leaseMs = leaseMs;
  }

  /** The number of this process, at least 2; it is never given again. */
  get id(): number {
    return this.#id;
  }

  async enter(): Promise<void> {
    const [{ id }] = await this.#link.query<{ id: number }>(
      `INSERT INTO shapedex.process (alive_until) VALUES (${UNTIL}) RETURNING id`,
      [this.#leaseMs],
    );
    this.#id = id;
  }

  /**
   * Says that this process lives, also when it was thought dead. held: number of the last change in its replica. False:
   * its lease had ended.
   */
  async renew(held: number): Promise<boolean> {
    const [{ was }] = await this.#link.query<{ was: boolean }>(
      `INSERT INTO shapedex.process (id, alive_until, held) OVERRIDING SYSTEM VALUE VALUES ($2, ${UNTIL}, $3)
       ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until, held = excluded.held
       RETURNING EXISTS (SELECT 1 FROM shapedex.process AS old WHERE old.id = $2 AND old.alive_until > now()) AS was`,
      [this.#leaseMs, this.#id, held],
      'renew',
    );
    return was;
  }

  /** Those of these processes whose lease has ended, while the database ran for at least a lease. */
  async dead(ids: readonly number[]): Promise<number[]> {
    const rows = await this.#link.query<{ id: number }>(
      `SELECT given.id FROM unnest($1::bigint[]) AS given (id) WHERE NOT EXISTS (
         SELECT 1 FROM shapedex.process WHERE process.id = given.id AND alive_until > now())
       AND pg_postmaster_start_time() < now() - $2 * interval '1 millisecond'`,
      [ids, this.#leaseMs],
      'dead',
    );
    return rows.map(({ id }) => id).filter((id) => id !== this.#id);
  }

  /** Forgets processes that ended long ago; they own no job any more. */
  async forget(): Promise<void> {
    await this.#link.query(
      `DELETE FROM shapedex.process WHERE alive_until < now() - $1 * interval '1 millisecond' AND id <> $2`,
      [10 * this.#leaseMs, this.#id],
      'forget',
    );
  }

  async leave(): Promise<void> {
    await this.#link.query('DELETE FROM shapedex.process WHERE id = $1', [this.#id]);
  }
}

const UNTIL = "now() + $1 * interval '1 millisecond'";
