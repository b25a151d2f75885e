/** Components of assemblies that were put without components: whether the assembly is found by each of its bodies. */
import { decodeFaces, encodeFaces } from '../../dist/descriptors/faces/encode-faces.js';
import { libraryOf, stepFiles } from './library.mjs';

const COMPLETE = 0.995;
/** Bodies of one file that are asked for. */
const MOST_ASKED = 6;

export async function components({ data, cache, queries, times, fail }) {
  const files = await stepFiles(data, 'models', 'pairs');
  const library = await libraryOf(files, cache);
  const fileOf = new Map(files.map(({ path, file }) => [path, file]));
  let assemblies = 0,
    asked = 0,
    right = 0;
  for (const { path, faces } of library.parts) {
    const { bodies, places } = decodeFaces(faces);
    if (bodies.length < 2 || asked >= queries) continue;
    assemblies++;
    for (const body of spread(bodies, MOST_ASKED)) {
      if (body.faces.length === 0) continue;
      // In the frame of the body: as the component's own file would have it.
      const { matrix } = places[0];
      const alone = encodeFaces({ bodies: [body], places: [{ body: 0, matrix: identity(matrix) }] });
      const { hits, cpuMs } = await library.find(alone);
      times.push(cpuMs);
      asked++;
      const own = hits.find((hit) => hit.path === path);
      if (own !== undefined && own.coverage >= COMPLETE) right++;
      else
        fail({
          query: fileOf.get(path),
          what: `a body of ${body.faces.length} faces, coverage ${own?.coverage}`,
          hits: hits.slice(0, 3).map((hit) => ({ file: fileOf.get(hit.path), path: hit.path, coverage: hit.coverage })),
        });
    }
  }
  return { files: library.parts.length, assemblies, asked, found: right / asked };
}

function identity(matrix) {
  return matrix.map((_, i) => (i % 5 === 0 ? 1 : 0));
}

export function spread(all, count) {
  return all.filter((_, i) => i % Math.max(1, Math.floor(all.length / count)) === 0).slice(0, count);
}
