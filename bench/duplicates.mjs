/**
 * Duplicates: how many disguised copies `company.duplicates` finds, and what it groups by mistake.
 *
 * Data: the models below a folder, and changed copies of some of them (rotated, moved, mirrored, scaled, meshed
 * differently, in other formats), indexed as one library.
 *
 * Measured, a line per change: how many copies are in a group of the right class with their original, and how many of
 * the others are in a group of near parts; then the groups that are called the same but are not, and the times. A
 * mirrored copy of a part that is its own mirror image is correctly identical.
 *
 * --library keeps the library for another run.
 *
 * npm run bench -- duplicates --data DIR [--copies 200] [--near 0.2] [--library DIR] [--json]
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import occtimportjs from 'occt-import-js';
import { Engine } from 'shapedex';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { readContent } from '../dist/readers/read.js';
import { placeMeshes } from '../dist/shapelets/model/mesh.js';
import { changesOf } from './support/same-part-changes.mjs';
import { TRUE_DUPLICATES } from './support/same-part-duplicates.mjs';
import { binaryStl, obj, ply } from '../dist/parts/mesh-files.js';
import { benchOptions, machine } from './support/options.mjs';

const options = benchOptions({
  copies: { type: 'string', default: '200' },
  near: { type: 'string', default: '0.2' },
  library: { type: 'string' },
});
if (options.data === undefined) {
  console.log('the bench duplicates needs --data DIR, a folder with models; nothing was measured.');
  process.exit(0);
}
/** Formats of the copies, used in turn. */
const WRITERS = [
  ['stl', (mesh) => binaryStl(mesh, 'copy')],
  ['obj', (mesh) => obj(mesh, 'copy', 6)],
  ['ply', ply],
];
/** Number of changes of a model, and of a STEP file, which can also be meshed differently. */
const CHANGES = { ofMeshes: 12, ofStep: 17 };
/**
 * Folder of the copies in the library. It sorts after the paths of real files, so that the original is the first of its
 * group.
 */
const COPIES = '~copies';

const occt = await occtimportjs();
const folder = options.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-duplicates-')));
const engine = await Engine.open(join(folder, 'library'), { pictures: 'none' });
try {
  const company = await engine.company('bench');
  const indexingMs = await indexed('parts', company.putFolder(options.data, { resume: true }));
  const copies = await makeCopies(company, Number(options.copies));
  const copiesMs = await indexed(
    'copies',
    company.putFolder(join(folder, 'copies'), { resume: true, prefix: COPIES, extensions: ['.stl', '.obj', '.ply'] }),
  );
  console.error('comparing');
  const [first, firstCpuMs] = await timed(() => company.duplicates.find());
  const [again, againCpuMs] = await timed(() => company.duplicates.find());
  const near = await timed(() => company.duplicates.find({ classes: ['near'], near: Number(options.near) }));
  await report({ indexingCpuMs: indexingMs + copiesMs, copies, first, firstCpuMs, again, againCpuMs, near });
} finally {
  await engine.close();
  if (options.library === undefined) await rm(folder, { recursive: true, force: true });
}

/**
 * Writes one changed copy of each selected model, with the changes in turn; the pieces of a model are merged into one
 * mesh.
 */
async function makeCopies(company, count) {
  const records = (await company.list({ limit: 100_000, state: 'indexed', kind: 'ThreeD' })).filter(
    ({ path }) => !path.startsWith(`${COPIES}/`),
  );
  const step = records.filter(({ extension }) => /^\.ste?p$/.test(extension));
  const rest = records.filter(({ extension }) => !/^\.ste?p$/.test(extension));
  const chosen = [...step.slice(0, count / 4), ...spread(rest, count - Math.min(step.length, Math.floor(count / 4)))];
  const copies = [];
  for (const [i, record] of chosen.entries()) {
    const bytes = await readFile(join(options.data, ...record.path.split('/')));
    const mesh = placeMeshes(await readContent(bytes, record.path, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' }));
    const isStep = /^\.ste?p$/.test(record.extension);
    const wanted = i % (isStep ? CHANGES.ofStep : CHANGES.ofMeshes);
    let at = CHANGES.ofMeshes;
    // Meshes again only the selected models, because meshing takes most of the time.
    const tessellate = isStep
      ? (parameters) => (at++ === wanted ? tessellateStep(bytes, parameters) : mesh)
      : undefined;
    const { change, expected, changed } = changesOf(mesh, { random: generator(record.sha256), tessellate })[wanted];
    const [extension, write] = WRITERS[i % WRITERS.length];
    const name = `${String(i).padStart(4, '0')}.${extension}`;
    await mkdir(join(folder, 'copies'), { recursive: true });
    await writeFile(join(folder, 'copies', name), write(changed));
    process.stderr.write(`\r${i + 1} of ${chosen.length} copies made  `);
    copies.push({ path: `${COPIES}/${name}`, of: record.path, change, expected });
  }
  process.stderr.write('\n');
  return copies;
}

function spread(list, count) {
  const wanted = Math.max(0, Math.min(count, list.length));
  return Array.from({ length: wanted }, (_, i) => list[Math.floor((i * list.length) / wanted)]);
}

function tessellateStep(bytes, parameters) {
  const { meshes } = occt.ReadStepFile(bytes, parameters);
  const positions = [];
  const indices = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    for (const value of mesh.attributes.position.array) positions.push(value);
    for (const index of mesh.index.array) indices.push(first + index);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function generator(hash) {
  let state = Number.parseInt(hash.slice(0, 8), 16) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Puts a folder, prints progress on stderr, and returns its processor time, ms. */
async function indexed(what, progress) {
  const [, cpuMs] = await timed(async () => {
    for await (const { done, failed, skipped, total } of progress)
      process.stderr.write(`\r${what}: ${done + failed + skipped} of ${total}  `);
  });
  process.stderr.write('\n');
  return cpuMs;
}

/** The result of `work`, and its processor time, ms, which does not contain other work on the machine. */
async function timed(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1000];
}

/**
 * The classes of the groups that contain both files; a group shows one file of each set of equal files, which stands
 * for all files of its set.
 */
function classesOf(groups) {
  const setOf = new Map();
  for (const { matchClass, members } of groups.filter(
    (group) => group.matchClass === 'bytes' || group.matchClass === 'identical',
  )) {
    for (const { path } of members) setOf.set(path, { matchClass, leader: members[0].path });
  }
  const leaderOf = (path) => setOf.get(path)?.leader ?? path;
  return (a, b) => {
    if (leaderOf(a) === leaderOf(b)) return ['identical'];
    return groups
      .filter(({ members }) =>
        [a, b].every((wanted) => members.some(({ path }) => leaderOf(path) === leaderOf(wanted))),
      )
      .map((group) => group.matchClass);
  };
}

async function report({ indexingCpuMs, copies, first, firstCpuMs, again, againCpuMs, near }) {
  const classes = classesOf(first.groups);
  const nearClasses = classesOf([
    ...first.groups.filter(({ matchClass }) => ['bytes', 'identical'].includes(matchClass)),
    ...near[0].groups,
  ]);
  const rows = new Map();
  for (const { path, of, change, expected } of copies) {
    const row = rows.get(change) ?? { change, count: 0, right: 0, near: 0, wrong: [] };
    rows.set(change, row);
    const called = classes(of, path);
    row.count++;
    if (called.some((one) => expected.includes(one))) {
      row.right++;
      continue;
    }
    const isNear = nearClasses(of, path).includes('near');
    row.near += isNear ? 1 : 0;
    row.wrong.push(`${path} of ${of}: ${called.join(', ') || (isNear ? 'near' : 'not found')}`);
  }
  const originOf = new Map(copies.map(({ path, of }) => [path, of]));
  const hashOf = new Map(
    first.groups.flatMap(({ members }) => members).map(({ path, sha256 }) => [path, sha256.slice(0, 16)]),
  );
  const falseGroups = first.groups.filter(({ matchClass, members }) => {
    const origins = [...new Set(members.map(({ path }) => originOf.get(path) ?? path))];
    return (
      ['bytes', 'identical'].includes(matchClass) &&
      origins.length > 1 &&
      TRUE_DUPLICATES[
        origins
          .map((path) => hashOf.get(path))
          .sort()
          .join('-')
      ] === undefined
    );
  });
  const summary = {
    machine: await machine(),
    files: first.files,
    parts: first.parts,
    copies: copies.length,
    rows: [...rows.values()],
    falseGroups: falseGroups.map(({ matchClass, members }) => ({
      matchClass,
      paths: members.map(({ path }) => `${path}${originOf.has(path) ? ` (copy of ${originOf.get(path)})` : ''}`),
    })),
    groups: Object.fromEntries(
      ['bytes', 'identical', 'mirrored', 'scaled'].map((one) => [
        one,
        first.groups.filter(({ matchClass }) => matchClass === one).length,
      ]),
    ),
    indexingCpuMs,
    compared: first.compared,
    cpuMs: firstCpuMs,
    againCompared: again.compared,
    againCpuMs,
    near: { groups: near[0].groups.length, cpuMs: near[1] },
  };
  if (options.json) {
    console.log(JSON.stringify(summary, undefined, 2));
    return;
  }
  console.log(
    `${summary.machine}\n${summary.files} files, ${summary.copies} of them copies; indexed in ` +
      `${(indexingCpuMs / 1000).toFixed(0)} s of processor time\n${'change'.padEnd(28)} copies  right class   near`,
  );
  for (const { change, count, right, near: alike, wrong } of summary.rows) {
    console.log(
      `${change.padEnd(28)} ${String(count).padStart(6)}  ${String(right).padStart(11)}  ${String(alike).padStart(5)}`,
    );
    for (const line of wrong) console.log(`    ${line}`);
  }
  const sum = (name) => summary.rows.reduce((total, row) => total + row[name], 0);
  console.log(
    `${'all'.padEnd(28)} ${String(sum('count')).padStart(6)}  ${String(sum('right')).padStart(11)}  ` +
      `${String(sum('near')).padStart(5)}`,
  );
  console.log(
    `groups: ${Object.entries(summary.groups)
      .map(([one, number]) => `${one} ${number}`)
      .join(', ')}; called the same and not so: ${falseGroups.length}`,
  );
  for (const { matchClass, paths } of summary.falseGroups) console.log(`    ${matchClass}: ${paths.join(' | ')}`);
  console.log(
    `${summary.compared} pairs compared in ${(firstCpuMs / 1000).toFixed(1)} s of processor time; again ` +
      `${again.compared} in ${(againCpuMs / 1000).toFixed(2)} s`,
  );
  console.log(
    `near, to a score of ${options.near}: ${summary.near.groups} groups in ${(near[1] / 1000).toFixed(1)} s of ` +
      `processor time`,
  );
}
