import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becauseText, Engine, type Company } from '../../dist/index.js';
import { circle, dxf, line, mtext, text, type Groups } from '../fixtures/dxf-writer.js';

/** An aligned dimension of what lies between two points. */
function dimension(block: string, [x0, y0, x1, y1]: readonly number[], label: string): Groups {
  return [
    [0, 'DIMENSION'],
    [100, 'AcDbEntity'],
    [8, '0'],
    [100, 'AcDbDimension'],
    [2, block],
    [10, x1],
    [20, y1],
    [30, 0],
    [11, (x0 + x1) / 2],
    [21, (y0 + y1) / 2],
    [31, 0],
    [70, 33],
    [1, label],
    [3, 'Standard'],
    [100, 'AcDbAlignedDimension'],
    [13, x0],
    [23, y0],
    [33, 0],
    [14, x1],
    [24, y1],
    [34, 0],
  ];
}

/** A plate with a hole on a form, every size of it stated. */
function plateDrawing({ length = 100, width = 50, diameter = 10 }, unit: 'mm' | 'in' = 'mm'): Uint8Array {
  const scale = unit === 'in' ? 1 / 25.4 : 1;
  const [x, y] = [60, 80];
  const number = (mm: number): string => (unit === 'in' ? (mm * scale).toFixed(3).replace(/^0/, '') : String(mm));
  const across = `%%c${number(diameter)}`;
  return dxf({
    header: [
      [9, '$INSUNITS'],
      [70, unit === 'in' ? 1 : 4],
    ],
    blocks: {
      '*D1': [line(x, y - 15, x + length, y - 15), mtext(number(length), x + length / 2, y - 13)],
      '*D2': [line(x - 15, y, x - 15, y + width), mtext(number(width), x - 20, y + width / 2)],
      '*D3': [line(x + 30, y + 20, x + 30 + diameter, y + 20), mtext(across, x + 34, y + 34)],
    },
    entities: [
      ...[
        [0, 0, 297, 0],
        [297, 0, 297, 210],
        [297, 210, 0, 210],
        [0, 210, 0, 0],
        [180, 0, 180, 30],
        [180, 30, 297, 30],
      ].map(([a, b, c, d]) => line(a, b, c, d)),
      text('PLATE, STEEL', 185, 12, 4),
      line(x, y, x + length, y),
      line(x + length, y, x + length, y + width),
      line(x + length, y + width, x, y + width),
      line(x, y + width, x, y),
      circle(x + 35, y + 20, diameter / 2),
      dimension('*D1', [x, y, x + length, y], number(length)),
      dimension('*D2', [x, y, x, y + width], number(width)),
      dimension('*D3', [x + 30, y + 20, x + 30 + diameter, y + 20], across),
    ],
  });
}

describe('drawings of several sizes on one form', () => {
  let folder: string;
  let engine: Engine;
  let company: Company;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shapedex-like-drawings-'));
    engine = await Engine.open(folder);
    company = await engine.company('acme');
    await Promise.all([
      company.put('own.dxf', plateDrawing({})),
      company.put('hole.dxf', plateDrawing({ diameter: 12 })),
      company.put('longer.dxf', plateDrawing({ length: 120 })),
      company.put('shorter and wider.dxf', plateDrawing({ length: 80, width: 60 })),
    ]);
  });
  afterAll(async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  const answers = async (bytes: Uint8Array): Promise<Record<string, [similarity: number, because: string[]]>> => {
    const { hits } = await company.search({ like: { bytes, extension: '.dxf' } });
    return Object.fromEntries(
      hits.map(({ path, similarity, because }) => [path, [similarity ?? 0, because.map(becauseText)]]),
    );
  };

  test('each says what differs, and how much is left of the likeness', async () => {
    const found = await answers(plateDrawing({}));
    expect(found['own.dxf']).toEqual([100, ['the same file, byte for byte']]);
    const [[hole, ofHole], [longer, ofLonger], [wider, ofWider]] = [
      found['hole.dxf'],
      found['longer.dxf'],
      found['shorter and wider.dxf'],
    ];
    expect(ofHole).toEqual(['states ⌀12 instead of ⌀10', 'a view on page 1 is like the query']);
    expect(ofLonger).toEqual(['states 120 instead of 100 mm', 'a view on page 1 is like the query']);
    expect(ofWider).toEqual(['states 80 and 60 instead of 100 and 50 mm', 'a view on page 1 is like the query']);
    // The frame is a part of what is taken for a view here, so the stated lengths tell alone; one of them says nothing.
    expect(Math.abs(wider - 87.4), `${wider} instead of 87.4`).toBeLessThan(6);
    expect(hole).toBeGreaterThanOrEqual(longer);
    expect(longer).toBeGreaterThan(wider);
  });

  test('the same in inches states the same sizes', async () => {
    const found = await answers(plateDrawing({}, 'in'));
    expect(found['own.dxf'][1]).toContain('states the same 3 sizes');
    expect(found['hole.dxf'][1]).toContain('states ⌀12 instead of ⌀10.0076');
  });

  test('a stored drawing as query says the same as given bytes', async () => {
    const own = (await company.list({})).find(({ path }) => path === 'own.dxf');
    const { hits } = await company.search({ like: { uid: own!.uid } });
    const hole = hits.find(({ path }) => path === 'hole.dxf');
    expect(hole?.because[0]).toEqual({
      code: 'other-stated-sizes',
      kind: 'diameter',
      sizes: [{ sizeMm: 12, isAnother: false }],
      querySizes: [{ sizeMm: 10, isAnother: false }],
    });
  });

  test.each(['{', '{}', '{"version":1,"pages":[{"page":1}]}', '{"BEVersion":"1","pages":[{"page":1}]}'])(
    'annotations that are damaged, %s, cost a hit its reasons alone, and are told',
    async (damaged) => {
      const database = new Database(join(folder, 'catalog.sqlite'));
      const { changes } = database
        .prepare("UPDATE pmi SET json = ? WHERE file_id = (SELECT id FROM file WHERE path = 'hole.dxf')")
        .run(damaged);
      database.close();
      expect(changes).toBe(1);
      const found = await answers(plateDrawing({ width: 50.5 }));
      expect(found['hole.dxf'][1]).toEqual(['a view on page 1 is like the query']);
      expect(found['longer.dxf'][1][0]).toContain('states 120 ');
      const { warnings } = await company.search({ like: { bytes: plateDrawing({ width: 50.5 }), extension: '.dxf' } });
      expect(warnings).toEqual([
        expect.stringMatching(/^the sizes that hole\.dxf states were not compared: the catalogue is damaged: /),
      ]);
    },
  );
});
