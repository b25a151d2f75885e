/** Features planted in parts made by code, with truth: hosts, poses, near misses. */
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { descriptorRanking, facesOf, libraryOf } from './library.mjs';

/** Coverage of a hit that is called complete. */
const COMPLETE = 0.995;

export async function planted({ data, cache, queries, baseline, times, fail }) {
  const base = join(data, 'planted');
  const truth = JSON.parse(await readFile(join(base, 'truth.json'), 'utf8'));
  const names = (await readdir(join(base, 'parts'))).sort();
  const files = names.map((name) => ({ path: name, file: join(base, 'parts', name) }));
  const library = await libraryOf(files, cache);
  const ranked = baseline ? await descriptorRanking(files) : undefined;
  const sums = { hosts: 0, inTen: 0, first: 0, poses: 0, near: 0, complete: 0, likeInTen: 0, likeFirst: 0 };
  const features = truth.features.slice(0, queries);
  for (const { id, file, faces: numbers, centre } of features) {
    const bytes = await readFile(join(base, file));
    const { hits, cpuMs } = await library.find(await facesOf(bytes, basename(file), cache), { numbers, limit: 50 });
    times.push(cpuMs);
    const places = new Map(
      truth.planted.filter(({ feature }) => feature === id).map((one) => [basename(one.file), one.places]),
    );
    sums.hosts += places.size;
    sums.inTen += hits.slice(0, 10).filter(({ path }) => places.has(path)).length;
    if (places.has(hits[0]?.path)) sums.first++;
    else fail({ query: join(base, file), what: `${id} first`, hits: hits.slice(0, 3).map(shown) });
    for (const [path, where] of places) {
      const hit = hits.find((one) => one.path === path);
      const off = where.map(({ transform }) => (hit ? apart(hit.transform, transform, centre) : [Infinity, Infinity]));
      if (off.some(([mm, degrees]) => mm <= 0.1 && degrees <= 0.1)) sums.poses++;
      else fail({ query: join(base, file), what: `${id} pose in ${path}: ${off}`, hits: hit ? [shown(hit)] : [] });
    }
    for (const { file: near } of truth.distractors.filter(({ nearMissOf }) => nearMissOf === id)) {
      sums.near++;
      const hit = hits.find(({ path }) => path === basename(near));
      if (hit === undefined || hit.coverage < COMPLETE) continue;
      sums.complete++;
      fail({ query: join(base, file), what: `${id} near miss is complete`, hits: [shown(hit)] });
    }
    const like = (await ranked?.(bytes, basename(file))) ?? [];
    sums.likeInTen += like.slice(0, 10).filter((path) => places.has(path)).length;
    if (places.has(like[0])) sums.likeFirst++;
  }
  const { hosts } = sums;
  return {
    parts: library.parts.length,
    bytesAPart: Math.round(library.bytes / library.parts.length),
    wordBytesAPart: Math.round(library.wordBytes / library.parts.length),
    recallAtTen: sums.inTen / hosts,
    first: sums.first / features.length,
    pose: sums.poses / hosts,
    nearMisses: sums.near,
    nearMissesComplete: sums.complete / sums.near,
    ...(baseline
      ? { descriptorsRecallAtTen: sums.likeInTen / hosts, descriptorsFirst: sums.likeFirst / features.length }
      : {}),
  };

  function shown({ path, coverage }) {
    return { file: join(base, 'parts', path), path, coverage };
  }
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
