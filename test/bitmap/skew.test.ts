import { describe, expect, it } from 'vitest';
import { binarise } from '../../dist/bitmap/binarise.js';
import { skewOf } from '../../dist/bitmap/skew.js';
import { seeded } from '../fixtures/random.js';
import { draw, drawingPage, scanned } from '../shapelets/drawn-page.js';

/** Grey areas whose edges run along no side of the page, as shaded views have. */
const SHADED =
  '<path d="M850 240L1080 130L1600 320L1350 880L880 860Z" fill="#b0b0b0"/><path d="M300 720L560 705L820 760L700 890L330 880Z" fill="#555"/>';
const page = await draw(drawingPage(), 1_700, 1_200),
  shaded = await draw(SHADED + drawingPage(), 1_700, 1_200);

describe('how far a scanned page is turned', () => {
  it.each([-4.9, -2.35, -0.8, 1.5, 4.2])('is found for lines alone and beside large shaded areas, %s°', (deg) => {
    for (const straight of [page, shaded])
      expect(skewOf(binarise(scanned(straight, deg, 4, seeded(5))))).toBeCloseTo(deg, 1);
  });

  it('is 0 for a page that is straight, and for one without any direction', async () => {
    expect(skewOf(binarise(scanned(shaded, 0, 4, seeded(6))))).toBe(0);
    const round = await draw(
      '<circle cx="850" cy="600" r="420" fill="#999"/><circle cx="850" cy="600" r="250" fill="none" stroke="black" stroke-width="4"/>',
      1_700,
      1_200,
    );
    expect(skewOf(binarise(round))).toBe(0);
  });
});
