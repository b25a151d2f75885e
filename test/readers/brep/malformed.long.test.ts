import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { brepBox } from '../../fixtures/brep-writer.js';
import { damaged } from '../../fixtures/damage.js';
import { igesBox } from '../../fixtures/iges-writer.js';
import { stepFile } from '../../fixtures/step-writer.js';

const ASSEMBLY = stepFile({
  parts: [
    { name: 'plate', shape: { kind: 'box', x: 10, y: 20, z: 1 }, color: [1, 0, 0] },
    { name: 'pin', shape: { kind: 'cylinder', radius: 2, height: 9 } },
  ],
  assembly: {
    name: 'unit',
    placements: [
      { part: 0, at: [0, 0, 0] },
      { part: 1, at: [5, 5, 1] },
    ],
  },
});

/**
 * The kernel may loop forever over a damaged file; in the engine the worker pool's time limit ends it, here this one.
 */
const STOP_AFTER_MS = 8_000;

describe('damaged CAD files end in a sound model or a coded error', () => {
  it.each<[string, string, Uint8Array]>([
    ['a STEP assembly', 'step', ASSEMBLY],
    ['a STEP torus', 'step', stepFile({ parts: [{ name: 'ring', shape: { kind: 'torus', radius: 20, tube: 5 } }] })],
    ['an IGES box', 'iges', igesBox(1, 2, 3)],
    ['a BREP box', 'brep', brepBox(1, 2, 3)],
  ])('%s, 200 ways', async (_, format, bytes) => {
    const ends = await readAll([...damaged(bytes, 200, 7)], format);
    const counts = new Map<string, number>();
    for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
    expect(ends).toHaveLength(200);
    for (const end of counts.keys())
      expect(end).toMatch(/^(model|stopped|FILE_MALFORMED|LIMIT_EXCEEDED|NO_GEOMETRY|REFERENCE_MISSING)$/);
    expect(counts.get('stopped') ?? 0).toBeLessThanOrEqual(2);
    expect(counts.get('FILE_MALFORMED')).toBeGreaterThan(50);
  });
});

/** How reading each file ends, in one worker that is replaced when a file takes too long. */
async function readAll(files: readonly Uint8Array[], format: string): Promise<string[]> {
  const ends: string[] = [];
  while (ends.length < files.length) {
    await new Promise<void>((resolve, reject) => {
      const worker = new Worker(READER, {
        eval: true,
        workerData: { files: files.slice(ends.length), format, dist: new URL('../../../dist/', import.meta.url).href },
      });
      let timer: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        worker.terminate().then(() => resolve(), reject);
      };
      const arm = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          ends.push('stopped');
          finish();
        }, STOP_AFTER_MS);
      };
      arm();
      worker.on('message', (end: string) => {
        ends.push(end);
        if (ends.length === files.length) finish();
        else arm();
      });
      worker.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
    });
  }
  return ends;
}

/** Anything but an EngineError ends the worker, and with it the test. */
const READER = `
const { parentPort, workerData: { files, format, dist } } = require('node:worker_threads');
(async () => {
  const { readOcctModel } = await import(dist + 'readers/brep/occt-model.js');
  const { DEFAULT_LIMITS } = await import(dist + 'options.js');
  for (const file of files) {
    try {
      const { meshes } = await readOcctModel(file, format, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
      for (const { positions, indices } of meshes) {
        if (!positions.every(Number.isFinite) || !indices.every((index) => index < positions.length / 3)) throw new Error('unsound mesh');
      }
      parentPort.postMessage('model');
    } catch (error) {
      if (error.name !== 'EngineError') throw error;
      parentPort.postMessage(error.code);
    }
  }
})();
`;
