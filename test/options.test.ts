import { expect, test } from 'vitest';
import { checkEngineOptions, type EngineOptions } from '../dist/options.js';

const onMachine = (cores: number, memoryMiB: number, options: Partial<EngineOptions> = {}): [number, number] => {
  const { workers, limits } = checkEngineOptions(options, { cores, memoryMiB });
  return [workers, limits.workerMemoryMiB];
};

test.each([
  // cores, memory of the machine or its control group, MiB -> processes, memory of each, MiB
  [8, 1_536, 2, 576],
  [8, 65_536, 8, 4_096],
  [64, 16_384, 24, 512],
  [2, 4_096, 2, 1_536],
  [4, 1_024, 1, 768],
  [1, 512, 1, 384],
  [8, 300, 1, 256],
])('%i cores, %i MiB: %i reading processes of %i MiB, which fit', (cores, memoryMiB, workers, each) => {
  expect(onMachine(cores, memoryMiB)).toEqual([workers, each]);
  expect(workers * each).toBeLessThanOrEqual(memoryMiB);
});

test('who asks for more processes than fit gets them, with the least that one can do with', () => {
  expect(onMachine(8, 1_536, { workers: 8 })).toEqual([8, 256]);
  expect(onMachine(8, 1_536, { workers: 4 })).toEqual([4, 288]);
  expect(onMachine(8, 1_536, { limits: { workerMemoryMiB: 700 } })).toEqual([2, 700]);
});
