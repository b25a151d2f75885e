import type { Sql } from './sql.js';
import { IDENTITY_OF } from './identity-settings.js';
import { INITIAL_PASSWORD, type Role } from './users.js';

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

/** A sign-in of a user that has not ended. */
export interface ActiveSignIn {
  /** As {@link Principal.tokenId}. */
  readonly id: string;
  readonly startedAt: Date;
  /** When it ends if it is not renewed. */
  readonly endsAt: Date;
  /** The program that signed the user in, when it said which. */
  readonly clientId: string | null;
}

/** A new token. */
export interface NewToken {
  readonly hash: Uint8Array;
  readonly kind: 'access' | 'refresh';
  readonly expiresAt: number;
}

interface TokenRow {
  readonly familyId: number;
  readonly kind: NewToken['kind'];
  readonly expiresAt: number;
  /** 1: a refresh token that was used. */
  readonly spent: 0 | 1;
  readonly clientId: string | null;
  readonly startedAt: number;
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

/** Most sign-ins of a user that are listed: the newest. */
const SIGN_INS_LISTED = 1_000;
/** Most expired tokens removed at a time. */
const SWEEP_LIMIT = 200;

/**
 * Tokens by their hashes, in families that stem from one sign-in each.
 * @internal
 */
export class Tokens {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The user or app of an access token that has not expired. */
  async principal(hash: Uint8Array, now: number): Promise<Principal | undefined> {
    const row = this.#principal(hash, now);
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

  /** Begins a family with the tokens of a user. Returns the user's role; undefined: the user does not exist. */
  startForUser(
    userUid: string,
    clientId: string | null,
    tokens: readonly NewToken[],
    now: number,
  ): Promise<Role | undefined> {
    return this.#sql.commit(() => {
      const user = this.#sql.get<{ id: number; role: Role }>('SELECT id, role FROM user WHERE uid = ?', userUid);
      if (user === undefined) return undefined;
      this.#start(user.id, clientId, tokens, now);
      return user.role;
    });
  }

  /** Begins a family with the tokens of a client in its own name. False: the client does not exist. */
  startForClient(clientId: string, tokens: readonly NewToken[], now: number): Promise<boolean> {
    return this.#sql.commit(() => {
      if (this.#sql.get('SELECT 1 FROM client WHERE id = ?', clientId) === undefined) return false;
      this.#start(null, clientId, tokens, now);
      return true;
    });
  }

  /**
   * Spends a refresh token for new tokens of its family. Returns the user's role; undefined when the token is unknown,
   * expired, of another client, of a sign-in before `since` (ms since 1970; of users of an identity provider before
   * `provenSince`), of a user whose initial password is good no more, or spent: then its whole family is removed.
   */
  renew(
    hash: Uint8Array,
    clientId: string | undefined,
    tokens: readonly NewToken[],
    { now, since, provenSince }: { readonly now: number; readonly since: number; readonly provenSince: number },
  ): Promise<Role | undefined> {
    // The failure is returned, not thrown: an exception would roll back the removal of the family.
    return this.#sql.commit(() => {
      const token = this.#find(hash);
      if (token === undefined || token.kind !== 'refresh' || token.expiresAt <= now) return undefined;
      if (token.spent === 1) {
        this.#removeFamily(token.familyId);
        return undefined;
      }
      if (token.startedAt < since || (clientId !== undefined && clientId !== token.clientId)) return undefined;
      if (this.#isInitialOver(token.familyId, now)) return undefined;
      if (token.startedAt < provenSince && this.#isProven(token.familyId)) return undefined;
      // It is kept, so that a second use is noticed.
      this.#sql.run('UPDATE token SET spent = 1 WHERE hash = ?', hash);
      this.#add(token.familyId, tokens, now);
      return this.#principal(tokens[0].hash, now)?.role ?? 'member';
    });
  }

  /** Removes the family of a token. False: the token is unknown. */
  revoke(hash: Uint8Array): Promise<boolean> {
    return this.#sql.commit(() => {
      const token = this.#find(hash);
      if (token !== undefined) this.#removeFamily(token.familyId);
      return token !== undefined;
    });
  }

  /** The sign-ins of a user that have not ended, newest first. */
  async signIns(userUid: string, now: number): Promise<ActiveSignIn[]> {
    const rows = this.#sql.all<{ id: number; startedAt: number; endsAt: number; clientId: string | null }>(
      `SELECT token_family.id, started_at AS startedAt, max(expires_at) AS endsAt, client_id AS clientId
       FROM token_family JOIN token ON family_id = token_family.id JOIN user ON user.id = user_id
       WHERE user.uid = ? AND spent = 0 AND expires_at > ?
       GROUP BY token_family.id ORDER BY started_at DESC, token_family.id DESC LIMIT ${SIGN_INS_LISTED}`,
      [userUid, now],
    );
    return rows.map(({ id, startedAt, endsAt, clientId }) => {
      return { id: String(id), startedAt: new Date(startedAt), endsAt: new Date(endsAt), clientId };
    });
  }

  /** When a sign-in of a user began, ms since 1970; undefined: there is no such one. */
  async startedAt(userUid: string, id: string): Promise<number | undefined> {
    return this.#sql.get<{ at: number }>(
      `SELECT started_at AS at FROM token_family JOIN user ON user.id = user_id
       WHERE user.uid = ? AND token_family.id = CAST(? AS INTEGER)`,
      [userUid, id],
    )?.at;
  }

  /**
   * Ends the sign-in `only` of a user, or all but `except`; with `until` (ms since 1970) those that began then or
   * before. Returns how many ended.
   */
  endSignIns(
    userUid: string,
    { only, except, until }: { only?: string; except?: string; until?: number },
  ): Promise<number> {
    return this.#sql.commit(() =>
      this.#sql.run(
        `DELETE FROM token_family WHERE user_id = (SELECT id FROM user WHERE uid = @userUid)
           AND (@only IS NULL OR id = CAST(@only AS INTEGER)) AND id IS NOT CAST(@except AS INTEGER)
           AND (@until IS NULL OR started_at <= @until)`,
        { userUid, only: only ?? null, except: except ?? null, until: until ?? null },
      ),
    );
  }

  #isInitialOver(familyId: number, now: number): boolean {
    const over = `SELECT 1 FROM token_family JOIN user ON user.id = user_id JOIN setting ON setting.name = ? || user.uid
      WHERE token_family.id = ? AND CAST(setting.value AS INTEGER) <= ?`;
    return this.#sql.get(over, [INITIAL_PASSWORD, familyId, now]) !== undefined;
  }

  #isProven(familyId: number): boolean {
    const proven = `SELECT 1 FROM token_family JOIN user ON user.id = user_id JOIN setting ON setting.name = ? || user.uid
      WHERE token_family.id = ?`;
    return this.#sql.get(proven, [IDENTITY_OF, familyId]) !== undefined;
  }

  #find(hash: Uint8Array): TokenRow | undefined {
    return this.#sql.get(
      `SELECT family_id AS familyId, kind, expires_at AS expiresAt, spent, client_id AS clientId,
         started_at AS startedAt
       FROM token JOIN token_family ON token_family.id = family_id WHERE hash = ?`,
      hash,
    );
  }

  #principal(hash: Uint8Array, now: number): PrincipalRow | undefined {
    return this.#sql.get(
      `SELECT family_id AS familyId, token_family.client_id AS clientId, user.uid AS userUid, email, role,
         user_company.name AS userCompany, client_company.name AS clientCompany
       FROM token JOIN token_family ON token_family.id = family_id
         LEFT JOIN user ON user.id = user_id LEFT JOIN company AS user_company ON user_company.id = user.company_id
         LEFT JOIN client ON client.id = token_family.client_id
         LEFT JOIN company AS client_company ON client_company.id = client.company_id
       WHERE hash = ? AND kind = 'access' AND expires_at > ?`,
      [hash, now],
    );
  }

  #start(userId: number | null, clientId: string | null, tokens: readonly NewToken[], now: number): void {
    const { id } = this.#sql.get<{ id: number }>(
      'INSERT INTO token_family (user_id, client_id, started_at) VALUES (?, ?, ?) RETURNING id',
      [userId, clientId, now],
    )!;
    this.#add(id, tokens, now);
  }

  /** Adds tokens to a family, and removes some that have expired with the families that are left without any. */
  #add(familyId: number, tokens: readonly NewToken[], now: number): void {
    for (const { hash, kind, expiresAt } of tokens)
      this.#sql.run('INSERT INTO token (hash, family_id, kind, expires_at) VALUES (?, ?, ?, ?)', [
        hash,
        familyId,
        kind,
        expiresAt,
      ]);
    const expired = this.#sql.all<{ hash: Uint8Array; family: number }>(
      'SELECT hash, family_id AS family FROM token WHERE expires_at <= ? LIMIT ?',
      [now, SWEEP_LIMIT],
    );
    for (const { hash } of expired) this.#sql.run('DELETE FROM token WHERE hash = ?', hash);
    for (const id of new Set(expired.map(({ family }) => family)))
      this.#sql.run(
        'DELETE FROM token_family WHERE id = ? AND NOT EXISTS (SELECT 1 FROM token WHERE family_id = token_family.id)',
        id,
      );
  }

  #removeFamily(id: number): void {
    this.#sql.run('DELETE FROM token_family WHERE id = ?', id);
  }
}
