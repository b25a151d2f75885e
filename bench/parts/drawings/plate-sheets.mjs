/**
 * Sheets of plates, rods and rings with what meshes do not show: fillets and circles as single curves, arrows of radii
 * and diameters that end at them, details inside a circle, ends of rods, small sections, cutting planes whose arrows
 * touch a circle. A seed decides. Nothing here was taken from a real drawing.
 */
import { seededRandom } from '../../support/software-camera.mjs';
import { pdfOf } from './page-pdf.mjs';
import { framed } from './sheet-frame.mjs';

/** Points of a full circle. */
const STEPS = 72;
const FULL = 2 * Math.PI;

/**
 * A sheet as PDF: { bytes, extension, widthMm, heightMm, views, style, items } with `box` [x, y, width, height], mm, of
 * each view; items: what is drawn, see `pdfOf`.
 */
export function drawPlateSheet(seed) {
  const random = seededRandom(seed);
  const pick = (...choices) => choices[Math.floor(choices.length * random())];
  const thin = pick(0.13, 0.18, 0.25);
  const style = {
    paper: pick('a4', 'a3', 'a3', 'letter'),
    frame: pick('none', 'single', 'zones'),
    block: pick('none', 'corner', 'corner', 'foot'),
    thin,
    thick: pick(thin, 2 * thin, 2.8 * thin),
    letter: pick(2.5, 3.5, 5),
    arrow: pick('filled', 'filled', 'open'),
    isWhole: random() < 0.3,
    circles: pick('whole', 'whole', 'halves', 'quarters'),
  };
  const { widthMm, heightMm, items, area } = framed(style, random);
  const sheet = { style, random, pick, items, views: [] };
  const [left, top, width, height] = area;
  const kinds = [plate, plate, rod, ring, details, smallSections];
  for (let i = kinds.length - 1; i > 0; i--) {
    const k = Math.floor((i + 1) * random());
    [kinds[i], kinds[k]] = [kinds[k], kinds[i]];
  }
  const columns = pick(1, 2, 2, 3);
  for (let i = 0; i < 2 * columns; i++) {
    const cell = [left + ((i % columns) * width) / columns, top + (i < columns ? 0 : height / 2)];
    kinds[i](sheet, [...cell, width / columns, height / 2]);
  }
  for (let i = Math.floor(4 * random()); i > 0; i--)
    symbol(sheet, [left + width * (0.1 + 0.8 * random()), top + height * random()]);
  return {
    bytes: pdfOf({ widthMm, heightMm, items }),
    extension: '.pdf',
    widthMm,
    heightMm,
    views: sheet.views,
    style,
    items,
  };
}

/** A plate with fillets and holes, and perhaps its edge beside it. */
function plate(sheet, [x, y, width, height]) {
  const { random, pick, items, style } = sheet;
  const [w, h] = [width * (0.35 + 0.2 * random()), height * (0.35 + 0.25 * random())];
  const [left, top] = [x + 0.15 * width, y + 0.2 * height];
  const round = random() < 0.3;
  const curves = round
    ? circleCurves([left + w / 2, top + h / 2], Math.min(w, h) / 2, style)
    : roundedCurves(outline(pick, [left, top, w, h], random), 0.5 + 4 * random(), style);
  for (const { points } of curves) items.push({ points, width: style.thick });
  const arcs = curves.filter(({ bow }) => bow !== undefined);
  const opening = round
    ? roundedCurves(rectangle([left + 0.3 * w, top + 0.3 * h, 0.4 * w, 0.4 * h]), 1 + random(), style)
    : [];
  for (const { points } of opening) items.push({ points, width: style.thick });
  for (const { bow } of [...arcs, ...opening.filter((curve) => curve.bow !== undefined)])
    if (random() < 0.7) radius(sheet, bow);
  for (let i = round ? 0 : Math.floor(4 * random()); i > 0; i--) {
    const hole = {
      middle: [left + w * (0.15 + 0.2 * i), top + h * (0.08 + 0.1 * random())],
      r: 0.8 + 0.04 * h * random(),
    };
    for (const { points } of circleCurves(hole.middle, hole.r, style)) items.push({ points, width: style.thick });
    if (random() < 0.6) diameter(sheet, hole, random() < 0.5);
  }
  const all = curves.flatMap(({ points }) => points);
  view(sheet, 'front', all);
  if (random() < 0.5) {
    lengths(sheet, boundsOf(all));
  }
  if (random() < 0.6) {
    const side = rectangle([
      left + w + Math.max(12, 0.15 * width),
      boundsOf(all)[1],
      2 + 4 * random(),
      boundsOf(all)[3],
    ]);
    items.push({ points: [...side, side[0]], width: style.thick });
    view(sheet, 'side', side);
  }
}

/** A rod with its round end. */
function rod(sheet, [x, y, width, height]) {
  const { random, items, style } = sheet;
  const r = 2.5 + 8 * random();
  const middle = [x + 0.12 * width + r, y + 0.5 * height];
  const [wide, long] = [2 * r, width * (0.35 + 0.2 * random())];
  for (const { points } of circleCurves(middle, r, style)) items.push({ points, width: style.thick });
  if (random() < 0.5) cross(sheet, middle, r);
  if (random() < 0.6) diameter(sheet, { middle, r }, true);
  view(sheet, 'end', circlePoints(middle, r));
  const body = rectangle([middle[0] + r + Math.max(14, 0.12 * width), middle[1] - r, long, wide]);
  for (const i of body.keys()) items.push({ points: [body[i], body[(i + 1) % 4]], width: style.thick });
  view(sheet, 'rod', body);
  if (random() < 0.7) lengths(sheet, boundsOf(body));
}

/** A ring that a cutting plane crosses: its arrows touch the circle. */
function ring(sheet, [x, y, width, height]) {
  const { random, items, style } = sheet;
  const r = Math.min(width, height) * (0.15 + 0.1 * random());
  const middle = [x + 0.4 * width, y + 0.5 * height];
  for (const size of [r, (0.3 + 0.4 * random()) * r])
    for (const { points } of circleCurves(middle, size, style)) items.push({ points, width: style.thick });
  const long = 5;
  for (const way of [-1, 1]) {
    const u = middle[0] + way * r;
    items.push({
      points: [
        [u - 0.05 * r, middle[1]],
        [u + way * 3, middle[1]],
      ],
      width: style.thick,
    });
    items.push({
      points: [
        [u, middle[1] + 2 * long],
        [u, middle[1] + long],
      ],
      width: style.thin,
    });
    head(sheet, [u, middle[1]], [0, -1], long);
    items.push({ text: 'A', x: u + way * 5 - 2, y: middle[1] + 2, height: 1.4 * style.letter });
  }
  if (random() < 0.5) diameter(sheet, { middle, r }, false);
  view(sheet, 'ring', circlePoints(middle, r));
}

/** One or two details in circles beside each other: a step or a groove, cut off by the circle. */
function details(sheet, [x, y, width, height]) {
  const { random, items, style } = sheet;
  const r = Math.min(0.16 * width, 0.25 * height, 8 + 10 * random());
  const count = random() < 0.5 ? 1 : 2;
  for (let i = 0; i < count; i++) {
    const middle = [x + 0.25 * width + i * (2 * r + 6 + 8 * random()), y + 0.4 * height];
    const at = (u, v) => [middle[0] + u * r, middle[1] + v * r];
    const deep = 0.3 + 0.4 * random(),
      low = 0.2 * random();
    const paths = [
      [at(-2, -low), at(-0.3, -low), at(-0.3, deep), at(0.3, deep), at(0.3, -low), at(2, -low)],
      ...(random() < 0.5 ? [[at(-2, 0.85), at(2, 0.85)]] : []),
      ...(random() < 0.5 ? [[at(-0.3, deep), at(-0.3, 2)]] : []),
    ];
    const isSteps = random() < 0.4;
    const shown = isSteps
      ? [
          [at(-2, -0.5), at(0.2, -0.5), at(0.2, 2)],
          [at(-2, 0.2), at(0.2, 0.2)],
        ]
      : paths;
    for (const path of shown) for (const points of clipped(path, middle, r)) items.push({ points, width: style.thick });
    items.push({ points: circlePoints(middle, r), width: style.thin });
    items.push({
      text: `DETAIL ${'BC'[i]}`,
      x: middle[0] - r,
      y: middle[1] + r + 3 + style.letter,
      height: style.letter,
    });
    view(sheet, 'detail', circlePoints(middle, r));
  }
}

/** Small sections of a few millimetres, with centre line and a letter. */
function smallSections(sheet, [x, y, width, height]) {
  const { random, items, style } = sheet;
  for (let i = 0; i < 2; i++) {
    const [w, h] = [4 + 3 * random(), 6 + 5 * random()];
    const [left, top] = [x + width * (0.2 + 0.35 * i), y + 0.4 * height];
    const wall = 0.25 * w;
    const path = [
      [0, 0],
      [w, 0],
      [w, wall],
      [wall, wall],
      [wall, h - wall],
      [w, h - wall],
      [w, h],
      [0, h],
    ].map(([u, v]) => [left + u, top + v]);
    const curves = roundedCurves(path, 0.3, style);
    for (const { points } of curves) items.push({ points, width: style.thick });
    if (random() < 0.5)
      items.push({
        points: [
          [left - 6, top + h / 2],
          [left + w + 6, top + h / 2],
        ],
        width: style.thin,
        dash: [8, 1.5, 1.5, 1.5],
      });
    items.push({ text: 'A-A', x: left - 2, y: top + h + 4 + style.letter, height: style.letter });
    view(sheet, 'section', path);
  }
}

/** A drawn symbol, which is no view: of a surface, of the angle of projection, or of a datum. */
function symbol({ pick, items, style }, [x, y]) {
  const size = 0.9 * style.letter;
  const line = (...points) =>
    items.push({ points: points.map(([u, v]) => [x + u * size, y + v * size]), width: style.thin });
  pick(
    () => line([-0.6, -1], [0, 0], [1.2, -2], [2.4, -2]),
    () => {
      line([0, -0.5], [2, -1], [2, 1], [0, 0.5], [0, -0.5]);
      for (const r of [0.5, 1]) items.push({ points: circlePoints([x + 4 * size, y], r * size), width: style.thin });
    },
    () => line([-0.7, 1.2], [0.7, 1.2], [0, 0], [-0.7, 1.2]),
  )();
}

function view({ views }, side, points) {
  views.push({ side, box: boundsOf(points) });
}

function boundsOf(points) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
}

function rectangle([x, y, w, h]) {
  return [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ];
}

/** Corners of a plate: a rectangle, an angle, or one with a notch. */
function outline(pick, [x, y, w, h], random) {
  const [a, b] = [0.3 + 0.4 * random(), 0.3 + 0.4 * random()];
  return pick(
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
    [
      [0, 0],
      [1, 0],
      [1, b],
      [a, b],
      [a, 1],
      [0, 1],
    ],
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [a + 0.1, 1],
      [a + 0.1, b],
      [a - 0.2, b],
      [a - 0.2, 1],
      [0, 1],
    ],
    [
      [0, 0],
      [1, b],
      [1, 1],
      [0, 1],
    ],
  ).map(([u, v]) => [x + u * w, y + v * h]);
}

/** Edges and fillets of a closed outline; `bow` of a fillet says where it is. */
function roundedCurves(corners, most, { isWhole }) {
  const count = corners.length;
  const curves = [];
  const cut = corners.map((corner, i) => {
    const [before, after] = [corners[(i + count - 1) % count], corners[(i + 1) % count]];
    const [a, b] = [before, after].map((to) => {
      const d = Math.hypot(to[0] - corner[0], to[1] - corner[1]);
      return { ux: (to[0] - corner[0]) / d, uy: (to[1] - corner[1]) / d, d };
    });
    const half = Math.acos(Math.max(-1, Math.min(1, a.ux * b.ux + a.uy * b.uy))) / 2;
    const reach = Math.min(most / Math.tan(half), 0.3 * Math.min(a.d, b.d));
    const r = reach * Math.tan(half);
    const [mx, my] = [(a.ux + b.ux) / 2, (a.uy + b.uy) / 2];
    const length = Math.hypot(mx, my);
    const out = [-mx / length, -my / length];
    const middle = [corner[0] - (out[0] * r) / Math.sin(half), corner[1] - (out[1] * r) / Math.sin(half)];
    const from = [corner[0] + a.ux * reach, corner[1] + a.uy * reach];
    const to = [corner[0] + b.ux * reach, corner[1] + b.uy * reach];
    const start = Math.atan2(from[1] - middle[1], from[0] - middle[0]);
    let turn = Math.atan2(to[1] - middle[1], to[0] - middle[0]) - start;
    if (turn > Math.PI) turn -= FULL;
    if (turn < -Math.PI) turn += FULL;
    const points = Array.from({ length: 9 }, (_, k) => {
      const angle = start + (turn * k) / 8;
      return [middle[0] + r * Math.cos(angle), middle[1] + r * Math.sin(angle)];
    });
    return { points, bow: { middle, r, out } };
  });
  cut.forEach((arc, i) => {
    curves.push(arc, { points: [arc.points.at(-1), cut[(i + 1) % count].points[0]] });
  });
  if (!isWhole) return curves;
  const points = curves.flatMap((curve) => curve.points);
  return [{ points: [...points, points[0]] }];
}

function circlePoints([x, y], r, from = 0, to = FULL) {
  const steps = Math.ceil((STEPS * (to - from)) / FULL);
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / steps;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

function circleCurves(middle, r, { circles }) {
  const count = { whole: 1, halves: 2, quarters: 4 }[circles];
  return Array.from({ length: count }, (_, i) => ({
    points: circlePoints(middle, r, (i * FULL) / count, ((i + 1) * FULL) / count),
  }));
}

/** The parts of a path that lie inside a circle. */
function clipped(path, [x, y], r) {
  const pieces = [];
  let piece = [];
  for (let i = 0; i + 1 < path.length; i++) {
    const [a, b] = [path[i], path[i + 1]];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const [fx, fy] = [a[0] - x, a[1] - y];
    const [p, q, s] = [dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - r * r];
    const root = q * q - p * s;
    if (root <= 0) continue;
    const from = Math.max(0, (-q - Math.sqrt(root)) / p),
      to = Math.min(1, (-q + Math.sqrt(root)) / p);
    if (to <= from) continue;
    if (piece.length === 0) piece.push([a[0] + from * dx, a[1] + from * dy]);
    piece.push([a[0] + to * dx, a[1] + to * dy]);
    if (to < 1) {
      pieces.push(piece);
      piece = [];
    }
  }
  return piece.length > 1 ? [...pieces, piece] : pieces;
}

/** The arrow of a radius at a fillet, from within or from outside. */
function radius(sheet, { middle, r, out }) {
  const { random, items, style } = sheet;
  const tip = [middle[0] + r * out[0], middle[1] + r * out[1]];
  const way = random() < 0.5 ? 1 : -1;
  const size = 2 + random();
  const long = size + 3 + 4 * random();
  const end = [tip[0] + way * long * out[0], tip[1] + way * long * out[1]];
  items.push({ points: [tip, end], width: style.thin });
  head(sheet, tip, [-way * out[0], -way * out[1]], size);
  items.push({ text: `R${r.toFixed(1)}`, x: end[0] - style.letter, y: end[1], height: style.letter });
}

/** A diameter: a line across the circle with two arrows, or a leader from outside. */
function diameter(sheet, { middle: [x, y], r }, isLeader) {
  const { random, items, style } = sheet;
  const angle = isLeader ? -FULL / 8 : [0, FULL / 8, FULL / 4][Math.floor(3 * random())];
  const [u, v] = [Math.cos(angle), Math.sin(angle)];
  const long = 6 + 6 * random(),
    size = 2.5;
  const near = [x + r * u, y + r * v],
    far = [x - r * u, y - r * v];
  const end = [near[0] + long * u, near[1] + long * v];
  items.push({ points: [isLeader ? near : far, end], width: style.thin });
  if (isLeader || r < 3) {
    head(sheet, near, [-u, -v], size);
    if (!isLeader) head(sheet, far, [u, v], size);
  } else {
    head(sheet, near, [u, v], size);
    head(sheet, far, [-u, -v], size);
  }
  items.push({ text: `D${(2 * r).toFixed(1)}`, x: end[0] + 0.5, y: end[1] - 0.5, height: style.letter });
}

/** Length and height of a box, below it and to its left. */
function lengths(sheet, [x, y, w, h]) {
  const { items, style } = sheet;
  const line = (...points) => items.push({ points, width: style.thin });
  const away = 5 + style.letter;
  for (const u of [x, x + w]) line([u, y + h + 1], [u, y + h + away + 1.5]);
  line([x, y + h + away], [x + w, y + h + away]);
  head(sheet, [x, y + h + away], [-1, 0], 2.5);
  head(sheet, [x + w, y + h + away], [1, 0], 2.5);
  items.push({ text: w.toFixed(1), x: x + w / 2 - style.letter, y: y + h + away - 0.8, height: style.letter });
}

function cross({ items, style }, [x, y], r) {
  const dash = [4, 1, 1, 1];
  items.push({
    points: [
      [x - r - 3, y],
      [x + r + 3, y],
    ],
    width: style.thin,
    dash,
  });
  items.push({
    points: [
      [x, y - r - 3],
      [x, y + r + 3],
    ],
    width: style.thin,
    dash,
  });
}

/** The head of an arrow with its tip at a point. */
function head({ items, style }, [x, y], [dx, dy], size) {
  const base = [x - size * dx, y - size * dy];
  const wings = [1, -1].map((sign) => [base[0] - sign * 0.17 * size * dy, base[1] + sign * 0.17 * size * dx]);
  if (style.arrow === 'filled') items.push({ fill: [[x, y], ...wings] });
  else items.push({ points: [wings[0], [x, y], wings[1]], width: style.thin });
}
