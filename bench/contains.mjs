/**
 * Finding shapes inside others (`company.search({ contains })`): planted features, pieces cut from parts, components of
 * assemblies, machining features of any size.
 *
 * Measured: of planted features the share of hosts among the first ten hits, whether the first hit is a host, whether the
 * transform is right to 0.1 mm and 0.1°, and near misses that are called complete (coverage of 0.995); beside it what a
 * search `like` the query finds. Of pieces (40 to 70 % of a part behind a random plane) whether their part is first, as
 * STEP and as STL with another tessellation. Of components whether the assembly is among the hits with the whole component.
 * Of machining features the share of the first ten hits most of whose faces carry the label of the query. And the processor
 * time of this process a search.
 *
 * Data: folders below --data: `planted` (parts, queries, truth.json), `parts` and `models` (STEP files are cut; models with
 * several components are asked for each of them), `mfcad` (STEP files, faces.json). --sets names some of these.
 *
 * npm run bench -- contains --data DIR [--sets planted,pieces,components,any] [--library DIR] [--queries N] [--seed N]
 *     [--failures] [--json]
 */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Engine } from 'shapedex';
import { cutPieces } from './support/cut-pieces.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';

/** Coverage of a hit that is called complete. */
const COMPLETE = 0.995;
const STEP = /^\.(step|stp)$/i;

const args = benchOptions({
  sets: { type: 'string', default: 'planted,pieces,components,any' },
  library: { type: 'string' },
  queries: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1' },
  failures: { type: 'boolean', default: false },
});
if (args.data === undefined) {
  console.error('bench contains needs --data DIR with planted, parts, models or mfcad');
  process.exit(2);
}
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-contains-')));
const engine = await Engine.open(folder);
const rows = [];
const SETS = { planted, pieces, components, any };
try {
  for (const name of args.sets.split(',')) {
    if (!(name in SETS)) throw new Error(`no set ${name}; there are ${Object.keys(SETS).join(', ')}`);
    const times = [];
    const row = { set: name, ...(await SETS[name](times)) };
    row.cpuMs = { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
    rows.push(row);
    console.log(JSON.stringify(row));
  }
  console.log(await machine());
  if (args.json) console.log(JSON.stringify(rows));
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

/** A company with these files; those that it has already stay. */
async function filled(name, files) {
  const company = await engine.company(name);
  const known = new Set((await company.list()).map(({ path }) => path));
  const missing = files.filter(({ path }) => !known.has(path));
  for (let i = 0; i < missing.length; i += 32) {
    await Promise.all(missing.slice(i, i + 32).map(async ({ path, file }) => company.put(path, await readFile(file))));
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${i} of ${missing.length}`);
  }
  return company;
}

async function timed(times, work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1000);
  return result;
}

function fail(...facts) {
  if (args.failures) console.log(...facts);
}

async function planted(times) {
  const base = join(args.data, 'planted');
  const truth = JSON.parse(await readFile(join(base, 'truth.json'), 'utf8'));
  const names = await readdir(join(base, 'parts'));
  const company = await filled(
    'planted',
    names.map((name) => ({ path: name, file: join(base, 'parts', name) })),
  );
  const sums = { hosts: 0, inTen: 0, first: 0, poses: 0, nearMisses: 0, complete: 0, likeInTen: 0, likeFirst: 0 };
  for (const { id, file, faces, centre } of truth.features) {
    const bytes = await readFile(join(base, file));
    const extension = extname(file);
    const { hits } = await timed(times, () => company.search({ contains: { bytes, extension, faces }, limit: 50 }));
    const places = new Map(
      truth.planted.filter(({ feature }) => feature === id).map((one) => [basename(one.file), one.places]),
    );
    sums.hosts += places.size;
    sums.inTen += hits.slice(0, 10).filter(({ path }) => places.has(path)).length;
    if (places.has(hits[0]?.path)) sums.first++;
    else fail(id, 'first', hits[0]?.path);
    for (const [path, where] of places) {
      const hit = hits.find((one) => one.path === path);
      const off = where.map(({ transform }) => (hit ? apart(hit.transform, transform, centre) : [Infinity, Infinity]));
      if (off.some(([mm, degrees]) => mm <= 0.1 && degrees <= 0.1)) sums.poses++;
      else fail(id, path, hit?.coverage, off);
    }
    for (const { file: near } of truth.distractors.filter(({ nearMissOf }) => nearMissOf === id)) {
      sums.nearMisses++;
      const hit = hits.find(({ path }) => path === basename(near));
      if (hit !== undefined && hit.coverage >= COMPLETE) {
        sums.complete++;
        fail(id, near, hit.coverage);
      }
    }
    const like = await company.search({ like: { bytes, extension }, limit: 10 });
    sums.likeInTen += like.hits.filter(({ path }) => places.has(path)).length;
    if (places.has(like.hits[0]?.path)) sums.likeFirst++;
  }
  const { hosts } = sums;
  return {
    parts: names.length,
    recallAtTen: sums.inTen / hosts,
    first: sums.first / truth.features.length,
    pose: sums.poses / hosts,
    nearMissesComplete: sums.complete / sums.nearMisses,
    likeRecallAtTen: sums.likeInTen / hosts,
    likeFirst: sums.likeFirst / truth.features.length,
  };
}

/** Distance, mm, of where two transforms take a point, and the angle between them, degrees. */
function apart(a, b, point) {
  const at = (m) => [0, 1, 2].map((i) => m[i] * point[0] + m[4 + i] * point[1] + m[8 + i] * point[2] + m[12 + i]);
  const [p, q] = [at(a), at(b)];
  let trace = 0;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) trace += a[4 * i + j] * b[4 * i + j];
  const degrees = (Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2))) * 180) / Math.PI;
  return [Math.hypot(...p.map((value, i) => value - q[i])), degrees];
}

async function stepFiles(...folders) {
  const found = [];
  for (const name of folders) {
    for (const entry of await readdir(join(args.data, name), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && STEP.test(extname(entry.name)))
        found.push({ path: `${name}/${entry.name}`, file: join(entry.parentPath, entry.name) });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function pieces(times) {
  const files = await stepFiles('parts', 'models');
  const others = (await readdir(join(args.data, 'planted', 'parts')))
    .slice(0, 100)
    .map((name) => ({ path: name, file: join(args.data, 'planted', 'parts', name) }));
  const company = await filled('pieces', [...files, ...others]);
  const found = { step: [], stl: [] };
  const made = await cutPieces(files, { count: Number(args.queries), seed: Number(args.seed) });
  for (const { path, step, stl } of made) {
    for (const [kind, bytes] of Object.entries({ step, stl })) {
      const extension = `.${kind}`;
      const { hits } = await timed(times, () => company.search({ contains: { bytes, extension }, limit: 10 }));
      const place = hits.findIndex((hit) => hit.path === path);
      found[kind].push(place);
      if (place !== 0) fail(path, kind, place, hits[0]?.path, hits[0]?.coverage, hits[place]?.coverage);
    }
  }
  const first = (places) => places.filter((place) => place === 0).length / places.length;
  return {
    parts: files.length + others.length,
    pieces: made.length,
    stepFirst: first(found.step),
    stlFirst: first(found.stl),
  };
}

async function components(times) {
  const files = await stepFiles('models');
  const company = await filled('components', files);
  let asked = 0,
    right = 0;
  for (const { uid, path } of await company.list()) {
    const root = await company.assembly(uid);
    if (root === undefined) continue;
    for (const component of spread([...new Set(leavesOf(root.children))], 6)) {
      const { hits } = await timed(times, () => company.search({ contains: { uid, component }, limit: 10 }));
      asked++;
      if (hits.some((hit) => hit.uid === uid && hit.coverage >= COMPLETE)) right++;
      else fail(path, component, hits[0]?.path, hits[0]?.coverage);
    }
  }
  return { assemblies: files.length, asked, found: right / asked };
}

/** Numbers of the parts below a node; those without geometry have none. */
function leavesOf(components) {
  return components.flatMap(({ children, component }) =>
    children.length > 0 ? leavesOf(children) : component === null ? [] : [component],
  );
}

function spread(all, count) {
  return all.filter((_, i) => i % Math.max(1, Math.floor(all.length / count)) === 0).slice(0, count);
}

async function any(times) {
  const base = join(args.data, 'mfcad');
  const labels = JSON.parse(await readFile(join(base, 'faces.json'), 'utf8'));
  const names = (await readdir(base)).filter((name) => STEP.test(extname(name))).sort();
  const company = await filled(
    'mfcad',
    names.map((name) => ({ path: name, file: join(base, name) })),
  );
  const labelsOf = (path) => labels[path.slice(0, -extname(path).length)];
  const asked = [];
  for (const { uid, path } of await company.list()) {
    const own = labelsOf(path);
    const adjacent = await neighboursOf(company, uid, own.length);
    for (const faces of groups(own, adjacent)) asked.push({ uid, path, faces, label: own[faces[0]] });
  }
  let sum = 0;
  const some = spread(asked, Number(args.queries));
  for (const { uid, path, faces, label } of some) {
    const { hits } = await timed(times, () => company.search({ contains: { uid, faces }, sizes: 'any', limit: 11 }));
    const ten = hits.filter((hit) => hit.uid !== uid).slice(0, 10);
    const right = ten.filter(
      (hit) => hit.faces.filter((face) => labelsOf(hit.path)[face] === label).length * 2 >= hit.faces.length,
    );
    sum += right.length / Math.min(10, names.filter((name) => name !== path && labelsOf(name).includes(label)).length);
    if (right.length < 5) fail(path, label, faces, right.length);
  }
  return { parts: names.length, features: asked.length, asked: some.length, precisionAtTen: sum / some.length };
}

/** Faces that share an edge. */
async function neighboursOf(company, uid, count) {
  const adjacent = Array.from({ length: count }, () => []);
  for (const { number, neighbours } of await company.faces(uid)) adjacent[number] = neighbours.map((one) => one.number);
  return adjacent;
}

/** Groups of adjacent faces of one label, but for 15, the stock. */
function groups(own, adjacent) {
  const seen = new Set();
  const found = [];
  own.forEach((label, face) => {
    if (label === 15 || seen.has(face)) return;
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
