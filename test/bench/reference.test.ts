import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { familyNames, referenceParts, type ReferencePart } from '../../bench/parts/reference.mjs';

async function collect(options: { seed?: number; count: number }): Promise<ReferencePart[]> {
  const parts: ReferencePart[] = [];
  for await (const part of referenceParts(options)) parts.push(part);
  return parts;
}

function digest(parts: ReferencePart[]): string {
  const hash = createHash('sha256');
  for (const { name, family, positions, indices } of parts) {
    hash.update(`${family}/${name}`).update(new Uint8Array(positions.buffer)).update(new Uint8Array(indices.buffer));
  }
  return hash.digest('hex');
}

/** Directed edges that no triangle runs the other way: none in a closed mesh whose faces agree on the outside. */
function openEdges({ indices }: ReferencePart): number {
  const balance = new Map<string, number>();
  for (let i = 0; i < indices.length; i += 3) {
    for (let e = 0; e < 3; e++) {
      const from = indices[i + e],
        to = indices[i + ((e + 1) % 3)];
      const key = from < to ? `${from} ${to}` : `${to} ${from}`;
      balance.set(key, (balance.get(key) ?? 0) + (from < to ? 1 : -1));
    }
  }
  return [...balance.values()].filter((n) => n !== 0).length;
}

/** The volume that the faces enclose, mm³: positive when they look outward. */
function volumeMm3({ positions: p, indices }: ReferencePart): number {
  let sixfold = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    sixfold +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) -
      p[a + 1] * (p[b] * p[c + 2] - p[b + 2] * p[c]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sixfold / 6;
}

describe('reference parts', () => {
  it('gives one part of every family in the first round, closed and outward, all different', async () => {
    const parts = await collect({ count: familyNames.length });
    expect(parts.map((part) => part.family)).toEqual(familyNames);
    expect(new Set(familyNames).size).toBe(familyNames.length);
    expect(parts.filter((part) => openEdges(part) > 0).map((part) => part.name)).toEqual([]);
    expect(parts.filter((part) => !(volumeMm3(part) > 0)).map((part) => part.name)).toEqual([]);
    expect(new Set(parts.map((part) => digest([{ ...part, name: '', family: '' }]))).size).toBe(parts.length);
    for (const part of parts) {
      const vertices = part.positions.length / 3;
      expect(
        part.indices.every((index) => index < vertices),
        part.name,
      ).toBe(true);
      expect(part.positions.every(Number.isFinite), part.name).toBe(true);
      expect(part.indices.length / 3, part.name).toBeLessThanOrEqual(10_000);
    }
  });

  it('repeats to the bit for a seed, whatever the count, and differs for another', async () => {
    const short = await collect({ seed: 5, count: 24 });
    const long = await collect({ seed: 5, count: 40 });
    const other = await collect({ seed: 6, count: 24 });
    expect(digest(long.slice(0, 24))).toBe(digest(short));
    expect(digest(other)).not.toBe(digest(short));
  });
});
