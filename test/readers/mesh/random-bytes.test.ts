import { expect, test } from 'vitest';
import { EngineError } from '../../../dist/errors.js';
import { EXTENSIONS } from '../../../dist/readers/package/sniff.js';
import { readContent } from '../../../dist/readers/read.js';
import { writeStlBinary } from '../../fixtures/mesh-writers.js';
import { seeded } from '../../fixtures/random.js';
import { box, sphere } from '../../fixtures/shapes.js';
import { codeOf, options, readModel, warningsOf } from '../helpers.js';

const WORDS = 'v f facet vertex OFF SECTION ENTITIES LINE the bolt { } < > ; " 0 1.5 -2 30 end'.split(' ');

test('random bytes and random words become no model, drawing or image under any extension', async () => {
  const random = seeded(1_612);
  const randomBytes = (): Uint8Array =>
    Uint8Array.from({ length: 1 + Math.floor(random() * random() * 4_000) }, () => Math.floor(random() * 256));
  const randomWords = (): Uint8Array =>
    Buffer.from(
      Array.from({ length: 5 + Math.floor(random() * 300) }, () => WORDS[Math.floor(random() * WORDS.length)]).join(
        random() < 0.5 ? ' ' : '\n',
      ),
    );
  const found: string[] = [];
  for (const [extension] of Object.values(EXTENSIONS)) {
    for (let i = 0; i < 60; i++) {
      try {
        const bytes = new Uint8Array(i % 2 === 0 ? randomBytes() : randomWords());
        const { kind, format } = await readContent(bytes, `a.${extension}`, options());
        if (kind !== 'document') found.push(`${extension} ${i}: ${kind} ${format}`);
      } catch (cause) {
        if (!(cause instanceof EngineError)) throw cause;
      }
    }
  }
  expect(found).toEqual([]);
}, 20_000);

test('random bytes with the length that their facet count asks for become no model', async () => {
  const random = seeded(7);
  for (const facets of [100, 1_000]) {
    const bytes = Uint8Array.from({ length: 84 + 50 * facets }, () => Math.floor(random() * 256));
    new DataView(bytes.buffer).setUint32(80, facets, true);
    for (const name of ['a.stl', 'a.bin', 'a'])
      expect(['FILE_MALFORMED', 'FORMAT_UNSUPPORTED']).toContain(await codeOf(readModel(bytes, name)));
  }
});

test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
  ['bytes behind its facets', (bytes) => Buffer.concat([bytes, Buffer.alloc(33, 0xee)])],
  ['its last facets cut off', (bytes) => bytes.slice(0, -170)],
  [
    'a count that is too small',
    (bytes) => {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(80, 40, true);
      return copy;
    },
  ],
  [
    'a third of its facets damaged',
    (bytes) => {
      const copy = Uint8Array.from([...bytes, 0]);
      for (let at = 84; at + 50 <= bytes.length; at += 150) copy.fill(0xff, at + 12, at + 24);
      return copy;
    },
  ],
])('a binary STL file with %s is read', async (_what, change) => {
  const bytes = new Uint8Array(change(writeStlBinary(sphere(20, 16))));
  expect((await readModel(bytes, 'a.stl')).meshes).toHaveLength(1);
});

test('a model of a hundred kilometres has a warning, one of a bridge has none', async () => {
  expect(warningsOf(await readModel(writeStlBinary(box(1e8, 10, 10)), 'a.stl'))).toContain('SIZE_UNLIKELY');
  expect(warningsOf(await readModel(writeStlBinary(box(2e6, 10, 10)), 'a.stl'))).not.toContain('SIZE_UNLIKELY');
  expect(await codeOf(readModel(new Uint8Array(500).fill(0x41), 'a.stl'))).toBe('FILE_MALFORMED');
});
