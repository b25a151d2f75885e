import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine, type Company, type FileRecord } from '../../dist/index.js';
import { brepBox } from '../fixtures/brep-writer.js';
import { damaged } from '../fixtures/damage.js';
import { filesBelow, realData } from '../fixtures/data.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { glb, gltfOf } from '../fixtures/gltf-writer.js';
import { igesBox } from '../fixtures/iges-writer.js';
import * as write from '../fixtures/mesh-writers.js';
import { box, lBracket, moved } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { threeMf } from '../fixtures/three-mf-writer.js';
import { stopwatch } from '../fixtures/stopwatch.js';

// Whatever is put ends as indexed or failed with a code, in time, and the engine goes on.

const TIMEOUT_MS = 20_000;
const folder = temporaryFolder();
let engine: Engine;
let company: Company;
beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), {
    workers: 2,
    limits: { timeoutMs: TIMEOUT_MS, triangles: 1_000_000 },
  });
  company = await engine.company('acme');
});
afterAll(() => engine.close());

async function putAll(files: readonly (readonly [path: string, bytes: Uint8Array])[]): Promise<FileRecord[]> {
  const took = stopwatch();
  const records = await Promise.all(files.map(([path, bytes]) => company.put(path, bytes)));
  expect(took()).toBeLessThan(TIMEOUT_MS * files.length);
  for (const { path, state, error, ...sizes } of records) {
    if (state === 'failed') {
      expect(error?.code, path).toMatch(/^(FORMAT_UNSUPPORTED|FILE_MALFORMED|NO_GEOMETRY|LIMIT_EXCEEDED|TIMEOUT)$/);
      expect(error?.message, path).toBeTruthy();
    } else {
      expect(state, path).toBe('indexed');
      for (const size of [sizes.volumeMm3, sizes.surfaceAreaMm2, sizes.bboxVolumeMm3, ...sizes.bboxSizeMm!])
        expect(Number.isFinite(size), path).toBe(true);
    }
  }
  return records;
}

/** The engine answers, and finds by each of some of the files that file. */
async function expectAlive(records: readonly FileRecord[]): Promise<void> {
  const indexed = records.filter(({ state }) => state === 'indexed');
  for (const { uid, path } of indexed.slice(0, 25)) {
    const { hits } = await company.search({ like: { uid }, limit: 100 });
    expect(
      hits.find((hit) => hit.uid === uid),
      path,
    ).toMatchObject({ score: 0, matchClass: 'identical' });
    for (const { score } of hits) expect(Number.isFinite(score), path).toBe(true);
  }
  expect((await company.put('alive.stl', write.writeStlBinary(box(1, 2, 3)))).state).toBe('indexed');
}

describe('damaged files', () => {
  const body = lBracket(40, 5, 12);
  const two = [body, moved(box(3, 5, 8), 100, 0, 0)];
  const { json, chunk } = gltfOf(body);
  const formats: Record<string, Uint8Array> = {
    'a.igs': igesBox(3, 4, 5),
    'a.brep': brepBox(3, 4, 5),
    'a.3mf': threeMf(body),
    'a.glb': glb(json, chunk),
    'a.step': stepFile({ parts: [{ name: 'a', shape: { kind: 'box', x: 3, y: 4, z: 5 } }] }),
    'text.stl': write.writeStlAscii(...two),
    'binary.stl': write.writeStlBinary(body),
    'a.obj': write.writeObj(...two),
    'a.ply': write.writePly(body, 'ascii'),
    'b.ply': write.writePly(body, 'binary_little_endian'),
    'a.off': write.writeOff(body),
    'a.amf': write.writeAmf(two),
    'a.wrl': write.writeVrml2(...two),
    'a.zip': write.writeZip({ 'a.obj': write.writeObj(body) }),
    'a.stl.gz': write.writeGzip(write.writeStlBinary(body)),
  };

  test.each(Object.entries(formats))('%s, ten times, end in a record', async (name, bytes) => {
    const [whole, ...records] = await putAll([
      [`whole/${name}`, bytes],
      ...[...damaged(bytes, 10, 77)].map((copy, i) => [`damaged/${i}/${name}`, copy] as const),
    ]);
    expect(whole.state).toBe('indexed');
    await expectAlive([whole, ...records]);
  });
});

describe.each([
  ['odd', 'stp step igs iges brep stl obj ply off 3mf gltf glb amf wrl'],
  ['models', 'stp step'],
])('the files of %s', (name, extensions) => {
  const data = realData(name);

  test.skipIf(data === undefined)('end in a record', { timeout: 600_000 }, async () => {
    // Large ones are left to the benches: this is a test of ends, not of patience.
    const paths = filesBelow(data!, extensions.split(' ')).filter((path) => statSync(path).size < 800_000);
    const records = await putAll(paths.map((path) => [`${name}/${basename(path)}`, readFileSync(path)] as const));
    console.log(
      `${name}: ${records.filter(({ state }) => state === 'indexed').length} of ${records.length} indexed; ${records.flatMap(({ path, error }) => (error === null ? [] : [`${path} ${error.code}`])).join(', ')}`,
    );
    expect(records.length).toBeGreaterThanOrEqual(5);
    await expectAlive(records);
  });
});
