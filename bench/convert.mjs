/**
 * Conversion to STL and STEP, checked by reading the result back.
 *
 * Data: every model of DIR/models, 100 of DIR/parts (evenly spread over the sorted names of each extension), those
 * models of DIR/odd whose format the other two lack, the files of --also (for example IGES that another program wrote),
 * and each of the STEP files once more as BREP, written by the solid modeller. Each is converted to STL and to STEP
 * through the public API, in a worker, and read again.
 *
 * Measured: volume and corners of the axis-aligned bounding box, compared with those of the original. If the original
 * has surfaces, original and result are meshed three times as finely as the engine does it (0.06 rad), so that STL is
 * compared with the surfaces and not with triangles of the same fineness. STEP converted to STEP must have the same
 * bytes. Faceted STEP with more than --triangles is read by a short reader of this bench instead of the kernel, which
 * takes minutes for it.
 *
 * --list prints each conversion when it is done.
 *
 * npm run bench -- convert --data DIR [--also DIR] [--parts 100] [--triangles 2000] [--list]
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Engine, DEFAULT_LIMITS } from '../dist/index.js';
import { readContent } from '../dist/readers/read.js';
import { placeMeshes } from '../dist/shapelets/model/mesh.js';
import { brepOfStep } from './support/brep-of-step.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { facetedMeshOf } from './support/faceted-step.mjs';

const { data, also, parts, triangles, list } = benchOptions({
  also: { type: 'string' },
  parts: { type: 'string', default: '100' },
  triangles: { type: 'string', default: '2000' },
  list: { type: 'boolean', default: false },
});
if (data === undefined) {
  console.log('the bench convert needs --data DIR, a folder with models/ and parts/; nothing was measured.');
  process.exit(0);
}
/**
 * Tolerances: of the volume as a share; of the box as a share of its diagonal, for triangles that stay as they are and
 * for surfaces that are meshed.
 */
const VOLUME_ALLOWED = 1e-3;
const BOX_ALLOWED = { faceted: 1e-5, surfaces: 1e-3 };
const MODEL = /\.(step|stp|p21|iges|igs|brep|brp|stl|obj|ply|off|3mf|gltf|glb|amf|wrl)$/i;
const FINE_RAD = 0.06;

const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
const engine = await Engine.open(folder, { workers: 1 });
const company = await engine.company('bench');
const started = performance.now();
const rows = [];
const unread = [];
const files = chosenFiles();
for (const [i, file] of files.entries()) {
  const isRead = await convertFile({ file, from: formatOf(file), bytes: readFileSync(file) });
  if (isRead && formatOf(file) === 'step') {
    const bytes = await brepOfStep(readFileSync(file)).catch(() => undefined);
    if (bytes === undefined) unread.push([`${file}.brep`, 'the modeller could not make it']);
    else await convertFile({ file: `${file}.brep`, from: 'brep', bytes });
  }
  process.stderr.write(`\r${i + 1} of ${files.length} files, ${Math.round((performance.now() - started) / 1000)} s  `);
}
process.stderr.write('\n');
await engine.close();
rmSync(folder, { recursive: true, force: true });
await report();

/** Writes one file in both formats and reads the results back. Returns false if it contains no model. */
async function convertFile({ file, from, bytes }) {
  let original;
  try {
    original = await measure(bytes, file);
  } catch (cause) {
    unread.push([file, cause.message]);
    return false;
  }
  for (const to of ['stl', 'step']) {
    rows.push(await convert({ file, from, bytes, to }, original));
    if (list) console.log(lineOf(rows.at(-1)));
  }
  return true;
}

async function convert({ file, from, bytes, to }, original) {
  const row = { file, to, from };
  const before = process.cpuUsage();
  try {
    const [{ name, bytes: written, faceted, reason }] = await company.convertFiles(
      [{ name: file, bytes: new Uint8Array(bytes) }],
      { to },
    );
    Object.assign(row, { faceted, reason, cpuMs: cpuSince(before) });
    if (to === 'step' && from === 'step')
      return Buffer.compare(written, bytes) === 0
        ? { ...row, volumeOff: 0, boxOff: 0 }
        : { ...row, error: 'the bytes are others' };
    // Originals of triangles are compared with their triangles, STL of surfaces with the surfaces.
    const staysCoarse = to === 'step' && faceted;
    const wanted = staysCoarse && original.hasSurfaces ? await measuresAt(bytes, file) : original;
    const back =
      staysCoarse && wanted.triangleCount > Number(triangles)
        ? measuresOf(facetedMeshOf(written))
        : await measuresAt(written, name, faceted ? undefined : FINE_RAD);
    return {
      ...row,
      hasSurfaces: original.hasSurfaces && !staysCoarse,
      volumeOff: Math.abs(back.volume - wanted.volume) / Math.max(Math.abs(wanted.volume), 1e-9 * wanted.diagonal ** 3),
      boxOff: Math.max(...back.box.map((value, i) => Math.abs(value - wanted.box[i]))) / wanted.diagonal,
    };
  } catch (cause) {
    return {
      ...row,
      cpuMs: row.cpuMs ?? cpuSince(before),
      error: `${cause.code ?? cause.name}: ${cause.message.slice(0, 160)}`,
    };
  }
}

/** Volume (mm³) and box of a model; surfaces are meshed finely. */
function measure(bytes, name) {
  return measuresAt(bytes, name, FINE_RAD);
}

/** turnRad: angular tolerance of the meshing; undefined: the engine's own. Has no effect on meshes. */
async function measuresAt(bytes, name, turnRad) {
  const content = await readContent(new Uint8Array(bytes), name, {
    limits: { ...DEFAULT_LIMITS, triangles: 50_000_000 },
    defaultUnit: 'mm',
    turnRad,
  });
  if (content.kind !== 'model') throw new Error(`is a ${content.kind}`);
  return { ...measuresOf(placeMeshes(content)), hasSurfaces: ['step', 'iges', 'brep'].includes(content.format) };
}

function measuresOf({ positions, indices, origin }) {
  let six = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    six +=
      positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
      positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
      positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  const box = [0, 1, 2].flatMap((axis) => {
    let low = Infinity,
      high = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    return [low + origin[axis], high + origin[axis]];
  });
  return {
    volume: Math.abs(six / 6),
    box,
    diagonal: Math.hypot(box[1] - box[0], box[3] - box[2], box[5] - box[4]),
    triangleCount: indices.length / 3,
  };
}

/** Processor time of all threads, ms. */
function cpuSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function report() {
  console.log(`Conversion read back, ${await machine()}, ${Math.round((performance.now() - started) / 1000)} s`);
  console.log(`${files.length} files; ${unread.length} originals hold no model that can be read:`);
  for (const [file, message] of unread)
    console.log(`  ${file.split('/').slice(-2).join('/')}: ${message.slice(0, 140)}`);
  console.log(
    '\nfrom  to    originals  exact  faceted  failed  wrong  volume off, most  box off, most  cpu ms: median   most',
  );
  const keys = [...new Set(rows.map(({ from, to }) => `${from} ${to}`))].sort();
  for (const key of keys)
    console.log(
      summaryOf(
        ...key.split(' '),
        rows.filter(({ from, to }) => `${from} ${to}` === key),
      ),
    );
  for (const to of ['stl', 'step'])
    console.log(
      summaryOf(
        'all',
        to,
        rows.filter((row) => row.to === to),
      ),
    );
  console.log(
    `\n${rows.filter(isRight).length} of ${rows.length} conversions are right: volume within ` +
      `${100 * VOLUME_ALLOWED} %, box within ${BOX_ALLOWED.surfaces} of its diagonal where surfaces were cut, ` +
      `${BOX_ALLOWED.faceted} elsewhere.`,
  );
  for (const row of rows.filter((one) => !isRight(one))) console.log(lineOf(row));
  const kept = rows.filter(({ to, faceted, reason }) => to === 'step' && faceted && reason !== undefined);
  if (kept.length > 0) console.log(`\nsurfaces that became triangles in STEP: ${kept.length}`);
  for (const { file, reason } of kept) console.log(`  ${file.split('/').slice(-2).join('/')}: ${reason}`);
}

function summaryOf(from, to, own) {
  const back = own.filter(({ volumeOff }) => volumeOff !== undefined);
  const most = (field) => (back.length === 0 ? '' : Math.max(...back.map((row) => row[field])).toExponential(1));
  const count = (test) => own.filter(test).length;
  const cpu = own.map(({ cpuMs }) => cpuMs);
  const cells = [
    [from, -5],
    [to, -5],
    [own.length, 9],
    [count(({ error, faceted }) => error === undefined && !faceted), 6],
    [count(({ error, faceted }) => error === undefined && faceted), 8],
    [count(({ error }) => error !== undefined), 7],
    [count((row) => row.error === undefined && !isRight(row)), 6],
    [most('volumeOff'), 17],
    [most('boxOff'), 14],
    [quantile(cpu, 0.5).toFixed(0), 15],
    [Math.max(...cpu).toFixed(0), 6],
  ];
  return cells
    .map(([value, width]) => (width < 0 ? String(value).padEnd(-width) : String(value).padStart(width)))
    .join(' ');
}

function isRight({ error, volumeOff, boxOff, hasSurfaces }) {
  return (
    error === undefined && volumeOff <= VOLUME_ALLOWED && boxOff <= BOX_ALLOWED[hasSurfaces ? 'surfaces' : 'faceted']
  );
}

function lineOf({ file, to, faceted, error, volumeOff, boxOff, cpuMs }) {
  const found = error ?? `volume off by ${volumeOff.toExponential(1)}, box by ${boxOff.toExponential(1)}`;
  return (
    `  ${file.split('/').slice(-2).join('/')} to ${to}${faceted ? ', faceted' : ''}: ${found}, ` +
    `${cpuMs.toFixed(0)} ms`
  );
}

function chosenFiles() {
  const common = [...filesOf(join(data, 'models')), ...spread(filesOf(join(data, 'parts')), Number(parts))];
  const formats = new Set(common.map(formatOf));
  return [...common, ...filesOf(join(data, 'odd')).filter((file) => !formats.has(formatOf(file))), ...filesOf(also)];
}

function filesOf(root) {
  if (root === undefined || !existsSync(root)) return [];
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => MODEL.test(path))
    .sort()
    .map((path) => join(root, path));
}

function formatOf(file) {
  const extension = extname(file).slice(1).toLowerCase();
  return { stp: 'step', p21: 'step', igs: 'iges', brp: 'brep' }[extension] ?? extension;
}

/** Selects `count` files: of each extension in proportion to its share, at least one, evenly spaced. */
function spread(all, count) {
  const groups = new Map();
  for (const file of all)
    groups.set(extname(file).toLowerCase(), [...(groups.get(extname(file).toLowerCase()) ?? []), file]);
  const others = [...groups.values()].filter((group) => (group.length * count) / all.length < 1).length;
  return [...groups.values()]
    .flatMap((group) => {
      const wanted = Math.min(group.length, Math.max(1, Math.round((group.length * (count - others)) / all.length)));
      return Array.from({ length: wanted }, (_, i) => group[Math.floor(((i + 0.5) * group.length) / wanted)]);
    })
    .slice(0, count);
}
