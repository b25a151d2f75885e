import { useEffect, useRef, useState } from 'preact/hooks';
import { readText, type TextPart } from '../api/endpoints.js';
import { marked } from '../common/highlights.js';
import { Failure } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { replaceSpots, type PagesState } from '../drawing/pages.js';

interface TextPanelProps {
  readonly uid: string;
  /** The words searched for when the panel opens. */
  readonly words: string;
  /** The page viewer that marks the found words; undefined if the file has no pages to show. */
  readonly state?: PagesState;
}

/** Pause in typing after which the search runs, ms. */
const PATIENCE_MS = 250;

const NOTHING: { readonly pages?: TextPart['pages']; readonly nextPage: null } = { nextPage: null };

/** The text of a file, with the occurrences of the searched words. */
export function TextPanel({ uid, words: first, state }: TextPanelProps) {
  const [words, setWords] = useState(first);
  const {
    value: { pages, nextPage } = NOTHING,
    failure: loadFailure,
    replace,
  } = useLoaded((signal) => readText(uid, words.trim(), 1, signal), [uid, words], { patienceMs: PATIENCE_MS });
  const { failure = loadFailure, run } = useAction();
  const list = useRef<HTMLDivElement>(null);
  const at = useRef(-1);
  const [hit, setHit] = useState(0);
  const more = (from: number): void =>
    run(async () => {
      const part = await readText(uid, words.trim(), from);
      replace({ ...part, pages: [...(pages ?? []), ...part.pages] });
    });
  useEffect(() => {
    at.current = -1;
    setHit(0);
  }, [uid, words]);
  useEffect(() => {
    if (state === undefined) return;
    replaceSpots(
      state,
      'text',
      (pages ?? []).flatMap(({ number: page, boxes }) =>
        boxes.map((box, i) => ({ id: `text ${page} ${i}`, kind: 'text', page, box, name: words.trim() })),
      ),
    );
  }, [pages]);
  // A panel that opens with words goes to their first occurrence.
  const isArriving = useRef(first.trim() !== '');
  useEffect(() => {
    if (!isArriving.current || pages === undefined) return;
    isArriving.current = false;
    go(1);
  }, [pages]);
  useEffect(
    () => () => {
      if (state !== undefined) replaceSpots(state, 'text', []);
    },
    [state],
  );

  const found = (pages ?? []).reduce((sum, { ranges }) => sum + ranges.length, 0);
  const go = (by: number): void => {
    const marks = [...(list.current?.querySelectorAll('mark') ?? [])];
    if (marks.length === 0) return;
    marks[at.current]?.classList.remove('mark-now');
    at.current = (at.current + by + marks.length + (at.current < 0 && by < 0 ? 1 : 0)) % marks.length;
    setHit(at.current + 1);
    marks[at.current].classList.add('mark-now');
    marks[at.current].scrollIntoView({ block: 'nearest' });
    const page = Number(marks[at.current].closest<HTMLElement>('[data-page]')?.dataset['page']);
    if (state !== undefined && page > 0) state.page.value = page;
  };
  return (
    <div class="text-panel">
      <form
        class="text-search"
        role="search"
        aria-label="In this file"
        onSubmit={(event) => {
          event.preventDefault();
          go(1);
        }}
      >
        <input
          type="search"
          value={words}
          aria-label="Words to find in this file"
          placeholder="Find in this file"
          maxLength={1000}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="button" aria-label="Previous place" disabled={found === 0} onClick={() => go(-1)}>
          ↑
        </button>
        <button type="submit" aria-label="Next place" disabled={found === 0}>
          ↓
        </button>
      </form>
      <p class="quiet" role="status">
        {words.trim() === '' || pages === undefined
          ? ''
          : found === 0
            ? 'Not found.'
            : placesText(hit, found, nextPage === null)}
      </p>
      <Failure of={failure} />
      {pages === undefined && failure === undefined && <p class="quiet">Loading…</p>}
      {pages?.length === 0 && <p class="quiet">The file has no text that could be read.</p>}
      <div ref={list}>
        {pages?.map(({ number, name, text, ranges, isCut }) => (
          <section key={number} class="text-page" data-page={number}>
            {(pages.length > 1 || name !== '') && (
              <h2>
                {state === undefined ? (
                  pageName(number, name)
                ) : (
                  <button
                    type="button"
                    class="plain"
                    onClick={() => {
                      state.page.value = number;
                    }}
                  >
                    {pageName(number, name)}
                  </button>
                )}
              </h2>
            )}
            <pre>{marked(text, ranges)}</pre>
            {isCut && <p class="quiet">The text of this page is cut off; download the file to read the rest.</p>}
          </section>
        ))}
      </div>
      {nextPage !== null && (
        <button type="button" onClick={() => more(nextPage)}>
          More text
        </button>
      )}
    </div>
  );
}

/** `2 of 7 places so far`. hit: the shown place, 0 none; isAll: false while more pages can be loaded. */
function placesText(hit: number, found: number, isAll: boolean): string {
  const places = `${found} ${found === 1 ? 'place' : 'places'}`;
  return `${hit > 0 ? `${hit} of ` : ''}${places}${isAll ? '' : ' so far'}`;
}

function pageName(number: number, name: string): string {
  return name === '' ? `Page ${number}` : `${number} · ${name}`;
}
