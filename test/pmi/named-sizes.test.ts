// A short text that names a size, and stands in no dimension, is told with its words.
import { expect, test } from 'vitest';
import { mtext, text } from '../fixtures/dxf-writer.js';
import { pmiOfDxf, readingsOf, realDimension } from '../fixtures/dxf-pmi.js';

const TOLD = /^\d+ texts are like sizes .*?: (.*)$/;

async function toldOf(entities: Parameters<typeof pmiOfDxf>[0]): Promise<string[]> {
  const { leftOut } = await pmiOfDxf([realDimension, ...entities]);
  return leftOut.flatMap((each) => TOLD.exec(each)?.[1].split('; ') ?? []);
}

test('texts that name a size by a unit, by sides or by a word are told', async () => {
  const said = [
    ...['SLOT 6 X 20', 'RADIUS 5', 'HEX 13', 'LENGTH 150 MM', 'FLATNESS 0.05', 'WALL THICKNESS 2.5', 'KEYWAY 6x3'],
    ...[
      'Langloch 6,5 x 20',
      'Blech 2 mm',
      'Wandstaerke min. 3 mm',
      'BOHRUNG 12 TIEF',
      'KERNLOCH 5.0',
      'Bezugsmass 125 +0.1',
    ],
  ];
  const told = await toldOf(said.map((each, i) => text(each, 105, 97 - 5.5 * i, 3)));
  expect(told.toSorted()).toEqual(said.toSorted());
});

test('dates, addresses, numbers of parts and pages, and standards are not told', async () => {
  const said = [
    ...['SHEET 3 OF 5', '12.03.2024', 'Industriestr. 12', '70597 Stuttgart', 'PART 4711-02', 'DIN 471 - 20x1,2'],
    ...['LENGTH 4711001', 'ALL DIMENSIONS IN MM', '500 N/mm²', 'BOHRUNG 3', 'A3 420 x 297'],
  ];
  expect(await toldOf(said.map((each, i) => text(each, 105, 95 - 8 * i, 3)))).toEqual([]);
});

test('the second line of a callout is listed or told', async () => {
  const callouts = ['%%c8 H7\\PBohrung 12 tief', '4x M6\\PKernloch 5.0', 'SLOT 6 X 20\\PR3'];
  const entities = callouts.map((each, i) => mtext(each, 105, 90 - 25 * i, 3));
  expect((await toldOf(entities)).toSorted()).toEqual(['Bohrung 12 tief', 'Kernloch 5.0', 'SLOT 6 X 20']);
  expect(readingsOf(await pmiOfDxf([realDimension, ...entities])).toSorted()).toEqual(['4x M6', '60', 'R3', '⌀8 H7']);
});
