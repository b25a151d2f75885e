import { refuseKey, takeKey } from '../api/session.js';
import { goTo } from '../common/route.js';

/** The longest key that a server makes; tokens and keys of users are longer. */
const LONGEST = 40;

/**
 * A server on the loopback address prints an address with a key: `#key=…`. Signs in with the key and removes it from
 * the address. What is somebody's own token or key is not taken: whoever follows such a link would work in the account
 * of who sent it, and leave the files there.
 */
export function takeKeyFromAddress(): void {
  const take = (): void => {
    const key = /^#key=([\w-]{16,200})(.*)$/.exec(location.hash);
    if (key === null) return;
    if (key[1].length <= LONGEST) takeKey(key[1]);
    else refuseKey();
    goTo(`#/${key[2].replace(/^[&/]+/, '')}`, { replace: true });
  };
  take();
  addEventListener('hashchange', take); // The address may be pasted into a tab that already shows the page.
}
