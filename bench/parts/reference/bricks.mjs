/**
 * Reference parts like those of building toys: studded bricks and plates, slopes, arches, lift-arms, axles, pins,
 * links.
 */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const bricks = {
  'brick-studded': studdedBrick,
  'plate-studded': studdedPlate,
  'brick-tile': tile,
  'brick-slope': slope,
  'brick-wedge': wedge,
  'brick-arch': arch,
  'brick-round': roundBrick,
  dish,
  'brick-cone': coneBrick,
  'brick-panel': panel,
  'brick-bracket': studBracket,
  'brick-technic': holedBrick,
  'lift-arm': liftArm,
  'lift-arm-bent': bentLiftArm,
  'axle-cross': crossAxle,
  'axle-connector': axleConnector,
  'peg-friction': peg,
  'bar-clip': barClip,
  'chain-link': chainLink,
  'toy-wheel': toyWheel,
};

/** One set's measures: pitch of the studs, their radius and height, the wall, and the height of a plate. */
function measures(k) {
  const p = k.pick([8, 8, 8, 16, 5]);
  return {
    p,
    r: p * k.num(0.28, 0.32),
    stud: p * k.num(0.18, 0.25),
    wall: p * k.num(0.12, 0.2),
    plate: p * 0.4,
    seg: k.pick([12, 16, 16, 24]),
  };
}

/** Studs over nx by ny cells at height z, hollow at times. */
function studs(k, m, nx, ny, z, keep = () => true) {
  const places = k.grid(nx, ny, m.p).filter(keep);
  const hollow = nx * ny <= 8 && k.chance(0.15);
  const outline = hollow ? k.circle(m.r, m.seg).minus(k.circle(m.r * 0.6, m.seg)) : k.circle(m.r, m.seg);
  return outline
    .up(m.stud + 0.1 * m.p)
    .at(0, 0, z - 0.1 * m.p)
    .each(places);
}

/** The hollow under a brick of nx by ny cells and height h, with tubes or posts between the cells. */
function underside(k, m, nx, ny, h) {
  const hollow = k.box(nx * m.p - 2 * m.wall, ny * m.p - 2 * m.wall, h - m.wall);
  if (nx > 1 && ny > 1)
    return hollow.minus(
      k
        .circle(m.p * 0.4, m.seg)
        .minus(k.circle(m.r, m.seg))
        .up(h)
        .each(k.grid(nx - 1, ny - 1, m.p)),
    );
  const n = Math.max(nx, ny) - 1;
  return n ? hollow.minus(k.cyl(m.p * 0.2, h, 12).each(nx > 1 ? k.grid(n, 1, m.p) : k.grid(1, n, m.p))) : hollow;
}

function studded(k, nx, ny, h, m) {
  let body = k.box(nx * m.p * 0.99, ny * m.p * 0.99, h);
  if (k.chance(0.8)) body = body.minus(underside(k, m, nx, ny, h).at(0, 0, -0.001 * m.p));
  return body.plus(studs(k, m, nx, ny, h));
}

function studdedBrick(k) {
  const m = measures(k),
    nx = k.pick([1, 2, 2, 3, 4, 6, 8]),
    ny = k.pick([1, 1, 2, 2]);
  return studded(k, nx, ny, m.plate * k.pick([3, 3, 3, 6, 9]), m);
}

function studdedPlate(k) {
  const m = measures(k),
    nx = k.pick([1, 2, 3, 4, 6, 8, 10]),
    ny = k.pick([1, 2, 2, 4, 6]);
  m.seg = nx * ny > 16 ? 12 : m.seg;
  if (k.chance(0.2)) {
    // an L of plates
    const body = k
      .box(nx * m.p, m.p, m.plate)
      .plus(k.box(m.p, ny * m.p, m.plate).at(((nx - 1) * m.p) / 2, ((ny - 1) * m.p) / 2));
    return body.plus(
      studs(k, m, nx, 1, m.plate),
      studs(k, m, 1, ny, m.plate).at(((nx - 1) * m.p) / 2, ((ny - 1) * m.p) / 2),
    );
  }
  return studded(k, nx, ny, m.plate, m);
}

function tile(k) {
  const m = measures(k),
    nx = k.int(1, 8),
    ny = k.int(1, 4);
  let body = k
    .box(nx * m.p * 0.98, ny * m.p * 0.98, m.plate)
    .minus(k.box(nx * m.p - 2 * m.wall, ny * m.p - 2 * m.wall, m.plate - m.wall));
  if (k.chance(0.6))
    body = body.minus(
      k
        .rect(nx * m.p, ny * m.p)
        .minus(k.rect(nx * m.p * 0.98 - m.wall * 0.6, ny * m.p * 0.98 - m.wall * 0.6))
        .up(m.wall * 0.4),
    );
  if (k.chance(0.35)) body = body.plus(studs(k, m, nx, ny, m.plate, ([x]) => Math.abs(x) < m.p * 0.8));
  if (k.chance(0.2))
    body = body.minus(
      k
        .box(nx * m.p * 0.1, ny * m.p * 3, m.plate * 0.15)
        .at(0, 0, m.plate * 0.9)
        .each(k.grid(nx, 1, m.p)),
    );
  if (k.chance(0.2))
    body = body.plus(
      k
        .bar(
          [
            [-m.p * 0.3, 0, 0],
            [-m.p * 0.3, 0, m.p * 0.4],
            [m.p * 0.3, 0, m.p * 0.4],
            [m.p * 0.3, 0, 0],
          ],
          m.p * 0.1,
        )
        .at(0, 0, m.plate * 0.9),
    );
  return body;
}

function slope(k) {
  const m = measures(k),
    nx = k.int(1, 4),
    ny = k.int(2, 4),
    h = m.plate * k.pick([2, 3, 3, 6]),
    lip = m.plate * k.pick([0, 0.5, 0.5]),
    w = nx * m.p;
  const d = ny * m.p,
    top = k.pick([0, 1, 1]) * m.p,
    kind = k.int(0, 3);
  let points = [
    [0, 0],
    [d, 0],
    [d, lip],
    [top, h],
    [0, h],
  ];
  if (kind === 1)
    points = [
      [0, h],
      [d, h],
      [d, h - lip],
      [Math.max(top, m.p * 0.3), 0],
      [0, 0],
    ];
  if (kind === 2)
    points = [
      [0, 0],
      [d, 0],
      [d, lip],
      [d / 2 + top / 2, h],
      [d / 2 - top / 2, h],
      [0, lip],
    ];
  if (kind === 3) {
    points = [
      [0, 0],
      [d, 0],
    ];
    for (let a = 0; a <= 90; a += 10)
      points.push([top + (d - top) * (k.seg > 30 ? cos(a) : sin(90 - a)), lip + (h - lip) * sin(a)]);
    points.push([0, h]);
  }
  const outline = k.polygon(points);
  let body = outline.up(w);
  if (kind !== 1 && k.chance(0.7))
    body = body.minus(
      outline
        .grow(-m.wall, 'Miter')
        .up(w - 2 * m.wall)
        .at(0, -m.wall * 1.01, m.wall),
    );
  body = body.rot(90, 0, 90).at(-w / 2, 0, 0);
  if (top && kind !== 2)
    body = body.plus(studs(k, m, nx, kind === 1 ? ny : 1, h).at(0, kind === 1 ? d / 2 : m.p / 2, 0));
  return body;
}

function wedge(k) {
  const m = measures(k),
    nx = k.int(2, 6),
    ny = k.int(2, 4),
    h = m.plate * k.pick([1, 1, 3]),
    w = nx * m.p,
    d = ny * m.p;
  const cut = k.num(0.3, 1);
  const outline = k.polygon(
    k.pick([
      () => [
        [-w / 2, -d / 2],
        [w / 2, -d / 2],
        [w / 2, -d / 2 + d * (1 - cut)],
        [-w / 2 + m.p, d / 2],
        [-w / 2, d / 2],
      ],
      () => [
        [-w / 2, -d / 2],
        [w / 2, -d / 2],
        [m.p / 2, d / 2],
        [-m.p / 2, d / 2],
      ],
      () => [
        [-w / 2, -d / 2],
        [w / 2, -d / 2],
        [w / 2, d / 2 - m.p],
        [w / 2 - m.p, d / 2],
        [-w / 2, d / 2],
      ],
    ])(),
  );
  const taper = k.chance(0.2) ? [1, 0.6] : 1;
  let body = outline.up(h, { taper });
  if (k.chance(0.6))
    body = body.minus(
      outline
        .grow(-m.wall, 'Miter')
        .up(h - m.wall, { taper })
        .at(0, 0, -0.01),
    );
  if (taper !== 1) return body;
  const stud = k.circle(m.r, m.seg),
    whole = stud.raw.area() * 0.999;
  return body.plus(studs(k, m, nx, ny, h, ([x, y]) => outline.and(stud.at(x, y)).raw.area() > whole));
}

function arch(k) {
  const m = measures(k),
    nx = k.int(3, 8),
    w = nx * m.p,
    h = m.plate * k.pick([3, 3, 6, 9]),
    pier = m.p * k.pick([0.5, 1, 1]),
    top = m.plate * k.num(0.4, 1),
    depth = m.p * k.int(1, 2);
  const half = k.chance(0.25);
  const points = [];
  for (let a = 0; a <= 180; a += 180 / Math.max(8, Math.round(k.seg / 2)))
    points.push([(w / 2 - pier) * cos(a), (h - top) * sin(a)]);
  let outline = k
    .rect(w, h)
    .at(0, h / 2)
    .minus(k.polygon([...points, [-(w / 2 - pier), -h], [w / 2 - pier, -h]]));
  if (half) outline = outline.and(k.rect(w, h * 2).at(w / 2, 0));
  const body = outline
    .up(depth)
    .rot(90, 0, 0)
    .at(0, depth / 2, 0);
  if (k.chance(0.15)) return body;
  return body.plus(studs(k, m, nx, Math.round(depth / m.p), h, ([x]) => !half || x > m.p * 0.3));
}

function roundBrick(k) {
  const m = measures(k),
    n = k.pick([1, 2, 2, 4, 6]),
    R = (n * m.p) / 2,
    h = m.plate * k.pick([1, 1, 3, 3, 6]),
    quarter = k.chance(0.2) && n > 1;
  let body = k.cyl(R * 0.99, h);
  if (k.chance(0.5)) body = k.cyl(R * 0.75, h).plus(k.cyl(R * 0.99, h * 0.75).at(0, 0, h * 0.25));
  if (k.chance(0.6)) body = body.minus(k.cyl(R - m.wall * 1.6, h - m.wall).at(0, 0, -0.01));
  const keep = ([x, y]) => Math.hypot(x, y) + m.r < R;
  if (n === 1 || !k.chance(0.15))
    body = body.plus(studs(k, m, n, n, h, n === 1 ? undefined : (p) => keep(p) || n === 2));
  if (n > 1 && k.chance(0.4))
    body = body.minus(
      k
        .rect(m.p * 0.6, m.p * 0.22)
        .plus(k.rect(m.p * 0.22, m.p * 0.6))
        .up(h * 4)
        .at(0, 0, -h),
    );
  if (quarter) body = body.and(k.box(R, R, h * 3).at(R / 2, R / 2, -h));
  return body;
}

function dish(k) {
  const R = k.len(6, 80),
    deep = R * k.num(0.15, 0.9),
    t = R * k.num(0.04, 0.12),
    curve = k.num(1.4, 2.6);
  const inner = [],
    outer = [];
  for (let i = 0; i <= 12; i++) {
    const x = (R * i) / 12,
      z = deep * (i / 12) ** curve;
    outer.push([x, z]);
    inner.unshift([x, z + t]);
  }
  let body = k.turned([...outer, ...inner]);
  if (k.chance(0.6)) body = body.plus(k.cyl(R * k.num(0.1, 0.3), t * k.num(2, 6)).at(0, 0, -t * 1.4));
  if (k.chance(0.25))
    body = body.plus(k.cyl(t * 0.6, deep * 1.6, 12).at(0, 0, t / 2), k.ball(t, 12).at(0, 0, deep * 1.6));
  if (k.chance(0.3)) body = body.plus(k.torus(R, t * 0.8).at(0, 0, deep + t / 2));
  if (k.chance(0.2))
    body = body.minus(
      k
        .pin(R * 0.1, R * 3)
        .each(k.ring(k.int(3, 8), R * 0.6))
        .at(0, 0, -R),
    );
  return body;
}

function coneBrick(k) {
  const m = measures(k),
    n = k.int(1, 4),
    R = (n * m.p) / 2,
    r = m.p * k.num(0.3, 0.5),
    h = m.plate * k.pick([3, 3, 6, 9]);
  let body = k.cone(R, Math.min(r, R * 0.95), h);
  if (k.chance(0.6)) body = body.minus(k.cone(R - m.wall, Math.max(r - m.wall, 0.1), h - m.wall).at(0, 0, -0.01));
  if (k.chance(0.7))
    body = body.plus(
      k
        .circle(m.r, m.seg)
        .up(m.stud * 1.2)
        .at(0, 0, h - m.stud * 0.2),
    );
  if (k.chance(0.3)) body = body.minus(k.tube(R * 2, R * 0.7, h * 0.1).at(0, 0, h * 0.15));
  if (k.chance(0.25)) body = body.and(k.box(R * 4, R * 4, h * 3).at(R * 2, 0, -h));
  return body;
}

function panel(k) {
  const m = measures(k),
    nx = k.int(1, 6),
    h = m.plate * k.pick([3, 6, 9, 15]),
    w = nx * m.p,
    t = m.wall;
  const parts = [k.box(w, m.p, t), k.box(w, t, h).at(0, (m.p - t) / 2, 0)];
  if (k.chance(0.5)) parts.push(k.box(t, m.p, h).at((t - w) / 2), k.box(t, m.p, h).at((w - t) / 2));
  else if (k.chance(0.5)) parts.push(k.box(t, m.p, h).at((t - w) / 2));
  if (k.chance(0.4)) parts.push(k.box(w, m.p, t).at(0, 0, h - t), studs(k, m, nx, 1, h));
  let body = k.join(parts);
  if (k.chance(0.3))
    body = body.minus(
      k
        .roundRect(w * 0.6, h * 0.5, t)
        .up(m.p * 3)
        .rot(90, 0, 0)
        .at(0, m.p * 1.5, h * 0.5),
    );
  if (k.chance(0.15))
    body = body.minus(
      k
        .circle(Math.min(w, h) * 0.8)
        .up(m.p * 3)
        .rot(90, 0, 0)
        .at(w / 2, m.p * 1.5, h),
    );
  return body;
}

function studBracket(k) {
  const m = measures(k),
    nx = k.int(1, 4),
    ny = k.int(1, 2),
    up = k.int(1, 2);
  const flat = k.box(nx * m.p, ny * m.p, m.plate).plus(studs(k, m, nx, ny, m.plate));
  const wall = k.box(nx * m.p, up * m.p, m.plate * 0.5).plus(studs(k, m, nx, up, m.plate * 0.5));
  const standing = wall
    .rot(90, 0, 0)
    .at(0, (-ny * m.p) / 2 + 0.001, ((up * m.p) / 2) * k.pick([1, -1]) + (k.chance(0.5) ? m.plate : 0));
  const parts = [flat, standing, k.box(nx * m.p, m.plate * 0.5, m.plate).at(0, (-ny * m.p) / 2, 0)];
  if (k.chance(0.2)) parts.push(standing.rot(0, 0, 180));
  return k.join(parts);
}

function holedBrick(k) {
  const m = measures(k),
    n = k.int(2, 12),
    h = m.p * 1.2;
  const holes = k.int(0, 3) === 0 ? n : n - 1;
  let body = k.box(n * m.p, m.p, h).plus(studs(k, m, n, 1, h));
  if (k.chance(0.6))
    body = body.minus(
      underside(k, m, n, 1, h)
        .minus(
          k
            .cyl(m.p * 0.4, m.p * 2, m.seg)
            .rot(90, 0, 0)
            .at(0, m.p, h * 0.6)
            .each(k.grid(holes, 1, m.p)),
        )
        .at(0, 0, -0.01),
    );
  const bore = k
    .cyl(m.p * 0.3, m.p * 3, m.seg)
    .rot(90, 0, 0)
    .at(0, m.p * 1.5, h * 0.6);
  const sink = k
    .cyl(m.p * 0.38, m.p * 0.1, m.seg)
    .rot(90, 0, 0)
    .at(0, 0, h * 0.6);
  return body.minus(
    k.join([bore, sink.at(0, m.p * 0.5 + 0.05 * m.p), sink.at(0, -m.p * 0.45)]).each(k.grid(holes, 1, m.p)),
  );
}

/**
 * A lift-arm along the given cells [x, y] of pitch p: rounded strip with round holes, crosses where `crosses` says so.
 */
function armAlong(k, runs, p, cells, crosses) {
  const t = p * k.pick([0.5, 0.98, 0.98]),
    seg = k.pick([16, 24]);
  const outline = k.join2d(
    runs.map((run) => k.hull2d(run.map(([x, y]) => k.circle(p * 0.47, seg * 2).at(x * p, y * p)))),
  );
  const round = k.circle(p * 0.31, seg),
    cross = k.rect(p * 0.6, p * 0.22).plus(k.rect(p * 0.22, p * 0.6));
  const cuts = cells.map(([x, y], i) => (crosses(i) ? cross : round).at(x * p, y * p));
  let body = outline.minus(...cuts).up(t);
  if (t > 0.6 * p && k.chance(0.5)) {
    const rings = k.spread(
      k.circle(p * 0.38, seg),
      cells.filter((_, i) => !crosses(i)).map(([x, y]) => [x * p, y * p]),
    );
    body = body.minus(rings.up(p * 0.1).at(0, 0, t - p * 0.1), rings.up(p * 0.1).at(0, 0, -0.001));
  }
  return body;
}

function liftArm(k) {
  const n = k.int(2, 15),
    p = k.pick([8, 8, 10, 16]),
    ends = k.chance(0.3);
  return armAlong(
    k,
    [
      [
        [0, 0],
        [n - 1, 0],
      ],
    ],
    p,
    Array.from({ length: n }, (_, i) => [i, 0]),
    (i) => ends && (i === 0 || (i === n - 1 && n > 2)),
  );
}

function bentLiftArm(k) {
  const p = k.pick([8, 8, 10]),
    a = k.int(1, 6),
    b = k.int(1, 6),
    angle = k.pick([90, 90, 53.13, 45, 60, 135]),
    third = k.chance(0.35) ? k.int(1, 4) : 0;
  const corner = [a, 0],
    tip = [a + b * cos(angle), b * sin(angle)];
  const runs = [
    [[0, 0], corner],
    [corner, tip],
  ];
  const cells = Array.from({ length: a + 1 }, (_, i) => [i, 0]);
  for (let i = 1; i <= b; i++) cells.push([a + i * cos(angle), i * sin(angle)]);
  if (third) {
    // a T, or a double bend
    const turn = k.chance(0.5) ? 2 * angle : angle - 90,
      from = k.chance(0.5) ? tip : corner;
    runs.push([from, [from[0] + third * cos(turn), from[1] + third * sin(turn)]]);
    for (let i = 1; i <= third; i++) cells.push([from[0] + i * cos(turn), from[1] + i * sin(turn)]);
  }
  const ends = k.chance(0.5);
  return armAlong(k, runs, p, cells, (i) => ends && (i === 0 || i === a + b));
}

function crossAxle(k) {
  const p = k.pick([8, 8, 10]),
    n = k.int(2, 14),
    w = p * 0.6,
    t = p * k.num(0.2, 0.26);
  const cross = k.rect(w, t).plus(k.rect(t, w));
  const outline = k.chance(0.5) ? cross.and(k.circle(w / 2)) : cross;
  let body = outline.up(n * p);
  if (k.chance(0.2)) body = body.plus(k.cyl(p * 0.4, p * 0.2).at(0, 0, k.chance(0.5) ? -p * 0.1 : n * p * 0.5));
  if (k.chance(0.2))
    body = body.minus(
      k.tube(p, w * 0.35, p * 0.15).at(0, 0, p * 0.4),
      k.tube(p, w * 0.35, p * 0.15).at(0, 0, n * p - p * 0.55),
    );
  if (k.chance(0.15)) body = body.plus(k.cyl(p * 0.3, p * k.num(0.5, 2)).at(0, 0, n * p - 0.1));
  return body;
}

function axleConnector(k) {
  const p = k.pick([8, 8, 10]),
    arms = k.pick([[0, 180], [0, 90], [0, 157.5], [0, 135], [0, 112.5], [0, 120, 240], [0, 180, 90], [0]]),
    length = p * k.num(0.9, 1.6);
  const cross = k.rect(p * 0.6, p * 0.22).plus(k.rect(p * 0.22, p * 0.6));
  const outer = [],
    inner = [];
  for (const a of arms) {
    outer.push(
      k
        .cyl(p * 0.46, length)
        .rot(0, 90, a)
        .at(0, 0, 0),
    );
    inner.push(
      (k.chance(0.7) ? cross : k.circle(p * 0.3))
        .up(length)
        .rot(0, 90, 0)
        .at(p * 0.5)
        .rot(0, 0, a),
    );
  }
  const hub = k.cyl(p * 0.48, p * k.num(0.96, 1.4), k.seg).at(0, 0, -p * 0.48);
  return k
    .join([...outer, hub])
    .minus(...inner, (k.chance(0.7) ? k.circle(p * 0.31) : cross).up(p * 4).at(0, 0, -p * 2));
}

function peg(k) {
  const p = k.pick([8, 8, 10]),
    r = p * 0.3,
    ends = k.pick([
      [1, 1],
      [1, 1],
      [2, 1],
      [1, 0.5],
      [2, 0],
    ]),
    cross = k.chance(0.25);
  const half = (n) => {
    const h = n * p;
    let body = k.turned([
      [0, 0],
      [r, 0],
      [r, h * 0.9],
      [r * 1.12, h * 0.93],
      [r * 1.12, h],
      [0, h],
    ]);
    body = body.minus(k.box(r * 0.35, r * 4, h * 0.6).at(0, 0, h * 0.5));
    return k.chance(0.8) ? body.minus(k.pin(r * 0.65, h * 2).at(0, 0, -h * 0.5)) : body;
  };
  const parts = [k.tube(p * 0.38, r * 0.6, p * 0.1).at(0, 0, -p * 0.05)];
  parts.push(half(ends[0]));
  if (cross)
    parts.push(
      k
        .rect(p * 0.6, p * 0.22)
        .plus(k.rect(p * 0.22, p * 0.6))
        .up(p)
        .rot(180),
    );
  else if (ends[1]) parts.push(half(ends[1]).rot(180, 0, k.pick([0, 90])));
  else parts.push(k.ball(p * 0.38).at(0, 0, -p * 0.35));
  return k.join(parts);
}

function barClip(k) {
  const p = k.pick([8, 8, 10]),
    r = p * 0.2,
    h = p * k.num(0.3, 0.5),
    n = k.int(1, 3);
  const clip = k
    .circle(r * 1.7)
    .minus(k.circle(r), k.rect(r * 2, r * 1.5).at(r * 1.5, 0))
    .up(h);
  const m = measures(k);
  switch (k.int(0, 3)) {
    case 0:
      return k.join([
        k.box(m.p, m.p, m.plate),
        studs(k, m, 1, 1, m.plate),
        clip.at(m.p / 2 + r * 1.4, 0, 0).each(k.grid(1, k.pick([1, 1, 2]), 1, r * 3.6)),
      ]);
    case 1:
      return k.join([
        k.pin(r, p * k.num(2, 5)),
        k.cyl(r * 1.8, r).at(0, 0, p * 0.7),
        clip.rot(0, 0, 180).at(-r * 1.5, 0, 0),
      ]);
    case 2:
      return k.join([
        k.box(n * p, p, m.plate),
        k
          .pin(r, n * p)
          .rot(0, 90, 0)
          .at((-n * p) / 2, -p * 0.9, m.plate * 0.5),
        k
          .box(r * 2, p, m.plate * 0.7)
          .at(0, -p * 0.5, 0)
          .each(k.grid(2, 1, n * p - r * 2)),
      ]);
    default:
      return k.join([clip, clip.rot(90, 0, 180).at(-r * 3.1, -h / 2, h / 2), k.box(r * 0.9, r * 1.4, h).at(-r * 1.55)]);
  }
}

function chainLink(k) {
  const L = k.len(4, 60),
    r = L * k.num(0.08, 0.18),
    w = L * k.num(0.35, 0.6);
  if (k.chance(0.4)) {
    // links of round wire
    const path = [];
    for (let a = 0; a < 180; a += 15) path.push([L / 2 + w * cos(a - 90), w * sin(a - 90), 0]);
    for (let a = 0; a < 180; a += 15) path.push([-L / 2 + w * cos(a + 90), w * sin(a + 90), 0]);
    const link = k.bar(path, r, { loop: true }),
      n = k.pick([1, 1, 2, 3, 5]);
    const links = Array.from({ length: n }, (_, i) => link.rot(90 * (i % 2), 0, 0).at(i * (L + 2 * w - 2.2 * r)));
    return k.join(links);
  }
  const t = r * k.num(0.4, 0.8),
    R = L * 0.3;
  const side = k.chance(0.5)
    ? k.hull2d([k.circle(R).at(-L / 2), k.circle(R).at(L / 2)])
    : k
        .circle(R)
        .at(-L / 2)
        .plus(k.circle(R).at(L / 2), k.rect(L, R * 1.2));
  const plate = side
    .minus(
      k.spread(k.hole(R * 0.4), [
        [-L / 2, 0],
        [L / 2, 0],
      ]),
    )
    .up(t);
  const parts = [
    plate,
    plate.at(0, 0, w),
    k.tube(R * 0.65, R * 0.35, w + t).at(-L / 2),
    k.tube(R * 0.65, R * 0.35, w + t).at(L / 2),
  ];
  if (k.chance(0.4)) parts.push(k.box(L * 0.5, R * k.num(2, 4), t).at(0, 0, w));
  return k.join(parts);
}

function toyWheel(k) {
  const R = k.len(5, 40),
    w = R * k.num(0.3, 1.2),
    n = k.int(3, 10),
    p = R * k.num(0.15, 0.3);
  const barrel = k.tube(R, R * 0.82, w);
  const disc = k.cyl(R * 0.9, w * 0.25).at(0, 0, w * k.num(0.1, 0.6));
  let body = k.join([barrel, disc, k.cyl(p * 1.6, w)]);
  if (k.chance(0.6))
    body = body.minus(
      k
        .pin(Math.min(R * 0.16, R * 0.5 * sin(180 / n)), w * 3)
        .each(k.ring(n, R * 0.58))
        .at(0, 0, -w),
    );
  body = body.minus(
    k.chance(0.5)
      ? k.cyl(p, w * 3).at(0, 0, -w)
      : k
          .rect(p * 2, p * 0.7)
          .plus(k.rect(p * 0.7, p * 2))
          .up(w * 3)
          .at(0, 0, -w),
  );
  if (k.chance(0.4))
    body = body.plus(
      k
        .torus(R * 1.05, Math.min(w * 0.5, R * 0.25))
        .at(0, 0, w / 2)
        .minus(k.cyl(R * 0.9, w * 4).at(0, 0, -w)),
    );
  if (k.chance(0.3)) body = body.minus(k.tube(R * 1.2, R * 0.93, w * 0.5).at(0, 0, w * 0.25));
  return body;
}
