import { randomUUID } from 'node:crypto';
import { storedJson } from '../../store/database/stored-json.js';
import { dated, type Row, type Sql } from './sql.js';

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
  readonly receiver: Receiver | null;
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

/** Where a company's callbacks go, and what they are signed with. */
export type Receiver = CallbackSettings & { readonly secret: Uint8Array };

interface ReceiverRow extends Omit<Receiver, 'allow'> {
  readonly allow: string;
}

interface DeliveryRow extends Row<Omit<Delivery, 'nextAt' | 'attemptedAt'>> {
  readonly nextAt: number;
  readonly attemptedAt: number | null;
}

/** Ended callbacks removed from the log at a time. */
const PRUNE_LIMIT = 200;

const DELIVERY = `
  SELECT uid AS id, file_uid AS fileUid, param AS callbackParam, state, attempts, next_at AS nextAt,
    attempted_at AS attemptedAt, status, problem, added_at AS addedAt
  FROM delivery`;

/**
 * The queue and the log of callbacks. A row becomes 'due' in the transaction that ends its upload, by a trigger of the
 * catalogue.
 * @internal
 */
export class Deliveries {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async settings(companyId: number): Promise<Receiver | undefined> {
    const row = this.#sql.get<ReceiverRow>('SELECT url, secret, allow FROM callback WHERE company_id = ?', companyId);
    return row && receiverOf(row);
  }

  set(companyId: number, { url, secret, allow }: Receiver): Promise<boolean> {
    return this.#sql.change('INSERT OR REPLACE INTO callback (company_id, url, secret, allow) VALUES (?, ?, ?, ?)', [
      companyId,
      url,
      secret,
      JSON.stringify(allow),
    ]);
  }

  unset(companyId: number): Promise<boolean> {
    return this.#sql.change('DELETE FROM callback WHERE company_id = ?', companyId);
  }

  /**
   * Enters a callback for an upload; it is due at once when the file has been read already. Call in the upload's
   * transaction.
   */
  await(fileId: number, param: string): void {
    this.#sql.run(
      `INSERT INTO delivery (uid, company_id, file_id, file_uid, param, state, added_at)
       SELECT @uid, coalesce(inputs_of, company.id), file.id, file.uid, @param,
         iif(state = 'queued', 'awaiting', 'due'), @now
       FROM file JOIN company ON company.id = file.company_id
       WHERE file.id = @fileId AND (state = 'queued'
         OR EXISTS (SELECT 1 FROM callback WHERE company_id = coalesce(inputs_of, company.id)))`,
      { uid: randomUUID(), fileId, param, now: Date.now() },
    );
  }

  /** Companies that have callbacks due. */
  async companiesDue(now: number): Promise<number[]> {
    return this.#sql
      .all<{ id: number }>(
        `SELECT id FROM company
         WHERE EXISTS (SELECT 1 FROM delivery WHERE state = 'due' AND company_id = company.id AND next_at <= ?)`,
        now,
      )
      .map(({ id }) => id);
  }

  /** A company's callbacks that are due, the longest waiting first. */
  async due(companyId: number, now: number, limit: number): Promise<DueDelivery[]> {
    return this.#sql
      .all<Omit<DueDelivery, 'receiver'> & (ReceiverRow | Record<keyof ReceiverRow, null>)>(
        `SELECT delivery.id, delivery.uid, company.name AS companyName, file_uid AS fileUid, param, attempts, payload,
           url, secret, allow
         FROM delivery JOIN company ON company.id = delivery.company_id
           LEFT JOIN callback ON callback.company_id = delivery.company_id
         WHERE state = 'due' AND delivery.company_id = ? AND next_at <= ? ORDER BY next_at, delivery.id LIMIT ?`,
        [companyId, now, limit],
      )
      .map(({ url, secret, allow, ...row }) => ({
        ...row,
        receiver: url === null ? null : receiverOf({ url, secret, allow }),
      }));
  }

  /** When the next callback is due; null when none waits. */
  async nextAt(): Promise<number | null> {
    return this.#sql.get<{ nextAt: number | null }>(
      `SELECT min((SELECT min(next_at) FROM delivery WHERE state = 'due' AND company_id = company.id)) AS nextAt
       FROM company`,
    )!.nextAt;
  }

  /**
   * Records an attempt, and removes at most {@link PRUNE_LIMIT} ended callbacks that were added before `keptAfter` from
   * the log.
   */
  settle(id: number, outcome: AttemptOutcome, keptAfter: number): Promise<void> {
    return this.#sql.commit(() => {
      this.#sql.run(
        `UPDATE delivery SET state = @state, attempts = attempts + 1, attempted_at = @now, status = @status,
           problem = @problem, next_at = @nextAt, payload = @payload WHERE id = @id AND state = 'due'`,
        { ...outcome, id },
      );
      this.#sql.run(
        `DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE state IN ('delivered', 'failed')
           AND added_at < ? ORDER BY added_at LIMIT ${PRUNE_LIMIT})`,
        keptAfter,
      );
    });
  }

  /** Newest first; `before`: the last id of the page before. */
  async list(
    companyId: number,
    { limit, before = null }: { limit: number; before?: string | null },
  ): Promise<Delivery[]> {
    return this.#sql
      .all<DeliveryRow>(
        `${DELIVERY} WHERE company_id = @companyId AND (@before IS NULL
           OR id < (SELECT id FROM delivery WHERE company_id = @companyId AND uid = @before))
         ORDER BY delivery.id DESC LIMIT @limit`,
        { companyId, limit, before },
      )
      .map(deliveryOf);
  }

  /** Makes a callback due again with its full number of attempts. Undefined: none with this id has ended or is due. */
  replay(companyId: number, uid: string): Promise<Delivery | undefined> {
    return this.#sql.commit(() => {
      this.#sql.run(
        `UPDATE delivery SET state = 'due', attempts = 0, next_at = 0
         WHERE company_id = ? AND uid = ? AND state <> 'awaiting'`,
        [companyId, uid],
      );
      const row = this.#sql.get<DeliveryRow>(`${DELIVERY} WHERE company_id = ? AND uid = ? AND state = 'due'`, [
        companyId,
        uid,
      ]);
      return row && deliveryOf(row);
    });
  }
}

function receiverOf({ url, secret, allow }: ReceiverRow): Receiver {
  return { url, secret, allow: storedJson(allow, 'the addresses of a receiver') };
}

function deliveryOf({ nextAt, attemptedAt, ...row }: DeliveryRow): Delivery {
  return {
    ...dated(row),
    nextAt: row.state === 'due' ? new Date(nextAt) : null,
    attemptedAt: attemptedAt === null ? null : new Date(attemptedAt),
  };
}
