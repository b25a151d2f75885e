import { describe, expect, it } from 'vitest';
import { EngineError } from '../../dist/errors.js';
import * as write from '../fixtures/mesh-writers.js';
import { seeded } from '../fixtures/random.js';
import { runs } from '../fixtures/runs.js';
import { box, cylinder, lBracket, moved } from '../fixtures/shapes.js';
import { expectSound, options, readModel } from './helpers.js';
import { stopwatch } from '../fixtures/stopwatch.js';

const body = lBracket(40, 5, 12);
const two = [body, moved(cylinder(3, 5, 8), 100, 0, 0)];
const more =
  '<constellation id="7"><instance objectid="1"><deltax>9</deltax><rz>30</rz></instance><instance objectid="2"></instance></constellation>';

const FIXTURES: Readonly<Record<string, Uint8Array>> = {
  'text.stl': write.writeStlAscii(...two),
  'binary.stl': write.writeStlBinary(body),
  'a.obj': write.writeObj(...two),
  'ascii.ply': write.writePly(body, 'ascii'),
  'little.ply': write.writePly(body, 'binary_little_endian'),
  'big.ply': write.writePly(body, 'binary_big_endian'),
  'a.off': write.writeOff(body),
  'a.amf': write.writeAmf(two, { more }),
  'two.wrl': write.writeVrml2(...two),
  'one.wrl': write.writeVrml1(...two),
  'a.zip': write.writeZip({
    'a.obj': write.writeObj(box(1, 2, 3)),
    'folder/b.off': write.writeOff(body),
    'readme.txt': write.writeOff(body).subarray(3),
  }),
  'a.stl.gz': write.writeGzip(write.writeStlBinary(body)),
  'a.off.ifz': write.writeZip({ 'a.off': write.writeOff(body) }),
};

/** Small limits keep a hostile count from costing seconds of honest work. */
const OPTIONS = options({ triangles: 200_000, unpackedBytes: 10_000_000 });
const LONGEST_MS = 2_000;

/** Reads; ends in a sound model or an EngineError, in time, or the test fails. */
async function end(bytes: Uint8Array, name: string): Promise<string> {
  const took = stopwatch();
  let outcome = 'model';
  try {
    const model = await readModel(bytes, name, OPTIONS);
    for (const mesh of model.meshes) expectSound(mesh);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    outcome = error.code;
  }
  expect(took()).toBeLessThan(LONGEST_MS);
  return outcome;
}

describe.each(Object.entries(FIXTURES))('%s', (name, bytes) => {
  it('is sound to begin with', async () => {
    expect(await end(bytes, name)).toBe('model');
  });

  it('cut in many places ends in a model or a coded error', async () => {
    const random = seeded(1);
    const outcomes = new Set<string>();
    for (let i = 0; i < runs(200); i++)
      outcomes.add(await end(bytes.subarray(0, Math.floor(random() * bytes.length)), name));
    expect([...outcomes]).not.toEqual(['model']);
  });

  it('with bit flips, one to sixteen at a time, ends in a model or a coded error', async () => {
    const random = seeded(2);
    for (let i = 0; i < runs(200); i++) {
      const damaged = bytes.slice();
      for (let flips = 1 + Math.floor(random() * 16); flips > 0; flips--) {
        damaged[Math.floor(random() * damaged.length)] ^= 1 << Math.floor(random() * 8);
      }
      await end(damaged, name);
    }
  });

  it('with stretches doubled, swapped or zeroed ends in a model or a coded error', async () => {
    const random = seeded(3);
    for (let i = 0; i < runs(100); i++) {
      const from = Math.floor(random() * bytes.length);
      const to = Math.min(bytes.length, from + 1 + Math.floor(random() * 200));
      const middle = [
        [bytes.subarray(from, to), bytes.subarray(from, to)],
        [bytes.slice(from, to).reverse()],
        [new Uint8Array(to - from)],
      ][i % 3];
      await end(Buffer.concat([bytes.subarray(0, from), ...middle, bytes.subarray(to)]), name);
    }
  });

  it('under the names of all other kinds ends in a model or a coded error', async () => {
    for (const other of Object.keys(FIXTURES)) await end(bytes, other);
  });
});

it('random bytes under every name end in a coded error or a model', async () => {
  const random = seeded(4);
  for (const name of [...Object.keys(FIXTURES), 'none']) {
    for (let i = 0; i < runs(50); i++)
      await end(
        Uint8Array.from({ length: Math.floor(random() * 500) }, () => random() * 256),
        name,
      );
  }
});
