/** Centre lines, dimensions, and a note with its leader, which stand around a view. */

const NEWS = 'ABCDEFGHJK';

/** Puts the centre lines of a view's box on the page. */
export function centreLines([left, top, width, height], { thin, color }, items) {
  const dash = [8, 1.5, 1.5, 1.5];
  const [x, y] = [left + width / 2, top + height / 2];
  const line = (points) => items.push({ points, width: thin, dash, color });
  if (width > 12) line([left - 3, left + width + 3].map((u) => [u, y]));
  if (height > 12) line([top - 3, top + height + 3].map((v) => [x, v]));
}

/**
 * Puts dimensions below and to the left of a view; returns the box with them. They state numbers by chance, or with
 * `style.statesSizes` the sizes of the part, which is drawn at this scale.
 */
export function dimensioned([left, top, width, height], { seen }, { on, scale, style, random, items }) {
  const { thin, color, letter, dimensions } = style;
  const line = (...points) => items.push({ points, width: thin, color });
  const step = letter + 4;
  const corners = seen.flat();
  const reach = [0, 0];
  for (let i = 0; i < dimensions; i++) {
    const axis = i % 2,
      [start, length] = axis === 0 ? [left, width] : [top, height];
    if (length < 8) continue;
    const other = on(corners[Math.floor(corners.length * random())])[axis];
    const [a, b] = i < 2 ? [start, start + length] : [start, Math.max(other, start + 6)];
    const away = 6 + step * (Math.floor(i / 2) === 0 ? Math.ceil(dimensions / 2) - 1 : Math.floor(i / 2) - 1);
    reach[axis] = Math.max(reach[axis], away + 2);
    const chance = `${random() < 0.2 ? 'R' : ''}${((b - a) * (1 + random())).toFixed(random() < 0.5 ? 0 : 1)}`;
    const words = style.statesSizes ? String(Number(((b - a) / scale).toFixed(2))) : chance;
    if (axis === 0) {
      const v = top + height + away;
      for (const u of [a, b]) line([u, top + height + 1], [u, v + 2]);
      line([a, v], [b, v]);
      arrows([a, v], [b, v], style, items);
      items.push({ text: words, x: (a + b) / 2 - 0.35 * letter * words.length, y: v - 1, height: letter, color });
    } else {
      const u = left - away;
      for (const v of [a, b]) line([left - 1, v], [u - 2, v]);
      line([u, a], [u, b]);
      arrows([u, a], [u, b], style, items);
      items.push({ text: words, x: u - 1, y: (a + b) / 2 + 0.35 * letter * words.length, height: letter, up: true });
    }
  }
  if (dimensions > 2) {
    const [x, y] = on(corners[Math.floor(corners.length * random())]);
    const knee = [Math.max(x, left + width) + 4, top - 5];
    line([x, y], knee, [knee[0] + 8, knee[1]]);
    const words = `${NEWS[Math.floor(10 * random())]}${Math.ceil(9 * random())} x ${Math.ceil(30 * random())}`;
    items.push({ text: words, x: knee[0], y: knee[1] - 1, height: letter, color });
  }
  const up = dimensions > 2 ? 7 + letter : 0,
    right = dimensions > 2 ? 14 : 0;
  return [left - reach[1] - letter, top - up, width + reach[1] + letter + right, height + reach[0] + up];
}

function arrows(a, b, { arrow, thin, color }, items) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const size = Math.min(2.8, length / 3);
  for (const [[x, y], way] of [
    [a, 1],
    [b, -1],
  ]) {
    const [u, v] = [x + way * size * dx, y + way * size * dy];
    const wings = [1, -1].map((sign) => [u - sign * 0.18 * size * dy, v + sign * 0.18 * size * dx]);
    if (arrow === 'filled') items.push({ fill: [[x, y], ...wings], color });
    else if (arrow === 'open') items.push({ points: [wings[0], [x, y], wings[1]], width: thin, color });
    else
      items.push({
        points: [
          [x - 1, y + 1],
          [x + 1, y - 1],
        ],
        width: 2 * thin,
        color,
      });
  }
}
