import type { Database, Statement } from 'better-sqlite3';
import type { Role } from './users.js';

/** The user or app of an access token, in its present state (not as it was when the token was issued). */
export interface Principal {
  /** 'app': a program in its own name, without a user. */
  readonly kind: 'user' | 'app';
  readonly userUid?: string;
  readonly email?: string;
  /** The program that asked for the token, when it said which. */
  readonly clientId?: string;
  /** The company that the token is valid for. Undefined: a user without company, or an app for all companies. */
  readonly companyName: string | undefined;
  /** Always 'member' for an app. */
  readonly role: Role;
  /** Identifies the sign-in in logs; not secret. The same for all tokens that stem from it. */
  readonly tokenId: string;
}

/** A token in the catalogue. */
export interface TokenRow {
  readonly familyId: number;
  readonly kind: 'access' | 'refresh';
  readonly expiresAt: number;
  /** 1: a refresh token that was used. */
  readonly spent: 0 | 1;
  readonly userId: number | null;
  readonly clientId: string | null;
}

interface PrincipalRow {
  readonly familyId: number;
  readonly clientId: string | null;
  readonly userUid: string | null;
  readonly email: string | null;
  readonly role: Role | null;
  readonly userCompany: string | null;
  readonly clientCompany: string | null;
}

/** Most expired tokens removed at a time. */
const SWEEP_LIMIT = 200;

/**
 * Tokens by their hashes, in families that stem from one sign-in each. Writing methods run inside a transaction of the
 * caller.
 * @internal
 */
export class Tokens {
  readonly #database: Database;
  readonly #find: Statement<[Uint8Array], TokenRow>;
  readonly #principal: Statement<[Uint8Array, number], PrincipalRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare(`
      SELECT family_id AS familyId, kind, expires_at AS expiresAt, spent, user_id AS userId, client_id AS clientId
      FROM token JOIN token_family ON token_family.id = family_id WHERE hash = ?`);
    this.#principal = database.prepare(`
      SELECT family_id AS familyId, token_family.client_id AS clientId, user.uid AS userUid, email, role,
        user_company.name AS userCompany, client_company.name AS clientCompany
      FROM token JOIN token_family ON token_family.id = family_id
        LEFT JOIN user ON user.id = user_id LEFT JOIN company AS user_company ON user_company.id = user.company_id
        LEFT JOIN client ON client.id = token_family.client_id LEFT JOIN company AS client_company ON client_company.id = client.company_id
      WHERE hash = ? AND kind = 'access' AND expires_at > ?`);
  }

  find(hash: Uint8Array): TokenRow | undefined {
    return this.#find.get(hash);
  }

  /** The user or app of an access token that has not expired. */
  principal(hash: Uint8Array, now: number): Principal | undefined {
    const row = this.#principal.get(hash, now);
    if (row === undefined) return undefined;
    const shared = { tokenId: String(row.familyId), ...(row.clientId === null ? {} : { clientId: row.clientId }) };
    if (row.userUid === null)
      return { kind: 'app', companyName: row.clientCompany ?? undefined, role: 'member', ...shared };
    return {
      kind: 'user',
      userUid: row.userUid,
      email: row.email!,
      companyName: row.userCompany ?? undefined,
      role: row.role!,
      ...shared,
    };
  }

  /** A new family without tokens; its id. */
  start({ userId, clientId, now }: { userId: number | null; clientId: string | null; now: number }): number {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO token_family (user_id, client_id, started_at) VALUES (?, ?, ?)')
      .run(userId, clientId, now);
    return Number(lastInsertRowid);
  }

  add(familyId: number, kind: TokenRow['kind'], hash: Uint8Array, expiresAt: number): void {
    this.#database
      .prepare('INSERT INTO token (hash, family_id, kind, expires_at) VALUES (?, ?, ?, ?)')
      .run(hash, familyId, kind, expiresAt);
  }

  /** Marks a refresh token as used. It is kept, so that a second use is noticed. */
  spend(hash: Uint8Array): void {
    this.#database.prepare('UPDATE token SET spent = 1 WHERE hash = ?').run(hash);
  }

  removeFamily(familyId: number): void {
    this.#database.prepare('DELETE FROM token_family WHERE id = ?').run(familyId);
  }

  /** Ends all sign-ins of a user. */
  removeFamiliesOf(userId: number): void {
    this.#database.prepare('DELETE FROM token_family WHERE user_id = ?').run(userId);
  }

  /** Removes some tokens that have expired, and families without tokens. */
  sweep(now: number): void {
    const expired = this.#database
      .prepare<[number, number], { hash: Uint8Array; familyId: number }>(
        'SELECT hash, family_id AS familyId FROM token WHERE expires_at <= ? LIMIT ?',
      )
      .all(now, SWEEP_LIMIT);
    const remove = this.#database.prepare('DELETE FROM token WHERE hash = ?');
    for (const { hash } of expired) remove.run(hash);
    const removeEmpty = this.#database.prepare(
      'DELETE FROM token_family WHERE id = ? AND NOT EXISTS (SELECT 1 FROM token WHERE family_id = token_family.id)',
    );
    for (const familyId of new Set(expired.map((token) => token.familyId))) removeEmpty.run(familyId);
  }
}
