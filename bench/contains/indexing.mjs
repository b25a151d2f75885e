/**
 * What faces, their words, statistics and features cost beside all else that a reading process does with a file:
 * reading it, describing its shape, and describing its views.
 */
import { readFile, readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Core } from '../../dist/core-entry.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import { encodeFaces } from '../../dist/descriptors/faces/encode-faces.js';
import { faceStatistics } from '../../dist/descriptors/faces/face-statistics.js';
import { faceTableOf } from '../../dist/descriptors/faces/face-table.js';
import { encodeWords, faceWords } from '../../dist/descriptors/faces/face-words.js';
import { partFeatures } from '../../dist/descriptors/features/part-features.js';
import { describeFileViews } from '../../dist/indexing/worker/describe-views.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { modelOf, STEP } from './library.mjs';
import { spread } from './components.mjs';

const MESH = /^\.stl$/i;
/** Files before those that count. */
const WARM_UP = 6;

export async function indexing({ data, queries, times }) {
  const all = [];
  for (const entry of await readdir(join(data, 'parts'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) all.push(join(entry.parentPath, entry.name));
  const of = (kind) => spread(all.filter((file) => kind.test(extname(file))).sort(), Math.ceil(queries / 2));
  const core = await Core.load();
  const describer = await ShapeDescriber.load(core);
  const sums = {
    step: { files: 0, read: 0, describe: 0, views: 0, faces: 0 },
    stl: { files: 0, read: 0, describe: 0, views: 0, faces: 0 },
  };
  for (const [name, files] of [
    ['step', of(STEP)],
    ['stl', of(MESH)],
  ]) {
    for (const [i, file] of [...files.slice(0, WARM_UP), ...files].entries()) {
      const bytes = await readFile(file);
      const [read, model] = await timed(() => modelOf(bytes, basename(file)));
      const [describe, shape] = await timed(() => describer.describe(model));
      const [views] = await timed(() =>
        describeFileViews(core, model, { shape }, { limits: DEFAULT_LIMITS, crop: undefined }),
      );
      const [faces] = await timed(() => {
        const table = faceTableOf(model);
        partFeatures(table, true);
        faceStatistics(table);
        return [encodeFaces(table), encodeWords(faceWords(table))];
      });
      if (i < Math.min(WARM_UP, files.length)) continue;
      times.push(faces);
      const sum = sums[name];
      sum.files++;
      sum.read += read;
      sum.describe += describe;
      sum.views += views;
      sum.faces += faces;
    }
  }
  const row = {};
  const both = { files: 0, read: 0, describe: 0, views: 0, faces: 0 };
  for (const [name, sum] of [...Object.entries(sums), ['both', both]]) {
    const { files, read, describe, views, faces } = sum;
    const whole = read + describe + views;
    if (name !== 'both') for (const key of Object.keys(both)) both[key] += sum[key];
    row[name] = {
      files,
      readMs: read / files,
      describeMs: describe / files,
      viewsMs: views / files,
      ofThatFacesMs: faces / files,
      ofBefore: whole / (whole - faces),
      describingOfBefore: (read + describe) / (read + describe - faces),
    };
  }
  return row;
}

async function timed(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}
