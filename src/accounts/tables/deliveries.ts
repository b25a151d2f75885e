import { randomUUID } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';

/** Where a company's callbacks go. */
export interface CallbackSettings {
  readonly url: string;
  /** Host names, addresses and networks (`10.1.0.0/16`) that may be reached although they are private. */
  readonly allow: readonly string[];
}

/** A callback, sent or to be sent. */
export interface Delivery {
  /** GUID; the receiver sees it in `webhook-id`. */
  readonly id: string;
  readonly fileUid: string;
  readonly callbackParam: string;
  /** 'awaiting': the file is not indexed yet. 'due': to be sent, perhaps again. 'failed': given up. */
  readonly state: 'awaiting' | 'due' | 'delivered' | 'failed';
  readonly attempts: number;
  /** When it is tried next; null when it is not. */
  readonly nextAt: Date | null;
  readonly attemptedAt: Date | null;
  /** HTTP status of the last answer; null without one. */
  readonly status: number | null;
  /** What was wrong at the last attempt. */
  readonly problem: string | null;
  readonly addedAt: Date;
}

/** A callback that is to be sent now. */
export interface DueDelivery {
  readonly id: number;
  readonly uid: string;
  readonly companyName: string;
  readonly fileUid: string;
  readonly param: string;
  /** Attempts so far. */
  readonly attempts: number;
  /** Null before the first attempt. */
  readonly payload: string | null;
  /** Null: the company has removed its callback. */
  readonly receiver: (CallbackSettings & { readonly secret: Uint8Array }) | null;
}

/** The result of an attempt. */
export interface AttemptOutcome {
  readonly state: 'due' | 'delivered' | 'failed';
  readonly status: number | null;
  readonly problem: string | null;
  /** When to try again. */
  readonly nextAt: number;
  readonly payload: string | null;
  readonly now: number;
}

interface DueRow extends Omit<DueDelivery, 'receiver'> {
  readonly url: string | null;
  readonly secret: Uint8Array;
  readonly allow: string;
}

interface DeliveryRow extends Omit<Delivery, 'nextAt' | 'attemptedAt' | 'addedAt'> {
  readonly nextAt: number;
  readonly attemptedAt: number | null;
  readonly addedAt: number;
}

/** Ended callbacks removed from the log at a time. */
const PRUNE_LIMIT = 200;

const DELIVERY = `
  SELECT uid AS id, file_uid AS fileUid, param AS callbackParam, state, attempts, next_at AS nextAt, attempted_at AS attemptedAt, status, problem, added_at AS addedAt
  FROM delivery`;

/**
 * The queue and the log of callbacks. A row becomes 'due' in the transaction that ends its upload, by a trigger of the
 * catalogue. Writing methods run inside a transaction of the caller.
 * @internal
 */
export class Deliveries {
  readonly #database: Database;
  readonly #companies: Statement<[number], number>;
  readonly #due: Statement<[number, number, number], DueRow>;
  readonly #settings: Statement<[number], { url: string; secret: Uint8Array; allow: string }>;

  constructor(database: Database) {
    this.#database = database;
    this.#companies = database
      .prepare<[number], number>(`
      SELECT id FROM company WHERE EXISTS (SELECT 1 FROM delivery WHERE state = 'due' AND company_id = company.id AND next_at <= ?)`)
      .pluck();
    this.#due = database.prepare(`
      SELECT delivery.id, delivery.uid, company.name AS companyName, file_uid AS fileUid, param, attempts, payload, url, secret, allow
      FROM delivery JOIN company ON company.id = delivery.company_id LEFT JOIN callback ON callback.company_id = delivery.company_id
      WHERE state = 'due' AND delivery.company_id = ? AND next_at <= ? ORDER BY next_at, delivery.id LIMIT ?`);
    this.#settings = database.prepare('SELECT url, secret, allow FROM callback WHERE company_id = ?');
  }

  settings(companyId: number): (CallbackSettings & { readonly secret: Uint8Array }) | undefined {
    const row = this.#settings.get(companyId);
    return row === undefined ? undefined : { ...row, allow: JSON.parse(row.allow) as string[] };
  }

  set(companyId: number, { url, secret, allow }: CallbackSettings & { readonly secret: Uint8Array }): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO callback (company_id, url, secret, allow) VALUES (?, ?, ?, ?)')
      .run(companyId, url, secret, JSON.stringify(allow));
  }

  unset(companyId: number): void {
    this.#database.prepare('DELETE FROM callback WHERE company_id = ?').run(companyId);
  }

  /**
   * Enters a callback for an upload; it is due at once when the file has been read already. Call in the upload's
   * transaction.
   */
  await(fileId: number, param: string): void {
    this.#database
      .prepare<[object]>(
        `INSERT INTO delivery (uid, company_id, file_id, file_uid, param, state, added_at)
         SELECT @uid, coalesce(inputs_of, company.id), file.id, file.uid, @param, iif(state = 'queued', 'awaiting', 'due'), @now
         FROM file JOIN company ON company.id = file.company_id
         WHERE file.id = @fileId AND (state = 'queued' OR EXISTS (SELECT 1 FROM callback WHERE company_id = coalesce(inputs_of, company.id)))`,
      )
      .run({ uid: randomUUID(), fileId, param, now: Date.now() });
  }

  /** Companies that have callbacks due. */
  companiesDue(now: number): number[] {
    return this.#companies.all(now);
  }

  /** A company's callbacks that are due, the longest waiting first. */
  due(companyId: number, now: number, limit: number): DueDelivery[] {
    return this.#due.all(companyId, now, limit).map(({ url, secret, allow, ...row }) => ({
      ...row,
      receiver: url === null ? null : { url, secret, allow: JSON.parse(allow) as string[] },
    }));
  }

  /** When the next callback is due; null when none waits. */
  nextAt(): number | null {
    return this.#database
      .prepare<[], number | null>(
        `SELECT min((SELECT min(next_at) FROM delivery WHERE state = 'due' AND company_id = company.id)) FROM company`,
      )
      .pluck()
      .get() as number | null;
  }

  settle(id: number, outcome: AttemptOutcome): void {
    this.#database
      .prepare<[object]>(
        `UPDATE delivery SET state = @state, attempts = attempts + 1, attempted_at = @now, status = @status, problem = @problem,
           next_at = @nextAt, payload = @payload WHERE id = @id`,
      )
      .run({ ...outcome, id });
  }

  /** Newest first; `before`: the last id of the page before. */
  list(companyId: number, { limit, before }: { limit: number; before?: string }): Delivery[] {
    return this.#database
      .prepare<[object], DeliveryRow>(
        `${DELIVERY} WHERE company_id = @companyId AND (@before IS NULL OR id < (SELECT id FROM delivery WHERE company_id = @companyId AND uid = @before))
         ORDER BY delivery.id DESC LIMIT @limit`,
      )
      .all({ companyId, limit, before: before ?? null })
      .map(deliveryOf);
  }

  find(companyId: number, uid: string): Delivery | undefined {
    const row = this.#database
      .prepare<[number, string], DeliveryRow>(`${DELIVERY} WHERE company_id = ? AND uid = ?`)
      .get(companyId, uid);
    return row === undefined ? undefined : deliveryOf(row);
  }

  /** Makes a callback due again with its full number of attempts. False: none with this id has ended or is due. */
  replay(companyId: number, uid: string): boolean {
    return (
      this.#database
        .prepare(
          `UPDATE delivery SET state = 'due', attempts = 0, next_at = 0 WHERE company_id = ? AND uid = ? AND state <> 'awaiting'`,
        )
        .run(companyId, uid).changes > 0
    );
  }

  /** Removes at most {@link PRUNE_LIMIT} ended callbacks that were added before a time from the log. */
  prune(before: number): void {
    this.#database
      .prepare(
        `DELETE FROM delivery WHERE id IN
           (SELECT id FROM delivery WHERE state IN ('delivered', 'failed') AND added_at < ? ORDER BY added_at LIMIT ${PRUNE_LIMIT})`,
      )
      .run(before);
  }
}

function deliveryOf({ nextAt, attemptedAt, addedAt, ...row }: DeliveryRow): Delivery {
  return {
    ...row,
    nextAt: row.state === 'due' ? new Date(nextAt) : null,
    attemptedAt: attemptedAt === null ? null : new Date(attemptedAt),
    addedAt: new Date(addedAt),
  };
}
