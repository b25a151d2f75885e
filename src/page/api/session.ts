import { computed, signal } from '@preact/signals';
import { sha1Hex } from './sha1.js';

/**
 * Credentials sent with requests: the key that a local server prints at its start, or the tokens of a user who signed
 * in.
 */
type Session =
  | { readonly kind: 'key'; readonly accessToken: string }
  | {
      readonly kind: 'user';
      readonly email: string;
      /** The role that the server gave with the tokens: `admin` or `member`. */
      readonly role: string;
      readonly accessToken: string;
      readonly refreshToken: string | undefined;
      readonly expiresAt: number;
      /** True: signed in by an identity provider, without a password here. */
      readonly byProvider?: boolean;
    };

const STORED = 'shapedex.session';
/** A token is renewed this long before it expires, ms. */
const EARLY_MS = 60_000;

const session = signal<Session | undefined>(readStored());

/** Why the user has to sign in again; '' if there is no reason to show. */
export const sessionMessage = signal('');

/** Whether there are credentials to send. */
export const isSignedIn = computed(() => session.value !== undefined);

/** E-mail address of the signed-in user; '' with a key. */
export const signedInAs = computed(() => (session.value?.kind === 'user' ? session.value.email : ''));

/** Whether the signed-in user has a password that could be said once more. */
export const hasPassword = computed(() => session.value?.kind === 'user' && session.value.byProvider !== true);

/** Whether the session may delete files of the company: members may not. The server decides; this only hides. */
export const mayDelete = computed(() => session.value?.kind !== 'user' || session.value.role !== 'member');

const STORED_OWNER = 'shapedex.owner';

/** UID by which the server calls the user the owner of inputs; '' until one was put in this browser. */
const ownUid = signal(localStorage.getItem(STORED_OWNER) ?? '');

/** Notes who owns what this session has just put to search with; '' forgets it. */
export function noteOwner(owner: string): void {
  ownUid.value = owner;
  if (owner === '') localStorage.removeItem(STORED_OWNER);
  else localStorage.setItem(STORED_OWNER, owner);
}

/** Whether an input with this owner is the user's own. Members see no others; admins and operators do. */
export function isOwn(owner: string): boolean {
  return owner === ownUid.value || (session.value?.kind === 'user' && session.value.role === 'member');
}

/** Signs in with the key that a local server prints. */
export function takeKey(accessToken: string): void {
  if (session.value?.accessToken !== accessToken) noteOwner('');
  keep({ kind: 'key', accessToken });
  sessionMessage.value = '';
}

/** Somebody's own token or key came with the address: nobody is signed in by it, and nobody out. */
export function refuseKey(): void {
  if (session.value === undefined)
    sessionMessage.value = 'The address holds the key of somebody’s account, which is not taken from a link. Sign in.';
}

// All tabs share one session: signing in or out in one tab does so in all.
addEventListener('storage', ({ key }) => {
  if (key !== STORED && key !== null) return;
  session.value = readStored();
  if (session.value !== undefined) sessionMessage.value = '';
});

/** The token for the next request, renewed if it is about to expire. Undefined: nobody is signed in. */
export async function accessToken(): Promise<string | undefined> {
  const now = session.value;
  if (now?.kind === 'user' && now.refreshToken !== undefined && Date.now() > now.expiresAt - EARLY_MS)
    return renew(now);
  return now?.accessToken;
}

/** Called after the server refused a token (401). Returns another token to try, or signs out and returns undefined. */
export async function replaceRefusedToken(refused: string): Promise<string | undefined> {
  const now = session.value;
  if (now === undefined) return undefined;
  if (now.accessToken !== refused) return now.accessToken; // Another request has already renewed the token.
  const stored = readStored();
  if (stored !== undefined && stored.accessToken !== refused) {
    // Another tab has stored a newer token, for example the key of a later server start.
    session.value = stored;
    return stored.accessToken;
  }
  if (now.kind === 'user' && now.refreshToken !== undefined) return renew(now);
  leave(
    now.kind === 'key'
      ? 'This key is from an earlier start of the server. Sign in, or open the address with the key of its last start.'
      : 'The session has ended. Sign in again.',
  );
  return undefined;
}

/** Signs in with a password. @throws Error with a message to show. */
export async function signIn(email: string, password: string): Promise<void> {
  const fields = { grant_type: 'password', username: email, password: await sha1Hex(password) };
  const next = askForToken(email, fields).catch((cause: unknown) => {
    throw cause instanceof TypeError ? new Error('The server cannot be reached. Is it still running?') : cause;
  });
  keep(await next);
  noteOwner('');
  sessionMessage.value = '';
}

/** Ends a sign-in by an identity provider with what it answered. @throws Error with a message to show. */
export async function signInByProvider(fields: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch('api/OpenId', { method: 'POST', body: new URLSearchParams(fields) });
  const answer = (await response.json()) as TokenAnswer;
  if (!response.ok) {
    const { error_description: why = 'the identity provider does not answer' } = answer;
    throw new Error(`You are not signed in: ${why}.`);
  }
  keep({ ...sessionOf(answer.email ?? '', answer), byProvider: true });
  noteOwner('');
  sessionMessage.value = '';
}

export function signOut(): void {
  const now = session.value;
  // The server ends the sign-in as well. Where it cannot be reached, the tokens end by themselves.
  if (now?.kind === 'user') {
    const headers = { Authorization: `Bearer ${now.accessToken}` };
    void fetch('api/Session', { method: 'DELETE', headers }).catch(() => undefined);
  }
  leave('');
}

let renewing: Promise<string | undefined> | undefined;

/** Renews the token with one request, even if several callers wait: a refresh token can be used only once. */
function renew({ email, refreshToken, byProvider }: Session & { readonly kind: 'user' }): Promise<string | undefined> {
  renewing ??= (async () => {
    try {
      const next = await askForToken(email, { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' });
      keep({ ...next, ...(byProvider === true && { byProvider }) });
      return next.accessToken;
    } catch (cause) {
      // Another tab may have used the refresh token first: continue with its session.
      const stored = readStored();
      if (stored?.kind === 'user' && stored.refreshToken !== refreshToken) {
        session.value = stored;
        return stored.accessToken;
      }
      if (cause instanceof TypeError) throw cause; // The server was not reached, so the token may still be valid.
      leave('The session has ended. Sign in again.');
      return undefined;
    } finally {
      renewing = undefined;
    }
  })();
  return renewing;
}

async function askForToken(
  email: string,
  fields: Readonly<Record<string, string>>,
): Promise<Session & { readonly kind: 'user' }> {
  const response = await fetch('api/Token', { method: 'POST', body: new URLSearchParams(fields) });
  const answer = (await response.json()) as TokenAnswer;
  if (!response.ok) throw new Error(refusal(response, answer));
  return sessionOf(email, answer);
}

/** What the server answers to one who signs in, or why not. */
interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly email?: string;
  readonly error?: string;
  readonly error_description?: string;
}

function sessionOf(email: string, answer: TokenAnswer): Session & { readonly kind: 'user' } {
  return {
    kind: 'user',
    email,
    role: answer.scope,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: Date.now() + 1000 * answer.expires_in,
  };
}

function refusal(
  { status, headers }: Response,
  { error, error_description: description = '' }: { error?: string; error_description?: string },
): string {
  if (status === 429) return `Too many attempts. Try again in ${headers.get('Retry-After') ?? 'some'} seconds.`;
  if (error === 'unsupported_grant_type')
    return 'This server does not accept passwords. Ask its operator how to sign in.';
  if (description.startsWith('the account waits'))
    return 'Your account waits until an admin of your company lets you in. Ask one, then sign in again.';
  return 'The e-mail address or the password is wrong.';
}

function keep(next: Session): void {
  session.value = next;
  localStorage.setItem(STORED, JSON.stringify(next));
}

function leave(message: string): void {
  session.value = undefined;
  sessionMessage.value = message;
  localStorage.removeItem(STORED);
  noteOwner('');
}

function readStored(): Session | undefined {
  const stored = localStorage.getItem(STORED);
  return stored === null ? undefined : (JSON.parse(stored) as Session);
}
