/** Pieces cut from parts by planes, real ones and some made by code: whether their part is found first. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownParts } from '../features/parts.mjs';
import { cutPieces, shareOutside } from '../support/cut-pieces.mjs';
import { COILED } from './coiled.mjs';
import { descriptorRanking, facesOf, libraryOf, stepFiles } from './library.mjs';

/** Most of a piece's volume that may lie outside of a part that holds it. */
const OUTSIDE = 2e-3;

export async function pieces(options) {
  return piecesOf(await stepFiles(options.data, 'parts', 'models'), options);
}

/**
 * Of springs, screws, lofts and others that the modeller makes of the seed: on these the rules for meshes were chosen.
 */
export async function made(options) {
  const folder = join(options.cache ?? tmpdir(), `made-${options.seed}-${options.queries}`);
  await mkdir(folder, { recursive: true });
  const files = [];
  for await (const { name, step } of knownParts(options.queries, options.seed, COILED)) {
    const path = `${name.replaceAll(' ', '-')}.step`;
    files.push({ path, file: join(folder, path) });
    await writeFile(files.at(-1).file, step);
  }
  return piecesOf(files, { ...options, cache: options.cache && folder });
}

async function piecesOf(files, { data, cache, queries, seed, baseline, times, fail }) {
  const others = (await readdir(join(data, 'planted', 'parts')))
    .sort()
    .slice(0, 100)
    .map((name) => ({ path: name, file: join(data, 'planted', 'parts', name) }));
  const all = [...files, ...others];
  const library = await libraryOf(all, cache);
  const fileOf = new Map(all.map(({ path, file }) => [path, file]));
  const ranked = baseline ? await descriptorRanking(all) : undefined;
  const made = await keptPieces(files, { count: queries, seed, cache });
  const sums = { step: { first: 0, held: 0, like: 0 }, stl: { first: 0, held: 0, like: 0 } };
  for (const [i, { path, ...kinds }] of made.entries())
    for (const [kind, bytes] of Object.entries(kinds)) {
      const { hits, cpuMs } = await library.find(await facesOf(bytes, `piece.${kind}`, cache));
      times.push(cpuMs);
      const sum = sums[kind];
      const like = (await ranked?.(bytes, `piece.${kind}`)) ?? [];
      if (like[0] === path) sum.like++;
      if (hits[0]?.path === path) {
        sum.first++;
        sum.held++;
        continue;
      }
      // Whether the part that is first holds the piece as well, by the modeller.
      const outside =
        hits[0] && (await shareOutside(kinds.step, await readFile(fileOf.get(hits[0].path)), hits[0].transform));
      if (outside !== undefined && outside <= OUTSIDE) sum.held++;
      const place = hits.findIndex((hit) => hit.path === path);
      fail({
        query: { bytes: kinds.stl, name: `piece ${i}.stl` },
        what: `${kind} of ${path}, place ${place}, ${outside === undefined ? '?' : (100 * outside).toFixed(2)} % outside`,
        hits: [
          { file: fileOf.get(path), path, coverage: hits[place]?.coverage },
          ...hits.slice(0, 2).map(({ path, coverage }) => ({ file: fileOf.get(path), path, coverage })),
        ],
      });
    }
  const count = made.length;
  return {
    parts: library.parts.length,
    pieces: count,
    stepFirst: sums.step.first / count,
    stlFirst: sums.stl.first / count,
    stepFirstOrHeldWhole: sums.step.held / count,
    stlFirstOrHeldWhole: sums.stl.held / count,
    ...(baseline ? { descriptorsStepFirst: sums.step.like / count, descriptorsStlFirst: sums.stl.like / count } : {}),
  };
}

/** Cutting takes minutes: pieces are kept beside the faces. */
async function keptPieces(files, { count, seed, cache }) {
  const folder = cache && join(cache, `pieces-${seed}-${count}`);
  if (folder && existsSync(join(folder, 'index.json'))) {
    const paths = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
    return Promise.all(
      paths.map(async (path, i) => ({
        path,
        step: new Uint8Array(await readFile(join(folder, `${i}.step`))),
        stl: new Uint8Array(await readFile(join(folder, `${i}.stl`))),
      })),
    );
  }
  const made = await cutPieces(files, { count, seed });
  if (folder) {
    await mkdir(folder, { recursive: true });
    for (const [i, { step, stl }] of made.entries()) {
      await writeFile(join(folder, `${i}.step`), step);
      await writeFile(join(folder, `${i}.stl`), stl);
    }
    await writeFile(join(folder, 'index.json'), JSON.stringify(made.map(({ path }) => path)));
  }
  return made;
}
