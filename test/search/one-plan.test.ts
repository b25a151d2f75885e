import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PartFeatures } from '../../dist/descriptors/features/part-features.js';
import { Engine } from '../../dist/index.js';
import { ofOnePlan } from '../../dist/search/shapes/one-plan.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import type { Body } from '../fixtures/shapes.js';

const SEGMENTS = 48;

/** A profile ([radius, height], counter-clockwise) about the z axis. */
function turned(profile: readonly (readonly [number, number])[]): Body {
  const count = profile.length;
  const vertices = Array.from({ length: SEGMENTS }, (_, i) => (2 * Math.PI * i) / SEGMENTS).flatMap((angle) =>
    profile.map(([r, z]) => [r * Math.cos(angle), r * Math.sin(angle), z] as const),
  );
  const faces = Array.from({ length: SEGMENTS * count }, (_, at) => {
    const [i, k] = [Math.floor(at / count), at % count];
    const [next, up] = [(i + 1) % SEGMENTS, (k + 1) % count];
    return [i * count + k, next * count + k, next * count + up, i * count + up];
  });
  return { name: 'turned', vertices, faces };
}

interface Flange {
  readonly outer: number;
  readonly bore: number;
  readonly thickness: number;
}

const ring = ({ outer, bore, thickness }: Flange): Body =>
  turned([
    [bore, 0],
    [outer, 0],
    [outer, thickness],
    [bore, thickness],
  ]);

const withHub = ({ outer, bore, thickness }: Flange): Body =>
  turned([
    [bore, 0],
    [outer, 0],
    [outer, thickness],
    [0.4 * outer + 0.6 * bore, thickness],
    [0.4 * outer + 0.6 * bore, 2.6 * thickness],
    [bore, 2.6 * thickness],
  ]);

test('a ring is like the flange with a hub of its diameter and bore, among many of both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shapedex-plan-'));
  const engine = await Engine.open(folder);
  try {
    const company = await engine.company('plan');
    const sizes = Array.from({ length: 13 }, (_, i): Flange => {
      const outer = 40 + 7 * i;
      return { outer, bore: Math.round(outer * (0.3 + 0.03 * (i % 5))), thickness: 6 + (i % 4) * 2 };
    });
    for (const [i, size] of sizes.entries()) {
      await company.put(`ring ${i}.stl`, writeStlBinary(ring(size)), { wait: false });
      await company.put(`hub ${i}.stl`, writeStlBinary(withHub(size)), { wait: false });
    }
    await engine.idle();
    const files = (await company.list({ limit: 100 })).map(({ path, uid }) => [path, uid] as const);
    const uids = new Map(files);
    for (const [asked, wanted] of [
      ['ring 4.stl', 'hub 4.stl'],
      ['hub 7.stl', 'ring 7.stl'],
    ]) {
      const { hits } = await company.search({ like: { uid: uids.get(asked)! }, limit: 100 });
      const kind = wanted.slice(0, 3);
      const said = (path: string): number => hits.find((hit) => hit.path === path)?.similarity ?? 0;
      expect(said(wanted), wanted).toBeGreaterThan(40);
      expect(said(wanted), wanted).toBeLessThan(75);
      const others = files.filter(([path]) => path.startsWith(kind) && path !== wanted);
      for (const [path] of others) expect(said(path), path).toBeLessThan(said(wanted));
    }
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('one plan: discs of one diameter with as many holes of one diameter', async () => {
  const part = (shape: PartFeatures['shape'], ...diameters: readonly number[]): PartFeatures => ({
    shape,
    wallMm: null,
    faceCount: 9,
    features: diameters.map((diameterMm) => ({ kind: 'hole', count: 4, faces: [], diameterMm })),
  });
  const asked = (
    bboxSizeMm: readonly [number, number, number],
    features: PartFeatures | undefined,
    found: readonly [number, number, number],
    own: PartFeatures | undefined,
  ): Promise<number> =>
    ofOnePlan({ bboxSizeMm, features }, [{ bboxSizeMm: found }], async () => [own]).then(({ size }) => size);
  const [disc, hub, other] = [[100, 99.9, 10] as const, [100.2, 100, 40] as const, [110, 110, 10] as const];
  expect(await asked(disc, part('turned', 9), hub, part('turned', 9.02, 50))).toBe(1);
  expect(await asked(disc, part('turned', 9), hub, part('turned', 11))).toBe(0);
  expect(await asked(disc, part('turned', 9), other, part('turned', 9))).toBe(0);
  expect(await asked(disc, part('turned', 9), [100, 60, 10], part('turned', 9))).toBe(0);
  expect(await asked([100, 20, 20], part('turned', 9), [100, 20, 20], part('turned', 9))).toBe(0);
  expect(await asked(disc, part('milled', 9), hub, part('turned', 9))).toBe(0);
  expect(await asked(disc, part('turned', 9), hub, undefined)).toBe(0);
  expect(await asked(disc, undefined, hub, part('turned', 9))).toBe(0);
});
