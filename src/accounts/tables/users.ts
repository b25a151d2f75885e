import { randomUUID } from 'node:crypto';
import type { Settings } from '../../store/database/settings.js';
import { forgetIdentity } from './identity-settings.js';
import type { Row, Sql } from './sql.js';

/**
 * What a user may do: a member works with files; an admin also deletes those of the company; an operator also makes
 * companies and acts for any.
 */
export type Role = 'member' | 'admin' | 'operator';

/** A user as others see it. */
export interface UserProfile {
  /** GUID, lower case. */
  readonly uid: string;
  /** As it was given; compared without regard to case. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** GUID of the company; null when the user belongs to none. */
  readonly companyId: string | null;
  readonly companyName: string | null;
  readonly role: Role;
  /** True: signed up without an admin's doing, and cannot sign in until one lets the user in. */
  readonly isWaiting: boolean;
  readonly addedAt: Date;
}

/** A program that asks for tokens; its secret is not kept. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** Null: for all companies. */
  readonly companyName: string | null;
  readonly addedAt: Date;
}

/** The stored form of a password: scrypt (r = 8, p = 3) of its digest. */
export interface Verifier {
  readonly salt: Uint8Array;
  /** N of scrypt. */
  readonly cost: number;
  readonly verifier: Uint8Array;
}

/** A user to be entered. */
export interface UserEntry extends Verifier {
  readonly email: string;
  /** The address in the form that must be unique. */
  readonly emailKey: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyId: number | null;
  readonly role: Role;
  readonly now: number;
  /** Until when the password is good, ms since 1970; undefined: no end. */
  readonly initialUntil?: number;
}

/** A user in the catalogue. */
export interface UserRow extends Omit<Row<UserProfile>, 'isWaiting'>, Verifier {
  readonly id: number;
  readonly waiting: 0 | 1;
}

/** Bounds on accounts that wait to be let in. */
export interface WaitingLimits {
  readonly ofCompany: number;
  readonly inAll: number;
  /** Accounts that have waited since before this time, ms since 1970, are removed. */
  readonly since: number;
}

/** A client in the catalogue. */
export interface ClientRow extends Row<Client> {
  readonly secretHash: Uint8Array;
}

const USER = `
  SELECT user.id, user.uid, email, first_name AS firstName, last_name AS lastName, company.guid AS companyId,
    company.name AS companyName, role, user.waiting, user.added_at AS addedAt, salt, cost, verifier
  FROM user LEFT JOIN company ON company.id = company_id`;

/** The name of the setting that tells until when a user's initial password is good, ms since 1970. */
export const INITIAL_PASSWORD = 'initial password ';

const CLIENT = `
  SELECT client.id, client.name, company.name AS companyName, secret_hash AS secretHash, client.added_at AS addedAt
  FROM client LEFT JOIN company ON company.id = company_id`;

/**
 * Users and clients.
 * @internal
 */
export class Users {
  readonly #sql: Sql;
  readonly #settings: Settings;

  constructor(sql: Sql, settings: Settings) {
    this.#sql = sql;
    this.#settings = settings;
  }

  /** Until when the user's password is good, ms since 1970; undefined: it is not an initial one. */
  async initialUntil(uid: string): Promise<number | undefined> {
    const until = this.#settings.get(INITIAL_PASSWORD + uid);
    return until === undefined ? undefined : Number(until);
  }

  async byEmail(emailKey: string): Promise<UserRow | undefined> {
    return this.#sql.get(`${USER} WHERE email_key = ?`, emailKey);
  }

  async byUid(uid: string): Promise<UserRow | undefined> {
    return this.#sql.get(`${USER} WHERE user.uid = ?`, uid);
  }

  /** For the transactions of others. */
  get inTransaction() {
    return {
      byEmail: (emailKey: string) => this.#sql.get<UserRow>(`${USER} WHERE email_key = ?`, emailKey),
      byUid: (uid: string) => this.#sql.get<UserRow>(`${USER} WHERE user.uid = ?`, uid),
      /** Undefined: another user has this address. */
      insert: (user: UserEntry) => this.#insert(user, 0),
    };
  }

  /** In the order of addresses. */
  async ofCompany(companyId: number): Promise<UserRow[]> {
    return this.#sql.all(`${USER} WHERE company_id = ? ORDER BY email_key`, companyId);
  }

  /**
   * Adds a user who may sign in; an account of the same address that waits gives way to it. Undefined: another user has
   * this address.
   */
  add(user: UserEntry): Promise<UserRow | undefined> {
    return this.#sql.commit(() => {
      this.#sql.run('DELETE FROM user WHERE email_key = ? AND waiting = 1', user.emailKey);
      const added = this.#insert(user, 0);
      if (added !== undefined) this.#noteInitial(added.uid, user.initialUntil);
      return added;
    });
  }

  /** Adds a user who asked for an account. 'taken': another user has this address. 'full': too many wait already. */
  signUp(user: UserEntry, waiting: WaitingLimits | undefined): Promise<UserRow | 'taken' | 'full'> {
    return this.#sql.commit(() => {
      if (waiting === undefined) return this.#insert(user, 0) ?? 'taken';
      this.#sql.run('DELETE FROM user WHERE waiting = 1 AND added_at < ?', waiting.since);
      const { inAll, ofCompany } = this.#sql.get<{ inAll: number; ofCompany: number }>(
        'SELECT count(*) AS inAll, coalesce(sum(company_id IS ?), 0) AS ofCompany FROM user WHERE waiting = 1',
        [user.companyId],
      )!;
      if (inAll >= waiting.inAll || ofCompany >= waiting.ofCompany) return 'full';
      return this.#insert(user, 1) ?? 'taken';
    });
  }

  /** How many wait to be let in who asked for it since then, ms since 1970. */
  async waiting(since: number): Promise<number> {
    const sql = 'SELECT count(*) AS count FROM user WHERE waiting = 1 AND added_at >= ?';
    return this.#sql.get<{ count: number }>(sql, [since])!.count;
  }

  /**
   * Lets in a user who waits. only: of this company; else of any or none. joined: the company that a user of none then
   * belongs to, also one who waits no more. False: there is no such user.
   */
  approve(emailKey: string, { only, joined }: { only?: number; joined?: number }): Promise<boolean> {
    return this.#sql.change(
      `UPDATE user SET waiting = 0, company_id = ifnull(company_id, @joined)
       WHERE email_key = @emailKey AND (
         (waiting = 1 AND company_id IS ifnull(@only, company_id)) OR (@joined IS NOT NULL AND company_id IS NULL))`,
      { emailKey, only: only ?? null, joined: joined ?? null },
    );
  }

  /** Removes a user who waits. False: there is no such user. */
  reject(emailKey: string, companyId: number | undefined): Promise<boolean> {
    return this.#sql.change(
      'DELETE FROM user WHERE email_key = @emailKey AND waiting = 1 AND company_id IS ifnull(@companyId, company_id)',
      { emailKey, companyId: companyId ?? null },
    );
  }

  /** All users, in the order of addresses. */
  async all(): Promise<UserRow[]> {
    return this.#sql.all(`${USER} ORDER BY email_key`);
  }

  /** When a user last signed in from a source, ms since 1970; undefined: never. */
  async knownSince(source: Uint8Array): Promise<number | undefined> {
    return this.#sql.get<{ at: number }>('SELECT last_at AS at FROM known_source WHERE hash = ?', [source])?.at;
  }

  /** Remembers that a user signed in from a source, and forgets the longest unused ones above `most`. */
  know(userId: number, source: Uint8Array, { most, now }: { most: number; now: number }): Promise<void> {
    return this.#sql.commit(() => {
      this.#sql.run('INSERT OR REPLACE INTO known_source (hash, user_id, last_at) VALUES (?, ?, ?)', [
        source,
        userId,
        now,
      ]);
      this.#sql.run(
        `DELETE FROM known_source WHERE hash IN
           (SELECT hash FROM known_source WHERE user_id = ? ORDER BY last_at DESC, hash LIMIT -1 OFFSET ?)`,
        [userId, most],
      );
    });
  }

  /** Stores a password in another form. */
  setVerifier(userId: number, { salt, cost, verifier }: Verifier): Promise<boolean> {
    return this.#sql.change('UPDATE user SET salt = ?, cost = ?, verifier = ? WHERE id = ?', [
      salt,
      cost,
      verifier,
      userId,
    ]);
  }

  /**
   * Stores a new password, ends all sign-ins and forgets where from; see `initialUntil` of {@link UserEntry}. False:
   * there is no such user.
   */
  setPassword(emailKey: string, { salt, cost, verifier }: Verifier, initialUntil?: number): Promise<boolean> {
    return this.#sql.commit(() => {
      const uid = this.#uidOf(emailKey);
      if (uid !== undefined) this.#noteInitial(uid, initialUntil);
      for (const table of ['token_family', 'known_source'])
        this.#sql.run(`DELETE FROM ${table} WHERE user_id = (SELECT id FROM user WHERE email_key = ?)`, emailKey);
      return (
        this.#sql.run('UPDATE user SET salt = ?, cost = ?, verifier = ? WHERE email_key = ?', [
          salt,
          cost,
          verifier,
          emailKey,
        ]) > 0
      );
    });
  }

  /**
   * Replaces the password that was checked, ends all sign-ins but the one of `token` (a hash), and forgets all sources
   * but `source`. False: the user is gone, or has another password by now.
   */
  changePassword(
    { id, uid, verifier: checked }: Pick<UserRow, 'id' | 'uid' | 'verifier'>,
    { salt, cost, verifier }: Verifier,
    kept: { readonly token?: Uint8Array; readonly source: Uint8Array },
  ): Promise<boolean> {
    return this.#sql.commit(() => {
      const set = 'UPDATE user SET salt = ?, cost = ?, verifier = ? WHERE id = ? AND verifier = ?';
      if (this.#sql.run(set, [salt, cost, verifier, id, checked]) === 0) return false;
      const families = 'SELECT family_id FROM token WHERE hash IS ?';
      this.#sql.run(`DELETE FROM token_family WHERE user_id = ? AND id NOT IN (${families})`, [id, kept.token ?? null]);
      this.#sql.run('DELETE FROM known_source WHERE user_id = ? AND hash <> ?', [id, kept.source]);
      this.#noteInitial(uid, undefined);
      return true;
    });
  }

  /** Removes a user with sign-ins and saved searches. False: there was none. */
  remove(emailKey: string): Promise<boolean> {
    return this.#sql.commit(() => {
      const uid = this.#uidOf(emailKey);
      if (uid === undefined) return false;
      this.#noteInitial(uid, undefined);
      forgetIdentity(this.#settings, uid);
      return this.#sql.run('DELETE FROM user WHERE uid = ?', uid) > 0;
    });
  }

  async client(id: string): Promise<ClientRow | undefined> {
    return this.#sql.get(`${CLIENT} WHERE client.id = ?`, id);
  }

  /** In the order in which they were added. */
  async clients(): Promise<ClientRow[]> {
    return this.#sql.all(`${CLIENT} ORDER BY client.added_at, client.id`);
  }

  /** False: another client has this id. */
  addClient(client: {
    id: string;
    name: string;
    companyId: number | null;
    secretHash: Uint8Array;
    now: number;
  }): Promise<boolean> {
    return this.#sql.change(
      `INSERT INTO client (id, name, company_id, secret_hash, added_at)
       VALUES (@id, @name, @companyId, @secretHash, @now) ON CONFLICT (id) DO NOTHING`,
      client,
    );
  }

  /** Removes a client with its sign-ins. False: there was none. */
  removeClient(id: string): Promise<boolean> {
    return this.#sql.change('DELETE FROM client WHERE id = ?', id);
  }

  #uidOf(emailKey: string): string | undefined {
    return this.#sql.get<{ uid: string }>('SELECT uid FROM user WHERE email_key = ?', emailKey)?.uid;
  }

  #noteInitial(uid: string, until: number | undefined): void {
    if (until === undefined) this.#settings.remove(INITIAL_PASSWORD + uid);
    else this.#settings.set(INITIAL_PASSWORD + uid, String(until));
  }

  /** Undefined: another user has this address. Only within a transaction. */
  #insert(user: UserEntry, waiting: 0 | 1): UserRow | undefined {
    const uid = randomUUID();
    const isNew = this.#sql.run(
      `INSERT INTO user
         (uid, email, email_key, first_name, last_name, company_id, role, added_at, salt, cost, verifier, waiting)
       VALUES (@uid, @email, @emailKey, @firstName, @lastName, @companyId, @role, @now, @salt, @cost, @verifier,
         @waiting)
       ON CONFLICT (email_key) DO NOTHING`,
      { ...user, uid, waiting },
    );
    return isNew > 0 ? this.#sql.get(`${USER} WHERE user.uid = ?`, uid) : undefined;
  }
}
