import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { box, drill, loadModeller, type Point2 } from '../../dist/parts/sample/solids.js';
import { stepFile as solidFile } from '../../dist/parts/sample/step-file.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';
import { jsonLines, runCli } from './run-cli.js';

const cwd = temporaryFolder();
const run = (...args: string[]) => runCli(args, { cwd });

test('assembly shows equal placements in one line', async () => {
  mkdirSync(join(cwd, 'parts'));
  writeFileSync(join(cwd, 'parts', 'one.stl'), boxStl(1, 2, 3));
  writeFileSync(
    join(cwd, 'parts', 'whole.step'),
    stepFile({
      parts: [{ name: 'cube', shape: { kind: 'box', x: 2, y: 2, z: 2 } }],
      assemblies: [
        {
          name: 'pair',
          places: [
            { of: { part: 0 }, at: [0, 0, 0], occurrence: 'left' },
            { of: { part: 0 }, at: [3, 0, 0], occurrence: 'right' },
          ],
        },
        {
          name: 'whole',
          places: [
            { of: { assembly: 0 }, at: [0, 0, 0] },
            { of: { assembly: 0 }, at: [0, 9, 0] },
          ],
        },
      ],
    }),
  );
  expect((await run('index', 'parts')).code).toBe(0);
  expect((await run('assembly', 'whole.step')).stdout).toBe(
    [
      'whole.step',
      '  whole  32.0000 mm³',
      '    2 × pair  16.0000 mm³',
      '      2 × cube  8.00000 mm³  (left, right)',
      '',
    ].join('\n'),
  );
  const [{ assembly }] = jsonLines<{ assembly: { children: { transform: number[] | null }[] } }>(
    (await run('assembly', 'whole.step', '--json')).stdout,
  );
  expect(assembly.children.map(({ transform }) => transform?.[13])).toEqual([undefined, 9]);
  expect((await run('assembly', 'one.stl')).stdout).toBe('one.stl is a single part.\n');
  expect((await run('assembly', 'none.step')).code).toBe(1);
  // Of an assembly each part has its features; one in the library needs indexed components.
  const parts = await run('features', 'parts/whole.step', '--library', 'nowhere');
  expect([parts.code, parts.stdout]).toEqual([
    0,
    expect.stringMatching(/^4 × cube: 6 faces, milled; no features\.\n$/),
  ]);
  const [{ parts: told }] = jsonLines<{ parts: { uid: string }[] }>(
    (await run('features', 'parts/whole.step', '--json')).stdout,
  );
  expect(told).toMatchObject([{ name: 'cube', occurrences: 4, features: { faces: 6, features: [] } }]);
  const bare = await run('features', 'whole.step');
  expect([bare.code, bare.stderr]).toEqual([1, expect.stringMatching(/NO_GEOMETRY.*assembly .* --index/)]);
  expect((await run('assembly', 'whole.step', '--index')).code).toBe(0);
  const [{ parts: stored }] = jsonLines<{ parts: { uid: string }[] }>(
    (await run('features', 'whole.step', '--json')).stdout,
  );
  expect((await run('features', stored[0].uid)).stdout).toMatch(/^6 faces, milled; no features\./);
  // A file on disk needs no library.
  const onDisk = await run('assembly', 'parts/whole.step', '--library', 'nowhere');
  expect(onDisk.stdout).toContain('parts/whole.step\n  whole  32.0000 mm³\n    2 × pair');
  expect(existsSync(join(cwd, 'nowhere'))).toBe(false);
  writeFileSync(join(cwd, 'parts', 'notes.txt'), 'no model');
  expect((await run('assembly', 'parts/notes.txt')).stderr).toContain('NO_GEOMETRY: parts/notes.txt is no model');
  const sizesAlone = await run('search', '--filter', 'v=.1');
  expect([sizesAlone.code, sizesAlone.stderr]).toEqual([
    2,
    expect.stringContaining('--filter names nothing to search for'),
  ]);
  expect((await run('search', 'one.stl', '--offset', '99')).stdout).toContain('No more: 2 files in all.');
  writeFileSync(join(cwd, 'parts', 'part.sldprt'), 'no model of ours');
  expect((await run('index', 'parts')).stdout).toContain('Left out, of kinds that are not read: 1 file (1 .sldprt).');
});

test('assembly tells what is shared, what is like its parts, and which assemblies hold a part', async () => {
  mkdirSync(join(cwd, 'more'));
  const cube = { name: 'cube', shape: { kind: 'box' as const, x: 2, y: 2, z: 2 } };
  writeFileSync(join(cwd, 'more', 'cube.step'), stepFile({ parts: [cube] }));
  for (const [name, side] of [
    ['first', 7],
    ['second', 9],
  ] as const) {
    writeFileSync(
      join(cwd, 'more', `${name}.step`),
      stepFile({
        parts: [cube, { name: 'plate', shape: { kind: 'box', x: 3, y: side, z: side } }],
        assemblies: [
          {
            name,
            places: [
              { of: { part: 0 }, at: [0, 0, 0] },
              { of: { part: 0 }, at: [0, 0, 20] },
              { of: { part: 1 }, at: [9, 0, 0] },
            ],
          },
        ],
      }),
    );
  }
  const on = ['--library', 'second'];
  expect((await run('index', 'more', '--components', ...on)).code).toBe(0);
  expect((await run('assembly', 'first.step', '--shared', ...on)).stdout).toBe(
    ['first.step', '  2 × cube  also 2 × cube in second.step', '  1 × plate  in no other', ''].join('\n'),
  );
  expect((await run('assembly', 'cube.step', '--parents', ...on)).stdout).toBe(
    ['cube.step', '  2 × in first.step  (cube)', '  2 × in second.step  (cube)', ''].join('\n'),
  );
  expect((await run('search', 'cube.step', '--components', ...on)).stdout).toContain('first.step › cube, 2 ×');
  expect((await run('assembly', 'cube.step', '--parents', '--shared', ...on)).code).toBe(2);
  // Also of a file that is not in the library.
  for (const name of ['first.step', 'more/first.step']) {
    const { stdout } = await run('assembly', name, '--similar', '2', ...on);
    expect(stdout).toMatch(/^\S+\n {2}2 × cube\n {4}100.0 % {2}identical {2}\S+/);
    expect(
      stdout.match(/^ {4}100\.0 % {2}identical {2}(cube\.step|first\.step › cube|second\.step › cube)$/gm),
    ).toHaveLength(2);
    expect(stdout).toMatch(/ {2}1 × plate\n {4}100\.0 % {2}identical {2}first\.step › plate\n/);
  }
  expect((await run('index', 'more', '--components', ...on)).stdout).toContain('3 unchanged');
});

test('features lists the faces of each single one, to search for one', async () => {
  await loadModeller();
  const places: Point2[] = [
    [20, 0],
    [-20, 0],
  ];
  const plate = drill(drill(box(80, 60, 12), 6.5, places, 0, 12), 11, places, 6, 14);
  writeFileSync(join(cwd, 'plate.step'), await solidFile(plate, 'plate'));
  const { stdout } = await run('features', 'plate.step', '--each');
  const [, first, second] = /^Each of line 1: ([\d,-]+) {2}([\d,-]+)$/m.exec(stdout) ?? [];
  expect([first === undefined, first === second]).toEqual([false, false]);
  const [{ features }] = jsonLines<{ features: { count: number; faces: number[]; each: number[][] }[] }>(
    (await run('features', 'plate.step', '--each', '--json')).stdout,
  );
  expect(features[0].each).toHaveLength(2);
  expect(features[0].each.flat().sort((a, b) => a - b)).toEqual([...features[0].faces].sort((a, b) => a - b));
});
