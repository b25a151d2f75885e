import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../dist/errors.js';
import { filesBelow, realData } from '../fixtures/data.js';
import { expectSound, options, readModel } from './helpers.js';

const MESH_EXTENSIONS = ['stl', 'obj', 'ply', 'off', 'amf', 'wrl', 'zip', 'gz', 'ifz'];
const LONGEST_MS = 10_000;

const odd = realData('odd');
const parts = realData('parts');

/** How reading a file ends: `model`, the code of the error, or what should never be. */
async function outcomeOf(path: string): Promise<string> {
  const started = performance.now();
  let outcome: string;
  try {
    const model = await readModel(readFileSync(path), basename(path), options());
    for (const mesh of model.meshes) expectSound(mesh);
    outcome = 'model';
  } catch (error) {
    outcome = error instanceof EngineError ? error.code : `uncoded: ${String(error)}`;
  }
  return performance.now() - started > LONGEST_MS ? `slow: ${outcome}` : outcome;
}

describe('real files', () => {
  it.skipIf(odd === undefined)('every odd mesh file ends in a model or a coded error', async () => {
    const outcomes: Record<string, string[]> = {};
    for (const path of filesBelow(odd ?? '', MESH_EXTENSIONS))
      (outcomes[await outcomeOf(path)] ??= []).push(basename(path));
    const codes = Object.keys(outcomes).filter(
      (outcome) => !['model', 'NO_GEOMETRY', 'FILE_MALFORMED'].includes(outcome),
    );
    expect(codes, JSON.stringify(outcomes, undefined, 2)).toEqual([]);
    expect(outcomes['model']?.length).toBeGreaterThan(40);
  });

  it.skipIf(parts === undefined)('every STL of the parts reads', async () => {
    const failed: string[] = [];
    for (const path of filesBelow(parts ?? '', ['stl'])) {
      const outcome = await outcomeOf(path);
      if (outcome !== 'model') failed.push(`${basename(path)}: ${outcome}`);
    }
    expect(failed).toEqual([]);
  });
});
