/**
 * Pause in scrolling after which the position is stored, ms: browsers limit history changes to some hundred in 30 s.
 */
const REST_MS = 250;
/** Longest wait for the content of a history entry to be loaded before its position is restored, ms. */
const WAITED_MS = 10_000;

/**
 * Stores the scroll position of each history entry and restores it after Back, Forward and a reload, as soon as the
 * page is long enough. The browser's own restoration gives up before the lists are fetched again. A new screen starts
 * at its top, and so does a search for something else; a change of filters keeps the position.
 */
export function keepScrollPlaces(): void {
  history.scrollRestoration = 'manual';
  let screen = screenOfAddress();
  let resting: ReturnType<typeof setTimeout> | undefined;
  let leaveAlone: (() => void) | undefined;
  const note = (): void => {
    if (resting === undefined) return;
    clearTimeout(resting);
    resting = undefined;
    history.replaceState({ ...(history.state as object | null), scrollY }, '');
  };
  const restore = (place: number): void => {
    leaveAlone?.();
    leaveAlone = scrollOnceThere(place, () => {
      leaveAlone = undefined;
    });
  };
  addEventListener(
    'scroll',
    () => {
      // While a position is being restored, the current position is not the user's.
      if (leaveAlone !== undefined) return;
      clearTimeout(resting);
      resting = setTimeout(note, REST_MS);
    },
    { passive: true },
  );
  // These events may leave the entry before the pause is over.
  for (const type of ['pointerdown', 'keydown', 'pagehide']) addEventListener(type, note, { capture: true });
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(type, () => leaveAlone?.(), { capture: true, passive: true });
  addEventListener('popstate', ({ state }: PopStateEvent) => {
    clearTimeout(resting);
    resting = undefined;
    const before = screen;
    screen = screenOfAddress();
    const place = placeOf(state);
    if (place !== undefined) restore(place);
    else if (screen !== before) restore(0);
  });
  const place = placeOf(history.state);
  if (place !== undefined) restore(place);
}

/** The hash without its query, but with what a search asks for: other words or inputs have other hits. */
function screenOfAddress(): string {
  const [screen, query = ''] = location.hash.split('?');
  const asked = new URLSearchParams(query);
  return JSON.stringify([screen, ...['text', 'like', 'crop', 'contains'].map((name) => asked.getAll(name))]);
}

function placeOf(state: unknown): number | undefined {
  return typeof state === 'object' && state !== null && 'scrollY' in state && typeof state.scrollY === 'number'
    ? state.scrollY
    : undefined;
}

/**
 * Scrolls to `place` once the page is long enough, or as far as possible after {@link WAITED_MS}. Returns a function
 * that cancels it.
 */
function scrollOnceThere(place: number, onEnd: () => void): () => void {
  const since = performance.now();
  let frame = 0;
  const end = (): void => {
    cancelAnimationFrame(frame);
    onEnd();
  };
  const look = (): void => {
    const isThere = document.documentElement.scrollHeight - innerHeight >= place;
    if (isThere || performance.now() - since > WAITED_MS) {
      scrollTo(0, place);
      end();
    } else frame = requestAnimationFrame(look);
  };
  // The new screen is rendered in the next frame; until then the height is that of the old one.
  frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(look);
  });
  return end;
}
