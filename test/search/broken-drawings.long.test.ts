import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Company, Engine } from '../../dist/index.js';
import type { Segment } from '../fixtures/drawing-of-body.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { circle, joined, turned } from '../fixtures/parts.js';
import { box, moved, prism, type Body } from '../fixtures/shapes.js';
import { fill, libraries } from './library.js';

// Drawings that show a part with a break, or of which a sibling is stored as well.

type Profile = readonly (readonly [radius: number, z: number])[];

/** What is turned about the axis of a long part; from its low end up. */
const PLUG: Profile = [
  [10, 0],
  [10, 18],
  [7, 18],
  [7, 30],
];
const CONE: Profile = [
  [9, 0],
  [4, 22],
];
const BALL: Profile = Array.from({ length: 9 }, (_, i) => {
  const angle = (Math.PI * (i + 1)) / 10;
  return [8 * Math.sin(angle), 8 - 8 * Math.cos(angle)] as const;
});
const EYE: Profile = [
  [5, 0],
  [5, 8],
  [12, 8],
  [12, 14],
];

/** A cable of some length with an end of each kind. */
function cable(low: Profile, high: Profile, length: number): Profile {
  const top = [...high].reverse().map(([radius, z]) => [radius, length - z] as const);
  return [...low, [3, low[low.length - 1][1]], [3, length - high[high.length - 1][1]], ...top];
}

const solid = (profile: Profile): Body =>
  turned([[0, profile[0][1]], ...profile, [0, profile[profile.length - 1][1]]], 32);

/** How a cable lies: straight up to `from`, then round an arc of `radius` by `angle` (rad), and straight again. */
interface Bend {
  readonly from: number;
  readonly radius: number;
  readonly angle: number;
}

/** A place along a straight cable and beside it, where that lies once the cable is bent. */
function bent(along: number, beside: number, { from, radius, angle }: Bend): [number, number] {
  if (along <= from) return [along, beside];
  const turn = Math.min(angle, (along - from) / radius),
    rest = along - from - turn * radius;
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  return [from + (radius - beside) * sin + rest * cos, radius - (radius - beside) * cos + rest * sin];
}

/** The profile with a step every 10 mm of its long thin part, so that it can be bent. */
const finely = (profile: Profile): Profile =>
  profile.flatMap(([radius, z], i): Profile => {
    const [before, from] = profile[Math.max(0, i - 1)];
    const steps = before === radius ? Math.max(1, Math.round((z - from) / 10)) : 1;
    return Array.from({ length: steps }, (_, k) => [radius, from + ((z - from) * (k + 1)) / steps] as const);
  });

const bentBody = (profile: Profile, bend: Bend): Body => {
  const straight = solid(finely(profile));
  const place = ([x, y, z]: readonly [number, number, number]): readonly [number, number, number] => {
    const [along, beside] = bent(z, x, bend);
    return [beside, y, along];
  };
  return { ...straight, vertices: straight.vertices.map(place) };
};

const bentLines = (lines: readonly Segment[], bend: Bend): Segment[] =>
  lines.map(([x, y, u, v]) => [...bent(x, y, bend), ...bent(u, v, bend)] as const);

/** The outline of a turned part that lies along x, and its edges across. */
function seen(profile: Profile): Segment[] {
  const upper = profile.slice(1).flatMap(([radius, z], i): Segment[] => [
    [profile[i][1], profile[i][0], z, radius],
    [profile[i][1], -profile[i][0], z, -radius],
  ]);
  return [...upper, ...profile.map(([radius, z]): Segment => [z, -radius, z, radius])];
}

/** Lines along x without what lies between two places; a zigzag on both sides of the break. */
function broken(lines: readonly Segment[], from: number, to: number): Segment[] {
  const gap = 4;
  const shift = to - from - gap;
  const pieces = lines.flatMap(([x, y, u, v]): Segment[] => {
    if (Math.max(x, u) <= from) return [[x, y, u, v]];
    if (Math.min(x, u) >= to) return [[x - shift, y, u - shift, v]];
    const ends: Segment[] = [];
    if (Math.min(x, u) < from) ends.push([Math.min(x, u), y, from, v]);
    if (Math.max(x, u) > to) ends.push([from + gap, y, Math.max(x, u) - shift, v]);
    return ends;
  });
  const heights = pieces.flatMap(([x, y, u, v]) => [x, u].flatMap((at, i) => (at === from ? [[y, v][i]] : [])));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const waves = Array.from({ length: 7 }, (_, i) => [i % 2 ? 0.6 : -0.6, low + ((high - low) * i) / 6] as const);
  const marks = [from, from + gap].flatMap((x) =>
    waves.slice(1).map(([off, y], i): Segment => [x + waves[i][0], waves[i][1], x + off, y]),
  );
  return [...pieces, ...marks];
}

function page(lines: readonly Segment[], ...said: readonly string[]): Uint8Array {
  return dxf({
    header: [
      [9, '$INSUNITS'],
      [70, 4],
    ],
    entities: [
      ...lines.map((segment) => line(...segment)),
      ...said.map((words, i) => text(words, 10 + 20 * i, -60, 3)),
    ],
  });
}

/** A screw with a hexagonal head; the shank from z = 0 up, the head below. */
function screw(diameter: number, length: number): Profile {
  const r = diameter / 2;
  return [
    [0.9 * diameter, -0.65 * diameter],
    [0.9 * diameter, 0],
    [r, 0],
    [r, length - 1],
    [r - 1, length],
  ];
}
const screwBody = (diameter: number, length: number): Body =>
  joined(
    'screw',
    moved(prism(circle(0.9 * diameter, 6), 0.65 * diameter), 0, 0, -0.65 * diameter),
    solid(screw(diameter, length).slice(2)),
  );
/** A screw as drawings show it: two edges of the head, and the end of the chamfer. */
const screwSeen = (diameter: number, length: number): Segment[] => [
  ...seen(screw(diameter, length)),
  ...[-1, 1].map((side): Segment => [-0.65 * diameter, 0.45 * side * diameter, 0, 0.45 * side * diameter]),
];

/** A motor: a can, a boss and a shaft. */
const motor = (can: number, length: number, shaft: number): Profile => [
  [can, 0],
  [can, length],
  [0.3 * can, length],
  [0.3 * can, length + 4],
  [shaft, length + 4],
  [shaft, length + 18],
];

/** A plate with notches along its upper edge: the plate, and what is left between the notches. */
function notched(count: number): Body {
  const step = 100 / (count + 1);
  const teeth = Array.from({ length: count + 1 }, (_, i) => {
    const [from, to] = [i === 0 ? 0 : i * step + 4, i === count ? 100 : (i + 1) * step - 4];
    return moved(box(to - from, 10, 8), from, 30, 0);
  });
  return joined('plate', box(100, 30, 8), ...teeth);
}
/** Its outline and, below, its edge. */
function notchedSeen(count: number): Segment[] {
  const step = 100 / (count + 1);
  const upper = Array.from({ length: count }, (_, i) => {
    const x = (i + 1) * step;
    return [
      [x - 4, 40],
      [x - 4, 30],
      [x + 4, 30],
      [x + 4, 40],
    ] as const;
  });
  const outline = [[0, 0], [0, 40], ...upper.flat(), [100, 40], [100, 0]] as const;
  const edge = [
    [0, -40],
    [100, -40],
    [100, -32],
    [0, -32],
  ] as const;
  return [outline, edge].flatMap((corners) =>
    corners.map(([x, y], i): Segment => [x, y, ...corners[(i + 1) % corners.length]]),
  );
}

const ENDS: Readonly<Record<string, Profile>> = { plug: PLUG, cone: CONE, ball: BALL, eye: EYE };
const cables = Object.entries(ENDS).flatMap(([low, own], i) =>
  Object.entries(ENDS)
    .slice(i)
    .map(([high, other]) => [`cable-${low}-${high}.stl`, solid(cable(own, other, 700))] as const),
);
/** Cables whose models are bent, round a corner. */
const CORNER: Bend = { from: 300, radius: 60, angle: Math.PI / 2 };
const bentCables = [
  ['plug', 'cone'],
  ['ball', 'eye'],
  ['plug', 'eye'],
  ['cone', 'ball'],
].map(([low, high]) => [`bent-${low}-${high}.stl`, bentBody(cable(ENDS[low], ENDS[high], 700), CORNER)] as const);
const lengths = [30, 50, 80, 120, 200];
const screws = [8, 12].flatMap((diameter) =>
  lengths.map((length) => [`screw-M${diameter}x${length}.stl`, screwBody(diameter, length)] as const),
);
const motors = [
  [14, 38, 1.6],
  [14, 60, 1.6],
  [18, 30, 3],
  [10, 38, 1],
].map(([can, length, shaft]) => [`motor-${can}-${length}.stl`, solid(motor(can, length, shaft))] as const);
const plates = [2, 3, 4, 5].map((count) => [`plate-${count}.stl`, notched(count)] as const);

const library = libraries();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await library.open(library.fresh());
  company = await engine.company('acme');
  const parts = [...cables, ...bentCables, ...screws, ...motors, ...plates];
  await fill(
    company,
    parts.map(([path, body]) => [path, writeStlBinary(body)] as const),
  );
}, 120_000);
afterAll(() => engine.close());

/** Paths of the first hits for a drawing of lines, with words on it. */
async function firstOf(lines: readonly Segment[], ...said: readonly string[]): Promise<string[]> {
  const { hits } = await company.search({
    like: { bytes: page(lines, ...said), extension: '.dxf' },
    limit: 5,
    highlights: false,
  });
  return hits.map(({ path }) => path);
}

test.each([
  ['plug', 'cone'],
  ['ball', 'eye'],
])('a cable with a %s and a %s is found by a drawing that breaks it', async (low, high) => {
  const lines = seen(cable(ENDS[low], ENDS[high], 700));
  for (const [from, to] of [
    [80, 640],
    [60, 600],
  ] as const)
    expect((await firstOf(broken(lines, from, to)))[0]).toBe(`cable-${[low, high].join('-')}.stl`);
});

test.each([
  ['plug', 'cone'],
  ['ball', 'eye'],
])('a bent cable with a %s and a %s is found by a drawing of it', async (low, high) => {
  const lines = seen(finely(cable(ENDS[low], ENDS[high], 700)));
  expect((await firstOf(bentLines(lines, CORNER)))[0]).toBe(`bent-${low}-${high}.stl`);
});

test.each([8, 12])('a long screw M%i is found by a drawing that breaks it and states its length', async (diameter) => {
  const lines = broken(screwSeen(diameter, 200), 30, 180);
  expect((await firstOf(lines, '200', `${diameter}`, `${1.8 * diameter}`))[0]).toBe(`screw-M${diameter}x200.stl`);
  // Without numbers nothing tells how long it is, but it is long.
  for (const path of (await firstOf(lines)).slice(0, 2)) expect(path).toMatch(/^screw-M\d+x(120|200)\.stl$/);
});

test('a screw is found by a drawing of all of it, before longer ones that could be drawn broken off', async () => {
  for (const [diameter, length] of [
    [8, 50],
    [8, 80],
    [12, 50],
  ]) {
    const own = `screw-M${diameter}x${length}.stl`;
    const stated = [`${length}`, `${diameter}`, `${1.8 * diameter}`];
    expect((await firstOf(screwSeen(diameter, length), ...stated))[0]).toBe(own);
    const end = circle(0.9 * diameter, 6).map(([x, y]) => [x - 40, y] as const);
    const head = end.map(([x, y], i): Segment => [x, y, ...end[(i + 1) % 6]]);
    expect((await firstOf([...screwSeen(diameter, length), ...head], ...stated))[0]).toBe(own);
  }
});

test('a motor that fills its sheet is found whole', async () => {
  expect((await firstOf(seen(motor(14, 38, 1.6))))[0]).toBe('motor-14-38.stl');
});

test('a motor is found by a drawing that shows its leads, which no model has', async () => {
  for (const [can, length, shaft] of [
    [14, 38, 1.6],
    [18, 30, 3],
  ]) {
    const leads = [0.3, -0.3].flatMap((share): Segment[] => {
      const edge = (off: number): [number, number][] =>
        Array.from({ length: 13 }, (_, i) => [-5 * i, share * can + off + 1.5 * Math.sin(i / 2)]);
      return [edge(0.5), edge(-0.5)].flatMap((points) =>
        points.slice(1).map(([u, v], i): Segment => [...points[i], u, v]),
      );
    });
    expect((await firstOf([...seen(motor(can, length, shaft)), ...leads]))[0]).toBe(`motor-${can}-${length}.stl`);
  }
});

test.each([2, 3, 4, 5])('a plate with %i notches is found before its siblings', async (count) => {
  const [first, ...others] = await firstOf(notchedSeen(count));
  expect(first).toBe(`plate-${count}.stl`);
  for (const path of others.slice(0, 3)) expect(path).toMatch(/^plate/);
});
