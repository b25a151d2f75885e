/** A course of samples over time: its slope, and a picture of it in characters. */

/** Slope of the least-squares line through points `[x, y]`; NaN with fewer than three. */
export function slopeOf(points) {
  if (points.length < 3) return Number.NaN;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  let [above, below] = [0, 0];
  for (const [x, y] of points) {
    above += (x - meanX) * (y - meanY);
    below += (x - meanX) ** 2;
  }
  return above / below;
}

/** Lines that draw points `[x, y]`, x from 0 on; in each column the largest y. */
export function courseOf(points, { width = 90, height = 12, unitX, unitY }) {
  if (points.length === 0) return [];
  const most = Math.max(...points.map(([, y]) => y));
  const end = Math.max(...points.map(([x]) => x), 1e-9);
  const columns = new Array(width).fill(undefined);
  for (const [x, y] of points) {
    const column = Math.min(width - 1, Math.floor((x / end) * width));
    columns[column] = Math.max(columns[column] ?? 0, y);
  }
  // A column without a point of its own shows the one before.
  columns.forEach((y, i) => {
    columns[i] = y ?? columns[i - 1];
  });
  const lines = Array.from({ length: height }, (_, row) => {
    const least = ((height - row - 0.5) / height) * most;
    const label = row === 0 ? most.toFixed(0) : '';
    return `${label.padStart(7)} |${columns.map((y) => (y !== undefined && y >= least ? '#' : ' ')).join('')}`.trimEnd();
  });
  return [`${unitY}`.padStart(7), ...lines, `      0 +${'-'.repeat(width)} ${end.toFixed(0)} ${unitX}`];
}
