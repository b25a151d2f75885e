import { afterAll, beforeAll, expect, test } from 'vitest';
import { boxStl } from '../fixtures/box.mjs';
import { stepFile } from '../fixtures/step-writer.js';
import { NOWHERE, openHost, requestOf, type Host } from './host.js';

// What the page asks of models: their shape in three dimensions, their structure, and what lies between two of them.

let host: Host;
let box: string, pair: string, note: string;

beforeAll(async () => {
  host = await openHost();
  const acme = await host.engine.company('acme');
  box = (await acme.put('box.stl', boxStl(20, 30, 40))).uid;
  pair = (
    await acme.put(
      'pair.step',
      stepFile({
        parts: [{ name: 'Cube', shape: { kind: 'box', x: 10, y: 10, z: 10 } }],
        assembly: {
          name: 'Pair',
          placements: [
            { part: 0, at: [0, 0, 0] },
            { part: 0, at: [30, 0, 0] },
          ],
        },
      }),
    )
  ).uid;
  note = (await acme.put('note.txt', new TextEncoder().encode('a note'))).uid;
});
afterAll(() => host.close());

test('GET /Model is a binary glTF, kept by its tag, and refused in words', async () => {
  const ask = (fileUID: string, headers: Record<string, string> = {}, as: 'ada' | 'stranger' = 'ada') =>
    host.handler(requestOf('GET', '/api/Model', { as, query: { fileUID }, headers }, host.tokens));
  const answer = await ask(box);
  const tag = answer.headers.get('etag')!;
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'model/gltf-binary']);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('glTF');
  expect(new DataView(bytes.buffer).getUint32(8, true)).toBe(bytes.length);
  expect((await ask(box, { 'If-None-Match': tag })).status).toBe(304);
  expect((await ask(pair, { 'If-None-Match': tag })).status).toBe(200);
  expect((await ask(NOWHERE)).status).toBe(404);
  expect((await ask(box, {}, 'stranger')).status).toBe(404);
  expect((await ask('x')).status).toBe(400);
  const refused = await ask(note);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ code: 'NO_GEOMETRY', detail: expect.stringContaining('only models') });
  expect((await host.send('GET', '/api/Model', { query: { fileUID: box } })).status).toBe(401);
});

test('GET /Assembly is the tree of components, null for a single part', async () => {
  const { json } = await host.send('GET', '/api/Assembly', { as: 'ada', query: { fileUID: pair } });
  expect(json).toMatchObject({
    name: 'Pair',
    children: [
      { name: 'Cube', bodies: [0] },
      { name: 'Cube', bodies: [0], transform: expect.arrayContaining([30]) },
    ],
  });
  expect(json.volumeMm3).toBeCloseTo(2000, 3);
  expect((await host.send('GET', '/api/Assembly', { as: 'ada', query: { fileUID: box } })).json).toBeNull();
  expect((await host.send('GET', '/api/Assembly', { as: 'ada', query: { fileUID: NOWHERE } })).status).toBe(404);
});

test('GET /Deviations are figures both ways, with the surfaces on request', async () => {
  const acme = await host.engine.company('acme');
  const other = (await acme.put('taller.stl', boxStl(20, 30, 41))).uid;
  const query = { fileUID: box, otherUID: other };
  const { json } = await host.send('GET', '/api/Deviations', { as: 'ada', query });
  expect(json).toMatchObject({
    matchClass: 'similar',
    first: { maxMm: expect.any(Number) },
    second: { p95Mm: expect.any(Number) },
  });
  expect(json.maxMm).toBeGreaterThan(0.45);
  expect(json.maxMm).toBeLessThan(1.01);
  expect(json).not.toHaveProperty('glb');
  const shown = await host.send('GET', '/api/Deviations', { as: 'ada', query: { ...query, model: true } });
  expect(Buffer.from(shown.json.glb, 'base64').subarray(0, 4).toString()).toBe('glTF');
  expect(
    (await host.send('GET', '/api/Deviations', { as: 'ada', query: { fileUID: box, otherUID: note } })).status,
  ).toBe(422);
  expect((await host.send('GET', '/api/Deviations', { as: 'ada', query: { fileUID: box } })).status).toBe(400);
  expect((await host.send('GET', '/api/Deviations', { as: 'stranger', query })).status).toBe(404);
});
