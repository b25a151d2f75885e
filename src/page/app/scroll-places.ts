/** Rest after which a place is noted: browsers allow some hundred changes of the history in half a minute. */
const REST_MS = 250;
/** What an entry of the history shows may have to be fetched first; so long its place is waited for. */
const WAITED_MS = 10_000;

/**
 * Keeps where each entry of the history was scrolled to and goes there again with Back, Forward and a reload, as soon as enough is shown: what
 * is listed is fetched anew, and browsers have given up by then. Another screen begins at its top; other filters leave the place as it is.
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
      // Before its place is there again, an entry is at the top of what is there.
      if (leaveAlone !== undefined) return;
      clearTimeout(resting);
      resting = setTimeout(note, REST_MS);
    },
    { passive: true },
  );
  // What leaves the entry may come at once.
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

/** The address without its query. */
function screenOfAddress(): string {
  return location.hash.split('?')[0];
}

function placeOf(state: unknown): number | undefined {
  return typeof state === 'object' && state !== null && 'scrollY' in state && typeof state.scrollY === 'number'
    ? state.scrollY
    : undefined;
}

/** Scrolls once the page is long enough; after a while as far as it goes. Returns how to leave it. */
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
  // What the new address shows is drawn at the next frame; what the old one showed may be long enough as well.
  frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(look);
  });
  return end;
}
