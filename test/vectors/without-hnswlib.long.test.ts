import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { brick, disc, gear, nut, screw, washer } from '../fixtures/parts.js';
import { fill, libraries, uidOf } from '../search/library.js';

const SCRIPT = fileURLToPath(new URL('search-and-stats.mjs', import.meta.url));

interface Report {
  /** Of a search below exactLimit, one right after opening above it, and one after the package was asked for. */
  readonly below: readonly unknown[];
  readonly first: readonly unknown[];
  readonly hits: readonly unknown[];
  /** How often the package was asked for, in all and before a graph was needed. */
  readonly loads: number;
  readonly loadsBelowLimit: number;
  readonly warnings?: readonly string[];
  readonly warningsBelowLimit?: readonly string[];
}

const { fresh, open } = libraries();
const library = fresh();
beforeAll(async () => {
  const engine = await open(library);
  const parts = [brick(2, 3, 10), gear(12, 20, 6, 4), nut(8), disc(20, 5, 6), screw(5, 20), washer(8)];
  await fill(
    await engine.company('acme'),
    parts.map((part, i) => [`part-${i}.stl`, writeStlBinary(part)]),
  );
  await engine.close();
});

async function report(...options: string[]): Promise<Report> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, library, uidOf(1), ...options]);
  return JSON.parse(stdout) as Report;
}

describe('hnswlib-node', () => {
  test('where it is hidden: searches scan, find the same, and stats() names the package', async () => {
    const found = await report('--hide-hnswlib');
    expect(found.hits).toHaveLength(6);
    expect(found.first).toEqual(found.below);
    expect(found.hits).toEqual(found.below);
    expect(found.loads).toBe(1);
    expect(found.warnings).toEqual([expect.stringContaining('npm install hnswlib-node')]);
    expect(found.warningsBelowLimit).toBeUndefined();
  });

  test('is asked for when a graph is first needed, not by importing shapedex or opening a library', async () => {
    const found = await report();
    expect(found.loadsBelowLimit).toBe(0);
    expect(found.loads).toBeGreaterThan(0);
    expect(found.hits).toEqual(found.below);
    expect(found.warnings).toBeUndefined();
  });
});
