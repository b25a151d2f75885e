/** Long parts: others with their longest piece without a corner stretched, as screws, shafts, bars and cables have. */

/** Least length of that piece, as a share of the part's length. */
const LEAST_PIECE = 0.2;
/** Length of a long part in widths: at least, and how much more at most. */
const LEAST_LENGTH = 7;
const MORE = 11;

/** The part made long along its longest axis; undefined where no piece of it can be stretched. */
export function longPart(part, random) {
  const extents = [0, 1, 2].map((axis) => extentOf(part.positions, axis));
  const lengths = extents.map(([low, high]) => high - low);
  const axis = lengths.indexOf(Math.max(...lengths));
  const places = [...new Set(part.positions.filter((_, i) => i % 3 === axis))].sort((a, b) => a - b);
  let [from, to] = [0, 0];
  for (let i = 1; i < places.length; i++)
    if (places[i] - places[i - 1] > to - from) [from, to] = [places[i - 1], places[i]];
  if (to - from < LEAST_PIECE * lengths[axis]) return undefined;
  const width = Math.max(...lengths.filter((_, other) => other !== axis));
  const added = (LEAST_LENGTH + MORE * random()) * width - lengths[axis];
  if (added <= 0) return undefined;
  const positions = part.positions.map((value, i) => (i % 3 === axis && value >= to ? value + added : value));
  return { ...part, name: `long-${part.name}`, positions };
}

function extentOf(positions, axis) {
  let [low, high] = [Infinity, -Infinity];
  for (let i = axis; i < positions.length; i += 3) {
    low = Math.min(low, positions[i]);
    high = Math.max(high, positions[i]);
  }
  return [low, high];
}
