import { ACadVersion, CadDocument, DwgWriter, MText, XYZ } from '@node-projects/acad-ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Drawing } from '../../../dist/content/drawing.js';
import { EngineError } from '../../../dist/errors.js';
import { plainMtext } from '../../../dist/readers/cad-drawing/mtext.js';
import { readContent } from '../../../dist/readers/read.js';
import { damaged } from '../../fixtures/damage.js';
import { attribute, dxf, insert, line, mtext, SEQUENCE_END, text, type DxfParts } from '../../fixtures/dxf-writer.js';
import { options } from '../helpers.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

const frame = [line(0, 0, 400, 0), line(400, 0, 400, 200), line(400, 200, 0, 200), line(0, 200, 0, 0)];

async function read(bytes: Uint8Array, name = 'a.dxf', limits: Parameters<typeof options>[0] = {}): Promise<Drawing> {
  const content = await readContent(bytes, name, options(limits));
  if (content.kind !== 'drawing') throw new Error(`${name} became a ${content.kind}`);
  return content;
}

const readDxf = (parts: DxfParts, limits: Parameters<typeof options>[0] = {}): Promise<Drawing> =>
  read(dxf(parts), 'a.dxf', limits);

async function endOf(bytes: Uint8Array, name: string): Promise<string> {
  return readContent(bytes, name, options()).then(
    ({ kind }) => kind,
    (cause: unknown) => {
      if (cause instanceof EngineError) return cause.code;
      throw cause;
    },
  );
}

describe('text of a DXF drawing', () => {
  it('has boxes as shares of the picture, which leaves some room about a model', async () => {
    const { format, pages } = await readDxf({
      entities: [...frame, text('AB-123/4', 100, 150, 10), text('UP', 300, 50, 10, 90)],
    });
    expect(format).toBe('dxf');
    expect(pages).toHaveLength(1);
    const [{ number, name, text: words, runs }] = pages;
    expect([number, name, words]).toEqual([1, 'Model', 'AB-123/4\nUP']);
    const [level, upright] = runs!.map(({ box }) => box);
    // 400 x 200 units with 8 about them.
    expect(level.x).toBeCloseTo((100 + 8) / 416, 3);
    expect(level.y + level.height).toBeCloseTo((200 - 150 + 2 + 8) / 216, 3);
    expect(level.width * 400).toBeGreaterThan(3 * level.height * 200);
    expect(upright.height * 200).toBeGreaterThan(upright.width * 400);
    expect(upright.x + upright.width).toBeCloseTo((300 + 2 + 8) / 416, 3);
  });

  it('in blocks stands where they are placed, turned and scaled', async () => {
    const blocks = { inner: [text('NUT M8', 10, 0, 2)], outer: [insert('inner', 5, 5, { scale: 2 })] };
    const {
      pages: [{ text: words, runs }],
    } = await readDxf({
      blocks,
      entities: [...frame, insert('outer', 100, 50), insert('outer', 300, 50, { degrees: 90 })],
    });
    expect(words).toBe('NUT M8\nNUT M8');
    const [{ box: level }, { box: upright }] = runs!;
    expect(level.x).toBeCloseTo((125 + 8) / 416, 3);
    expect(level.y + level.height).toBeCloseTo((200 - 55 + 0.8 + 8) / 216, 3);
    expect(upright.y + upright.height).toBeCloseTo((200 - 75 + 8) / 216, 3);
  });

  it('is free of format codes', async () => {
    const {
      pages: [{ text: words }],
    } = await readDxf({
      entities: [
        ...frame,
        mtext('{\\fArial|b1;NOTES:}\\P1. BREAK %%c5 \\H0.7x;\\S+0.1^-0.2;\\P2. 45\\U+00B0 ±1', 20, 180),
        text('Größe 山', 20, 50),
      ],
    });
    expect(words).toBe('NOTES:\n1. BREAK ⌀5 +0.1 -0.2\n2. 45° ±1\nGröße 山');
  });

  it.each([
    ['plain', 'plain'],
    ['a\\Pb', 'a\nb'],
    ['{\\Fgdt;j}%%v{\\Fgdt;n}0.1{\\Fgdt;m}%%vA%%vB', '⌖ ⌀0.1Ⓜ A B'],
    ['\\A1;\\C1;red\\~one', 'red one'],
    ['1\\S1/2; and \\S3#4;', '1 1/2 and 3/4'],
    ['%%c\\S16.05^15.95; and \\S0,3^ 0;', '⌀16.05/15.95 and  0,3 0 '],
    ['\\\\ \\{ \\}', '\\ { }'],
    ['%%c20 %%p0.1 45%%d %%uunder%%u 100%%%', '⌀20 ±0.1 45° under 100%'],
    ['\\LUnder\\l {\\W0.8;narrow {\\H2;deep} }end', 'Under narrow deep end'],
    ['', ''],
    ['\\', '\\'],
    ['\\S', 'S'],
    ['}}}{{{\\f', 'f'],
  ])('%j is %j', (coded, plain) => {
    expect(plainMtext(coded)).toBe(plain);
  });

  it('of any length is read in one pass', () => {
    // Each fraction looked through all of the text before it, each code through all of it for a semicolon: minutes.
    const count = 100_000;
    expect(plainMtext('a\\S1/2;%%c'.repeat(count))).toBe('a1/2⌀'.repeat(count));
    expect(plainMtext('2\\S1/2;'.repeat(count))).toBe('2 1/2'.repeat(count));
    expect(plainMtext('\\P'.repeat(count))).toBe('\n'.repeat(count));
  }, 30_000);
});

describe('what a DXF drawing says of itself', () => {
  it('header and title block, fullest block first', async () => {
    const header = [
      [9, '$LASTSAVEDBY'],
      [1, 'Anna'],
      [9, '$INSUNITS'],
      [70, 4],
      [9, '$TDCREATE'],
      [40, 2_458_202.5],
      [9, '$CUSTOMPROPERTYTAG'],
      [1, 'Part number'],
      [9, '$CUSTOMPROPERTY'],
      [1, 'AB-123/4 Ø'],
    ] as const;
    const entities = [
      ...frame,
      insert('tag', 5, 5, { attributes: true }),
      attribute('POS', '7', 10, 10),
      SEQUENCE_END,
      insert('title', 300, 5, { attributes: true }),
      attribute('TITLE', 'Bearing housing', 300, 10),
      attribute('MATERIAL', 'S235JR', 300, 20),
      attribute('SECRET', 'hidden one', 300, 30, { hidden: true }),
      SEQUENCE_END,
    ];
    const {
      properties,
      pages: [{ text: words }],
    } = await readDxf({ header, blocks: { tag: [line(0, 0, 1, 1)], title: [line(0, 0, 1, 1)] }, entities });
    expect(properties.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'Version=AutoCAD 2010 (AC1024)',
      'Last saved by=Anna',
      'Units=mm',
      'Created=2018-03-24T12:00:00',
      'Part number=AB-123/4 Ø',
      'TITLE=Bearing housing',
      'MATERIAL=S235JR',
      'SECRET=hidden one',
      'POS=7',
    ]);
    expect(words.split('\n').sort()).toEqual(['7', 'Bearing housing', 'S235JR']);
  });

  it('is the same whenever it is read', async () => {
    const bytes = dxf({ entities: [...frame, text('x', 1, 1)] });
    const first = await read(bytes);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await read(bytes)).toEqual(first);
  });
});

describe('DWG', () => {
  function dwg(words: string): Uint8Array {
    const document = new CadDocument();
    document.header!.version = ACadVersion.AC1018;
    const note = new MText(words);
    note.insertPoint = new XYZ(10, 20, 0);
    note.height = 3;
    document.modelSpace!.entities.add(note);
    return new Uint8Array(DwgWriter.writeToBuffer(document));
  }

  it('gives its text', async () => {
    const { format, pages } = await read(dwg('SHAFT %%c25\\Ph6'), 'a.dwg');
    expect(format).toBe('dwg');
    expect(pages[0].text).toBe('SHAFT ⌀25\nh6');
  });

  it('of a version that is not read says which', async () => {
    const error = await read(Buffer.concat([Buffer.from('AC1009'), Buffer.alloc(2_000)]), 'a.dwg').catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({
      code: 'FORMAT_UNSUPPORTED',
      message: expect.stringContaining('AutoCAD R11/R12 (AC1009)'),
    });
  });

  it('cut off 200 ways is malformed at once, or sound where only its tail is gone', async () => {
    const whole = dwg('SHAFT');
    for (let i = 0; i < 200; i++) {
      const took = stopwatch();
      expect(await endOf(whole.slice(0, Math.floor((whole.length * i) / 200)), 'a.dwg')).toMatch(
        i < 190 ? /FILE_MALFORMED|FORMAT_UNSUPPORTED/ : /FILE_MALFORMED|drawing/,
      );
      expect(took()).toBeLessThan(2_000);
    }
  });
});

describe('hostile drawings', () => {
  it('blocks in blocks in blocks end at limits.entities, a block in itself is passed over', async () => {
    const blocks: Record<string, DxfParts['entities'][number][]> = { b0: [text('x', 0, 0, 1)] };
    for (let i = 1; i < 12; i++) blocks[`b${i}`] = Array.from({ length: 10 }, (_, k) => insert(`b${i - 1}`, k, 0));
    const took = stopwatch();
    await expect(readDxf({ blocks, entities: [insert('b11', 0, 0)] }, { entities: 100_000 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'entities' },
    });
    const { pages, warnings } = await readDxf({
      blocks: { self: [text('once', 0, 0), insert('self', 1, 1), insert('self', 2, 2)] },
      entities: [...frame, insert('self', 5, 5)],
    });
    expect(pages[0].text).toBe('once');
    expect(warnings.map(({ code }) => code)).toEqual(['CONTENT_SKIPPED']);
    expect(took()).toBeLessThan(10_000);
  });

  it('blocks in each other lose no text, and are told of', async () => {
    // `b` is looked at while `a`, which it holds, is not yet known to have text.
    const blocks = { a: [insert('b', 1, 1), text('of a', 0, 0)], b: [insert('a', 2, 2), line(0, 0, 1, 1)] };
    const { pages, warnings } = await readDxf({
      blocks,
      entities: [...frame, insert('a', 5, 5), insert('b', 200, 100)],
    });
    expect(pages[0].text.match(/of a/g)).toHaveLength(2);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('in themselves')]);
    const chain = {
      c0: [text('deep', 0, 0)],
      c1: [insert('c0', 0, 0)],
      c2: [insert('c1', 0, 0)],
      c3: [insert('c2', 0, 0)],
    };
    const deep = await readDxf(
      { blocks: chain, entities: [...frame, insert('c3', 5, 5), insert('c1', 200, 100)] },
      { depth: 3 },
    );
    expect(deep.pages[0].text).toBe('deep');
    expect(deep.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('limits.depth')]);
  });

  it('handles that no number can be counted on from lose nothing', async () => {
    // acad-ts gives the second of two equal handles another one, beyond the largest.
    const sound = Buffer.from(dxf({ entities: [...frame, text('A', 10, 10, 5), text('B', 20, 10, 5)] })).toString();
    const handles = [...sound.matchAll(/\n\s*5\n[0-9A-F]+(?=\n)/g)].map(([groups]) => groups);
    const [line4, textA, textB] = handles.slice(-3);
    const changed = sound.replace(line4, '\n5\n99999999999999999999E').replace(textB, textA);
    const { pages } = await read(Buffer.from(changed));
    expect(pages[0].runs?.map(({ start, end }) => pages[0].text.slice(start, end))).toEqual(['A', 'B']);
  });

  it('damaged 200 ways end in a drawing or a coded error, each quickly', async () => {
    const whole = dxf({
      blocks: { title: [text('T', 0, 0)] },
      entities: [
        ...frame,
        insert('title', 300, 5, { attributes: true }),
        attribute('TITLE', 'x', 300, 10),
        SEQUENCE_END,
        mtext('a\\Pb', 5, 5),
      ],
    });
    const ends = new Map<string, number>();
    for (const bytes of damaged(whole, 200, 3)) {
      const took = stopwatch();
      const end = await endOf(bytes, 'a.dxf');
      ends.set(end, (ends.get(end) ?? 0) + 1);
      expect(took()).toBeLessThan(3_000);
    }
    expect(ends.get('drawing')).toBeGreaterThan(50);
  });
});

describe('a drawing of many layers', () => {
  it('is read in steps that grow with their number, not with its square', async () => {
    const layers = 2_000;
    const entities = Array.from({ length: layers }, (_, i) =>
      line(0, i, 9, i).map(([code, value]) => [code, code === 8 ? `layer ${i}` : value] as const),
    );
    const removing = vi.spyOn(Set.prototype, 'delete');
    onTestFinished(() => removing.mockRestore());
    const { sheets } = await readDxf({ entities });
    const steps = removing.mock.calls.length;
    removing.mockRestore();
    expect(new Set(sheets[0].styles.map(({ layer }) => layer)).size).toBe(layers);
    // One table was looked through for each reference to another layer.
    expect(steps).toBeLessThan(20 * layers);
  });
});
