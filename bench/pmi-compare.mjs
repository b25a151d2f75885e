/**
 * Comparing the annotations of two files of one part: whether what changed is told of the right annotation.
 *
 * Parts made by code: four views of sizes from few nominal values, so that most sizes are there several times, some
 * with a control frame or a depth that stands with them. In the second file tolerances of some have changed, two have
 * swapped theirs, one is gone and one is new; it is another drawing with the views where they were, a drawing with its
 * views moved, one with some of them mirrored, or a model, whose annotations have faces instead of places.
 *
 * Measured: pairs of annotations that are the same one; changes that are told of the annotation that has them, or as
 * one of several alike; what is told of a wrong one without saying so; milliseconds a comparison.
 *
 * npm run bench -- pmi-compare [--seed 1] [--count 200] [--list]
 */
import { parseArgs } from 'node:util';
import { comparePmi, PMI_TYPE } from '../dist/index.js';
import { Dice } from './drawings/styles.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    list: { type: 'boolean' },
  },
});
const TOLERANCES = [[], ['±0.1'], ['±0.05'], ['H7'], ['H8'], ['+0.2', '0']];
const WAYS = ['same places', 'views moved', 'mirrored', 'model'];
/** Size of a view, as a share of the page, and of a box in pixels. */
const VIEW_WIDTH = 0.35;
const BOX = [90, 24];

/** Sizes of a part: { key, text, tolerance, view, x, y, frame?, depth? }; places as shares of the page. */
function partOf(dice) {
  const nominals = Array.from({ length: 7 }, () => dice.oneOf(['⌀', '']) + dice.whole(3, 60));
  return Array.from({ length: dice.whole(20, 40) }, (_, key) => ({
    key,
    text: dice.oneOf(nominals),
    tolerance: dice.oneOf(TOLERANCES),
    view: dice.whole(0, 3),
    x: dice.between(0, VIEW_WIDTH),
    y: dice.between(0, 0.3),
    ...(dice.chance(0.25) && { frame: `⌖ | ⌀${dice.oneOf([0.1, 0.2, 0.4])} | ${dice.oneOf(['A', 'A | B'])}` }),
    ...(dice.chance(0.1) && { depth: `↧${dice.whole(4, 12)}` }),
  }));
}

/** The next revision: sizes with other tolerances, of `changed` those that have them. */
function revisionOf(sizes, dice) {
  const changed = new Set();
  const next = sizes.map((size) => {
    if (!dice.chance(0.12)) return size;
    changed.add(size.key);
    return { ...size, tolerance: dice.oneOf(TOLERANCES.filter((each) => String(each) !== String(size.tolerance))) };
  });
  const twins = next.filter((a) => !changed.has(a.key) && next.some((b) => isTwin(a, b) && !changed.has(b.key)));
  if (twins.length > 0) {
    const a = dice.oneOf(twins);
    const b = next.find((other) => isTwin(a, other) && !changed.has(other.key));
    for (const [to, from] of [
      [a, b],
      [b, a],
    ]) {
      // biome-ignore format: a pair
      next[next.findIndex(({ key }) => key === to.key)] = { ...to, tolerance: from.tolerance };
      changed.add(to.key);
    }
  }
  next.splice(dice.whole(0, next.length - 1), 1);
  next.push({ ...dice.oneOf(sizes), key: sizes.length, x: dice.between(0, VIEW_WIDTH), y: dice.between(0, 0.3) });
  return { next, changed };
}

const isTwin = (a, b) => a.key !== b.key && a.text === b.text && String(a.tolerance) !== String(b.tolerance);

/** @returns the PMI and the key of each object by its id. */
function pmiOf(sizes, { isModel, places, mirrored = [], side }) {
  const objects = [];
  const keys = new Map();
  const put = (object, size, row) => {
    const id = objects.length + 1;
    const [x, y] = places[size.view];
    const across = mirrored.includes(size.view) ? VIEW_WIDTH - size.x - BOX[0] / side : size.x;
    const box = [Math.round(side * (x + across)), Math.round(side * (y + size.y)) + 30 * row, ...BOX];
    keys.set(id, size.key);
    objects.push({
      id,
      ...object,
      box: isModel ? [0, 0, 0, 0] : box,
      ...(isModel && { faces: [{ id: size.key + 1, surface: 'cylinder' }] }),
    });
  };
  for (const size of sizes) {
    const { text, tolerance, frame, depth } = size;
    const part = tolerance.length === 0 ? { text } : { text, tolerance };
    put(
      { typeId: text.startsWith('⌀') ? PMI_TYPE.diameter : PMI_TYPE.arrows, group: 'Measurement', parts: [part] },
      size,
      0,
    );
    if (depth !== undefined) put({ typeId: PMI_TYPE.depth, group: 'Measurement', parts: [{ text: depth }] }, size, 1);
    if (frame !== undefined)
      put(
        { typeId: PMI_TYPE.controlFrame, group: 'GD&T', parts: [{ text: frame }] },
        size,
        depth === undefined ? 1 : 2,
      );
  }
  const px = isModel ? 0 : side;
  return { pmi: { version: 1, pages: [{ page: 1, widthPx: px, heightPx: px, objects }] }, keys };
}

const attributes = [{ name: 'Units', value: 'mm' }];
const usual = [[0.02, 0.02], [0.55, 0.02], [0.02, 0.4], [0.55, 0.4]]; // biome-ignore format: a table
for (const way of WAYS) {
  const sum = { pairs: 0, right: 0, changes: 0, told: 0, doubtful: 0, wrong: 0, ms: 0 };
  for (let seed = Number(options.seed); seed < Number(options.seed) + Number(options.count); seed++) {
    const dice = new Dice(seed);
    const sizes = partOf(dice);
    const { next, changed } = revisionOf(sizes, dice);
    const moved = usual.map(([x, y]) => [x + dice.between(-0.06, 0.06), y + dice.between(-0.06, 0.06)]);
    const one = pmiOf(sizes, { places: usual, side: 3000 });
    const order = way === 'model' ? next.toSorted(() => dice.random() - 0.5) : next;
    const places = way === 'views moved' ? moved : usual;
    const mirrored = way === 'mirrored' ? usual.flatMap((_, view) => (dice.chance(0.5) ? [view] : [])) : [];
    const other = pmiOf(order, { isModel: way === 'model', places, mirrored, side: 3000 });
    const started = performance.now();
    const { rows } = comparePmi({ pmi: one.pmi, attributes }, { pmi: other.pmi, attributes });
    sum.ms += performance.now() - started;
    sum.changes += [...changed].filter((key) => next.some((size) => size.key === key)).length;
    for (const { status, first, second, oneOf } of rows) {
      if (first === undefined || second === undefined) continue;
      const [a, b] = [one.keys.get(first.id), other.keys.get(second.id)];
      sum.pairs++;
      if (a === b) sum.right++;
      if (status !== 'contradicts') continue;
      if (oneOf !== undefined) sum.doubtful++;
      else if (a === b && changed.has(a)) sum.told++;
      else sum.wrong++;
      if (options.list && oneOf === undefined && (a !== b || !changed.has(a)))
        console.log(`${way} ${seed}: ${first.reading} / ${second.reading}`);
    }
  }
  const share = (of, all) => (of / all).toFixed(3);
  console.log(
    `${way.padEnd(12)} the same one ${share(sum.right, sum.pairs)} of ${sum.pairs} pairs; ` +
      `changes told of the right one ` +
      `${share(sum.told, sum.changes)} of ${sum.changes}; ${sum.doubtful} told of one of several; ` +
      `${sum.wrong} told of a wrong one; ` +
      `${(sum.ms / Number(options.count)).toFixed(2)} ms`,
  );
}
