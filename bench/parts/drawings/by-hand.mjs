/** What a pen does to straight lines: they tremble, miss their ends, and are interrupted. */

/** Distance between the points of a drawn path, mm. */
const STEP = 1.5;
/** Wavelength and size of the trembling, and the farthest that a line misses its end, mm. */
const WAVE = 22;
const TREMBLE = 0.45;
const MISSED = 1.1;
/** Shorter paths are drawn as they are, mm. */
const SHORT = 4;

/** Items of a page with their paths drawn by hand; dashes, fills, texts and pictures stay as they are. */
export function byHand(items, random) {
  return items.map((item) =>
    item.points === undefined || item.dash !== undefined || lengthOf(item.points) < SHORT
      ? item
      : { ...item, points: trembled(item.points, random) },
  );
}

function trembled(points, random) {
  const isClosed = Math.hypot(points[0][0] - points.at(-1)[0], points[0][1] - points.at(-1)[1]) < 0.1;
  const waves = [0, 1].map(() =>
    Array.from({ length: 3 }, () => [
      (2 * Math.PI) / (WAVE * (0.5 + random())),
      2 * Math.PI * random(),
      TREMBLE * random(),
    ]),
  );
  const ends = [0, 1].map(() => (isClosed ? 0 : MISSED * (2 * random() - 1)));
  let along = 0;
  const path = resampled(reaching(points, ends));
  return path.map(([x, y]) => {
    along += STEP;
    return [x, y].map(
      (value, axis) =>
        value + waves[axis].reduce((sum, [rate, phase, size]) => sum + size * Math.sin(rate * along + phase), 0) / 1.7,
    );
  });
}

/** The path, longer or shorter at both ends. */
function reaching(points, [before, after]) {
  const moved = ([x, y], [u, v], by) => {
    const length = Math.hypot(x - u, y - v) || 1;
    const most = Math.max(by, -0.4 * length);
    return [x + ((x - u) / length) * most, y + ((y - v) / length) * most];
  };
  return [moved(points[0], points[1], before), ...points.slice(1, -1), moved(points.at(-1), points.at(-2), after)];
}

function resampled(points) {
  const path = [points[0]];
  for (let i = 1; i < points.length; i++) {
    const [[x, y], [u, v]] = [points[i - 1], points[i]];
    const steps = Math.max(1, Math.round(Math.hypot(u - x, v - y) / STEP));
    for (let k = 1; k <= steps; k++) path.push([x + ((u - x) * k) / steps, y + ((v - y) * k) / steps]);
  }
  return path;
}

function lengthOf(points) {
  let length = 0;
  for (let i = 1; i < points.length; i++)
    length += Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
  return length;
}
