import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  duplicatesCsv,
  type Company,
  type DuplicateGroup,
  type DuplicatesOptions,
  type DuplicatesReport,
  type Engine,
} from '../../dist/index.js';
import { writeObj, writePly, writeStlBinary } from '../fixtures/mesh-writers.js';
import { gear, handedBracket, mapped, mirrored, rotated, scaled, screw } from '../fixtures/parts.js';
import { pdfOf } from '../../bench/parts/drawings/page-pdf.mjs';
import { dxfOf, movedBy, svgOf, type DrawnPage } from '../../bench/parts/drawings/saved-anew.mjs';
import { codeOf, libraries } from '../search/library.js';

const { fresh, open } = libraries();
const TURN = [0.5, 0.5, -0.5, 0.5] as const;
const bracket = handedBracket();

/** Files with the same part in several ways, and others. */
const FILES: Readonly<Record<string, Uint8Array>> = {
  'a/bracket.stl': writeStlBinary(bracket),
  'a/gear.stl': writeStlBinary(gear(20, 20, 6, 5)),
  'b/bracket-again.obj': writeObj(
    rotated(
      mapped(bracket, (x, y, z) => [x + 100, y - 7, z]),
      TURN,
    ),
  ),
  'b/bracket-copy.stl': writeStlBinary(bracket),
  'b/bracket-inch.stl': writeStlBinary(scaled(bracket, 25.4)),
  'b/bracket-left.ply': writePly(mirrored(bracket), 'binary_little_endian'),
  'c/gear-near.stl': writeStlBinary(gear(20, 20.2, 6, 5)),
  'c/screw.stl': writeStlBinary(screw(5, 20)),
  'n/note.txt': new TextEncoder().encode('four screws, one gear'),
  'o/note-copy.md': new TextEncoder().encode('four screws, one gear'),
  'o/broken.stl': new TextEncoder().encode('no model'),
  'p/broken.stl': new TextEncoder().encode('no model'),
};

let engine: Engine;
let acme: Company;
const uids: Record<string, string> = {};
beforeAll(async () => {
  engine = await open(fresh());
  acme = await engine.company('acme');
  for (const [path, bytes] of Object.entries(FILES)) uids[path] = (await acme.put(path, bytes)).uid;
});
afterAll(() => engine.close());

/** What the groups say, without figures. */
const shortOf = (groups: readonly DuplicateGroup[]): string[] =>
  groups.map(({ matchClass, members }) => `${matchClass}: ${members.map(({ path }) => path).join(' ')}`);
const groupsOf = async (...args: Parameters<Company['duplicates']['find']>): Promise<string[]> =>
  shortOf((await acme.duplicates.find(...args)).groups);

const ALL = [
  'bytes: n/note.txt o/note-copy.md',
  'bytes: o/broken.stl p/broken.stl',
  'identical: a/bracket.stl b/bracket-again.obj b/bracket-copy.stl',
  'mirrored: a/bracket.stl b/bracket-left.ply',
  'scaled: a/bracket.stl b/bracket-inch.stl',
];

describe('groups', () => {
  let report: DuplicatesReport;
  beforeAll(async () => {
    report = await acme.duplicates.find();
  });

  test('by class, then by path; files of every kind by their bytes, failed ones too', () => {
    expect(shortOf(report.groups)).toEqual(ALL);
    expect(report).toMatchObject({ files: 12, parts: 8 });
    expect(new Set(report.groups.map(({ id }) => id)).size).toBe(ALL.length);
  });

  test('the evidence of identical parts: class, score, transform, deviation, sizes', () => {
    const [first, again, copy] = report.groups[2].members;
    expect(first).toMatchObject({ matchClass: null, score: 0, copies: 0, kind: 'ThreeD' });
    expect(first.volumeMm3).toBeGreaterThan(0);
    expect(copy).toMatchObject({ matchClass: 'bytes', score: 0, scale: 1, maxDeviationMm: 0, sha256: first.sha256 });
    expect(again.matchClass).toBe('identical');
    expect(again.score).toBeLessThanOrEqual(0.01);
    expect(again.maxDeviationMm).toBeLessThan(0.01);
    expect(again.volumeMm3! / first.volumeMm3!).toBeCloseTo(1, 3);
    // Column-major, carries the first file onto this one: the linear part turns, the rest moves.
    const t = again.transform!;
    expect(t).toHaveLength(16);
    const origin = rotated(
      mapped({ name: '', vertices: [[100, -7, 0]], faces: [] }, (x, y, z) => [x, y, z]),
      TURN,
    ).vertices[0];
    for (let k = 0; k < 3; k++) expect(t[12 + k]).toBeCloseTo(origin[k], 1);
    expect(report.groups[2].spareBytes).toBe(again.byteLength + copy.byteLength);
  });

  test('mirrored and scaled: one file of each part, with the number of its copies', () => {
    const [, , , mirror, scale] = report.groups;
    expect(mirror.members.map(({ copies }) => copies)).toEqual([2, 0]);
    expect(mirror.members[1]).toMatchObject({ matchClass: 'mirrored', score: 0.02, scale: 1 });
    const [a, b, c, , d, e, f, , g, h, i] = mirror.members[1].transform!;
    expect(a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e)).toBeCloseTo(-1, 6);
    expect(scale.members[1]).toMatchObject({ matchClass: 'scaled', scale: 25.4 });
  });

  test('near parts are asked for, and are not those of a stronger class', async () => {
    const near = await groupsOf({ classes: ['near'], near: 0.2 });
    expect(near).toEqual(['near: a/gear.stl c/gear-near.stl']);
    expect(await groupsOf({ near: 0.2 })).toEqual([...ALL, ...near]);
    expect(await groupsOf({ classes: ['near'], near: 0 })).toEqual([]);
  });

  test('with bytes alone nothing is compared', async () => {
    const bytes = await acme.duplicates.find({ classes: ['bytes'] });
    expect(shortOf(bytes.groups)).toEqual(['bytes: a/bracket.stl b/bracket-copy.stl', ...ALL.slice(0, 2)]);
    expect(bytes).toMatchObject({ compared: 0, remembered: 0, parts: 0 });
  });

  test('what was compared is remembered, and new bytes are compared again', async () => {
    const again = await acme.duplicates.find();
    expect(again.groups).toEqual(report.groups);
    expect(again.compared).toBe(0);
    expect(again.remembered).toBeGreaterThan(0);
    await acme.put('b/bracket-left.ply', writePly(mirrored(handedBracket(50)), 'ascii'));
    expect(await groupsOf({ classes: ['mirrored'] })).toEqual([]);
    await acme.put('b/bracket-left.ply', FILES['b/bracket-left.ply']);
    const back = await acme.duplicates.find({ classes: ['mirrored'] });
    expect(shortOf(back.groups)).toEqual([ALL[3]]);
    expect(back.compared).toBeGreaterThan(0);
  });

  test('the order in which files came is of no consequence', async () => {
    const other = await engine.company('backwards');
    for (const [path, bytes] of Object.entries(FILES).reverse()) await other.put(path, bytes);
    const { groups } = await other.duplicates.find();
    const plain = (all: readonly DuplicateGroup[]) =>
      all.map(({ members }) =>
        members.map(({ path, matchClass, score, transform, scale }) => ({ path, matchClass, score, transform, scale })),
      );
    expect(plain(groups)).toEqual(plain((await acme.duplicates.find()).groups));
  });

  test('of the same bytes the groups with the most to spare come first, and empty files are in none', async () => {
    const other = await engine.company('texts');
    const texts = {
      'a.txt': 'short',
      'b.txt': 'short',
      'c.txt': 'rather long',
      'd.txt': 'rather long',
      'e.txt': 'round',
      'f.txt': 'round',
      'g.txt': '',
      'h.txt': '',
    };
    for (const [path, text] of Object.entries(texts)) await other.put(path, new TextEncoder().encode(text));
    const { groups, files } = await other.duplicates.find();
    expect(shortOf(groups)).toEqual(['bytes: c.txt d.txt', 'bytes: a.txt b.txt', 'bytes: e.txt f.txt']);
    expect(groups.map(({ spareBytes }) => spareBytes)).toEqual([11, 5, 5]);
    expect(files).toBe(6);
  });

  test('an abort ends it, and progress is told', async () => {
    const seen: string[] = [];
    await acme.duplicates.find({
      near: 0.1,
      onProgress: ({ phase, done, total }) => void seen.push(`${phase} ${done}/${total}`),
    });
    expect(seen).toEqual(expect.arrayContaining(['compare 12/12', 'near 6/6']));
    expect(await codeOf(acme.duplicates.find({ signal: AbortSignal.abort() }))).toBe('ABORTED');
  });

  test('wrong options are named', async () => {
    await expect(acme.duplicates.find({ classes: ['same' as never] })).rejects.toThrow(/classes.*bytes, identical/);
    await expect(acme.duplicates.find({ near: 2 })).rejects.toThrow(/near.*2/);
    await expect(acme.duplicates.find({ threshold: 1 } as never)).rejects.toThrow(/threshold/);
  });

  test('as CSV: a line a file, formulas disarmed', () => {
    const csv = duplicatesCsv([
      {
        ...report.groups[2],
        members: [{ ...report.groups[2].members[0], path: '=1+2,"x".stl' }, ...report.groups[2].members.slice(1)],
      },
    ]);
    const lines = csv.replace('\uFEFF', '').split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^group,group_class,path,uid,kind,match_class,score,/);
    expect(lines[1]).toContain('1,identical,"\'=1+2,""x"".stl",');
    expect(lines[2]).toContain(',b/bracket-again.obj,');
    expect(lines[4]).toBe('');
  });

  test('as a picture', async () => {
    const png = Buffer.from(await acme.duplicates.picture(report.groups));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(16 + 5 * 216);
  });
});

test('in a limited time there are the groups, or how far the work is; an abort is no end of the time', async () => {
  const { progress, groups } = await acme.duplicates.findWithin(60_000);
  expect([progress, shortOf(groups)]).toEqual([null, ALL]);
  const signal = AbortSignal.abort();
  expect(await codeOf(acme.duplicates.findWithin(60_000, { signal }))).toBe('ABORTED');
  await expect(acme.duplicates.findWithin(0)).rejects.toThrow(RangeError);
});

test.each([
  ['duplicates options must be an object, received null', null],
  ['duplicates options.signal must be an AbortSignal, received string', { signal: 'now' }],
  ['duplicates options.onProgress must be a function, received number', { onProgress: 5 }],
])('%s', async (message, options) => {
  const wrong = options as object as DuplicatesOptions;
  await expect(acme.duplicates.find(wrong)).rejects.toThrow(new TypeError(message));
  await expect(acme.duplicates.findWithin(60_000, wrong)).rejects.toThrow(new TypeError(message));
});

describe('decisions', () => {
  test('different files are in no group together, until it is undone', async () => {
    const [decision] = await acme.duplicates.markDifferent([uids['b/bracket-again.obj'], uids['a/bracket.stl']]);
    expect(decision).toMatchObject({
      kind: 'different',
      of: null,
      uids: [uids['a/bracket.stl'], uids['b/bracket-again.obj']].sort(),
    });
    const groups = await groupsOf();
    expect(groups).toContain('bytes: a/bracket.stl b/bracket-copy.stl');
    expect(groups.filter((group) => group.includes('bracket-again') && group.includes('a/bracket.stl'))).toEqual([]);
    expect(await acme.duplicates.undo([decision.id, 999_999])).toBe(1);
    expect(await groupsOf()).toEqual(ALL);
  });

  test('a mirrored pair and near parts, too; three files are three pairs', async () => {
    const made = await acme.duplicates.markDifferent([uids['b/bracket-copy.stl'], uids['b/bracket-left.ply']]);
    made.push(
      ...(await acme.duplicates.markDifferent([uids['a/gear.stl'], uids['c/gear-near.stl'], uids['c/screw.stl']])),
    );
    expect(made).toHaveLength(4);
    expect(await groupsOf({ classes: ['mirrored', 'near'], near: 0.2 })).toEqual([]);
    expect(await acme.duplicates.decisions()).toEqual(made);
    expect(await acme.duplicates.undo(made.map(({ id }) => id))).toBe(4);
  });

  test('with from, each file differs from that one alone', async () => {
    const [from, ...others] = [uids['a/gear.stl'], uids['c/gear-near.stl'], uids['c/screw.stl']];
    const made = await acme.duplicates.markDifferent(others, { from });
    expect(made.map((one) => one.uids)).toEqual(others.map((other) => [from, other].sort()));
    await expect(acme.duplicates.markDifferent(others, { from: others[0] })).rejects.toThrow(
      new RangeError(`from must be a file that uids does not name, received ${others[0]}`),
    );
    const unknown = Array.from({ length: 4_951 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`);
    expect(await codeOf(acme.duplicates.markDifferent(unknown.slice(1), { from }))).toBe('FILE_UNKNOWN');
    for (const wrong of [[], unknown])
      await expect(acme.duplicates.markDifferent(wrong, { from })).rejects.toThrow(/^uids must name 1 to 4950 files/);
    expect(await acme.duplicates.undo(made.map(({ id }) => id))).toBe(2);
  });

  test.each([
    ['markDifferent options must be an object, received null', null],
    ['markDifferent options.form is not an option; known are from', { form: 'x' }],
  ])('%s', async (message, options) => {
    const marked = acme.duplicates.markDifferent([uids['a/gear.stl'], uids['c/screw.stl']], options as object);
    await expect(marked).rejects.toThrow(new TypeError(message));
    expect(await acme.duplicates.decisions()).toEqual([]);
  });

  test('the file to keep settles its group until a file comes to it; the last decision counts', async () => {
    const first = await acme.duplicates.keep(uids['a/bracket.stl']);
    const last = await acme.duplicates.keep(uids['b/bracket-copy.stl']);
    const group = async (): Promise<DuplicateGroup> =>
      (await acme.duplicates.find({ classes: ['identical'] })).groups[0];
    expect(await group()).toMatchObject({ keep: uids['b/bracket-copy.stl'], settled: true });
    // It is about this group, not about that of its mirror image.
    expect((await acme.duplicates.find({ classes: ['mirrored'] })).groups[0]).toMatchObject({
      keep: null,
      settled: false,
    });
    expect(await groupsOf({ classes: ['identical', 'scaled'], settled: false })).toEqual([ALL[4]]);
    const { uid } = await acme.put('d/bracket-new.obj', writeObj(bracket));
    expect(await group()).toMatchObject({ keep: uids['b/bracket-copy.stl'], settled: false });
    await acme.delete(uid);
    await acme.duplicates.undo([last.id]);
    expect(await group()).toMatchObject({ keep: uids['a/bracket.stl'], settled: true });
    await acme.duplicates.undo([first.id]);
    expect(await group()).toMatchObject({ keep: null, settled: false });
  });

  test('they outlive new bytes and the process, and go with the file', async () => {
    const folder = fresh();
    let own = await open(folder);
    let company = await own.company('acme');
    const a = await company.put('a.stl', FILES['a/bracket.stl']),
      b = await company.put('b.stl', FILES['a/gear.stl']);
    await company.duplicates.markDifferent([a.uid, b.uid]);
    await company.duplicates.keep(a.uid, { matchClass: 'scaled' });
    await company.put('b.stl', FILES['a/bracket.stl']);
    await own.close();
    own = await open(folder);
    company = await own.company('acme');
    expect(await company.duplicates.decisions()).toMatchObject([
      { kind: 'different' },
      { kind: 'keep', of: 'scaled', uids: [a.uid] },
    ]);
    expect((await company.duplicates.find()).groups).toEqual([]);
    await company.delete(b.uid);
    expect(await company.duplicates.decisions()).toMatchObject([{ kind: 'keep' }]);
    // Another UID takes the path: the file that had it is gone.
    await company.put('a.stl', FILES['a/gear.stl'], { uid: '00000000-0000-4000-8000-000000000001' });
    expect(await company.duplicates.decisions()).toEqual([]);
    await own.close();
  });

  test('unknown files and wrong words are refused', async () => {
    expect(await codeOf(acme.duplicates.keep('00000000-0000-4000-8000-00000000000f'))).toBe('FILE_UNKNOWN');
    expect(
      await codeOf(acme.duplicates.markDifferent([uids['a/gear.stl'], '00000000-0000-4000-8000-00000000000f'])),
    ).toBe('FILE_UNKNOWN');
    await expect(acme.duplicates.markDifferent([uids['a/gear.stl'], uids['a/gear.stl']])).rejects.toThrow(/2 to 100/);
    await expect(acme.duplicates.undo([0])).rejects.toThrow(/decision id/);
  });
});

test('parts that are a little larger each are in one group of sizes, and in no other', async () => {
  const company = await engine.company('sizes');
  const sizes = [1, 1.001, 1.002, 1.003, 1.004, 1.006, 1.01];
  const pathOf = (size: number): string => `${size.toFixed(3)}.stl`;
  for (const size of sizes) await company.put(pathOf(size), writeStlBinary(rotated(scaled(bracket, size), TURN)));
  const { groups } = await company.duplicates.find();
  expect(shortOf(groups)).toEqual([`scaled: ${sizes.map(pathOf).join(' ')}`]);
});

describe('drawings that were saved anew', () => {
  const page = (size: number, hole = 0): DrawnPage => {
    const circle = Array.from({ length: 33 }, (_, i) => {
      const angle = (Math.PI * i) / 16;
      return [90 + hole + 6 * Math.cos(angle), 90 + 6 * Math.sin(angle)];
    });
    const line = (width: number, ...points: number[][]): object => ({ points, width });
    return {
      widthMm: 297,
      heightMm: 210,
      items: [
        line(0.7, [10, 10], [287, 10], [287, 200], [10, 200], [10, 10]),
        line(0.5, [60, 60], [60 + size, 60], [60 + size, 120], [60, 120], [60, 60]),
        line(0.5, ...circle),
        // Without as many lines a PDF is a document.
        ...Array.from({ length: 40 }, (_, i) => line(0.25, [15 + 6.8 * i, 5], [15 + 6.8 * i, 10])),
        { text: String(size), x: 90, y: 55, height: 3.5 },
        { text: 'PLATE', x: 220, y: 190, height: 5 },
      ],
    };
  };
  const files: Readonly<Record<string, Uint8Array>> = {
    'a/plate.pdf': pdfOf(page(80)),
    'b/plate.dxf': dxfOf(page(80)),
    'c/plate-a3.svg': svgOf(movedBy(page(80), { paper: Math.SQRT2 })),
    'd/plate-copy.dxf': dxfOf(page(80)),
    'e/moved-hole.pdf': pdfOf(page(80, 0.3)),
    'f/longer.svg': svgOf(page(82)),
  };
  let company: Company;
  beforeAll(async () => {
    company = await engine.company('drawings');
    for (const [path, bytes] of Object.entries(files)) await company.put(path, bytes);
  });

  test('are one group with what is known of them, in every call', async () => {
    for (let call = 0; call < 2; call++) {
      const { groups, parts } = await company.duplicates.find();
      expect(shortOf(groups)).toEqual(['identical: a/plate.pdf b/plate.dxf c/plate-a3.svg d/plate-copy.dxf']);
      expect(parts).toBe(0);
      for (const member of groups[0].members.slice(1))
        expect(member).toMatchObject({ matchClass: 'identical', score: 0.01, transform: null, maxDeviationMm: null });
    }
    const byBytes = await company.duplicates.find({ classes: ['bytes'] });
    expect(shortOf(byBytes.groups)).toEqual(['bytes: b/plate.dxf d/plate-copy.dxf']);
  });

  test('say how they stand on their paper beside the first one', async () => {
    const own = await engine.company('papers');
    const larger = movedBy(page(80), { scale: 2, paper: 2 });
    await own.put('a.dxf', dxfOf(page(80)));
    await own.put('b-larger.dxf', dxfOf(larger));
    await own.put('c-larger.svg', svgOf(larger));
    await own.put('d-paper.svg', svgOf(movedBy(page(80), { paper: Math.SQRT2 })));
    await own.put('e.svg', svgOf(page(80)));
    const { groups } = await own.duplicates.find();
    expect(groups).toHaveLength(1);
    const said = Object.fromEntries(groups[0].members.map(({ path, drawn }) => [path, drawn?.text ?? null]));
    expect(said).toEqual({
      'a.dxf': null,
      'b-larger.dxf': 'drawn ×2 larger',
      // The page of an SVG is no scale, so larger lines on larger paper are as they were.
      'c-larger.svg': null,
      'd-paper.svg': '×1.46 smaller on its page',
      'e.svg': null,
    });
    expect(duplicatesCsv(groups)).toContain('×1.46 smaller on its page');
  });

  test('are found where the first file of the same bytes failed', async () => {
    const library = fresh();
    const bytes = dxfOf(page(80));
    const strict = await open(library, { limits: { entities: 1 } });
    expect(await (await strict.company('acme')).put('a.dxf', bytes)).toMatchObject({ state: 'failed' });
    await strict.close();
    const own = await open(library);
    const acme = await own.company('acme');
    expect(await acme.put('b.dxf', bytes)).toMatchObject({ state: 'indexed' });
    await acme.put('c.svg', svgOf(page(80)));
    expect(shortOf((await acme.duplicates.find()).groups)).toEqual(['identical: a.dxf b.dxf c.svg']);
    await own.close();
  });

  test('stand apart once they are said to be different, and a new file is looked at', async () => {
    const uidOf = async (path: string): Promise<string> =>
      (await company.list()).find((file) => file.path === path)!.uid;
    const pair = [await uidOf('a/plate.pdf'), await uidOf('c/plate-a3.svg')];
    const decisions = await company.duplicates.markDifferent(pair);
    expect(shortOf((await company.duplicates.find()).groups)).toEqual([
      'identical: a/plate.pdf b/plate.dxf d/plate-copy.dxf',
    ]);
    await company.duplicates.undo(decisions.map(({ id }) => id));
    await company.put('e/moved-hole.pdf', pdfOf(movedBy(page(80), { x: 3 })));
    expect((await company.duplicates.find()).groups[0].members).toHaveLength(5);
  });
});
