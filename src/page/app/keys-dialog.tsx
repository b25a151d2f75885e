import { useEffect, useRef } from 'preact/hooks';

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

/** The list of keys. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys-title" onClose={onClose}>
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
