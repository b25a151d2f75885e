/** Faces of files in memory, searched as the engine searches them, without a library on disk. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Core } from '../../dist/core-entry.js';
import { DESCRIPTORS } from '../../dist/descriptors/description.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import { decodeFaces, encodeFaces } from '../../dist/descriptors/faces/encode-faces.js';
import { faceTableOf } from '../../dist/descriptors/faces/face-table.js';
import { encodeWords, faceWords } from '../../dist/descriptors/faces/face-words.js';
import { loadReference } from '../../dist/descriptors/reference.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { containedShape } from '../../dist/search/contains/contained-shape.js';
import { ContainsSearch } from '../../dist/search/contains/contains-search.js';
import { shapeDistances } from '../../dist/search/shapes/rank.js';

export const STEP = /^\.(step|stp)$/i;

/** STEP files below folders, by path. */
export async function stepFiles(data, ...folders) {
  const found = [];
  for (const name of folders)
    for (const entry of await readdir(join(data, name), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && STEP.test(extname(entry.name)))
        found.push({ path: `${name}/${entry.name}`, file: join(entry.parentPath, entry.name) });
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Reads a model. */
export async function modelOf(bytes, name) {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'model') throw new Error(`${name} is no model`);
  return content;
}

/** The stored faces of a file; kept in a folder, if one is given, by its bytes and the version of the descriptor. */
export async function facesOf(bytes, name, cache) {
  const key = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
  const kept = cache && join(cache, `${key}.${DESCRIPTORS.faces}.faces`);
  if (kept && existsSync(kept)) return new Uint8Array(await readFile(kept));
  const faces = encodeFaces(faceTableOf(await modelOf(bytes, name)));
  if (kept) {
    await mkdir(cache, { recursive: true });
    await writeFile(kept, faces);
  }
  return faces;
}

/** A searchable library of files { path, file }; those that cannot be read are left out and told. */
export async function libraryOf(files, cache) {
  const parts = [];
  for (const [i, { path, file }] of files.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${i} of ${files.length} `);
    try {
      parts.push({ path, faces: await facesOf(await readFile(file), basename(file), cache) });
    } catch (cause) {
      console.error(`${path} is left out: ${String(cause?.message ?? cause).slice(0, 90)}`);
    }
  }
  return libraryOfFaces(parts);
}

/** A searchable library of stored faces { path, faces }. */
export async function libraryOfFaces(parts) {
  // Equal parts have equal words.
  const wordsOf = new Map();
  const rows = parts.map(({ path, faces }, i) => {
    let bytes = wordsOf.get(faces);
    if (bytes === undefined) wordsOf.set(faces, (bytes = encodeWords(faceWords(decodeFaces(faces)))));
    return { fileId: i + 1, uid: path, bytes };
  });
  const shapes = {
    faceWordsAfter: async (_, after) => rows.slice(after, after + 4096),
    descriptors: async (_, ids) => ids.map((id) => parts[id - 1].faces),
  };
  const search = await ContainsSearch.open({ shapes, companyId: 1 });
  return {
    parts,
    bytes: parts.reduce((sum, { faces }) => sum + faces.length, 0),
    wordBytes: rows.reduce((sum, { bytes }) => sum + bytes.length, 0),
    /**
     * Hits, and the processor time that they took, ms: as `company.search({ contains })`, but for records and files.
     */
    async find(faces, { numbers, sizes = 'exact', limit = 10 } = {}) {
      const before = process.cpuUsage();
      const shape = containedShape(faces, { faces: numbers, toleranceMm: undefined });
      const found = await search.find(shape, { sizes, among: undefined, wanted: limit, turn: async () => undefined });
      const { user, system } = process.cpuUsage(before);
      return { hits: found.slice(0, limit).map((hit) => ({ path: hit.uid, ...hit })), cpuMs: (user + system) / 1000 };
    },
  };
}

/**
 * Ranks whole parts by their descriptors, as a search `like` a file does: what there was before faces were compared.
 */
export async function descriptorRanking(files) {
  const core = await Core.load();
  const [describer, reference] = [await ShapeDescriber.load(core), await loadReference()];
  const described = async (bytes, name) => {
    const { descriptors, bboxSizeMm } = describer.describe(await modelOf(bytes, name));
    return { fine: descriptors.fine, bboxSizeMm };
  };
  const known = [];
  for (const { path, file } of files) {
    try {
      known.push({ path, ...(await described(await readFile(file), basename(file))) });
    } catch {
      // Told by libraryOf.
    }
  }
  return async (bytes, name) => {
    const distances = shapeDistances(core, reference, await described(bytes, name), known, { ignoreSize: false });
    const order = [...known.keys()].sort((a, b) => distances[a] - distances[b] || a - b);
    return order.map((i) => known[i].path);
  };
}
