/**
 * Fits the curves of `src/search/query/likeness-tables.ts`: which likeness is to be expected of a score of views, for
 * every way of asking. Read are the hits of `npm run bench -- similarity --hits FILE`, all of files made by code. A hit
 * counts 1 for the same part, 1 / (1 + d / 2) for another part of the family (d: how far their boxes differ in log
 * extents), else 0; logistic regression on the logarithm of the score (Newton's method).
 *
 *   npm run bench -- learn/similarity --hits FILE
 *
 * Prints half and power of each way, and of models by their surface beside `LIKENESS_OF_SHAPES`.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { LIKENESS_OF_SHAPES, SIMILAR_LEAST } from '../../dist/search/query/likeness.js';
import { LIKENESS_OF_VIEWS } from '../../dist/search/query/likeness-tables.js';

const ROUNDS = 60;
/** Added to distances, so that equal views have a logarithm. */
const LEAST = 1e-3;
/** Smallest number of hits that count something: with fewer a curve says nothing. */
const FEWEST = 30;

const { values } = parseArgs({ options: { hits: { type: 'string' } } });
if (values.hits === undefined) {
  console.log('learn/similarity needs --hits FILE, written by the bench similarity; nothing was fitted.');
  process.exit(0);
}
const byWay = new Map();
for (const hit of JSON.parse(await readFile(values.hits, 'utf8'))) {
  if (hit.matchClass !== 'similar') continue;
  const way = `${hit.seen} ${hit.found}`;
  byWay.set(way, [...(byWay.get(way) ?? []), hit]);
}
for (const [way, hits] of byWay) {
  const likely = hits.filter(({ likeness }) => likeness > 0).length;
  if (likely < FEWEST) {
    console.log(`${way}: ${likely} hits that count, too few`);
    continue;
  }
  const { half, power } = fitted(hits.map((hit) => ({ score: scoreOf(hit), likeness: hit.likeness })));
  console.log(`${way}: half ${half.toFixed(3)}, power ${power.toFixed(2)}; ${hits.length} hits, ${likely} count`);
}

/** What was measured, from the score that it was given. */
function scoreOf({ seen, found, score }) {
  const distance = score - SIMILAR_LEAST;
  if (seen === 'surface') return distance;
  const curve = LIKENESS_OF_VIEWS[seen][found];
  const open = distance <= 1 ? distance : 1 / (2 - Math.min(distance, 2 - 1e-6));
  return curve.half * (open / LIKENESS_OF_SHAPES.half) ** (LIKENESS_OF_SHAPES.power / curve.power);
}

function fitted(pairs) {
  let [constant, slope] = [-3, -3];
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = [0, 0],
      bend = [1e-6, 0, 1e-6];
    for (const { score, likeness } of pairs) {
      const x = Math.log(score + LEAST);
      const expected = 1 / (1 + Math.exp(-(constant + slope * x)));
      const weight = expected * (1 - expected);
      gradient[0] += likeness - expected;
      gradient[1] += (likeness - expected) * x;
      bend[0] += weight;
      bend[1] += weight * x;
      bend[2] += weight * x * x;
    }
    const whole = bend[0] * bend[2] - bend[1] ** 2;
    const step = [
      (bend[2] * gradient[0] - bend[1] * gradient[1]) / whole,
      (bend[0] * gradient[1] - bend[1] * gradient[0]) / whole,
    ].map((value) => Math.max(-2, Math.min(2, value)));
    constant += step[0];
    slope += step[1];
  }
  return { half: Math.exp(-constant / slope), power: -slope };
}
