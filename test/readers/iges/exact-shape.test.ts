import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../dist/index.js';
import { readIgesShape } from '../../../dist/readers/iges/exact-shape.js';
import { damaged } from '../../fixtures/damage.js';
import {
  addSolidBox,
  igesCylinder,
  igesDrilledPlate,
  igesInstances,
  igesSolidBox,
} from '../../fixtures/iges-solids.js';
import { IgesWriter, real } from '../../fixtures/iges-writer.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

const read = (bytes: Uint8Array): ReturnType<typeof readIgesShape> => readIgesShape(bytes, DEFAULT_LIMITS.entities);

test('damaged files end in a shape or a coded error, soon', () => {
  const files = [
    igesSolidBox(1, 2, 3),
    igesCylinder(3, 4),
    igesDrilledPlate([9, 8, 2], { x: 4, y: 4, radius: 1 }),
    igesInstances(2),
  ].map((writer) => writer.bytes());
  const ends = new Map<string, number>();
  const took = stopwatch();
  for (const [seed, bytes] of files.entries()) {
    for (const copy of damaged(bytes, 200, seed)) {
      let end = 'shape';
      try {
        const { solids, sheets } = read(copy);
        const places = [...solids.flatMap(({ shells }) => shells.flat()), ...sheets.flat()]
          .flatMap(({ loops }) => loops.flat())
          .flatMap(({ edge }) => [...edge.start.point, ...edge.end.point]);
        expect(places.every(Number.isFinite)).toBe(true);
      } catch (cause) {
        end = String((cause as { code?: string }).code);
      }
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  }
  expect([...ends.keys()].sort()).toEqual(expect.arrayContaining(['FILE_MALFORMED', 'shape']));
  for (const end of ends.keys()) expect(end).toMatch(/^(shape|FILE_MALFORMED|FORMAT_UNSUPPORTED|LIMIT_EXCEEDED)$/);
  expect(took()).toBeLessThan(60_000);
});

test('circles of pointers, and short files that ask for very much, are refused', () => {
  const self = new IgesWriter();
  self.add(124, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0].map(real), { transform: 1 });
  addSolidBox(self, [1, 1, 1], [], { transform: 1 });
  expect(() => read(self.bytes())).toThrow(/transformations are chained/);

  const instances = new IgesWriter();
  instances.add(308, [0, '1HX', 1, 3]);
  instances.add(408, [1, 0, 0, 0, 1]);
  instances.add(408, [1, 0, 0, 0, 1]);
  expect(() => read(instances.bytes())).toThrow(/nested deeper/);

  // Each definition holds the one before ten times: ten to the eighth boxes.
  const many = new IgesWriter();
  let member = addSolidBox(many, [1, 1, 1], [], { dependent: true });
  for (let level = 0; level < 8; level++) {
    const definition = many.add(308, [level, '1HX', 10, ...Array.from({ length: 10 }, () => member)]);
    member = many.add(408, [definition, 0, 0, 0, 1]);
  }
  expect(() => read(many.bytes())).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  expect(() => readIgesShape(igesSolidBox(1, 2, 3).bytes(), 10)).toThrow(
    expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
  );
});

test('strings may hold delimiters, numbers exponents of D, lines any ending', () => {
  const text = new TextDecoder().decode(igesInstances(2).bytes()).replace('4HBOX', '4HB,;X');
  const plain = read(new TextEncoder().encode(text.replaceAll('\n', '\r\n')));
  expect(plain.solids).toHaveLength(2);
  const writer = new IgesWriter();
  writer.add(
    118,
    [
      writer.add(110, ['0', '0', '0', '1.5D1', '0', '0'], { dependent: true }),
      writer.add(110, ['0', '2.D0', '0', '15.', '2', '0'], { dependent: true }),
      0,
      0,
    ],
    { form: 1 },
  );
  const [[face]] = read(writer.bytes()).sheets;
  expect(face.loops[0]).toHaveLength(4);
  expect(Math.max(...face.loops[0].map(({ edge }) => edge.end.point[0]))).toBe(15);
});
