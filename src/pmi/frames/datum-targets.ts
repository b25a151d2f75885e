import { middleOf } from '../../content/geometry.js';
import { plainSigns } from '../dimension-text.js';
import type { LineIndex, Ring } from '../line-index.js';
import { PMI_TYPE } from '../pmi.js';
import { boxOfLine, type TextLine } from '../text-lines.js';
import type { Framed } from './control-frames.js';

/**
 * A datum target: a letter with a number in the lower half of a circle, the size of its area in the upper half (ISO
 * 5459).
 */
export function datumTargets(lines: readonly TextLine[], index: LineIndex): Framed[] {
  return lines
    .filter(({ text }) => /^[A-Z]\d{1,2}$/.test(text))
    .flatMap((line): Framed[] => {
      const middle = middleOf(boxOfLine(line));
      const ring = index.rings.find(
        ({ x, y, radius }) =>
          radius > 0.9 * line.height &&
          radius < 3.5 * line.height &&
          Math.abs(middle.x - x) < 0.5 * radius &&
          middle.y > y &&
          middle.y < y + radius,
      );
      if (ring === undefined || (/^M\d/.test(line.text) && !isHalved(ring, index))) return [];
      const within = lines
        .map((other) => ({ other, ...middleOf(boxOfLine(other)) }))
        .filter(({ x, y }) => Math.hypot(x - ring.x, y - ring.y) < ring.radius)
        .sort((a, b) => a.y - b.y)
        .map(({ other }) => other);
      const box = { x: ring.x - ring.radius, y: ring.y - ring.radius, width: 2 * ring.radius, height: 2 * ring.radius };
      const parts = within.map(({ text }) => ({ text: plainSigns(text) }));
      return [{ findings: [{ type: PMI_TYPE.datum, box, parts }], taken: within }];
    });
}

/** Whether a stroke parts a circle in its middle, as in targets: a thread may stand within the circle of its hole. */
function isHalved({ x, y, radius }: Ring, index: LineIndex): boolean {
  return index
    .near(x, y, 0.3 * radius)
    .some(
      ({ x0, y0, x1, y1 }) =>
        Math.abs(y0 - y1) < 0.1 * radius &&
        Math.abs((y0 + y1) / 2 - y) < 0.3 * radius &&
        Math.abs((x0 + x1) / 2 - x) < 0.1 * radius &&
        Math.abs(Math.abs(x1 - x0) - 2 * radius) < 0.2 * radius,
    );
}
