import { computed, signal } from '@preact/signals';
import { goTo } from './route.js';
import { sha1Hex } from './sha1.js';

/** How the page says who asks: a key of this start of the server, or tokens that a password was given for. */
type Session =
  | { readonly kind: 'key'; readonly accessToken: string }
  | {
      readonly kind: 'user';
      readonly email: string;
      readonly accessToken: string;
      readonly refreshToken: string | undefined;
      readonly expiresAt: number;
    };

const STORED = 'shapedex.session';
/** A token is renewed so long before it ends, ms. */
const EARLY_MS = 60_000;

const session = signal<Session | undefined>(readStored());

/** Why the page asks to sign in again; '' when it need not say. */
export const sessionMessage = signal('');

/** Whether requests can be sent. */
export const isSignedIn = computed(() => session.value !== undefined);

/** Who is signed in, for people: an e-mail address, or '' with a key. */
export const signedInAs = computed(() => (session.value?.kind === 'user' ? session.value.email : ''));

/** A server that serves this machine alone puts a key into the address that it prints: `#key=…`. It is taken, kept, and taken out of the address. */
export function takeKeyFromAddress(): void {
  const take = (): void => {
    const key = /^#key=([\w-]{16,200})(.*)$/.exec(location.hash);
    if (key === null) return;
    keep({ kind: 'key', accessToken: key[1] });
    sessionMessage.value = '';
    goTo(`#/${key[2].replace(/^[&/]+/, '')}`, { replace: true });
  };
  take();
  addEventListener('hashchange', take); // The address may be pasted into a tab that shows the page already.
}

// Tabs share one session: who signs in or out in one does so in all.
addEventListener('storage', ({ key }) => {
  if (key !== STORED && key !== null) return;
  session.value = readStored();
  if (session.value !== undefined) sessionMessage.value = '';
});

/** The token for the next request, renewed where it is about to end. Undefined: nobody is signed in. */
export async function accessToken(): Promise<string | undefined> {
  const now = session.value;
  if (now?.kind === 'user' && now.refreshToken !== undefined && Date.now() > now.expiresAt - EARLY_MS)
    return renew(now);
  return now?.accessToken;
}

/** A request was refused with this token. Returns another to try once more, or undefined after having signed out. */
export async function replaceRefusedToken(refused: string): Promise<string | undefined> {
  const now = session.value;
  if (now === undefined) return undefined;
  if (now.accessToken !== refused) return now.accessToken; // Another request has renewed it meanwhile.
  const stored = readStored();
  if (stored !== undefined && stored.accessToken !== refused) {
    // Another tab has one, of a later start of the server for instance.
    session.value = stored;
    return stored.accessToken;
  }
  if (now.kind === 'user' && now.refreshToken !== undefined) return renew(now);
  leave(
    now.kind === 'key'
      ? 'This address is from an earlier start of the server. Open the one that it printed last, or sign in.'
      : 'The session has ended. Sign in again.',
  );
  return undefined;
}

/** @throws Error with a sentence for people. */
export async function signIn(email: string, password: string): Promise<void> {
  keep(await askForToken(email, { grant_type: 'password', username: email, password: await sha1Hex(password) }));
  sessionMessage.value = '';
}

export function signOut(): void {
  leave('');
}

let renewing: Promise<string | undefined> | undefined;

/** One request at a time, however many wait for the token: a refresh token is good once. */
function renew({ email, refreshToken }: Session & { readonly kind: 'user' }): Promise<string | undefined> {
  renewing ??= (async () => {
    try {
      const next = await askForToken(email, { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' });
      keep(next);
      return next.accessToken;
    } catch (cause) {
      // Another tab may have used the refresh token: then its session is the one to go on with.
      const stored = readStored();
      if (stored?.kind === 'user' && stored.refreshToken !== refreshToken) {
        session.value = stored;
        return stored.accessToken;
      }
      if (cause instanceof TypeError) throw cause; // The server was not reached: nothing is known of the token.
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
  const answer = (await response.json()) as {
    access_token: string;
    refresh_token?: string;
    expires_in: number;
    error?: string;
  };
  if (!response.ok) throw new Error(refusal(response, answer.error));
  return {
    kind: 'user',
    email,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: Date.now() + 1000 * answer.expires_in,
  };
}

function refusal({ status, headers }: Response, error: string | undefined): string {
  if (status === 429) return `Too many attempts. Try again in ${headers.get('Retry-After') ?? 'some'} seconds.`;
  if (error === 'unsupported_grant_type')
    return 'This server gives no access for passwords. Ask whoever runs it how to get in.';
  return 'E-mail address or password are wrong.';
}

function keep(next: Session): void {
  session.value = next;
  localStorage.setItem(STORED, JSON.stringify(next));
}

function leave(message: string): void {
  session.value = undefined;
  sessionMessage.value = message;
  localStorage.removeItem(STORED);
}

function readStored(): Session | undefined {
  const stored = localStorage.getItem(STORED);
  return stored === null ? undefined : (JSON.parse(stored) as Session);
}
