import { useEffect, useRef, useState } from 'preact/hooks';
import { isSignedIn } from '../api/session.js';
import { goTo, HREF, route } from '../common/route.js';

/** What the keyboard does, by where; `/` and `?` work on all screens, the others where their picture has the focus. */
const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    'Everywhere',
    [
      ['/', 'go to the search field'],
      ['?', 'show these keys'],
      ['Esc', 'close what is open over the page'],
    ],
  ],
  [
    'A model',
    [
      ['← → ↑ ↓', 'turn it'],
      ['+ −', 'zoom'],
      ['F', 'show all of it'],
      ['0 … 6', 'show it from a corner, or straight from one of its six sides'],
    ],
  ],
  [
    'Parts of an assembly',
    [
      ['H', 'hide the selected part'],
      ['I', 'show only the selected part'],
      ['A', 'show all parts'],
    ],
  ],
  [
    'Faces of a model, while they are picked',
    [
      ['Enter', 'pick the face in the middle'],
      ['Shift Enter', 'add it to those that are picked'],
      ['G', 'add all faces that run on smoothly'],
    ],
  ],
  [
    'A page of a drawing',
    [
      ['← → ↑ ↓', 'move it'],
      ['+ −', 'zoom'],
      ['0', 'show all of it'],
    ],
  ],
];

/** Listens for `/` and `?`, and shows the list of keys. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
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
  useEffect(() => {
    if (isShown) dialog.current?.showModal();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys-title" onClose={() => setShown(false)}>
      <h2 id="keys-title">Keys</h2>
      {KEYS.map(([where, keys]) => (
        <section key={where} aria-label={where}>
          <h3>{where}</h3>
          <dl class="keys">
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <form method="dialog" class="row dialog-end">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

/** Whether a key is text for a field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** The field for words has the focus; from another screen, that of the search is shown first. */
function goToWords(): void {
  if (route.value.path.length > 0) goTo(HREF.search());
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('words')?.focus()));
}
