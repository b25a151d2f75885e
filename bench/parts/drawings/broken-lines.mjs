/** Views of long parts that are shown with a break, as drawings do when the whole would be too small on the paper. */

/** Least ratio of the width of a view to its height, and least share of it that the break takes away. */
const SLENDER = 5;
const LEAST_REMOVED = 0.35;
/** What is kept of the constant part at each end, and the usual gap, in heights of the view. */
const STUB = 0.5;
const GAP = 0.12;
/** Points of a break line. */
const WAVES = 12;

/**
 * Where views may be broken that lie above each other on the page, given the paths of each: { from, to, gap } along x,
 * in the units of the paths; undefined where they are not long, or have no long piece in which all lines run along x.
 * gap: what is left between the pieces, in heights of the view.
 */
export function breakOf(views, gap = GAP) {
  const points = views.flat(2);
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const height = Math.max(...views.map((paths) => heightOf(paths)));
  if (right - left < SLENDER * height) return undefined;
  const taken = [];
  for (const path of views.flat())
    for (let i = 1; i < path.length; i++) {
      const [[x, y], [u, v]] = [path[i - 1], path[i]];
      if (Math.abs(v - y) > 0.01 * Math.abs(u - x)) taken.push([Math.min(x, u), Math.max(x, u)]);
    }
  let free = { from: left, to: left },
    end = left;
  for (const [from, to] of [...taken, [right, right]].sort((a, b) => a[0] - b[0])) {
    if (from - end > free.to - free.from) free = { from: end, to: from };
    end = Math.max(end, to);
  }
  const broken = { from: free.from + STUB * height, to: free.to - STUB * height, gap: gap * height };
  return broken.to - broken.from < LEAST_REMOVED * (right - left) ? undefined : broken;
}

function heightOf(paths) {
  const heights = paths.flat().map(([, y]) => y);
  return Math.max(...heights) - Math.min(...heights);
}

/** The paths without what lies in the break, both pieces moved together. */
export function brokenPaths(paths, { from, to, gap }) {
  const moved = ([x, y]) => [x <= from ? x : x - (to - from) + gap, y];
  return paths.flatMap((path) => {
    const pieces = [];
    let piece = [];
    const finish = () => {
      if (piece.length > 1) pieces.push(piece);
      piece = [];
    };
    for (const [i, point] of path.entries()) {
      if (i > 0) {
        const [[x, y], [u, v]] = [path[i - 1], point];
        const at = (place) => [place, y + ((place - x) / (u - x)) * (v - y)];
        const crossed = [from, to].filter((place) => x < place !== u < place);
        if (u < x) crossed.reverse();
        for (const place of crossed) {
          piece.push(moved(at(place)));
          const entersGap = (place === from) === u > x;
          if (entersGap) finish();
        }
      }
      if (point[0] <= from || point[0] >= to) piece.push(moved(point));
    }
    finish();
    return pieces;
  });
}

/** The two pieces of a shaded picture beside a break, moved together. */
export function brokenPicture({ widthPx, heightPx, gray, box: [left, top, width, height] }, { from, to, gap }) {
  const column = (x) => Math.min(widthPx, Math.max(0, Math.round(((x - left) / width) * widthPx)));
  return [
    { first: 0, end: column(from), x: left },
    { first: column(to), end: widthPx, x: from + gap },
  ].flatMap(({ first, end, x }) => {
    const own = end - first;
    if (own <= 0) return [];
    const pixels = Uint8Array.from(
      { length: own * heightPx },
      (_, i) => gray[Math.floor(i / own) * widthPx + first + (i % own)],
    );
    return [{ widthPx: own, heightPx, gray: pixels, box: [x, top, (own / widthPx) * width, height] }];
  });
}

/** The two lines of a break: waves, zigzags, or none. */
export function breakLines({ from, gap, top, low }, kind) {
  if (kind === 'none') return [];
  const height = low - top;
  return [from, from + gap].map((x) =>
    Array.from({ length: WAVES + 1 }, (_, i) => {
      const share = i / WAVES;
      const sway =
        kind === 'wave' ? Math.sin(2 * Math.PI * share) : Math.abs(share - 0.5) < 0.1 ? Math.sign(0.5 - share) || 0 : 0;
      const over = kind === 'wave' ? 0 : 0.15;
      return [x + 0.06 * height * sway, top - over * height + share * (1 + 2 * over) * height];
    }),
  );
}
