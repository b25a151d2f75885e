/** Machining features in any size: whether the first ten parts have a feature of the same label where they match. */
import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { decodeFaces } from '../../dist/descriptors/faces/encode-faces.js';
import { libraryOf, STEP } from './library.mjs';
import { spread } from './components.mjs';

/** The stock in MFCAD. */
const STOCK = 15;

export async function any({ data, cache, queries, times, fail }) {
  const base = join(data, 'mfcad');
  const labels = JSON.parse(await readFile(join(base, 'faces.json'), 'utf8'));
  const names = (await readdir(base)).filter((name) => STEP.test(extname(name))).sort();
  const library = await libraryOf(
    names.map((name) => ({ path: name, file: join(base, name) })),
    cache,
  );
  const labelsOf = (path) => labels[path.slice(0, -extname(path).length)];
  const asked = library.parts.flatMap(({ path, faces }) => {
    const own = labelsOf(path);
    return groups(own, neighboursOf(faces, own.length)).map((group) => ({ path, faces, group, label: own[group[0]] }));
  });
  const some = spread(asked, queries);
  let sum = 0;
  for (const { path, faces, group, label } of some) {
    const { hits, cpuMs } = await library.find(faces, { numbers: group, sizes: 'any', limit: 11 });
    times.push(cpuMs);
    const ten = hits.filter((hit) => hit.path !== path).slice(0, 10);
    const isRight = (hit) =>
      hit.faces.filter((face) => labelsOf(hit.path)[face] === label).length * 2 >= hit.faces.length;
    const right = ten.filter(isRight).length;
    sum += right / Math.min(10, names.filter((name) => name !== path && labelsOf(name).includes(label)).length);
    if (right < ten.length)
      fail({
        query: join(base, path),
        what: `label ${label}, faces ${group}, ${right} right`,
        worst: right,
        hits: ten
          .filter((hit) => !isRight(hit))
          .slice(0, 3)
          .map((hit) => ({ ...hit, file: join(base, hit.path) })),
      });
  }
  return { parts: names.length, features: asked.length, asked: some.length, precisionAtTen: sum / some.length };
}

/** Faces that share an edge, by their numbers in the file. */
function neighboursOf(stored, count) {
  const adjacent = Array.from({ length: count }, () => []);
  for (const { faces, edges } of decodeFaces(stored).bodies)
    for (const {
      faces: [a, b],
    } of edges) {
      adjacent[faces[a].number].push(faces[b].number);
      adjacent[faces[b].number].push(faces[a].number);
    }
  return adjacent;
}

/** Groups of adjacent faces of one label, but for the stock. */
function groups(own, adjacent) {
  const seen = new Set();
  const found = [];
  own.forEach((label, face) => {
    if (label === STOCK || seen.has(face)) return;
    const group = [face];
    seen.add(face);
    for (const one of group)
      for (const other of adjacent[one])
        if (own[other] === label && !seen.has(other)) {
          seen.add(other);
          group.push(other);
        }
    found.push(group);
  });
  return found;
}
