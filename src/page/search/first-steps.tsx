import { useEffect, useState } from 'preact/hooks';
import { HREF } from '../common/route.js';

/** Where the browser keeps that the steps were seen. */
const STORED = 'shapedex.first-steps';

/** What can be done here, in three steps: on the first visit, until it is closed or another screen is shown. */
export function FirstSteps() {
  const [closed, setClosed] = useState(() => localStorage.getItem(STORED) !== null);
  const seen = (): void => localStorage.setItem(STORED, 'seen');
  useEffect(() => seen, []);
  if (closed) return null;
  const close = (): void => {
    seen();
    setClosed(true);
  };
  return (
    <section class="panel first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">Three steps to begin with</h2>
      <ol>
        <li>
          <strong>Search.</strong> Drop a model, a drawing or a photo on this page, or type words: a part number, a
          material, <code>Length&gt;20mm</code>.
        </li>
        <li>
          <strong>Look.</strong> Open a result: turn it in the viewer, read its dimensions, lay it over what you
          searched with, see where it is used, pick some of its faces and find them inside other parts.
        </li>
        <li>
          <strong>Tidy up.</strong> <a href={HREF.duplicates}>Duplicates</a> shows what is there twice;{' '}
          <a href={HREF.upload}>upload</a> adds files of your own.
        </li>
      </ol>
      <button type="button" onClick={close}>
        Got it
      </button>
    </section>
  );
}
