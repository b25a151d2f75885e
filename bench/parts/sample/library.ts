import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CASTINGS } from './castings.js';
import { FASTENERS } from './fasteners.js';
import { GEAR_PARTS } from './gears.js';
import { asciiStl, binaryStl, glb, obj, ply, threeMf, triangulate } from '../mesh-files.js';
import { FINE, type SamplePart } from './part.js';
import { PROFILES } from './profiles.js';
import { builderOf, SAMPLE_FILES } from './sheets-and-photos.js';
import { SHEET_PARTS } from './sheet-parts.js';
import { loadModeller } from './solids.js';
import { stepFile } from './step-file.js';
import { TURNED_PARTS } from './turned-parts.js';

/** The parts of the sample library; {@link SAMPLE_FILES} are made of them. */
export const SAMPLE_PARTS: readonly SamplePart[] = [
  ...FASTENERS,
  ...TURNED_PARTS,
  ...GEAR_PARTS,
  ...SHEET_PARTS,
  ...CASTINGS,
  ...PROFILES,
];

/** Progress of {@link makeSampleLibrary}. */
export interface SampleProgress {
  readonly done: number;
  readonly total: number;
  /** Path of the file just written or found, relative to the library. */
  readonly path: string;
}

export interface SampleOptions {
  readonly onProgress?: (progress: SampleProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Writes the sample library: parts that a machinist knows, in sizes of real standards, with near and far relatives,
 * re-exports and a mirrored twin, as STEP and mesh files; two drawings, an assembly and a photo of them. The same bytes
 * at every run; a file that is there already is kept, so an interrupted run goes on where it stopped.
 * @returns how many files the library holds.
 * @throws the signal's reason when it is aborted.
 */
export async function makeSampleLibrary(folder: string, options: SampleOptions = {}): Promise<number> {
  const build = builderOf(SAMPLE_PARTS);
  const files = [
    ...SAMPLE_PARTS.map((part) => ({ path: part.path, make: () => bytesOf(part) })),
    ...SAMPLE_FILES.map(({ path, make }) => ({ path, make: () => make(build) })),
  ];
  for (const [index, { path, make }] of files.entries()) {
    options.signal?.throwIfAborted();
    const file = join(folder, ...path.split('/'));
    if (!existsSync(file)) {
      await loadModeller();
      await writeWhole(file, await make());
    }
    options.onProgress?.({ done: index + 1, total: files.length, path });
    // Modelling is synchronous: signals and timers get their turn between two parts.
    await setImmediate();
  }
  return files.length;
}

async function bytesOf(part: SamplePart): Promise<Uint8Array> {
  const extension = extname(part.path);
  const name = basename(part.path, extension);
  const solid = part.build();
  if (extension === '.step') return stepFile(solid, name, part.unit);
  const mesh = triangulate(solid, part.quality ?? FINE);
  switch (extension) {
    case '.stl':
      return part.ascii ? asciiStl(mesh, name) : binaryStl(mesh, name);
    case '.obj':
      return obj(mesh, name);
    case '.ply':
      return ply(mesh);
    case '.3mf':
      return threeMf(mesh, name);
    case '.glb':
      return glb(mesh, name);
    default:
      throw new Error(`no writer for ${part.path}`);
  }
}

/** Writes a temporary file and renames it, so that a file of the library is complete or missing. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.part`;
  await writeFile(unfinished, bytes);
  await rename(unfinished, file);
}
