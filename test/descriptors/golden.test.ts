import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { Core } from '../../dist/core-entry.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import { DESCRIPTORS, type DescriptorName, type ShapeDescription } from '../../dist/descriptors/description.js';
import { dozen } from '../fixtures/parts.js';
import { describeBody, modelOfBody } from './describing.js';

// The descriptors of twelve parts, exact to the bit. A stored library holds such bytes: when they change, the version
// in `DESCRIPTORS` must rise with them, or files indexed before are compared with files indexed after. Then, and only
// then: UPDATE_GOLDEN=1 npx vitest run --config test/vitest.config.ts test/descriptors/golden.test.ts

type Digests = Record<string, Record<DescriptorName, string>>;

const GOLDEN = new URL('../golden/descriptors.json', import.meta.url);
const parts = dozen();
const names = Object.keys(DESCRIPTORS) as DescriptorName[];

function digest(descriptors: ShapeDescription['descriptors']): Record<DescriptorName, string> {
  const of = (name: DescriptorName): string =>
    createHash('sha256').update(descriptors[name]).digest('hex').slice(0, 32);
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<DescriptorName, string>;
}

describe('descriptors', () => {
  const found: Digests = Object.fromEntries(parts.map((part) => [part.name, digest(describeBody(part).descriptors)]));

  test('are those of their version, to the bit', () => {
    if (process.env['UPDATE_GOLDEN'] === '1')
      writeFileSync(GOLDEN, `${JSON.stringify({ versions: DESCRIPTORS, parts: found }, undefined, 2)}\n`);
    const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as { versions: typeof DESCRIPTORS; parts: Digests };
    expect(golden.versions).toEqual(DESCRIPTORS);
    expect(found).toEqual(golden.parts);
    for (const name of names)
      expect(new Set(parts.map((part) => found[part.name][name])).size, name).toBe(parts.length);
  });

  test('are equal from another instance of the core, in another order, after a call that failed', async () => {
    const describer = await ShapeDescriber.load(await Core.load());
    for (let round = 0; round < 2; round++) {
      for (const part of [...parts].reverse()) {
        expect(() =>
          describer.describe(modelOfBody({ ...part, vertices: part.vertices.map(() => [1, 2, 3] as const) })),
        ).toThrow(/area/);
        expect(digest(describer.describe(modelOfBody(part)).descriptors), part.name).toEqual(found[part.name]);
      }
    }
  });

  test('are equal in a worker thread', async () => {
    const worker = new Worker(new URL('../fixtures/describe-worker.mjs', import.meta.url), {
      workerData: parts.map(modelOfBody),
    });
    const described = await new Promise<ShapeDescription['descriptors'][]>((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    );
    await worker.terminate();
    expect(described.map(digest)).toEqual(parts.map((part) => found[part.name]));
  });
});
