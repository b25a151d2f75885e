import type { Settings } from '../../store/database/settings.js';
import { hasIdentity, noteIdentity, userOfIdentity, type IdentityKey } from './identity-settings.js';
import type { Sql } from './sql.js';
import type { Role, UserEntry, UserRow, Users } from './users.js';

/** A person as the provider describes them now. */
export interface IdentityEntry extends IdentityKey, Omit<UserEntry, 'companyId' | 'role' | 'initialUntil'> {
  /** The company that the provider names; undefined: it stays as it is. */
  readonly companyId: number | undefined;
  /** The company of a new user whom the provider names none for. */
  readonly mappedId: number | undefined;
  /** Undefined: it stays as it is, but an admin whom the provider moves to another company is a member there. */
  readonly role: Role | undefined;
  /** Whether an account is made for who has none. */
  readonly mayJoin: boolean;
}

/** What became of the account: 'other' belongs to somebody else, or may not be taken over; 'closed': nobody joins. */
export type Identified =
  | { readonly user: UserRow; readonly change: 'made' | 'linked' | 'updated' | 'none' }
  | 'other'
  | 'closed';

/**
 * Which users sign in by an identity provider, by the issuer's and its name for them: an address may be given to
 * another person.
 * @internal
 */
export class Identities {
  readonly #sql: Sql;
  readonly #settings: Settings;
  readonly #users: Users;

  constructor(sql: Sql, settings: Settings, users: Users) {
    this.#sql = sql;
    this.#settings = settings;
    this.#users = users;
  }

  /** Whether the user signs in by a provider. */
  async has(uid: string): Promise<boolean> {
    return hasIdentity(this.#settings, uid);
  }

  /** The user who is this identity. */
  async user(key: IdentityKey): Promise<UserRow | undefined> {
    const uid = userOfIdentity(this.#settings, key);
    return uid === undefined ? undefined : this.#users.inTransaction.byUid(uid);
  }

  /**
   * Finds, links or makes the user of an identity, all or nothing. An account of the same address is linked when it is
   * of the same company (or none) and no operator's: its password, sign-ins and keys end, because whoever made it need
   * not be who owns the address.
   */
  identify(entry: IdentityEntry): Promise<Identified> {
    const { inTransaction: users } = this.#users;
    return this.#sql.commit(() => {
      const uid = userOfIdentity(this.#settings, entry);
      const known = uid === undefined ? undefined : users.byUid(uid);
      if (known !== undefined) return this.#update(known, entry);
      const holder = users.byEmail(entry.emailKey);
      if (holder !== undefined) return this.#link(holder, entry);
      const companyId = entry.companyId ?? entry.mappedId;
      if (!entry.mayJoin || companyId === undefined) return 'closed';
      const { email, emailKey, firstName, lastName, now, salt, cost, verifier, role = 'member' } = entry;
      const fields = { email, emailKey, firstName, lastName, now, salt, cost, verifier, companyId, role };
      const user = users.insert(fields);
      if (user === undefined) return 'other';
      noteIdentity(this.#settings, user.uid, entry);
      return { user, change: 'made' };
    });
  }

  #update(known: UserRow, entry: IdentityEntry): Identified {
    const { inTransaction: users } = this.#users;
    const holder = users.byEmail(entry.emailKey);
    // The address of another user stays that user's.
    const isFree = holder === undefined || holder.id === known.id;
    this.#sql.run(
      `UPDATE user SET email = ifnull(@email, email), email_key = ifnull(@emailKey, email_key),
         first_name = @firstName, last_name = @lastName, company_id = ifnull(@companyId, company_id),
         role = CASE WHEN @role IS NULL AND role = 'admin' AND company_id <> @companyId THEN 'member'
           ELSE ifnull(@role, role) END
       WHERE id = @id`,
      {
        id: known.id,
        email: isFree ? entry.email : null,
        emailKey: isFree ? entry.emailKey : null,
        firstName: entry.firstName || known.firstName,
        lastName: entry.lastName || known.lastName,
        companyId: entry.companyId ?? null,
        role: entry.role ?? null,
      },
    );
    const user = users.byUid(known.uid)!;
    const isSame = user.role === known.role && user.companyId === known.companyId && user.email === known.email;
    return { user, change: isSame ? 'none' : 'updated' };
  }

  #link(holder: UserRow, entry: IdentityEntry): Identified {
    const { id: own } = this.#sql.get<{ id: number | null }>('SELECT company_id AS id FROM user WHERE id = ?', [
      holder.id,
    ])!;
    const companyId = entry.companyId ?? entry.mappedId ?? own ?? undefined;
    if (holder.role === 'operator' || hasIdentity(this.#settings, holder.uid)) return 'other';
    if (own !== null && own !== companyId) return 'other';
    if (companyId === undefined || (holder.waiting === 1 && !entry.mayJoin)) return 'closed';
    for (const table of ['token_family', 'known_source', 'api_key'])
      this.#sql.run(`DELETE FROM ${table} WHERE user_id = ?`, [holder.id]);
    const { salt, cost, verifier } = entry;
    this.#sql.run('UPDATE user SET salt = ?, cost = ?, verifier = ?, waiting = 0 WHERE id = ?', [
      salt,
      cost,
      verifier,
      holder.id,
    ]);
    noteIdentity(this.#settings, holder.uid, entry);
    this.#update(holder, { ...entry, companyId });
    return { user: this.#users.inTransaction.byUid(holder.uid)!, change: 'linked' };
  }
}
