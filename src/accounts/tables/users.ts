import { randomUUID } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';

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
}

/** A user in the catalogue. */
export interface UserRow extends Omit<UserProfile, 'addedAt'>, Verifier {
  readonly id: number;
  readonly addedAt: number;
}

/** A client in the catalogue. */
export interface ClientRow {
  readonly id: string;
  readonly name: string;
  readonly companyId: number | null;
  readonly companyName: string | null;
  readonly secretHash: Uint8Array;
  readonly addedAt: number;
}

const USER = `
  SELECT user.id, user.uid, email, first_name AS firstName, last_name AS lastName, company.guid AS companyId, company.name AS companyName,
    role, user.added_at AS addedAt, salt, cost, verifier
  FROM user LEFT JOIN company ON company.id = company_id`;

const CLIENT = `
  SELECT client.id, client.name, company_id AS companyId, company.name AS companyName, secret_hash AS secretHash, client.added_at AS addedAt
  FROM client LEFT JOIN company ON company.id = company_id`;

/**
 * Users and clients. Writing methods run inside a transaction of the caller.
 * @internal
 */
export class Users {
  readonly #database: Database;
  readonly #byEmail: Statement<[string], UserRow>;
  readonly #byUid: Statement<[string], UserRow>;
  readonly #client: Statement<[string], ClientRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#byEmail = database.prepare(`${USER} WHERE email_key = ?`);
    this.#byUid = database.prepare(`${USER} WHERE user.uid = ?`);
    this.#client = database.prepare(`${CLIENT} WHERE client.id = ?`);
  }

  byEmail(emailKey: string): UserRow | undefined {
    return this.#byEmail.get(emailKey);
  }

  byUid(uid: string): UserRow | undefined {
    return this.#byUid.get(uid);
  }

  /** In the order of addresses. */
  ofCompany(companyId: number): UserRow[] {
    return this.#database.prepare<[number], UserRow>(`${USER} WHERE company_id = ? ORDER BY email_key`).all(companyId);
  }

  /** Adds a user. Undefined: another user has this address. */
  add(user: UserEntry): UserRow | undefined {
    const uid = randomUUID();
    const { changes } = this.#database
      .prepare<[object]>(
        `INSERT INTO user (uid, email, email_key, first_name, last_name, company_id, role, added_at, salt, cost, verifier)
         VALUES (@uid, @email, @emailKey, @firstName, @lastName, @companyId, @role, @now, @salt, @cost, @verifier)
         ON CONFLICT (email_key) DO NOTHING`,
      )
      .run({ ...user, uid });
    return changes === 0 ? undefined : this.#byUid.get(uid);
  }

  setVerifier(userId: number, { salt, cost, verifier }: Verifier): void {
    this.#database
      .prepare('UPDATE user SET salt = ?, cost = ?, verifier = ? WHERE id = ?')
      .run(salt, cost, verifier, userId);
  }

  /** Removes a user with sign-ins and saved searches. False: there was none. */
  remove(emailKey: string): boolean {
    return this.#database.prepare('DELETE FROM user WHERE email_key = ?').run(emailKey).changes > 0;
  }

  client(id: string): ClientRow | undefined {
    return this.#client.get(id);
  }

  /** In the order in which they were added. */
  clients(): ClientRow[] {
    return this.#database.prepare<[], ClientRow>(`${CLIENT} ORDER BY client.added_at, client.id`).all();
  }

  /** False: another client has this id. */
  addClient(client: {
    id: string;
    name: string;
    companyId: number | null;
    secretHash: Uint8Array;
    now: number;
  }): boolean {
    return (
      this.#database
        .prepare<[object]>(
          `INSERT INTO client (id, name, company_id, secret_hash, added_at) VALUES (@id, @name, @companyId, @secretHash, @now)
         ON CONFLICT (id) DO NOTHING`,
        )
        .run(client).changes > 0
    );
  }

  /** Removes a client with its sign-ins. False: there was none. */
  removeClient(id: string): boolean {
    return this.#database.prepare('DELETE FROM client WHERE id = ?').run(id).changes > 0;
  }
}
