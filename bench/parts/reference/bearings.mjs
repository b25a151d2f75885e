/** Reference parts that carry and guide motion: bearings, rails, carriages, blocks, couplings, turntables. */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const bearings = {
  'ball-bearing': ballBearing,
  'roller-bearing': rollerBearing,
  'linear-bearing': linearBearing,
  'pillow-block': pillowBlock,
  'rail-carriage': railCarriage,
  'linear-rail': linearRail,
  turntable,
  coupling,
  'lead-screw-nut': leadScrewNut,
  'rod-end': rodEnd,
  'universal-joint': universalJoint,
};

function ballBearing(k) {
  const r = k.len(2, 40),
    R = r * k.num(1.6, 2.8),
    h = (R - r) * k.num(0.5, 1.1),
    mid = (r + R) / 2,
    ballR = Math.min(R - r, h) * k.num(0.22, 0.32);
  const wall = (R - r) * k.num(0.28, 0.36);
  const race = (a, b) => k.bevelled(k.circle(b), h, (b - a) * 0.12).minus(k.cyl(a, h * 3).at(0, 0, -h));
  const parts = [race(r, r + wall), race(R - wall, R)];
  const n = Math.min(Math.floor((Math.PI * mid) / ballR / 1.15), k.int(6, 14));
  if (k.chance(0.5))
    parts.push(
      k
        .ball(ballR * 1.15, 16)
        .each(k.ring(n, mid))
        .at(0, 0, h / 2),
    );
  else parts.push(k.tube(R - wall * 0.8, r + wall * 0.8, h * k.num(0.7, 0.9)).at(0, 0, h * 0.07));
  if (k.chance(0.25)) parts.push(k.tube(R * 1.12, R - wall * 0.5, h * 0.15));
  const body = k.join(parts);
  return k.chance(0.15) ? body.minus(k.torus(R, h * 0.08).at(0, 0, h * 0.8)) : body;
}

function rollerBearing(k) {
  const r = k.len(3, 40),
    R = r * k.num(1.5, 2.4),
    h = r * k.num(0.5, 2),
    wall = (R - r) * 0.25,
    n = k.int(8, 20),
    mid = (r + R) / 2;
  const roller = Math.min((R - r) * 0.3, mid * sin(180 / n) * 0.85);
  const parts = [
    k
      .pin(roller, h * 0.9)
      .each(k.ring(n, mid))
      .at(0, 0, h * 0.05),
  ];
  parts.push(k.tube(R, mid + roller * 0.9, h));
  if (k.chance(0.7)) parts.push(k.tube(mid - roller * 0.9, r, h * k.num(1, 1.2)));
  if (k.chance(0.5))
    parts.push(
      k.tube(mid + roller * 0.4, mid - roller * 0.4, h * 0.12),
      k.tube(mid + roller * 0.4, mid - roller * 0.4, h * 0.12).at(0, 0, h * 0.85),
    );
  if (k.chance(0.3)) parts.push(k.tube(R + wall, mid + roller * 0.9, h * 0.2));
  return k.join(parts);
}

function linearBearing(k) {
  const r = k.len(3, 20),
    R = r * k.num(1.5, 2.1),
    h = r * k.num(2.5, 8);
  let body = k.tube(R, r, h);
  const groove = k.tube(R * 1.2, R * 0.93, h * 0.04);
  if (k.chance(0.7)) body = body.minus(groove.at(0, 0, h * 0.1), groove.at(0, 0, h * 0.86));
  if (k.chance(0.4))
    body = body.minus(
      k
        .box(r * 0.3, r * 0.5, h * 0.7)
        .each(k.ring(k.int(4, 6), r))
        .at(0, 0, h * 0.15),
    );
  if (k.chance(0.25)) body = body.minus(k.box(R * 2, r * k.num(0.3, 1), h * 3).at(R, 0, -h));
  if (k.chance(0.45)) {
    const F = R * k.num(1.5, 2),
      bolts = k.spread(k.hole(R * 0.13), k.ring(4, (R + F) / 2, 45));
    const shape = k.pick([
      () => k.circle(F),
      () => k.roundRect(F * 1.7, F * 1.7, F * 0.2),
      () => k.circle(F).and(k.rect(F * 3, R * 2.2)),
    ])();
    body = body.plus(
      shape
        .minus(k.circle(r), bolts)
        .up(h * 0.12)
        .at(0, 0, k.chance(0.8) ? 0 : h * 0.44),
    );
  }
  return body;
}

function pillowBlock(k) {
  const r = k.len(3, 30),
    R = r * k.num(1.4, 2.2),
    w = r * k.num(0.8, 2.4),
    foot = R * k.num(1.5, 2.3),
    base = R * k.num(0.25, 0.5),
    up = R * k.num(1.05, 1.6);
  const shape = k.chance(0.5)
    ? k.hull2d([k.circle(R).at(0, up), k.rect(R * k.num(1.8, 2.6), base).at(0, base / 2)])
    : k
        .circle(R)
        .at(0, up)
        .plus(k.rect(R * 1.7, up).at(0, up / 2));
  let body = shape
    .plus(k.rect(foot * 2, base).at(0, base / 2))
    .minus(k.circle(r).at(0, up))
    .up(w)
    .rot(90, 0, 0)
    .at(0, w / 2, 0);
  const bolt = k.chance(0.5) ? k.slot(foot * 0.3, w * 0.25) : k.hole(w * k.num(0.1, 0.18));
  body = body.minus(
    bolt
      .up(base * 4)
      .at(0, 0, -base)
      .each(k.grid(2, k.int(1, 2), R + foot, w * 0.5)),
  );
  if (k.chance(0.4))
    body = body.plus(
      k
        .tube(r * 1.2, r * k.num(0.4, 0.7), w * 1.2)
        .rot(90, 0, 0)
        .at(0, w * 0.6, up),
    );
  if (k.chance(0.3)) body = body.minus(k.box(r * 0.2, w * 2, R * 2).at(0, 0, up));
  return body;
}

/** The cross section of a guide rail, `w` wide and `h` high, standing on y = 0. */
function railOutline(k, w, h) {
  const waist = k.num(0.1, 0.25) * w;
  return k.polygon([
    [-w / 2, 0],
    [w / 2, 0],
    [w / 2, h * 0.35],
    [w / 2 - waist, h * 0.5],
    [w / 2 - waist, h * 0.65],
    [w / 2, h * 0.78],
    [w / 2, h * 0.92],
    [w * 0.42, h],
    [-w * 0.42, h],
    [-w / 2, h * 0.92],
    [-w / 2, h * 0.78],
    [waist - w / 2, h * 0.65],
    [waist - w / 2, h * 0.5],
    [-w / 2, h * 0.35],
  ]);
}

function railCarriage(k) {
  const w = k.len(5, 35),
    h = w * k.num(0.7, 1.1),
    W = w * k.num(2, 3.4),
    H = h * k.num(1.1, 1.6),
    length = w * k.num(2, 5);
  let outline = k
    .roundRect(W, H, H * 0.06)
    .at(0, h * 0.35 + H / 2)
    .minus(railOutline(k, w, h).grow(w * 0.03), k.rect(w * 1.1, h).at(0, 0));
  if (k.chance(0.4)) outline = outline.plus(k.rect(W * 1.4, H * 0.35).at(0, h * 0.35 + H * 0.8));
  let body = outline.up(length);
  const cap = k
    .roundRect(W * 0.94, H * 0.92, H * 0.1)
    .at(0, h * 0.35 + H / 2)
    .minus(railOutline(k, w, h).grow(w * 0.06), k.rect(w * 1.2, h))
    .up(length * 0.1);
  if (k.chance(0.7)) body = k.join([body, cap.at(0, 0, -length * 0.09), cap.at(0, 0, length * 0.99)]);
  const drill = k
    .pin(w * 0.12, H)
    .rot(-90, 0, 0)
    .at(0, h * 0.35 + H * k.num(0.6, 0.8), 0);
  const cuts = [];
  for (const [x, z] of k.grid(2, 2, W * 0.65, length * k.num(0.4, 0.7))) cuts.push(drill.at(x, 0, length / 2 + z));
  body = body.minus(...cuts);
  if (k.chance(0.3))
    body = body.plus(
      railOutline(k, w, h)
        .up(length * k.num(1.6, 3))
        .at(0, 0, -length * 0.3),
    );
  return body;
}

function linearRail(k) {
  const w = k.len(4, 35),
    h = w * k.num(0.7, 1.2),
    length = w * k.num(5, 25),
    n = k.int(3, 12);
  const body = railOutline(k, w, h)
    .up(length)
    .rot(90, 0, 0)
    .at(0, length / 2, 0);
  const step = length / n,
    hole = k
      .pin(w * 0.14, h * 3)
      .plus(k.pin(w * 0.24, h).at(0, 0, h * 1.55))
      .at(0, 0, -h);
  return body.minus(hole.each(k.grid(1, n, 1, step)));
}

function turntable(k) {
  const R = k.len(15, 120),
    t = R * k.num(0.05, 0.15),
    bore = R * k.num(0.1, 0.6),
    n = k.int(4, 16);
  const base = k.pick([() => k.circle(R), () => k.roundRect(R * 2, R * 2, R * 0.1), () => k.ngon(8, R * 2)])();
  const parts = [base.minus(k.circle(bore), k.spread(k.hole(R * 0.05), k.ring(k.int(4, 8), R * 0.88, 45))).up(t)];
  const top = k
    .circle(R * k.num(0.7, 0.85))
    .minus(k.circle(bore * k.num(1, 1.2)), k.spread(k.hole(R * 0.04), k.ring(n, R * 0.66)));
  parts.push(top.up(t).at(0, 0, t * k.num(1.3, 2)));
  parts.push(k.tube(Math.max(bore * 1.2, R * 0.3), bore, t * 3));
  if (k.chance(0.4)) {
    const teeth = k.int(24, 72);
    parts.push(
      k
        .circle(R * 0.9)
        .minus(k.circle(bore), k.spread(k.rect(R * 0.06, (Math.PI * R * 0.8) / teeth), k.ring(teeth, R * 0.9)))
        .up(t)
        .at(0, 0, t * 0.8),
    );
  }
  return k.join(parts);
}

function coupling(k) {
  const R = k.len(5, 40),
    h = R * k.num(1.5, 4),
    a = R * k.num(0.25, 0.55),
    b = R * k.num(0.25, 0.55),
    n = k.int(2, 4);
  if (k.chance(0.4)) {
    // a jaw coupling
    const jaw = k
      .circle(R)
      .minus(k.circle(R * 0.45), k.spread(k.rect(R * 2, R * k.num(0.5, 0.8)).at(R), k.ring(n, 0)))
      .up(h * 0.25)
      .at(0, 0, h * 0.44);
    const half = k
      .cyl(R, h * 0.45)
      .plus(jaw)
      .minus(k.cyl(a, h * 3).at(0, 0, -h));
    if (k.chance(0.5))
      return half.minus(
        k
          .pin(R * 0.12, R * 2)
          .rot(0, 90, 0)
          .at(0, 0, h * 0.2),
      );
    return half.plus(
      half
        .mirror(0, 0, 1)
        .rot(0, 0, 180 / n)
        .at(0, 0, h * 1.2),
    );
  }
  let body = k.bevelled(k.circle(R), h, R * 0.06).minus(k.cyl(a, h).at(0, 0, -h * 0.5), k.cyl(b, h).at(0, 0, h * 0.5));
  if (k.chance(0.5)) {
    // slits of a beam coupling
    const slit = k.box(R * 2, R * 3, h * 0.025).at(R * 0.7, 0, 0);
    for (let i = 0; i < 4; i++) body = body.minus(slit.rot(0, 0, 90 * i).at(0, 0, h * (0.35 + 0.08 * i)));
    body = body.minus(k.box(R * 2, R * 0.1, h * 0.2).at(R, 0, 0), k.box(R * 2, R * 0.1, h * 0.2).at(R, 0, h * 0.81));
  }
  const grub = k
    .pin(R * 0.14, R * 3)
    .rot(90, 0, 0)
    .at(k.chance(0.5) ? R * 0.68 : 0, k.chance(0.5) ? 0 : R * 1.5, h * 0.1);
  return body.minus(grub, grub.mirror(0, 0, 1).at(0, 0, h));
}

function leadScrewNut(k) {
  const r = k.len(2, 20),
    R = r * k.num(1.3, 1.8),
    F = r * k.num(2.2, 3.2),
    t = r * k.num(0.5, 1.2),
    n = k.pick([3, 4, 6]);
  const bolts = k.spread(k.hole(r * 0.28), k.ring(n, (R + F) / 2, 45));
  let shape = k.circle(F);
  if (k.chance(0.4)) shape = shape.and(k.rect(F * 3, R * 2.3));
  const body = shape
    .minus(bolts)
    .up(t)
    .plus(k.cyl(R, t + r * k.num(1, 4)), k.chance(0.5) ? k.cyl(R, t * 0.8).at(0, 0, -t * 0.7) : k.cyl(R, t));
  const rings = [];
  for (let z = -t; z < t * 8; z += r * 0.5)
    rings.push([r * 0.85, z], [r, z + r * 0.15], [r, z + r * 0.25], [r * 0.85, z + r * 0.4]);
  return body.minus(k.chance(0.5) ? k.turned([[0, -t], ...rings, [0, t * 8]]) : k.cyl(r, t * 20).at(0, 0, -t * 2));
}

function rodEnd(k) {
  const R = k.len(4, 25),
    r = R * k.num(0.3, 0.45),
    w = R * k.num(0.5, 0.9),
    stem = R * k.num(1.5, 4),
    s = R * k.num(0.35, 0.6);
  const eye = k.bevelled(k.circle(R), w, w * 0.12).at(0, 0, -w / 2);
  const parts = [
    eye,
    k
      .cyl(s, stem)
      .rot(0, 90, 0)
      .at(R * 0.8),
  ];
  if (k.chance(0.5))
    parts.push(
      k
        .ngon(6, s * 2.6)
        .up(R * 0.5)
        .rot(0, 90, 0)
        .at(R * 0.9 + stem * 0.3),
    );
  let body = k.join(parts).minus(k.cyl(R * 0.7, w * 3).at(0, 0, -w * 1.5));
  body = body
    .plus(k.ball(R * 0.76, 24).and(k.box(R * 3, R * 3, w * 1.3).at(0, 0, -w * 0.65)))
    .minus(k.cyl(r, R * 6).at(0, 0, -R * 3));
  return k.chance(0.3)
    ? body.minus(
        k
          .pin(s * 0.6, stem)
          .rot(0, 90, 0)
          .at(R + stem * 0.3),
      )
    : body;
}

function universalJoint(k) {
  const R = k.len(4, 30),
    h = R * k.num(1.4, 2.5),
    gap = R * k.num(0.9, 1.2),
    bend = k.pick([0, 0, 15, 30]);
  const fork = k
    .cyl(R, h)
    .minus(
      k.box(gap, R * 3, h).at(0, 0, h * 0.45),
      k
        .pin(R * 0.2, R * 4)
        .rot(0, 90, 0)
        .at(-R * 2, 0, h * 0.8),
    )
    .at(0, 0, -h * 0.8);
  const stub = k.cyl(R * k.num(0.5, 0.9), h * k.num(0.4, 2));
  const half = fork.plus(stub.mirror(0, 0, 1).at(0, 0, -h * 0.75));
  const spider = k.join([
    k
      .pin(R * 0.2, R * 2)
      .at(0, 0, -R)
      .rot(90, 0, 0),
    k
      .pin(R * 0.2, R * 2)
      .at(0, 0, -R)
      .rot(0, 90, 0),
    k.ball(R * 0.4, 16),
  ]);
  if (k.chance(0.3)) return half;
  return k.join([half, spider, half.rot(180 + bend * cos(0) + sin(0), 0, 90)]);
}
