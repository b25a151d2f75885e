import { beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core/core.js';
import { describeViews } from '../../dist/descriptors/views.js';
import { assign } from '../../dist/search/views/assign.js';
import { rankInputs, rankViews, type ViewsCandidate } from '../../dist/search/views/view-rank.js';
import { renderModelViews } from '../../dist/shapelets/model/model-views.js';
import type { Shapelet } from '../../dist/shapelets/shapelet.js';
import type { TriangleMesh } from '../../dist/core-entry.js';
import { box, bracket, cylinder, gear, randomOf, torus } from '../core/shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const PARTS = {
  bracket: bracket(40, 25, 4, 8),
  longBracket: bracket(60, 25, 4, 8),
  block: box(30, 20, 10),
  rod: cylinder(5, 60, 32),
  disc: cylinder(20, 5, 48),
  gear: gear(12, 20, 6),
  ring: torus(20, 6, 32, 16),
};
type Name = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as Name[];

const model = (mesh: TriangleMesh): ViewsCandidate => ({ views: describeViews(core, renderModelViews(core, mesh)) });
const onPage = (shapelet: Shapelet): Shapelet => ({
  ...shapelet,
  place: { kind: 'page', page: 1, box: { x: 0, y: 0, width: 0.2, height: 0.2 } },
});
/** Front, side and top. */
const drawing = (mesh: TriangleMesh, which = [2, 0, 4]): ViewsCandidate => ({
  views: describeViews(
    core,
    which.map((i) => onPage(renderModelViews(core, mesh)[i])),
  ),
});
const order = (scores: readonly { score: number }[]): Name[] =>
  [...NAMES].sort((a, b) => scores[NAMES.indexOf(a)].score - scores[NAMES.indexOf(b)].score);

describe('rankViews', () => {
  test('a drawing finds its model first, and the model of another length next', () => {
    const models = NAMES.map((name) => model(PARTS[name]));
    for (const name of NAMES) expect(order(rankViews(core, drawing(PARTS[name]), models))[0]).toBe(name);
    expect(order(rankViews(core, drawing(PARTS.bracket), models)).slice(0, 2)).toEqual(['bracket', 'longBracket']);
  });

  test('equal views score 0, others lie about 1 and more', () => {
    const scores = rankViews(
      core,
      drawing(PARTS.bracket),
      NAMES.map((name) => drawing(PARTS[name])),
    );
    expect(scores[0].score).toBe(0);
    for (const name of ['rod', 'gear', 'ring'] as const) expect(scores[NAMES.indexOf(name)].score).toBeGreaterThan(0.8);
  });

  test('a model finds its drawing', () => {
    const drawings = NAMES.map((name) => drawing(PARTS[name]));
    for (const name of NAMES) expect(order(rankViews(core, model(PARTS[name]), drawings))[0]).toBe(name);
  });

  test('a disc is no drawing of a shaft, though both show a circle and a narrow rectangle', () => {
    const pages = [drawing(PARTS.rod, [0, 4]), drawing(cylinder(20, 6, 48), [0, 4])];
    const [own, disc] = rankViews(core, model(PARTS.rod), pages);
    const [ownByBox, discByBox] = rankViews(core, { ...model(PARTS.rod), extentsMm: [10, 10, 60] }, pages);
    expect(ownByBox.score).toBeCloseTo(own.score, 6);
    expect(discByBox.score).toBeGreaterThan(1.4 * disc.score);
  });

  test('names the pair of views and the turn', () => {
    const views = renderModelViews(core, PARTS.bracket);
    const turned = (picture: Uint8Array): Uint8Array =>
      picture.map((_, i) => picture[64 * (63 - (i % 64)) + Math.floor(i / 64)]);
    const shapelet = onPage({
      ...views[4],
      mask: turned(views[4].mask),
      lines: turned(views[4].lines),
      size: [views[4].size[1], views[4].size[0]],
    });
    const query = { views: describeViews(core, [shapelet]) };
    const candidate = model(PARTS.bracket);
    const [found] = rankViews(core, query, [candidate]);
    expect([4, 5]).toContain(found.view);
    const [back] = rankViews(core, candidate, [query]);
    expect((found.turn + back.turn) % 4).toBe(0);
    expect(found).toMatchObject({ queryView: 0, turn: 3 });
  });

  test('numbers that are extents speak for a model, others say nothing', () => {
    const candidates = [
      { ...model(PARTS.block), extentsMm: [30, 20, 10] as const },
      { ...model(PARTS.block), extentsMm: [60, 40, 20] as const },
    ];
    const asked = drawing(box(30, 20, 12));
    const [small, large] = rankViews(core, { ...asked, numbersMm: [60, 40, 20, 3] }, candidates);
    expect(large.score).toBeLessThan(small.score);
    const [a, b] = rankViews(core, { ...asked, numbersMm: [7] }, candidates);
    expect(a.score).toBe(b.score);
    expect(a.score).toBe(rankViews(core, asked, candidates)[0].score);
  });

  test('inputs of one view each are matched one to one; one without a partner finds nothing', () => {
    const top = { views: describeViews(core, [onPage(renderModelViews(core, PARTS.gear)[4])]) };
    const gearAndRod = {
      views: describeViews(core, [renderModelViews(core, PARTS.gear)[4], renderModelViews(core, PARTS.rod)[0]]),
    };
    const gearAlone = { views: describeViews(core, [renderModelViews(core, PARTS.gear)[4]]) };
    const [first, second] = rankInputs(core, [top, top], [gearAndRod, gearAlone]);
    for (const i of [0, 1]) {
      const both = [first[i].score, second[i].score].sort((a, b) => a - b);
      expect(both[0]).toBeLessThan(0.01);
      expect(both[1]).toBeGreaterThan(both[0] + 0.3);
    }
    expect(Math.max(first[1].score, second[1].score)).toBe(Infinity);
  });

  test('inputs of several views are compared as if alone', () => {
    const models = NAMES.map((name) => model(PARTS[name]));
    const asked = [drawing(PARTS.bracket), drawing(PARTS.gear)];
    expect(rankInputs(core, asked, models)).toEqual(asked.map((query) => rankViews(core, query, models)));
  });

  test('nothing to compare is infinitely far', () => {
    const none = { views: new Uint8Array() };
    expect(rankViews(core, drawing(PARTS.rod), [none])[0].score).toBe(Infinity);
    expect(rankViews(core, none, [model(PARTS.rod)])[0].score).toBe(Infinity);
    expect(rankViews(core, model(PARTS.rod), [none])[0].score).toBe(Infinity);
    expect(rankViews(core, drawing(PARTS.rod), [])).toEqual([]);
  });
});

test('assign: no worse than every permutation', () => {
  const random = randomOf(11);
  const permutations = (items: number[]): number[][] =>
    items.length === 0
      ? [[]]
      : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
  for (let run = 0; run < 40; run++) {
    const rows = 1 + Math.floor(3 * random()),
      columns = rows + Math.floor(3 * random());
    const costs = Array.from({ length: rows }, () => Array.from({ length: columns }, () => random() - 0.5));
    const sum = (assigned: readonly number[]): number => costs.reduce((total, row, i) => total + row[assigned[i]], 0);
    const found = assign(costs);
    expect(new Set(found).size).toBe(rows);
    expect(sum(found)).toBeCloseTo(Math.min(...permutations([...Array(columns).keys()]).map(sum)), 9);
  }
  expect(assign([])).toEqual([]);
  expect(() => assign([[1], [2]])).toThrow(/at least 2 columns, received 1/);
});
