/**
 * Same part: the test itself, on changed copies of parts and on pairs of different files.
 *
 * Data: 200 parts of a folder of class folders (every STEP file, then a seeded choice), against changed copies of
 * themselves, and every pair of different files that passes the gate.
 *
 * Printed, a line per change: how many pairs get which class, the worst deviation, and the times; then every pair that
 * is called the same.
 *
 * npm run bench -- same-part --data DIR [--parts N] [--pairs] [--changes] [--json]
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import occtimportjs from 'occt-import-js';
import { Core } from '../dist/core/core.js';
import { decodeSurface, encodeSurface } from '../dist/descriptors/surface.js';
import { PartSurface } from '../dist/search/shapes/same-part/part-surface.js';
import { comparePart } from '../dist/search/shapes/same-part/compare-part.js';
import { gate } from '../dist/search/shapes/same-part/gate.js';
import { changesOf } from './support/same-part-changes.mjs';
import { TRUE_DUPLICATES } from './support/same-part-duplicates.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    parts: { type: 'string', default: '200' },
    pairs: { type: 'boolean' },
    changes: { type: 'boolean' },
    json: { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
});
if (options.data === undefined) {
  console.log('the bench same-part needs --data DIR, a folder of class folders with STL and STEP files');
  process.exit(2);
}
const both = !options.pairs && !options.changes;
const core = await Core.load();
const occt = await occtimportjs();
const print = (...values) => {
  if (!options.json) console.log(...values);
};
const report = {};

const files = readdirSync(options.data, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap((entry) => readdirSync(join(options.data, entry.name)).map((name) => `${entry.name}/${name}`))
  .filter((name) => /\.(stl|ste?p)$/i.test(name))
  .sort();

if (both || options.changes) report.changes = benchChanges();
if (both || options.pairs) report.pairs = benchPairs();
if (options.json) console.log(JSON.stringify(report, null, 1));

function benchChanges() {
  const step = files.filter((name) => /\.ste?p$/i.test(name));
  const rest = shuffled(
    files.filter((name) => !/\.ste?p$/i.test(name)),
    7,
  );
  const chosen = [...step, ...rest].slice(0, Number(options.parts));
  const rows = new Map();
  for (const name of chosen) {
    const bytes = readFileSync(join(options.data, name));
    const mesh = meshOf(name, bytes);
    const original = part(mesh);
    const random = generator(hashNumber(name));
    const tessellate = /\.ste?p$/i.test(name) ? (parameters) => stepMesh(bytes, parameters) : undefined;
    for (const { change, expected, changed, scale } of changesOf(mesh, { random, tessellate })) {
      const other = part(changed);
      const start = cpuMs();
      const match = comparePart(core, original, other);
      const time = cpuMs() - start;
      const row = rows.get(change) ?? { change, count: 0, right: 0, classes: {}, times: [], deviations: [], wrong: [] };
      rows.set(change, row);
      row.count++;
      row.times.push(time);
      row.classes[match.matchClass] = (row.classes[match.matchClass] ?? 0) + 1;
      const right =
        expected.includes(match.matchClass) &&
        (match.matchClass !== 'scaled' || Math.abs(match.scale / scale - 1) < 2e-3);
      if (right) row.right++;
      else
        row.wrong.push(
          `${name} ${match.matchClass}${match.matchClass === 'scaled' ? ` ×${match.scale}` : ''}${gate(original.facts, other.facts).sameSize ? '' : ' (gate)'}`,
        );
      if (right) row.deviations.push(match.maxDeviationMm / (2 * other.facts.reachMm));
    }
  }
  print('change                        parts  right   worst deviation   median ms   p95 ms   max ms  classes');
  for (const row of rows.values()) {
    row.times.sort((a, b) => a - b);
    const at = (share) => row.times[Math.min(row.times.length - 1, Math.floor(share * row.times.length))];
    row.worstDeviation = Math.max(0, ...row.deviations);
    row.medianMs = at(0.5);
    row.p95Ms = at(0.95);
    row.maxMs = at(1);
    print(
      row.change.padEnd(28),
      String(row.count).padStart(6),
      (row.right / row.count).toFixed(3).padStart(6),
      `${(100 * row.worstDeviation).toFixed(3)} %`.padStart(14),
      row.medianMs.toFixed(2).padStart(12),
      row.p95Ms.toFixed(2).padStart(9),
      row.maxMs.toFixed(1).padStart(8),
      ' ',
      JSON.stringify(row.classes),
    );
    if (options.verbose) for (const line of row.wrong) print('      ', line);
    delete row.times;
    delete row.deviations;
  }
  return [...rows.values()];
}

function benchPairs() {
  const parts = files.map((name) => {
    const bytes = readFileSync(join(options.data, name));
    return {
      name,
      hash: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
      part: part(meshOf(name, bytes)),
    };
  });
  let gated = 0;
  let pairs = 0;
  const times = [];
  const called = [];
  const start = performance.now();
  for (let i = 0; i < parts.length; i++)
    for (let j = 0; j < parts.length; j++) gate(parts[i].part.facts, parts[j].part.facts);
  const gateUs = (1e3 * (performance.now() - start)) / parts.length ** 2;
  for (let i = 0; i < parts.length; i++) {
    for (let j = i + 1; j < parts.length; j++) {
      pairs++;
      const possible = gate(parts[i].part.facts, parts[j].part.facts);
      if (!possible.sameSize && !possible.scaled) continue;
      gated++;
      const before = cpuMs();
      const match = comparePart(core, parts[i].part, parts[j].part);
      times.push(cpuMs() - before);
      if (match.matchClass === 'similar') continue;
      const key = [parts[i].hash, parts[j].hash].sort().join('-');
      const reach = 2 * parts[j].part.facts.reachMm;
      called.push({
        matchClass: match.matchClass,
        a: parts[i].name,
        b: parts[j].name,
        key,
        label: TRUE_DUPLICATES[key],
        scale: match.scale,
        maxDeviation: match.maxDeviationMm / reach,
        meanDeviation: match.meanDeviationMm / reach,
      });
    }
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  print(
    `\n${pairs} pairs of ${parts.length} files, ${gated} pass the gate (${gateUs.toFixed(3)} µs a pair); ` +
      `compared: median ${at(0.5).toFixed(2)} ms, p95 ${at(0.95).toFixed(2)}, max ${at(1).toFixed(1)}`,
  );
  for (const matchClass of ['identical', 'mirrored', 'scaled']) {
    const rows = called.filter((row) => row.matchClass === matchClass);
    print(
      `${matchClass}: ${rows.length}, not labelled as true: ${rows.filter((row) => row.label === undefined).length}`,
    );
    for (const row of rows) {
      print(
        `  ${row.label === undefined ? '?' : ' '} ${row.a}  ${row.b}  max ${(100 * row.maxDeviation).toFixed(3)} % mean ${(100 * row.meanDeviation).toFixed(4)} %${matchClass === 'scaled' ? ` ×${row.scale.toFixed(4)}` : ''}  ${row.label ?? row.key}`,
      );
    }
  }
  return { pairs, gated, gateUs, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1), called };
}

/** Processor time of this process, which does not contain other work on the machine. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The part after encoding and decoding, as in a library. */
function part(mesh) {
  return new PartSurface(decodeSurface(encodeSurface({ ...mesh, origin: [0, 0, 0] }, [0, 0, 0])));
}

function meshOf(name, bytes) {
  return centred(/\.stl$/i.test(name) ? stlSoup(bytes) : stepMesh(bytes));
}

function stlSoup(bytes) {
  const count = bytes.length >= 84 ? bytes.readUInt32LE(80) : 0;
  const soup = [];
  if (84 + 50 * count === bytes.length) {
    for (let i = 0; i < count; i++) for (let k = 0; k < 9; k++) soup.push(bytes.readFloatLE(84 + 50 * i + 12 + 4 * k));
  } else {
    for (const match of bytes.toString().matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g))
      soup.push(+match[1], +match[2], +match[3]);
  }
  return weldSoup(soup);
}

/** parameters: as occt-import-js takes them; null: its defaults. */
function stepMesh(bytes, parameters = null) {
  const result = occt.ReadStepFile(bytes, parameters);
  const soup = [];
  for (const mesh of result.meshes) {
    const position = mesh.attributes.position.array;
    for (const index of mesh.index.array)
      soup.push(position[3 * index], position[3 * index + 1], position[3 * index + 2]);
  }
  return centred(weldSoup(soup));
}

function weldSoup(soup) {
  const numbers = new Map();
  const positions = [];
  const indices = new Uint32Array(soup.length / 3);
  for (let i = 0; i < soup.length; i += 3) {
    const key = `${soup[i]},${soup[i + 1]},${soup[i + 2]}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = positions.length / 3;
      numbers.set(key, number);
      positions.push(soup[i], soup[i + 1], soup[i + 2]);
    }
    indices[i / 3] = number;
  }
  return { positions, indices };
}

function centred({ positions, indices }) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return { positions: Float32Array.from(positions, (value, i) => value - (low[i % 3] + high[i % 3]) / 2), indices };
}

function shuffled(list, seed) {
  const random = generator(seed);
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

/** Mulberry32. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

function hashNumber(text) {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}
