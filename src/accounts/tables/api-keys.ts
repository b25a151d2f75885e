import type { Principal } from './tokens.js';
import type { Sql } from './sql.js';
import type { Role } from './users.js';

/** A key of a user, without its secret. */
export interface ApiKey {
  /** GUID, lower case. */
  readonly id: string;
  /** What it is for, as the user wrote it. */
  readonly name: string;
  /** Address of the user. */
  readonly email: string;
  readonly addedAt: Date;
  /** Null: it does not end. */
  readonly expiresAt: Date | null;
  /** When it was last used, to the hour; null: never. */
  readonly usedAt: Date | null;
}

/** A new key. */
interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly addedAt: number;
  readonly expiresAt: number | null;
}

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly addedAt: number;
  readonly expiresAt: number | null;
  readonly usedAt: number | null;
}

interface OwnerRow {
  readonly id: string;
  readonly usedAt: number | null;
  readonly userUid: string;
  readonly email: string;
  readonly role: Role;
  readonly companyName: string | null;
}

const KEYS = `SELECT api_key.id, api_key.name AS name, email,
  api_key.added_at AS addedAt, expires_at AS expiresAt, used_at AS usedAt
  FROM api_key JOIN user ON user.id = user_id`;

/**
 * Keys of users by their hashes.
 * @internal
 */
export class ApiKeys {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Adds a key. 'full': the user has `allowed` keys already. */
  add(userId: number, key: NewKey, allowed: number): Promise<ApiKey | 'full'> {
    return this.#sql.commit(() => {
      const { many } = this.#sql.get<{ many: number }>(
        'SELECT count(*) AS many FROM api_key WHERE user_id = ?',
        userId,
      )!;
      if (many >= allowed) return 'full';
      this.#sql.run('INSERT INTO api_key (id, user_id, name, hash, added_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)', [
        key.id,
        userId,
        key.name,
        key.hash,
        key.addedAt,
        key.expiresAt,
      ]);
      return keyOf(this.#sql.get<KeyRow>(`${KEYS} WHERE api_key.id = ?`, key.id)!);
    });
  }

  /** The keys of a user, or of all users of a company, or all; newest first. */
  async list({ userId, company }: { userId?: number; company?: string }): Promise<ApiKey[]> {
    const rows = this.#sql.all<KeyRow>(
      `${KEYS} LEFT JOIN company ON company.id = company_id
       WHERE (@userId IS NULL OR user_id = @userId) AND (@company IS NULL OR company.name = @company)
       ORDER BY api_key.added_at DESC, api_key.id`,
      { userId: userId ?? null, company: company ?? null },
    );
    return rows.map(keyOf);
  }

  /** Withdraws a key of a user, or without `userId` of anybody. False: there is none. */
  remove(id: string, userId?: number): Promise<boolean> {
    return this.#sql.change('DELETE FROM api_key WHERE id = @id AND (@userId IS NULL OR user_id = @userId)', {
      id,
      userId: userId ?? null,
    });
  }

  /** Whose key it is, if it is good, and when it was last noted as used. */
  async owner(
    hash: Uint8Array,
    now: number,
  ): Promise<{ principal: Principal; id: string; usedAt: number | null } | undefined> {
    const row = this.#sql.get<OwnerRow>(
      `SELECT api_key.id, used_at AS usedAt, user.uid AS userUid, email, role, company.name AS companyName
       FROM api_key JOIN user ON user.id = user_id LEFT JOIN company ON company.id = user.company_id
       WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?) AND waiting = 0`,
      [hash, now],
    );
    if (row === undefined) return undefined;
    const { id, usedAt, userUid, email, role, companyName } = row;
    return {
      id,
      usedAt,
      principal: { kind: 'user', userUid, email, companyName: companyName ?? undefined, role, tokenId: `key ${id}` },
    };
  }

  noteUse(id: string, now: number): Promise<boolean> {
    return this.#sql.change('UPDATE api_key SET used_at = ? WHERE id = ?', [now, id]);
  }
}

function keyOf({ id, name, email, addedAt, expiresAt, usedAt }: KeyRow): ApiKey {
  return { id, name, email, addedAt: new Date(addedAt), expiresAt: dateOf(expiresAt), usedAt: dateOf(usedAt) };
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
