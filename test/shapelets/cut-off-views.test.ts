import { expect, it } from 'vitest';
import { splitPicture } from '../../dist/shapelets/scan/split-picture.js';
import type { Shapelet } from '../../dist/shapelets/shapelet.js';
import { draw } from './drawn-page.js';

const line = (d: string): string => `<path d="${d}" stroke="black" stroke-width="3" fill="none"/>`;
const ring = (x: number, y: number, r: number): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" stroke="black" stroke-width="3" fill="none"/>`;
/** A lever: a plate with a step and two holes. */
const lever = line('M60 60H640V220H420V340H60Z') + ring(160, 200, 60) + ring(530, 140, 40);

async function only(drawn: string, wide: number, high = 400): Promise<Shapelet> {
  const found = splitPicture(await draw(drawn, wide, high), 1);
  expect(found).toHaveLength(1);
  return found[0];
}

/** A closed line that sways as a hand does: by 2 to 3 pixels, at no fixed length. */
function byHand(corners: readonly (readonly [number, number])[]): string {
  const points: string[] = [];
  let phase = 0;
  corners.forEach(([x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length];
    const length = Math.hypot(u - x, v - y);
    for (let at = 0; at < length; at += 6) {
      phase += 0.35 + 0.2 * Math.sin(points.length / 5);
      const off = 2.6 * Math.sin(phase);
      const [along, across] = [at / length, off / length];
      points.push(`${x + along * (u - x) - across * (v - y)} ${y + along * (v - y) + across * (u - x)}`);
    }
  });
  return line(`M${points.join('L')}Z`);
}

it('lines that a program drew as all of a picture are exact, those of a hand are not', async () => {
  expect(await only(lever, 700)).toMatchObject({ isExact: true });
  const sketch = byHand([
    [60, 60],
    [640, 60],
    [640, 220],
    [420, 220],
    [420, 340],
    [60, 340],
  ]);
  expect((await only(sketch, 700)).isExact).toBeUndefined();
});

it('a view that the edge of its picture cuts through is cut off, a whole one is not', async () => {
  expect((await only(lever, 700)).isCut).toBeUndefined();
  expect(await only(lever, 350)).toMatchObject({ isCut: true });
});
