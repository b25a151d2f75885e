import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOversize } from '../../dist/pmi/outlines/outlined-text.js';
import { BorderEnds } from '../../dist/pmi/pictures/border-ends.js';

type Sign = Parameters<typeof isOversize>[0];

test('one sign far higher than all letters is a curve of the part, unless another text is as high', () => {
  // `9` of a lug beside letters 9 to 11 high, as on the third page of NIST FTC 08.
  const nine = (height: number, glyphs = 1): Sign => ({ glyphs: Array(glyphs).fill({}) as never, height });
  const heights = [9, 10, 11];
  const others = heights.map((height) => ({ height }));
  expect(isOversize(nine(29), others, heights)).toBe(true);
  expect(isOversize(nine(20), others, heights)).toBe(false);
  expect(isOversize(nine(29, 2), others, heights)).toBe(false);
  expect(isOversize(nine(29), [...others, { height: 28 }], heights)).toBe(false);
  expect(isOversize(nine(29), others, [])).toBe(false);
});

test('ends of borders are found by place as by comparing each line with each other', () => {
  const place = fc.integer({ min: 0, max: 300 });
  const line = fc
    .tuple(place, place, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 9 }), fc.boolean())
    .map(([x, y, long, thickness, isLevel]) =>
      isLevel ? { x0: x, y0: y, x1: x + long, y1: y, thickness } : { x0: x, y0: y, x1: x, y1: y + long, thickness },
    );
  const reach = 3;
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 30 }), (lines) => {
      const ends = new BorderEnds(lines, reach);
      const isLevel = ({ y0, y1 }: (typeof lines)[number]): boolean => y0 === y1;
      for (const each of lines) {
        const isOn = (x: number, y: number): boolean =>
          lines.some((other) => {
            const about = other.thickness / 2 + reach;
            return (
              isLevel(other) !== isLevel(each) &&
              x > other.x0 - about &&
              x < other.x1 + about &&
              y > other.y0 - about &&
              y < other.y1 + about
            );
          });
        expect(ends.of(each)).toBe(Number(isOn(each.x0, each.y0)) + Number(isOn(each.x1, each.y1)));
      }
    }),
    { numRuns: 200 },
  );
});
