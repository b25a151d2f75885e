import { useEffect, useRef, useState } from 'preact/hooks';
import { readText, type TextPage } from '../api/pages.js';
import { messageOf } from '../api/request.js';
import { Notice } from '../common/notice.js';
import { replaceSpots, type PagesState } from '../drawing/pages.js';
import { marked } from './marked.js';

interface TextPanelProps {
  readonly uid: string;
  /** The words searched for when the panel opens. */
  readonly words: string;
  /** The page viewer that marks the found words; undefined if the file has no pages to show. */
  readonly state?: PagesState;
}

/** Pause in typing after which the search runs, ms. */
const PATIENCE_MS = 250;

/** The text of a file, with the occurrences of the searched words. */
export function TextPanel({ uid, words: first, state }: TextPanelProps) {
  const [words, setWords] = useState(first);
  const [pages, setPages] = useState<readonly TextPage[] | undefined>(undefined);
  const [nextPage, setNextPage] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const at = useRef(-1);
  const [hit, setHit] = useState(0);

  const load = async (from: number, before: readonly TextPage[], signal?: AbortSignal): Promise<void> => {
    try {
      const part = await readText(uid, { words: words.trim(), page: from, signal });
      setPages([...before, ...part.pages]);
      setNextPage(part.nextPage);
      setFailure(undefined);
    } catch (cause) {
      const message = messageOf(cause);
      if (message !== undefined) setFailure(message);
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => void load(1, [], controller.signal), pages === undefined ? 0 : PATIENCE_MS);
    at.current = -1;
    setHit(0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [uid, words]);
  useEffect(() => {
    if (state === undefined) return;
    replaceSpots(
      state,
      'text',
      (pages ?? []).flatMap(({ number, boxes }) =>
        boxes.map((box, i) => ({
          id: `text ${number} ${i}`,
          kind: 'text' as const,
          page: number,
          box,
          name: words.trim(),
        })),
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
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {pages === undefined && failure === undefined && <p class="quiet">Loading…</p>}
      {pages?.length === 0 && <p class="quiet">The file has no text that could be read.</p>}
      <div ref={list}>
        {pages?.map(({ number, name, text, ranges, isCut }) => (
          <section key={number} class="text-page" data-page={number}>
            {(pages.length > 1 || name !== '') && (
              <h3>
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
              </h3>
            )}
            <pre>{marked(text, ranges)}</pre>
            {isCut && <p class="quiet">The text of this page is cut off; download the file to read the rest.</p>}
          </section>
        ))}
      </div>
      {nextPage !== null && (
        <button type="button" onClick={() => void load(nextPage, pages ?? [])}>
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
