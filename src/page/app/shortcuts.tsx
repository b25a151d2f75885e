import { useEffect, useState } from 'preact/hooks';
import { isSignedIn } from '../api/session.js';
import { lazily } from '../common/lazily.js';
import { goTo, HREF, route } from '../common/route.js';

const KeysDialog = lazily(async () => (await import('./keys-dialog.js')).KeysDialog);

/** Listens for `/` and `?`, and shows the list of keys. */
export function Shortcuts() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null || !isSignedIn.value) return;
      if (event.key === '/') goToWords();
      else if (event.key === '?') setShown(true);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return isShown ? <KeysDialog onClose={() => setShown(false)} /> : null;
}

/** Whether a key is text for a field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Whether the screen that comes is the search, for its field for words. */
let isGoingToWords = false;

/** The field for words has the focus; from another screen, that of the search is shown first. */
function goToWords(): void {
  if (route.value.path.length === 0) return document.getElementById('words')?.focus();
  isGoingToWords = true;
  goTo(HREF.search());
}

/**
 * Gives the focus to a screen that has just replaced another one. The link that had it disappeared with the old
 * screen: keyboard users continue in the new one.
 */
export function focusNewScreen(): void {
  const words = isGoingToWords ? document.getElementById('words') : null;
  isGoingToWords = false;
  if (words !== null) words.focus();
  else if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}
