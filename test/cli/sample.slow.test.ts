import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, relative, sep } from 'node:path';
import { measureVolume } from 'replicad';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_PARTS } from '../../dist/parts/sample/library.js';
import { triangulate } from '../../dist/parts/mesh-files.js';
import { SAMPLE_FILES } from '../../dist/parts/sample/sheets-and-photos.js';
import { FINE } from '../../dist/parts/sample/part.js';
import { loadModeller } from '../../dist/parts/sample/solids.js';
import { jsonLines, runCli } from './run-cli.js';

/** 10 s on an idle machine; others may be at work on this one. */
const SLOW_MS = 240_000;

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'shapedex-sample-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe('the sample library', () => {
  beforeAll(async () => {
    expect((await runCli(['sample', 'one'], { cwd })).code).toBe(0);
  }, SLOW_MS);

  test('is the same to the byte in another run, which makes what is missing and keeps the rest', {
    timeout: SLOW_MS,
  }, async () => {
    await cp(join(cwd, 'one'), join(cwd, 'two'), { recursive: true });
    // Every fifth part and one of each format: to make all of them a second time takes as long as all other tests here.
    const formats = new Set<string>();
    for (const [index, { path }] of SAMPLE_PARTS.entries()) {
      if (index % 5 === 0 || !formats.has(extname(path))) await rm(join(cwd, 'two', path));
      formats.add(extname(path));
    }
    const kept = await hashes(join(cwd, 'two'));
    expect((await runCli(['sample', 'two'], { cwd })).code).toBe(0);
    const [first, second] = [await hashes(join(cwd, 'one')), await hashes(join(cwd, 'two'))];
    expect(first.size).toBe(SAMPLE_PARTS.length + SAMPLE_FILES.length);
    expect(kept.size).toBeLessThan(0.8 * first.size);
    expect([...second]).toEqual([...first]);
  });

  test('has as many files as paths, in several formats, each of 1024 bytes or more', async () => {
    expect(new Set(SAMPLE_PARTS.map((part) => part.path.toLowerCase())).size).toBe(SAMPLE_PARTS.length);
    const formats = new Set(SAMPLE_PARTS.map((part) => part.path.replace(/.*\./, '')));
    expect([...formats].sort()).toEqual(['3mf', 'glb', 'obj', 'ply', 'step', 'stl']);
    for (const { path } of SAMPLE_PARTS) {
      expect((await readFile(join(cwd, 'one', path))).length, path).toBeGreaterThanOrEqual(1024);
    }
  });

  test('is read whole by the engine', { timeout: SLOW_MS }, async () => {
    const { code, stdout } = await runCli(['index', 'one', '--components', '--json'], { cwd });
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      event: 'end',
      indexed: SAMPLE_PARTS.length + SAMPLE_FILES.length,
      failures: [],
    });
    expect(code).toBe(0);
  });

  test('leads a search with a screw to its renamed twin first and to other screws next', async () => {
    const { stdout } = await runCli(['search', 'fasteners/cap-screws/ISO4762-M5x20.step', '--limit', '6', '--json'], {
      cwd,
    });
    const [{ hits }] = jsonLines<{ hits: { path: string; matchClass: string }[] }>(stdout);
    const others = hits.filter((hit) => !hit.path.endsWith('/ISO4762-M5x20.step'));
    expect(others[0]).toMatchObject({ path: 'from-suppliers/schraube_0815.step', matchClass: 'identical' });
    expect(others.slice(1, 4).every((hit) => hit.path.includes('cap-screws'))).toBe(true);
  });

  test('every kind of search finds something: drawings and a photo their part, a part its assembly', async () => {
    const first = async (...args: string[]): Promise<string> => {
      const { stdout } = await runCli(['search', ...args, '--kind', 'ThreeD', '--limit', '1', '--json'], { cwd });
      return jsonLines<{ hits: { path: string }[] }>(stdout)[0].hits[0].path;
    };
    expect(await first('drawings/L-bracket-60x60x40-gusset drawing.svg')).toMatch(/L-bracket-60x60x40-gusset/);
    expect(await first('drawings/plain-shaft-d12x80 drawing.svg')).toMatch(/plain-shaft-d12x80/);
    expect(await first('photos/star knob on the bench.png')).toMatch(/star/);
    const held = await runCli(['assembly', 'fasteners/cap-screws/ISO4762-M5x20.step', '--parents', '--json'], { cwd });
    expect(held.stdout).toContain('plate-60x40x5 with four M5 screws.step');
    const read = await runCli(['pmi', 'drawings/plain-shaft-d12x80 drawing.svg', '--json'], { cwd });
    expect(read.stdout).toContain('h6');
  });
});

describe('the parts have the sizes of their standards', () => {
  beforeAll(loadModeller);
  const solid = (path: string) => {
    const part = SAMPLE_PARTS.find((candidate) => candidate.path === path);
    if (!part) throw new Error(`no sample part ${path}`);
    return part.build();
  };
  const ring = (outer: number, inner: number, height: number) => (Math.PI / 4) * (outer ** 2 - inner ** 2) * height;

  test.each([
    ['fasteners/washers/ISO7089-M5.step', ring(10, 5.3, 1)],
    ['spacers/round-spacer-M5x25.obj', ring(10, 5.3, 25)],
    ['spacers/hex-standoff-M3x20.step', ((Math.sqrt(3) / 2) * 5.5 ** 2 - (Math.PI / 4) * 2.459 ** 2) * 20],
    ['profiles/tube-30x20x2-100.step', (30 * 20 - 26 * 16) * 100],
    ['plates/plate-3x2in-quarter-inch-holes.step', (6 - 4 * (Math.PI / 4) * 0.25 ** 2) * 0.25 * 25.4 ** 3],
  ])('%s', (path, volumeMm3) => {
    expect(measureVolume(solid(path)) / volumeMm3).toBeCloseTo(1, 6);
  });

  test('the right-hand bracket is the mirror image of the left-hand one', () => {
    const [left, right] = ['left', 'right'].map((hand) => solid(`brackets/switch-bracket-${hand}.step`));
    expect(measureVolume(right)).toBeCloseTo(measureVolume(left), 6);
    const [[leftMin, leftMax], [rightMin, rightMax]] = [left.boundingBox.bounds, right.boundingBox.bounds];
    expect(rightMin[0]).toBeCloseTo(-leftMax[0], 6);
    expect(rightMax[0]).toBeCloseTo(-leftMin[0], 6);
  });

  test('meshes are closed: every edge has two triangles that run along it in opposite ways', () => {
    for (const path of ['gears/spur-m1-z18.step', 'knobs/DIN6336-star-40.obj', 'fasteners/nuts/ISO4032-M4.stl']) {
      const { indices } = triangulate(solid(path), FINE);
      const edges = new Set<string>();
      for (let t = 0; t < indices.length; t += 3) {
        for (const [a, b] of [
          [0, 1],
          [1, 2],
          [2, 0],
        ])
          edges.add(`${indices[t + a]} ${indices[t + b]}`);
      }
      expect(edges.size, path).toBe(indices.length);
      for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' ')), path).toBe(true);
    }
  });
});

async function hashes(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const named = await Promise.all(
    files.map(
      async (file): Promise<[string, string]> => [
        relative(folder, file).split(sep).join('/'),
        createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
      ],
    ),
  );
  return new Map(named);
}
