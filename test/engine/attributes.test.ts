import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let libraries = 0;

/** Runs `body` with a company of a new library, which is closed whatever happens. */
async function withCompany(body: (company: Company, reopen: () => Promise<Company>) => Promise<void>): Promise<void> {
  const library = join(folder, `library-${libraries++}`);
  let engine = await Engine.open(library, { workers: 1 });
  const reopen = async (): Promise<Company> => {
    await engine.close();
    engine = await Engine.open(library, { workers: 1 });
    return engine.company('acme');
  };
  try {
    await body(await engine.company('acme'), reopen);
  } finally {
    await engine.close();
  }
}

const put = (acme: Company, path: string, attributes: readonly string[]) =>
  acme.put(path, boxStl(1, 2, 3), { wait: false, attributes });

test('attributes keep their casing, repeated names become one, and the lists count files', () =>
  withCompany(async (acme) => {
    const { uid, attributes } = await put(acme, 'a.stl', [
      'Material=Steel',
      'Color=red',
      'COLOR=blue',
      'Length(mm)=25.4',
      'Made=2024-05-31',
    ]);
    expect(attributes).toEqual(['Material=Steel', 'Color=red|blue', 'Length(mm)=25.4', 'Made=2024-05-31']);
    await put(acme, 'b.stl', ['material=steel', 'Length(mm)=1,5', 'Made=2023-01-01']);
    expect(await acme.attributes()).toEqual([
      { name: 'Color', unit: '', type: 'text', count: 1 },
      { name: 'Length', unit: 'mm', type: 'number', count: 2 },
      { name: 'Made', unit: '', type: 'date', count: 2 },
      { name: 'Material', unit: '', type: 'text', count: 2 },
    ]);
    expect(await acme.attributeValues('MATERIAL')).toEqual([
      { value: 'Steel', unit: '', count: 1 },
      { value: 'steel', unit: '', count: 1 },
    ]);
    expect(await acme.attributeValues('color', { prefix: 'B' })).toEqual([{ value: 'blue', unit: '', count: 1 }]);
    expect(await acme.attributeValues('nothing')).toEqual([]);
    await acme.delete(uid);
    expect((await acme.attributes()).map(({ name, count }) => [name, count])).toEqual([
      ['Length', 1],
      ['Made', 1],
      ['Material', 1],
    ]);
  }));

test('setAttributes replaces all or adds; removeAttributes takes all', () =>
  withCompany(async (acme, reopen) => {
    const { uid } = await put(acme, 'a.stl', ['Material=Steel', 'Length(mm)=1', 'Color=red']);
    expect((await acme.setAttributes(uid, ['length(in)=2', 'Note=x'], { replace: false })).attributes).toEqual([
      'Material=Steel',
      'Length(mm)=1',
      'Color=red',
      'length(in)=2',
      'Note=x',
    ]);
    expect((await acme.setAttributes(uid, ['COLOR=blue|red', 'Length(mm)=3'], { replace: false })).attributes).toEqual([
      'Material=Steel',
      'Length(mm)=1|3',
      'Color=red|blue',
      'length(in)=2',
      'Note=x',
    ]);
    expect((await acme.attributeValues('color')).map(({ value, count }) => [value, count])).toEqual([
      ['blue', 1],
      ['red', 1],
    ]);
    expect((await acme.setAttributes(uid, ['Only=1'])).attributes).toEqual(['Only=1']);
    expect((await acme.attributes()).map(({ name }) => name)).toEqual(['Only']);
    acme = await reopen();
    expect((await acme.get(uid)).attributes).toEqual(['Only=1']);
    expect((await acme.setAttributes(uid, [])).attributes).toEqual([]);
    expect(await acme.attributes()).toEqual([]);
    await expect(acme.setAttributes('00000000-0000-4000-8000-000000000000', [])).rejects.toMatchObject({
      code: 'FILE_UNKNOWN',
    });
    await expect(acme.setAttributes(uid, ['no equals sign'])).rejects.toThrow(/attributes\[0\]/);
    await expect(acme.setAttributes(uid, ['a=\ud800'])).rejects.toThrow(RangeError);
    await expect(acme.setAttributes(uid, ['a=1'], { replace: 1 as never })).rejects.toThrow(/replace/);
    await acme.setAttributes(
      uid,
      Array.from({ length: 1_000 }, (_, i) => `a${i}=1`),
    );
    await expect(acme.setAttributes(uid, ['one more=1'], { replace: false })).rejects.toThrow(/at most 1000/);
    expect((await acme.get(uid)).attributes).toHaveLength(1_000);
    await acme.setAttributes(
      uid,
      Array.from({ length: 20 }, (_, i) => `a=${i}${'x'.repeat(9_000)}`),
    );
    const more = ['y', 'z'].flatMap((letter) => ['1', '2'].map((i) => `a=${i}${letter.repeat(9_000)}`));
    await expect(acme.setAttributes(uid, more, { replace: false })).rejects.toThrow(
      /at most 200000 characters together, received/,
    );
  }));

test('values of any text survive put, setAttributes and get', () =>
  withCompany(async (acme, reopen) => {
    const { uid } = await put(acme, 'a.stl', []);
    const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('|', '\\|');
    const value = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\0\p{Cs}]/gu, '')),
      fc.constantFrom('=', '&', '|', '\\', '"', "'", '\r\n', '😀👩‍🔧', 'مرحبا|x', '\u202eabc', ' '),
      fc.string({ unit: fc.constantFrom('\\', '|', '=', '&', '\n') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(value, { minLength: 1, maxLength: 4 }), async (values) => {
        const text = `Näme (x)(mm)=${values.map(escaped).join('|')}`;
        const [stored] = (await acme.setAttributes(uid, [text])).attributes;
        const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect((await acme.attributeValues('NÄME (X)')).map((one) => one.value)).toEqual([...values].sort(order));
        // What was returned means the same when it is given again.
        expect((await acme.put('a.stl', boxStl(1, 2, 3), { wait: false, attributes: [stored] })).attributes).toEqual([
          stored,
        ]);
        expect((await acme.attributeValues('näme (x)')).map((one) => one.value)).toEqual([...values].sort(order));
      }),
      { numRuns: 60 },
    );
    const [last] = (await acme.setAttributes(uid, ['a=x\\|y|\u202e\n'])).attributes;
    expect((await (await reopen()).get(uid)).attributes).toEqual([last]);
  }));

test('a model says how large it is; such facts are no entries of the lists', () =>
  withCompany(async (acme) => {
    const { extractedAttributes } = await acme.put('a.stl', boxStl(10, 20, 30));
    expect(extractedAttributes).toEqual(
      expect.arrayContaining([
        'Length(mm)=30',
        'Width(mm)=20',
        'Height(mm)=10',
        'Volume(mm3)=6000',
        'Bounding box volume(mm3)=6000',
        'Surface area(mm2)=2200',
        'Triangles=12',
        'Components=1',
      ]),
    );
    expect(await acme.attributes()).toEqual([]);
  }));
