/** Reference parts of one cross section or one path: extrusions, beams, heat sinks, tubes, fittings. */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const profiles = {
  'extrusion-profile': extrusionProfile,
  beam,
  'heat-sink': heatSink,
  'bent-tube': bentTube,
  'pipe-fitting': pipeFitting,
  'sheet-corrugated': corrugatedSheet,
  'hollow-section': hollowSection,
  'wire-form': wireForm,
};

/** A T-slot extrusion of nx by ny cells. */
function extrusionProfile(k) {
  const s = k.pick([10, 15, 20, 20, 30, 40]),
    nx = k.pick([1, 1, 1, 2, 2, 4]),
    ny = k.pick([1, 1, 1, 2]),
    length = s * k.len(0.5, 15);
  const mouth = s * k.num(0.25, 0.34),
    cave = s * k.num(0.42, 0.54),
    lip = s * k.num(0.07, 0.12),
    deep = s * k.num(0.28, 0.33);
  // The floor narrows so that the slots of neighbouring sides leave a diagonal web between them.
  const floor = Math.min(mouth / 2, s * 0.43 - deep),
    bend = cave / 2 + s * 0.09;
  const slot = k.polygon([
    [s, -mouth / 2],
    [s / 2 - lip, -mouth / 2],
    [s / 2 - lip, -cave / 2],
    [bend, -cave / 2],
    [s / 2 - deep, -floor],
    [s / 2 - deep, floor],
    [bend, cave / 2],
    [s / 2 - lip, cave / 2],
    [s / 2 - lip, mouth / 2],
    [s, mouth / 2],
  ]);
  let outline = k.roundRect(nx * s, ny * s, s * k.num(0.02, 0.1));
  const cells = k.grid(nx, ny, s);
  const cuts = [];
  for (const [x, y] of cells) {
    cuts.push(k.hole(s * k.num(0.09, 0.13)).at(x, y));
    for (const [dx, dy, turn] of [
      [1, 0, 0],
      [0, 1, 90],
      [-1, 0, 180],
      [0, -1, 270],
    ]) {
      const outer = Math.abs(x + dx * s) > (nx * s) / 2 || Math.abs(y + dy * s) > (ny * s) / 2;
      if (outer) cuts.push(slot.rot(turn).at(x, y));
    }
  }
  if (k.chance(0.4))
    cuts.push(k.spread(k.rect(s * 0.12, s * 0.12), k.corners((nx * s) / 2 - s * 0.12, (ny * s) / 2 - s * 0.12)));
  outline = outline.minus(...cuts);
  const body = outline.up(length);
  return k.chance(0.25)
    ? body.minus(
        k
          .pin(s * 0.15, s * 9)
          .rot(90, 0, 0)
          .at(0, s * 4, length * 0.12),
        k
          .pin(s * 0.15, s * 9)
          .rot(90, 0, 0)
          .at(0, s * 4, length * 0.88),
      )
    : body;
}

function beam(k) {
  const h = k.len(10, 120),
    w = h * k.num(0.4, 1.2),
    t = h * k.num(0.04, 0.15),
    f = t * k.num(0.8, 1.8),
    length = h * k.len(1, 15);
  const top = k.rect(w, f).at(0, h / 2 - f / 2),
    bottom = k.rect(w, f).at(0, f / 2 - h / 2),
    web = k.rect(t, h);
  let outline = k.pick([
    () => web.plus(top, bottom),
    () => web.plus(top),
    () => web.at((t - w) / 2).plus(top, bottom),
    () => web.at((t - w) / 2).plus(bottom),
    () => web.plus(top.at(w / 2 - t / 2), bottom.at(t / 2 - w / 2)),
    () => web.plus(top, bottom, k.rect(w, t)),
    () => web.at((t - w) / 2).plus(web.at((w - t) / 2), top),
    () => web.plus(k.rect(w, f)),
  ])();
  if (k.chance(0.25)) outline = outline.grow(t * 0.3).grow(-t * 0.3);
  let body = outline
    .up(length)
    .rot(90, 0, 0)
    .at(0, length / 2, h / 2);
  if (k.chance(0.45)) {
    const n = k.int(2, 10),
      r = Math.min(h * 0.2, (length / n) * 0.3);
    body = body.minus(
      k
        .pin(r, w * 3)
        .rot(0, 90, 0)
        .at(-w * 1.5, 0, h / 2)
        .each(k.grid(1, n, 1, length / n)),
    );
  }
  if (k.chance(0.3))
    body = body.plus(
      k
        .box(w * 1.5, f, h * 1.3)
        .at(0, length / 2, -h * 0.15)
        .minus(
          k
            .pin(f * 0.5, f * 9)
            .rot(90, 0, 0)
            .at(w * 0.62, length / 2 + f * 4, h / 2),
        ),
    );
  return body;
}

function heatSink(k) {
  const w = k.len(10, 100),
    d = w * k.num(0.4, 1.5),
    h = w * k.num(0.15, 0.8),
    base = h * k.num(0.1, 0.35),
    n = k.int(5, 24),
    t = (w / n) * k.num(0.2, 0.5);
  switch (k.int(0, 3)) {
    case 0: {
      // pins
      const m = k.int(3, 10),
        nx = k.int(3, 10);
      const pin = k.chance(0.5) ? k.cyl((w / nx) * 0.25, h, 12) : k.box((w / nx) * 0.4, (d / m) * 0.4, h);
      return k.box(w, d, base).plus(pin.each(k.grid(nx, m, (w * 0.95) / nx, (d * 0.95) / m)));
    }
    case 1: {
      // round, with fins as rays
      const r = w * k.num(0.15, 0.3);
      return k
        .circle(r)
        .plus(k.spread(k.rect(w / 2 - r * 0.5, t).at((w / 2 - r) / 2), k.ring(n, r * 0.9)))
        .minus(k.circle(r * 0.5))
        .up(h);
    }
    default: {
      const fins = k
        .grid(n, 1, (w - t) / (n - 1))
        .map(([x], i) => k.rect(t, h * (k.chance(0.9) ? 1 : 0.7) * (i % 2 ? 1 : 1)).at(x, h / 2));
      let body = k
        .join2d([k.rect(w, base).at(0, base / 2), ...fins])
        .up(d)
        .rot(90, 0, 0)
        .at(0, d / 2, 0);
      if (k.chance(0.4))
        body = body.minus(
          k
            .box(w * 2, d * 0.08, h)
            .at(0, 0, base)
            .each(k.grid(1, k.int(1, 4), 1, d * 0.2)),
        );
      if (k.chance(0.4))
        body = body.minus(
          k
            .pin(Math.min(w, d) * 0.05, h * 4)
            .at(0, 0, -h)
            .each(k.corners(w * 0.42, d * 0.42)),
        );
      return body;
    }
  }
}

/** Points along straight runs with bends of radius R in varied planes. */
function bends(k, R, count) {
  const path = [[0, 0, 0]];
  let at = [0, 0, 0],
    heading = [1, 0, 0],
    up = [0, 0, 1];
  const go = (distance) => {
    at = at.map((p, i) => p + heading[i] * distance);
    path.push(at);
  };
  go(R * k.num(0.5, 3));
  for (let b = 0; b < count; b++) {
    const angle = k.pick([30, 45, 60, 90, 90, 120]),
      steps = Math.max(3, Math.round(angle / 12));
    if (k.chance(0.4)) {
      // turn the plane of bending
      const side = [
        heading[1] * up[2] - heading[2] * up[1],
        heading[2] * up[0] - heading[0] * up[2],
        heading[0] * up[1] - heading[1] * up[0],
      ];
      up = side.map((x) => x * k.pick([1, -1]));
    }
    const start = at,
      h0 = heading,
      u0 = up;
    for (let i = 1; i <= steps; i++) {
      const a = (angle * i) / steps;
      at = start.map((p, j) => p + R * (sin(a) * h0[j] + (1 - cos(a)) * u0[j]));
      path.push(at);
    }
    heading = h0.map((x, j) => cos(angle) * x + sin(angle) * u0[j]);
    up = h0.map((x, j) => -sin(angle) * x + cos(angle) * u0[j]);
    go(R * k.num(0.4, 3));
  }
  return path;
}

function bentTube(k) {
  const r = k.len(2, 20),
    R = r * k.num(1.8, 5),
    wall = r * k.num(0.1, 0.35),
    seg = Math.min(k.seg, 32);
  const path = bends(k, R, k.int(1, 3));
  const ahead = (p, q, d) => {
    const l = Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    return p.map((x, i) => x - ((q[i] - x) / l) * d);
  };
  const longer = [ahead(path[0], path[1], r), ...path, ahead(path.at(-1), path.at(-2), r)];
  let body = k.bar(path, r, { seg });
  if (k.chance(0.4))
    body = body.plus(
      k
        .cyl(r * k.num(1.5, 2.2), r * 0.4, seg)
        .minus(k.pin(r * 0.12, r).each(k.ring(k.int(3, 6), r * 1.35)))
        .rot(0, 90, 0),
    );
  return k.chance(0.75) ? body.minus(k.bar(longer, r - wall, { seg })) : body;
}

function pipeFitting(k) {
  const r = k.len(3, 40),
    wall = r * k.num(0.12, 0.4),
    arm = r * k.num(1.4, 3);
  const sides = k.pick([
    [
      [0, 0, 0],
      [90, 0, 0],
    ],
    [
      [0, 0, 0],
      [180, 0, 0],
      [90, 0, 0],
    ],
    [
      [0, 0, 0],
      [180, 0, 0],
      [90, 0, 0],
      [-90, 0, 0],
    ],
    [
      [0, 0, 0],
      [45, 0, 0],
      [180, 0, 0],
    ],
    [
      [0, 0, 0],
      [180, 0, 0],
    ],
    [
      [0, 0, 0],
      [90, 0, 0],
      [0, 90, 0],
    ],
  ]);
  const outer = [k.ball((r + wall) * 1.0)],
    inner = [k.ball(r)];
  for (const [x, y, z] of sides) {
    const slim = k.chance(0.15) ? 0.7 : 1;
    outer.push(k.cyl((r + wall) * slim, arm).rot(x, y, z));
    if (k.chance(0.6))
      outer.push(
        (k.chance(0.3) ? k.ngon(6, (r + wall) * 2.5) : k.circle((r + wall) * 1.2))
          .up(arm * 0.3)
          .at(0, 0, arm * 0.7)
          .rot(x, y, z),
      );
    inner.push(k.cyl(r * slim, arm * 1.2).rot(x, y, z));
  }
  return k.join(outer).minus(k.join(inner));
}

function corrugatedSheet(k) {
  const w = k.len(20, 200),
    d = w * k.num(0.3, 1.5),
    n = k.int(3, 12),
    h = (w / n) * k.num(0.15, 0.6),
    t = h * k.num(0.08, 0.3);
  const square = k.chance(0.5),
    points = [];
  const steps = square ? n * 2 : n * 10;
  for (let i = 0; i <= steps; i++) {
    if (square) points.push([(w * i) / steps, (i % 2) * h], [(w * (i + 0.6)) / steps, (i % 2) * h]);
    else points.push([(w * i) / steps, (h / 2) * sin(36 * i)]);
  }
  const back = points.map(([x, y]) => [x, y + t]).toReversed();
  return k.polygon([...points, ...back]).up(d);
}

function hollowSection(k) {
  const w = k.len(8, 100),
    d = w * k.num(0.4, 1),
    t = d * k.num(0.04, 0.2),
    length = w * k.len(0.6, 10);
  const shape = k.pick([
    () => k.roundRect(w, d, d * k.num(0.02, 0.3)),
    () => k.circle(w / 2),
    () => k.ngon(6, w),
    () => k.circle(w / 2).scale(1, d / w),
  ])();
  let outline = shape.minus(shape.grow(-t));
  if (k.chance(0.3))
    outline = outline.plus(
      k.rect(w * 0.98, t).and(shape),
      k.chance(0.5) ? k.rect(t, d * 0.98).and(shape) : k.rect(t, t),
    );
  if (k.chance(0.2)) outline = outline.minus(k.rect(w, d * 0.2).at(w / 2, 0));
  let body = outline.up(length);
  if (k.chance(0.4))
    body = body.minus(
      k
        .pin(d * k.num(0.1, 0.3), d * 4)
        .rot(90, 0, 0)
        .at(0, d * 2, length * k.num(0.15, 0.5)),
    );
  if (k.chance(0.3))
    body = body.minus(
      k
        .box(w * 4, w * 4, w * 3)
        .rot(k.pick([30, 45]), 0, 0)
        .at(0, 0, length),
    );
  if (k.chance(0.25))
    body = body.plus(
      k
        .roundRect(w * 1.6, w * 1.6, w * 0.1)
        .minus(k.spread(k.hole(w * 0.08), k.corners(w * 0.65, w * 0.65)))
        .up(t * 1.5)
        .at(0, 0, -t),
    );
  return body;
}

function wireForm(k) {
  const r = k.len(0.5, 6);
  return k.bar(bends(k, r * k.num(2, 8), k.int(2, 5)), r, { seg: 12 });
}
