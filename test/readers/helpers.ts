import { DEFAULT_LIMITS, type Limits, type ReadOptions } from '../../dist/options.js';
import { EngineError } from '../../dist/errors.js';
import { readContent } from '../../dist/readers/read.js';
import type { Mesh, Model } from '../../dist/content/model.js';

/** Options with some limits changed. */
export function options(limits: Partial<Limits> = {}, defaultUnit: ReadOptions['defaultUnit'] = 'mm'): ReadOptions {
  return { limits: { ...DEFAULT_LIMITS, ...limits }, defaultUnit };
}

export function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

/** Reads a file that must come out as a model. */
export async function readModel(bytes: Uint8Array, name: string, given: ReadOptions = options()): Promise<Model> {
  const content = await readContent(bytes, name, given);
  if (content.kind !== 'model') throw new Error(`${name} gave a ${content.kind}, expected a model`);
  return content;
}

/** Reads a file that must come out with one mesh. */
export async function oneMesh(bytes: Uint8Array, name: string): Promise<Mesh> {
  const { meshes } = await readModel(bytes, name);
  if (meshes.length !== 1) throw new Error(`${name} gave ${meshes.length} meshes, expected one`);
  return meshes[0];
}

/** The code of the EngineError that reading ends in; any other end is thrown on or described. */
export async function codeOf(reading: Promise<Model>): Promise<string> {
  try {
    const model = await reading;
    return `a model with ${model.meshes.length} meshes`;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

export function warningsOf(model: Model): string[] {
  return model.warnings.map(({ code }) => code);
}

/** What must hold for every mesh of every reader: see `Mesh` in the content model. */
export function expectSound({ positions, indices }: Mesh): void {
  const places = new Set<string>();
  for (let i = 0; i < positions.length; i += 3) places.add(`${positions[i]} ${positions[i + 1]} ${positions[i + 2]}`);
  if (places.size !== positions.length / 3) throw new Error('two vertices have the same place');
  if (!positions.every(Number.isFinite)) throw new Error('a coordinate is not finite');
  if (indices.length === 0 || indices.length % 3 !== 0) throw new Error(`${indices.length} indices`);
  if (!indices.every((index) => index < positions.length / 3)) throw new Error('an index is out of range');
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = indices.subarray(i, i + 3);
    if (a === b || b === c || c === a) throw new Error('a triangle names a vertex twice');
  }
}
