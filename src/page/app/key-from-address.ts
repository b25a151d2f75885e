import { takeKey } from '../api/session.js';
import { goTo } from '../common/route.js';

/**
 * A server on the loopback address prints an address with a key: `#key=…`. Signs in with the key and removes it from
 * the address.
 */
export function takeKeyFromAddress(): void {
  const take = (): void => {
    const key = /^#key=([\w-]{16,200})(.*)$/.exec(location.hash);
    if (key === null) return;
    takeKey(key[1]);
    goTo(`#/${key[2].replace(/^[&/]+/, '')}`, { replace: true });
  };
  take();
  addEventListener('hashchange', take); // The address may be pasted into a tab that already shows the page.
}
