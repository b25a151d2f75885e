import { signal } from '@preact/signals';
import { beginProviderSignIn } from '../api/endpoints.js';
import { sessionMessage, signInByProvider } from '../api/session.js';
import { goTo } from '../common/route.js';

/** What this tab keeps while its user is at the identity provider. */
interface Kept {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The screen to come back to. */
  readonly hash: string;
}

const KEPT = 'shapedex.provider-sign-in';

/** Whether an answer of the provider is being checked. */
export const isComingBack = signal(false);

/** Goes to the identity provider. It sends the browser back to this page, with an answer in the address. */
export async function goToProvider(): Promise<void> {
  const { url, ...attempt } = await beginProviderSignIn();
  const kept: Kept = { ...attempt, hash: location.hash };
  // This tab's alone, and gone with it.
  sessionStorage.setItem(KEPT, JSON.stringify(kept));
  location.assign(url);
}

/** Signs in with the answer of the identity provider in the address, and removes it from there. */
export function takeProviderAnswer(): void {
  const { search, pathname } = location;
  const sent = new URLSearchParams(search);
  if (!sent.has('state') || !(sent.has('code') || sent.has('error'))) return;
  const text = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  const kept = text === null ? undefined : (JSON.parse(text) as Kept);
  goTo(`${pathname}${kept?.hash ?? ''}`, { replace: true });
  // An answer that this tab did not ask for would sign its user in as somebody else.
  if (kept === undefined || kept.state !== sent.get('state')) {
    sessionMessage.value = 'This answer of the identity provider was not asked for here. Sign in again.';
    return;
  }
  const { state, nonce, verifier } = kept;
  isComingBack.value = true;
  signInByProvider({ answer: search.slice(1), state, nonce, verifier })
    .catch((cause: unknown) => {
      sessionMessage.value = cause instanceof TypeError ? 'The server cannot be reached.' : (cause as Error).message;
    })
    .finally(() => {
      isComingBack.value = false;
    });
}
