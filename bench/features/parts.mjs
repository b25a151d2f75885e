/**
 * Parts with features of known sizes, made with the solid modeller: plates, flanges, shafts, sheets, tubes and blocks.
 */
import * as kit from '../../dist/parts/sample/solids.js';
import { stepFile } from '../../dist/parts/sample/step-file.js';
import { seeded } from './random.mjs';

const { bar, box, circle, cutAll, cylinder, drill, grid, loadModeller, onCircle, polygon, prism, slot, turned } = kit;

/**
 * Parts in turn of each kind.
 * @returns {AsyncGenerator<{ name: string, step: Uint8Array, shape: string, wallMm?: number, features: object[] }>}
 *   what is true of a part: its features with count and the sizes that are asked for, and no others of these kinds
 */
export async function* knownParts(count, seed, kinds = MAKERS) {
  await loadModeller();
  const random = seeded(seed);
  const within = (low, high) => Math.round((low + random() * (high - low)) * 10) / 10;
  const among = (...values) => values[Math.floor(random() * values.length)];
  const makers = Object.entries(kinds);
  for (let i = 0; i < count; i++) {
    const [name, make] = makers[i % makers.length];
    const { solid, ...known } = make({ within, among });
    yield { name: `${name} ${i}`, step: await stepFile(solid, name), ...known };
  }
}

const hole = (count, diameterMm, more = {}) => ({ kind: 'hole', count, diameterMm, isThrough: true, ...more });

const MAKERS = {
  plate: ({ within, among }) => {
    const [x, y, z] = [within(90, 140), within(60, 80), within(12, 20)];
    const [columns, rows] = among([2, 2], [3, 2], [4, 1]);
    const pitch = [within(18, 22), within(26, 32)];
    const d = within(4, 9);
    const places = grid(columns, rows, ...pitch);
    const pattern = rows === 1 ? { kind: 'row', pitchMm: pitch[0] } : { kind: 'grid', columns, rows };
    return {
      solid: drill(box(x, y, z), d, places, 0, z),
      shape: 'milled',
      features: [hole(columns * rows, d, { pattern })],
    };
  },
  sunk: ({ within, among }) => {
    const [x, y, z] = [within(80, 120), within(60, 80), within(12, 20)];
    const d = within(4, 8);
    const head = Math.round(d * 18) / 10;
    const places = grid(2, 2, 40, 30);
    const plate = drill(box(x, y, z), d, places, 0, z);
    const sunk = among('counterbored', 'countersunk');
    const depth = (head - d) / 2;
    const tools = places.map(([px, py]) =>
      sunk === 'counterbored'
        ? cylinder(head, z, [px, py, z - d])
        : turned([
            [0, z - depth],
            [d / 2, z - depth],
            [head / 2, z],
            [head / 2, z + 1],
            [0, z + 1],
          ]).translate([px, py, 0]),
    );
    return {
      solid: cutAll(plate, tools),
      shape: 'milled',
      features: [hole(4, d, { sunk, sunkDiameterMm: head, pattern: { kind: 'grid' } })],
    };
  },
  blind: ({ within }) => {
    const [x, y, z] = [within(80, 120), within(60, 80), within(20, 30)];
    const [d, depth] = [within(4, 9), within(8, 15)];
    const tip = d / 2 / Math.tan((59 * Math.PI) / 180);
    const tools = grid(3, 1, 22).map(([px, py]) =>
      turned([
        [0, z - depth - tip],
        [d / 2, z - depth],
        [d / 2, z + 1],
        [0, z + 1],
      ]).translate([px, py, 0]),
    );
    const [e, flat] = [within(10, 14), within(5, 9)];
    return {
      solid: cutAll(box(x, y, z), [...tools, cylinder(e, flat, [0, 22, z - flat + 1e-9])]),
      shape: 'milled',
      features: [
        hole(3, d, { isThrough: false, depthMm: depth, pattern: { kind: 'row', pitchMm: 22 } }),
        hole(1, e, { isThrough: false, depthMm: flat }),
      ],
    };
  },
  flange: ({ within, among }) => {
    const bolts = among(3, 4, 5, 6, 8, 12);
    const [bore, d] = [within(15, 30), within(4, 7)];
    const circleMm = bore + within(30, 40);
    const outer = circleMm + 3 * d;
    const [z, hub] = [within(8, 14), within(12, 25)];
    const disc = turned([
      [bore / 2, 0],
      [outer / 2, 0],
      [outer / 2, z],
      [bore / 2 + 6, z],
      [bore / 2 + 6, z + hub],
      [bore / 2, z + hub],
    ]);
    return {
      solid: drill(disc, d, onCircle(circleMm, bolts, 10), 0, z),
      shape: 'turned',
      features: [hole(bolts, d, { pattern: { kind: 'circle', diameterMm: circleMm } }), hole(1, bore)],
    };
  },
  shaft: ({ within }) => {
    const [r, a, b] = [within(8, 12), within(20, 40), within(20, 60)];
    const c = within(0.5, 1.5);
    return {
      solid: turned([
        [0, 0],
        [r - c, 0],
        [r, c],
        [r, a],
        [r + 5, a],
        [r + 5, a + b - c],
        [r + 5 - c, a + b],
        [0, a + b],
      ]),
      shape: 'turned',
      features: [{ kind: 'chamfer', count: 2, widthMm: c }],
    };
  },
  sheet: ({ within }) => {
    const t = within(1, 3),
      r = within(1, 3);
    const [a, b, c, width] = [within(30, 50), within(40, 70), within(30, 50), within(40, 80)];
    const profile = polygon([
      [0, 0],
      [b, 0],
      [b, c],
      [b - t, c],
      [b - t, t],
      [t, t],
      [t, a],
      [0, a],
    ]);
    const solid = bar(profile, width)
      .fillet(r + t, (edges) =>
        edges
          .inDirection('X')
          .either([(f) => f.containsPoint([width / 2, 0, 0]), (f) => f.containsPoint([width / 2, b, 0])]),
      )
      .fillet(r, (edges) =>
        edges
          .inDirection('X')
          .either([(f) => f.containsPoint([width / 2, t, t]), (f) => f.containsPoint([width / 2, b - t, t])]),
      );
    return { solid, shape: 'sheet metal', wallMm: t, features: [{ kind: 'bend', count: 2, radiusMm: r }] };
  },
  tube: ({ within }) => {
    const [outer, t, length] = [within(20, 60), within(1, 3), within(150, 300)];
    return {
      solid: prism(circle(outer), length).cut(prism(circle(outer - 2 * t), length)),
      shape: 'tube',
      wallMm: t,
      features: [hole(1, outer - 2 * t)],
    };
  },
  'square tube': ({ within }) => {
    const [x, y, t, length] = [within(30, 60), within(20, 60), within(1.5, 3), within(150, 300)];
    return {
      solid: box(x, y, length).cut(box(x - 2 * t, y - 2 * t, length)),
      shape: 'tube',
      wallMm: t,
      features: [{ kind: 'passage', count: 1 }],
    };
  },
  pocket: ({ within }) => {
    const [x, y, z] = [within(90, 120), within(60, 80), within(20, 30)];
    const [depth, r] = [within(5, 12), within(3, 6)];
    const recess = box(50, 30, depth + 1, z - depth).fillet(r, (edges) => edges.inDirection('Z'));
    const [width, long] = [within(6, 10), within(25, 35)];
    return {
      solid: cutAll(box(x, y, z), [
        recess.translate([12, 0, 0]),
        prism(slot(long, width), z + 2, -1)
          .rotate(90)
          .translate([-28, 0, 0]),
      ]),
      shape: 'milled',
      features: [
        { kind: 'pocket', count: 1, depthMm: depth },
        { kind: 'slot', count: 1, widthMm: width },
      ],
    };
  },
  pins: ({ within }) => {
    const [x, y, z] = [within(80, 120), within(60, 80), within(8, 14)];
    const [d, height] = [within(6, 12), within(8, 14)];
    let solid = box(x, y, z);
    for (const [px, py] of grid(2, 2, 40, 30)) solid = solid.fuse(cylinder(d, height + 1, [px, py, z - 1]));
    return { solid, shape: 'milled', features: [{ kind: 'boss', count: 4, diameterMm: d, depthMm: height }] };
  },
  rounded: ({ within }) => {
    const [x, y, z] = [within(60, 100), within(40, 60), within(15, 30)];
    const [r, c] = [within(4, 8), within(1, 2)];
    const solid = box(x, y, z)
      .fillet(r, (edges) => edges.inDirection('Z'))
      .cut(box(x + 2, 12, 6, z - 6));
    return {
      solid: solid.chamfer(c, (edges) => edges.inPlane('XY', 0).inDirection('X')),
      shape: 'milled',
      features: [
        { kind: 'fillet', count: 4, radiusMm: r },
        { kind: 'slot', count: 1, widthMm: 12, depthMm: 6, isThrough: true },
      ],
      loose: ['chamfer'],
    };
  },
};
