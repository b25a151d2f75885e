import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core-entry.js';
import {
  VectorIndex,
  type GraphProgress,
  type LabelledVector,
  type VectorIndexOptions,
} from '../../dist/vectors/vector-index.js';
import { CacheFile } from '../../dist/store/disk/cache-file.js';
import { clusteredVectors, randomOf } from './vectors.ts';

const DIMENSION = 16;
const VECTORS = clusteredVectors(1500, DIMENSION, 7);
const QUERY = VECTORS[3].vector.map((value) => value + 0.02);

let core: Core;
let folder: string;
beforeAll(async () => {
  core = await Core.load();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapedex-graph-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Opens and waits for the graph; `built` tells whether one was built, or the one on disk taken. */
async function openSettled(
  vectors: readonly LabelledVector[],
  options: Partial<VectorIndexOptions> = {},
): Promise<{ index: VectorIndex; built: boolean }> {
  const phases = new Set<string>();
  const onProgress = ({ phase }: GraphProgress): void => void phases.add(phase);
  const index = await VectorIndex.open(core, {
    dimension: DIMENSION,
    vectors: [vectors],
    cacheFile: new CacheFile(folder),
    exactLimit: 100,
    onProgress,
    ...options,
  });
  await index.flush();
  expect(index.method).toBe('graph');
  expect(phases).toContain('ready');
  return { index, built: phases.has('building') };
}

async function closed({ index, built }: { index: VectorIndex; built: boolean }): Promise<boolean> {
  await index.close();
  return built;
}

describe('the graph on disk', () => {
  test('is taken on reopening and answers as before', async () => {
    const first = await openSettled(VECTORS);
    const answer = first.index.search(QUERY, 100);
    expect(await closed(first)).toBe(true);
    const second = await openSettled(VECTORS.slice().reverse());
    expect(second.index.search(QUERY, 100)).toEqual(answer);
    expect(await closed(second)).toBe(false);
  });

  test('is the same file whatever order the rows came in', async () => {
    await closed(await openSettled(VECTORS));
    const before = (await readdir(folder)).sort();
    await new CacheFile(folder).remove();
    await closed(await openSettled(VECTORS.slice().reverse()));
    expect((await readdir(folder)).sort()).toEqual(before);
  });

  test('is patched when few rows differ: added, removed, replaced', async () => {
    await closed(await openSettled(VECTORS));
    const moved = new Float32Array(DIMENSION).fill(9);
    const changed = [
      ...VECTORS.slice(10).map((v, i) => (i < 5 ? { label: v.label, vector: moved } : v)),
      { label: 90_000, vector: moved },
    ];
    const { index, built } = await openSettled(changed);
    expect(built).toBe(false);
    expect([...index.search(moved, 6).labels]).toEqual([...changed.slice(0, 5).map((v) => v.label), 90_000]);
    for (const query of VECTORS.slice(0, 20)) {
      expect(index.search(query.vector, 30)).toEqual(index.search(query.vector, 30, { exact: true }));
    }
    await index.close();
  });

  test.each([
    ['of another set of vectors', () => openSettled(clusteredVectors(1500, DIMENSION, 8))],
    ['of other labels', () => openSettled(VECTORS.map(({ label, vector }) => ({ label: label + 1, vector })))],
    ['of other parameters', () => openSettled(VECTORS, { hnsw: { m: 8 } })],
    [
      'of another dimension',
      () =>
        openSettled(
          VECTORS.map(({ label, vector }) => ({ label, vector: vector.slice(0, 8) })),
          { dimension: 8 },
        )
          // The last check below searches in 16 dimensions: put the full vectors back.
          .then(async (opened) => (expect(await closed(opened)).toBe(true), openSettled(VECTORS))),
    ],
  ])('is built anew when it is %s', async (_, openOther) => {
    await closed(await openSettled(VECTORS));
    const { index, built } = await openOther();
    expect(built).toBe(true);
    expect(index.search(QUERY, 5)).toEqual(index.search(QUERY, 5, { exact: true }));
    await index.close();
  });

  test('is built anew when damaged: cut or with a bit flipped anywhere', async () => {
    const small = VECTORS.slice(0, 120);
    await closed(await openSettled(small));
    const random = randomOf(3);
    for (const name of (await readdir(folder)).sort()) {
      const whole = await readFile(join(folder, name));
      for (let i = 0; i < 12; i++) {
        const at = Math.floor(random() * whole.length);
        const damaged = i % 2 === 0 ? whole.subarray(0, at) : Buffer.from(whole);
        if (i % 2 === 1) damaged[at] ^= 1 << (at % 8);
        await writeFile(join(folder, name), damaged);
        const { index, built } = await openSettled(small);
        expect(built, `${name} damaged at ${at}`).toBe(true);
        expect(index.search(QUERY, 10)).toEqual(index.search(QUERY, 10, { exact: true }));
        await index.close();
      }
    }
  });

  test('is built anew in the background when a tenth of the rows have changed', async () => {
    const { index } = await openSettled(VECTORS);
    const more = clusteredVectors(1700, DIMENSION, 7).slice(1500);
    const files = await readdir(folder);
    for (const { label, vector } of more) index.add(label, vector);
    await index.flush();
    expect((await readdir(folder)).filter((name) => files.includes(name))).toEqual(['head']);
    expect(index.search(more[0].vector, 30)).toEqual(index.search(more[0].vector, 30, { exact: true }));
    await index.close();
    const again = await openSettled([...VECTORS, ...more]);
    expect(await closed(again)).toBe(false);
  });
});

describe('while the graph is being built', () => {
  test('searches answer exactly, changes are kept, the host is not held up', async () => {
    let ready = false;
    const index = await VectorIndex.open(core, {
      dimension: DIMENSION,
      vectors: [VECTORS],
      cacheFile: new CacheFile(folder),
      exactLimit: 100,
      onProgress: ({ phase }) => void (ready ||= phase === 'ready'),
    });
    expect(index.method).toBe('scan');
    const added = new Float32Array(DIMENSION).fill(3);
    index.add(80_000, added);
    index.remove(VECTORS[0].label);
    expect(index.search(added, 1).labels[0]).toBe(80_000);
    let turns = 0;
    while (!ready) {
      turns++;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(turns).toBeGreaterThan(10);
    expect(index.method).toBe('graph');
    expect(index.search(added, 1).labels[0]).toBe(80_000);
    expect(index.search(VECTORS[0].vector, 1500).labels).not.toContain(VECTORS[0].label);
    await index.close();
  });

  // Ending the thread from outside in the middle of a call of hnswlib ended the process: within twenty rounds of long
  // vectors.
  test('close gives it up, again and again, and leaves no half-written file', async () => {
    const dimension = 512;
    const vectors = clusteredVectors(4_000, dimension, 7);
    for (let round = 0; round < 20; round++) {
      let isBuilding = (): void => undefined;
      const building = new Promise<void>((resolve) => {
        isBuilding = resolve;
      });
      const index = await VectorIndex.open(core, {
        dimension,
        vectors: [vectors],
        cacheFile: new CacheFile(folder),
        exactLimit: 100,
        hnsw: { m: 4, efConstruction: 4 },
        onProgress: ({ done }) => {
          if (done > 0) isBuilding();
        },
      });
      await building;
      await index.close();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  test('without a cache file every search scans', async () => {
    const index = await VectorIndex.open(core, { dimension: DIMENSION, vectors: [VECTORS], exactLimit: 100 });
    await index.flush();
    expect(index.method).toBe('scan');
    await index.close();
  });

  test('a disk that refuses leaves exact searches, and flush says so', async () => {
    await writeFile(join(folder, 'file'), '');
    const phases: string[] = [];
    const index = await VectorIndex.open(core, {
      dimension: DIMENSION,
      vectors: [VECTORS],
      cacheFile: new CacheFile(join(folder, 'file', 'below')),
      exactLimit: 100,
      onProgress: ({ phase }) => void phases.push(phase),
    });
    await expect(index.flush()).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(phases.at(-1)).toBe('failed');
    expect(index.method).toBe('scan');
    expect(index.search(VECTORS[5].vector, 1).labels[0]).toBe(VECTORS[5].label);
    await index.close();
  });
});
