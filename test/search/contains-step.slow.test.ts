import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company, type SearchHit } from '../../dist/index.js';
import { jsonLines, runCli } from '../cli/run-cli.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { box, moved } from '../fixtures/shapes.js';
import { stepFile, type StepPart } from '../fixtures/step-writer.js';
import { fill } from './library.js';

// Faces of STEP files by the numbers of their ADVANCED_FACEs, which are counted here in the text itself.

const block: StepPart = { name: 'block', shape: { kind: 'box', x: 7, y: 11, z: 13 } };
const base: StepPart = { name: 'base', shape: { kind: 'box', x: 90, y: 70, z: 5 } };
const rod = (radius: number, height: number): StepPart => ({
  name: `rod ${radius} ${height}`,
  shape: { kind: 'cylinder', radius, height },
});

const FILES: Readonly<Record<string, Uint8Array>> = {
  'rod-40.step': stepFile({ parts: [rod(5, 40)] }),
  'rod-60.step': stepFile({ parts: [rod(5, 60)] }),
  'rod-38.step': stepFile({ parts: [rod(5, 38)] }),
  'solids.step': stepFile({ parts: [block, base, rod(6, 30)] }),
  'assembly.step': stepFile({
    parts: [base, rod(6, 30), block],
    assembly: {
      name: 'whole',
      placements: [
        { part: 2, at: [10, 20, 5], z: [1, 0, 0], x: [0, 0, 1] },
        { part: 0, at: [0, 0, 0] },
        { part: 1, at: [60, 40, 5] },
      ],
    },
  }),
};

/** Numbers of the ADVANCED_FACEs, in the order of the file, whose surface is of a kind. */
function facesOn(bytes: Uint8Array, surface: RegExp): number[] {
  const text = new TextDecoder().decode(bytes);
  const instances = new Map([...text.matchAll(/^(#\d+)=(.*);$/gm)].map(([, name, value]) => [name, value]));
  const faces = [...instances.values()].filter((value) => value.startsWith('ADVANCED_FACE'));
  return faces.flatMap((face, i) => {
    const on = /,(#\d+),\.[TF]\.\)$/.exec(face)?.[1];
    return surface.test(instances.get(on ?? '') ?? '') ? [i] : [];
  });
}

const folder = temporaryFolder();
let engine: Engine;
let company: Company;
const uids = new Map<string, string>();
beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), { workers: 2 });
  company = await engine.company('default');
  for (const { path, uid } of await fill(company, Object.entries(FILES))) uids.set(path, uid);
}, 60_000);
afterAll(() => engine.close());

const uid = (path: string): string => uids.get(path)!;
const wall = (path: string): number[] => facesOn(FILES[path], /^CYLINDRICAL_SURFACE/);
const byPath = (hits: readonly SearchHit[], path: string): SearchHit | undefined =>
  hits.find((hit) => hit.path === path);

describe('a wall of a rod', () => {
  test('is whole in a longer one; what hangs over a shorter one is not found', async () => {
    const { hits } = await company.search({ contains: { uid: uid('rod-40.step'), faces: wall('rod-40.step') } });
    expect(byPath(hits, 'rod-60.step')!.coverage).toBe(1);
    expect(byPath(hits, 'rod-38.step')!.coverage).toBeCloseTo(0.95, 2);
    expect(hits[0].path).toBe('rod-40.step');
  });

  test('is told by the number of its ADVANCED_FACE, of several solids and in an assembly', async () => {
    const bytes = stepFile({ parts: [rod(6, 30)] });
    const faces = facesOn(bytes, /^CYLINDRICAL_SURFACE/);
    const { hits } = await company.search({ contains: { bytes, extension: '.step', faces } });
    for (const path of ['solids.step', 'assembly.step']) {
      const hit = byPath(hits, path)!;
      expect([hit.matchClass, hit.coverage, hit.occurrences]).toEqual(['contains', 1, 1]);
      expect(hit.faces).toEqual(wall(path));
    }
  });

  test('lies in the assembly where the rod is placed', async () => {
    const bytes = stepFile({ parts: [rod(6, 30)] });
    const { hits } = await company.search({ contains: { bytes, extension: '.step' } });
    const { transform: m } = byPath(hits, 'assembly.step')!;
    // Both ends of the axis, whichever way round.
    const ends = [0, 30].map((z) => [0, 1, 2].map((i) => m![8 + i] * z + m![12 + i]));
    ends.sort((a, b) => a[2] - b[2]);
    for (const [end, z] of [
      [ends[0], 5],
      [ends[1], 35],
    ] as const)
      end.forEach((value, axis) => expect(value).toBeCloseTo([60, 40, z][axis], 2));
  });

  test('in any size it is found by the share of its faces', async () => {
    const query = { contains: { uid: uid('rod-40.step') }, sizes: 'any' } as const;
    const { hits } = await company.search(query);
    for (const path of ['rod-60.step', 'solids.step', 'assembly.step']) {
      expect(byPath(hits, path)!.coverage).toBe(1);
      expect(byPath(hits, path)).not.toHaveProperty('transform');
    }
  });
});

test('a mesh finds the solid in STEP files, with the numbers of its faces', async () => {
  const bytes = writeStlBinary(moved(box(7, 11, 13), 100, -30, 4));
  const { hits } = await company.search({ contains: { bytes, extension: '.stl' } });
  for (const path of ['solids.step', 'assembly.step']) {
    const hit = byPath(hits, path)!;
    expect(hit.coverage).toBe(1);
    const count = facesOn(FILES[path], /./).length;
    // The block is the first of the solids, and the last in the assembly's file.
    const first = path === 'solids.step' ? 0 : count - 6;
    expect(hit.faces).toEqual([0, 1, 2, 3, 4, 5].map((i) => first + i));
  }
});

test('the command line asks the same', async () => {
  await engine.close();
  const path = join(folder, 'query.step');
  await writeFile(path, FILES['rod-40.step']);
  const asked = ['search', path, '--contains', '--library', join(folder, 'library'), '--json'];
  const exact = await runCli([...asked, '--faces', wall('rod-40.step').join()], { cwd: folder });
  expect(exact.code, exact.stderr).toBe(0);
  const [{ hits }] = jsonLines<{ hits: SearchHit[] }>(exact.stdout);
  expect(byPath(hits, 'rod-60.step')).toMatchObject({
    matchClass: 'contains',
    coverage: 1,
    faces: wall('rod-60.step'),
  });
  expect(byPath(hits, 'rod-60.step')?.transform).toHaveLength(16);
  const said = await runCli([...asked.slice(0, -1), '--faces', wall('rod-40.step').join()], { cwd: folder });
  expect(said.stdout).toMatch(/Held +Where +Score/);
  expect(said.stdout).toMatch(/100\.0 % +once, on \d+ faces? .*rod-60\.step/);
  const any = await runCli([...asked, '--sizes', 'any'], { cwd: folder });
  expect(jsonLines<{ hits: SearchHit[] }>(any.stdout)[0].hits.map((hit) => hit.path)).toContain('assembly.step');
  const wrong = await runCli([...asked, '--faces', '99'], { cwd: folder });
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('no face 99');
});
