import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import {
  Core,
  EngineError,
  massProperties,
  meshTopology,
  orientedBox,
  pointMeshDistances,
  sampleSurface,
  volumeAndArea,
  type TriangleMesh,
} from './api.js';
import { box, bracket, gear, meshOf, randomMotion, randomOf, sphere, torus, transformed } from './shapes.js';

const INDEX = new URL('../../dist/core-entry.js', import.meta.url);
const WASM = new URL('../../dist/core/shapedex.wasm', import.meta.url);

/** What every kernel says of a mesh, as text that tells bits apart. */
const EVERYTHING = `(core, api, mesh) => {
  const samples = api.sampleSurface(core, mesh, 50, 7);
  return JSON.stringify([
    api.volumeAndArea(core, mesh), api.massProperties(core, mesh), api.axisAlignedBox(core, mesh), api.orientedBox(core, mesh),
    api.meshTopology(core, mesh), Array.from(samples.positions), Array.from(samples.normals),
    Array.from(api.pointMeshDistances(core, mesh, samples.positions)),
  ]);
}`;

function meshes(): TriangleMesh[] {
  const random = randomOf(21);
  return [box(3, 4, 5), bracket(30, 20, 3, 10), gear(17, 20, 6), torus(20, 6, 32, 16), sphere(10, 20, 30)].map((mesh) =>
    transformed(mesh, randomMotion(random)),
  );
}

describe('determinism', () => {
  test('fresh instances, used ones and a worker thread agree to the bit', async () => {
    const api = await import('../../dist/core-entry.js');
    const everything = new Function(`return ${EVERYTHING}`)() as (
      core: Core,
      kernels: typeof api,
      mesh: TriangleMesh,
    ) => string;
    const [one, two] = [await Core.load(), await Core.load()];
    const expected = meshes().map((mesh) => everything(one, api, mesh));
    // Backwards, and with other work between: what a call leaves in memory is no part of the next.
    const again = meshes()
      .reverse()
      .map((mesh) => {
        volumeAndArea(two, sphere(3, 9, 9));
        return everything(two, api, mesh);
      });
    expect(again.reverse()).toEqual(expected);
    expect(await inWorker(one.module, meshes())).toEqual(expected);
  });
});

function inWorker(module: WebAssembly.Module, list: TriangleMesh[]): Promise<string[]> {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    const api = await import(workerData.index);
    const core = await api.Core.load(workerData.module);
    parentPort.postMessage(workerData.list.map((mesh) => (${EVERYTHING})(core, api, mesh)));
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: { index: INDEX.href, module, list },
  });
  return new Promise<string[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  }).finally(() => worker.terminate());
}

describe('loading', () => {
  test('from bytes, from a module and from its address', async () => {
    const bytes = await readFile(WASM);
    for (const source of [bytes, await WebAssembly.compile(bytes), WASM]) {
      expect(volumeAndArea(await Core.load(source), box(1, 2, 3)).signedVolumeMm3).toBe(6);
    }
  });

  test('a missing file, other bytes and another ABI are coded', async () => {
    const coded = expect.objectContaining({ code: 'CORE_FAILED' }) as EngineError;
    await expect(Core.load(new URL('missing.wasm', INDEX))).rejects.toThrow(coded);
    await expect(Core.load(new Uint8Array([1, 2, 3]))).rejects.toThrow(coded);
    // The smallest module there is: a header, no exports.
    await expect(Core.load(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))).rejects.toThrow(coded);
  });

  test('nothing of Node is imported statically, so a browser can load the core', async () => {
    const seen = new Set<string>();
    const pending = [INDEX];
    for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
      if (seen.has(file.href)) continue;
      seen.add(file.href);
      const text = await readFile(file, 'utf8');
      for (const [, from, alone] of text.matchAll(
        /^\s*(?:import|export)\b[^'"\n;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm,
      )) {
        const specifier = from ?? alone;
        expect(specifier, `${file.pathname} imports ${specifier}`).toMatch(/^\.\.?\//);
        pending.push(new URL(specifier, file));
      }
    }
    expect(seen.size).toBeGreaterThan(6);
  });
});

describe('recovery', () => {
  test('memory is released after a call, done or failed', async () => {
    const core = await Core.load();
    const mark = (): number => core.call(({ kernels }) => kernels.mark());
    const before = mark();
    const bad = meshOf([0, 0, 0], [0, 0, 9]);
    for (const kernel of [volumeAndArea, massProperties, orientedBox, meshTopology]) {
      kernel(core, gear(9, 20, 6));
      expect(() => kernel(core, bad)).toThrow(EngineError);
      expect(mark()).toBe(before);
    }
    expect(() =>
      core.call(({ reserve }) => {
        reserve(1000);
        throw new Error('of the caller');
      }),
    ).toThrow('of the caller');
    expect(mark()).toBe(before);
  });

  test('after a trap the next call gets a fresh instance', async () => {
    const core = await Core.load();
    const wild = (): number =>
      core.call(({ kernels, reserve }) => kernels.volumeArea(0xfffffff0, 0xffffffff, 0xfffffff0, 1000, reserve(16)));
    expect(wild).toThrow(expect.objectContaining({ code: 'CORE_FAILED' }) as EngineError);
    expect(volumeAndArea(core, box(1, 2, 3)).signedVolumeMm3).toBe(6);
    expect(pointMeshDistances(core, box(1, 2, 3), Float32Array.from([0, 0, 5]))).toEqual(Float32Array.from([2]));
  });

  test('more memory than there is is a coded refusal, and the core lives on', async () => {
    const core = await Core.load();
    expect(() => core.call(({ reserve }) => [reserve(0xf0000000), reserve(0xf0000000)])).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }) as EngineError,
    );
    expect(sampleSurface(core, box(1, 2, 3), 10, 1).positions.length).toBe(30);
  });

  test('calls nest', async () => {
    const core = await Core.load();
    const inner = core.call((arena) => {
      const at = arena.copyIn(Uint32Array.from([1, 2, 3]));
      const volume = volumeAndArea(core, sphere(10, 64, 64)).signedVolumeMm3;
      return { kept: arena.u32(at, 3), volume };
    });
    expect(inner.kept).toEqual(Uint32Array.from([1, 2, 3]));
    expect(inner.volume).toBeGreaterThan(4000);
  });
});
