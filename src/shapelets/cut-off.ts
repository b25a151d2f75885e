import { SHAPELET_SIZE, type Shapelet } from './shapelet.js';

/** Sides of a picture: left, right, top, bottom. */
export type Side = 0 | 1 | 2 | 3;

/**
 * Coverage of a pixel from which on there is ink, and rows that are looked at together, as outlines are a little bent.
 */
const INK = 40;
const BAND = 2;
/** A longer run of ink along a side, as a share of it, is an outline that ends there. */
const ALONG = 0.25;
/** Least lines that go on behind a side where a view is cut off. */
const LINES = 2;

/**
 * Whether a view is cut off at a side that its box reaches: lines run into it and none lies along it, as the outline of
 * a view does that was cut out without a margin.
 */
export function isCutAt({ lines }: Pick<Shapelet, 'lines'>, side: Side): boolean {
  const n = SHAPELET_SIZE;
  const isUpright = side < 2;
  const at = (across: number, along: number): number => lines[isUpright ? along * n + across : across * n + along];
  const rows = Array.from({ length: n }, (_, i) => (side % 2 === 0 ? i : n - 1 - i));
  const hasInk = (across: number): boolean => rows.some((along) => at(across, along) >= INK);
  const first = rows.findIndex(hasInk);
  if (first < 0) return false;
  const band = rows.slice(first, first + BAND);
  let runs = 0,
    run = 0,
    longest = 0,
    from = n,
    to = 0;
  for (let along = 0; along <= n; along++) {
    const isInk = along < n && band.some((across) => at(across, along) >= INK);
    if (isInk && run === 0) runs++;
    run = isInk ? run + 1 : 0;
    longest = Math.max(longest, run);
    if (along < n && rows.some((across) => at(across, along) >= INK)) {
      from = Math.min(from, along);
      to = Math.max(to, along);
    }
  }
  return runs >= LINES && longest <= ALONG * (to + 1 - from);
}
