/** Reference parts made on a lathe, or round in the main: shafts, bushings, pulleys, rims, tyres, knobs, nozzles. */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const turned = {
  'shaft-stepped': steppedShaft,
  'shaft-splined': splinedShaft,
  bushing,
  pulley,
  sheave,
  'timing-pulley': timingPulley,
  rim,
  tyre,
  knob,
  handle,
  nozzle,
  'turned-profile': turnedProfile,
  collar,
};

function steppedShaft(k) {
  const n = k.int(2, 7),
    base = k.len(2, 20);
  const points = [[0, 0]];
  let z = 0;
  for (let i = 0; i < n; i++) {
    const r = base * k.num(0.5, 1.6),
      h = base * k.len(0.4, 6),
      c = Math.min(r, h) * k.pick([0, 0.08, 0.15]);
    points.push([r - c, z], [r, z + c], [r, z + h - c], [r - c, z + h]);
    z += h;
  }
  points.push([0, z]);
  let shaft = k.turned(points);
  if (k.chance(0.4))
    shaft = shaft.minus(
      k
        .slot(z * k.num(0.15, 0.4), base * 0.4)
        .up(base * 3)
        .rot(0, 90, 0)
        .at(base * k.num(0.3, 0.5), 0, z * k.num(0.25, 0.75)),
    );
  if (k.chance(0.3)) shaft = shaft.minus(k.pin(base * 0.25, z * 0.4).at(0, 0, z * 0.7));
  if (k.chance(0.3))
    shaft = shaft.minus(
      k
        .pin(base * 0.2, base * 6)
        .rot(90, 0, 0)
        .at(0, base * 3, z * k.num(0.1, 0.9)),
    );
  if (k.chance(0.25)) shaft = shaft.minus(k.box(base, base * 6, z * 0.25).at(base * 0.9, 0, z * 0.8));
  return shaft;
}

function splinedShaft(k) {
  const r = k.len(3, 25),
    n = k.pick([4, 6, 6, 8, 10, 16, 24]),
    depth = r * k.num(0.1, 0.25),
    h = r * k.num(2, 12);
  const width = ((Math.PI * r) / n) * k.num(0.8, 1.1);
  const spline = k.circle(r).minus(k.spread(k.rect(depth * 2, width), k.ring(n, r)));
  const parts = [spline.up(h)];
  if (k.chance(0.6)) parts.push(k.cyl(r * k.num(0.5, 0.8), h * k.num(0.2, 0.6)).at(0, 0, h * 0.99));
  if (k.chance(0.5)) parts.push(k.cyl(r * k.num(1, 1.7), h * k.num(0.05, 0.3)).at(0, 0, -h * 0.04));
  const body = k.join(parts);
  return k.chance(0.3) ? body.minus(k.cyl(r * 0.4, h * 4).at(0, 0, -h)) : body;
}

function bushing(k) {
  const r = k.len(2, 40),
    wall = r * k.num(0.08, 0.5),
    h = r * k.num(0.4, 4);
  const parts = [k.tube(r + wall, r, h)];
  if (k.chance(0.5)) parts.push(k.tube(r + wall * k.num(1.6, 3), r, h * k.num(0.05, 0.25)));
  let body = k.join(parts);
  if (k.chance(0.3)) body = body.minus(k.box(r * 4, r * k.num(0.1, 0.4), h * 3).at(r * 2, 0, -h));
  if (k.chance(0.3))
    body = body.minus(
      k
        .pin(r * 0.15, r * 6)
        .rot(90, 0, 0)
        .at(0, r * 3, h * 0.6),
    );
  if (k.chance(0.3))
    body = body.minus(
      k
        .torus(r + wall * 1.02, wall * 0.3)
        .each([[0, 0]])
        .at(0, 0, h * 0.6),
    );
  if (k.chance(0.2))
    body = body.minus(
      k
        .box(r * 0.25, r * 0.3, h * 3)
        .each(k.ring(k.int(3, 8), r))
        .at(0, 0, -h),
    );
  return body;
}

/** Holes, spokes or nothing to lighten a disc between two radii, as a list of solids to cut away. */
function lightening(k, inner, outer, h) {
  if (outer - inner < 0.25 * outer || k.chance(0.3)) return [];
  const n = k.int(3, 8),
    mid = (inner + outer) / 2,
    room = (outer - inner) / 2;
  if (k.chance(0.5))
    return [
      k
        .pin(Math.min(room * 0.7, mid * sin(180 / n) * 0.75), h * 4)
        .each(k.ring(n, mid))
        .at(0, 0, -2 * h),
    ];
  const gap = k
    .circle(outer - room * 0.25)
    .minus(k.circle(inner + room * 0.25), k.spread(k.rect(outer, outer * k.num(0.08, 0.2)), k.ring(n, outer / 2)));
  return [gap.up(h * 4).at(0, 0, -2 * h)];
}

function pulley(k) {
  const R = k.len(8, 100),
    w = R * k.num(0.15, 0.8),
    n = k.pick([1, 1, 1, 2, 3]),
    bore = R * k.num(0.08, 0.25),
    deep = R * k.num(0.08, 0.25);
  const groove = w / n,
    lip = groove * 0.15,
    floor = groove * k.num(0.05, 0.4);
  const points = [
    [0, 0],
    [R, 0],
  ];
  for (let i = 0; i < n; i++) {
    const z = i * groove;
    points.push(
      [R, z + lip],
      [R - deep, z + groove / 2 - floor / 2],
      [R - deep, z + groove / 2 + floor / 2],
      [R, z + groove - lip],
    );
  }
  points.push([R, w], [0, w]);
  const hub = Math.max(bore * k.num(1.5, 2), R * 0.15);
  let body = k.turned(points);
  if (k.chance(0.6)) body = body.plus(k.cyl(hub, w * k.num(1.1, 1.8)));
  body = body.minus(k.cyl(bore, w * 8).at(0, 0, -w), ...lightening(k, hub, R - deep * 1.2, w));
  if (k.chance(0.4)) body = body.minus(k.box(bore, bore * 0.5, w * 8).at(bore, 0, -w));
  return body;
}

function sheave(k) {
  const R = k.len(5, 60),
    w = R * k.num(0.2, 2),
    bore = R * k.num(0.15, 0.5),
    sag = Math.min(w * 0.4, R * 0.35) * k.num(0.4, 1);
  const points = [
    [0, 0],
    [R, 0],
  ];
  const crown = k.chance(0.25) ? -0.4 : 1;
  for (let i = 0; i <= 12; i++) points.push([R - crown * sag * sin((180 * i) / 12), w * (0.08 + (0.84 * i) / 12)]);
  points.push([R, w], [0, w]);
  let body = k.turned(points).minus(k.cyl(bore, w * 3).at(0, 0, -w));
  if (k.chance(0.4)) body = body.minus(k.cyl(bore * 1.4, w * 0.25).at(0, 0, w * 0.8));
  return body;
}

function timingPulley(k) {
  const n = k.int(12, 40),
    pitch = k.pick([2, 2.5, 3, 5]),
    R = (n * pitch) / 2 / Math.PI,
    w = pitch * k.num(2, 7);
  const tooth = k.chance(0.5) ? k.circle(pitch * 0.28, 12) : k.rect(pitch * 0.6, pitch * 0.5);
  const parts = [
    k
      .circle(R)
      .minus(k.spread(tooth, k.ring(n, R)))
      .up(w),
  ];
  const lip = k.cyl(R * 1.08, pitch * 0.5);
  const lips = k.int(0, 2);
  if (lips) parts.push(lip.at(0, 0, w * 0.99));
  if (lips > 1) parts.push(lip.at(0, 0, -pitch * 0.45));
  if (k.chance(0.6)) parts.push(k.cyl(R * k.num(0.6, 1.05), w * k.num(0.5, 1)).at(0, 0, w));
  const bore = Math.max(R * k.num(0.15, 0.5), 0.5);
  const body = k.join(parts).minus(k.cyl(bore, w * 8).at(0, 0, -w));
  return k.chance(0.5)
    ? body.minus(
        k
          .pin(bore * 0.3, R * 2)
          .rot(0, 90, 0)
          .at(0, 0, w * 1.4),
      )
    : body;
}

function rim(k) {
  const R = k.len(8, 150),
    w = R * k.num(0.15, 1.2),
    t = R * k.num(0.05, 0.12),
    n = k.int(3, 14),
    hub = R * k.num(0.12, 0.3);
  const lip = R - t * k.num(1, 2.2);
  const barrel = k.turned([
    [R, 0],
    [R, w * 0.1],
    [lip, w * 0.2],
    [lip, w * 0.8],
    [R, w * 0.9],
    [R, w],
    [R - t, w],
    [lip - t, w * 0.8],
    [lip - t, w * 0.2],
    [R - t, 0],
  ]);
  const h = w * k.num(0.15, 0.7),
    z = k.chance(0.5) ? (w - h) / 2 : w * 0.05;
  const straight = k.rect(lip - t / 2, R * k.len(0.05, 0.22)).at((lip - t / 2) / 2);
  const spoke = k.pick([
    () => straight,
    () => straight.rot(8).plus(straight.rot(-8)),
    () =>
      k.strip(
        [
          [0, 0],
          [lip * 0.5, lip * 0.12],
          [lip - t / 2, 0],
        ],
        R * 0.08,
      ),
    () =>
      k.polygon([
        [0, -hub * 0.9],
        [lip - t / 2, -R * 0.04],
        [lip - t / 2, R * 0.04],
        [0, hub * 0.9],
      ]),
  ])();
  const spokes = k.chance(0.15)
    ? k.circle(lip - t / 2).minus(k.spread(k.hole(R * 0.1), k.ring(n, R * 0.55)))
    : k.spread(spoke, k.ring(n, 0));
  let body = k.join([barrel, spokes.up(h).at(0, 0, z), k.cyl(hub, h * k.num(1, 1.4)).at(0, 0, z)]);
  body = body.minus(k.cyl(hub * k.num(0.2, 0.7), w * 3).at(0, 0, -w));
  if (k.chance(0.3))
    body = body.minus(
      k
        .pin(hub * 0.1, w * 3)
        .each(k.ring(5, hub * 0.8))
        .at(0, 0, -w),
    );
  return body;
}

function tyre(k) {
  const R = k.len(8, 150),
    section = R * k.num(0.15, 0.4),
    width = section * k.num(0.7, 2.2),
    square = k.num(0.3, 1);
  const points = [];
  for (let a = 0; a < 360; a += 15) {
    const flat = (v) => Math.sign(v) * Math.abs(v) ** square;
    points.push([R - section + section * flat(cos(a)), (width / 2) * flat(sin(a))]);
  }
  let body = k.turned(points);
  if (k.chance(0.4))
    return k.chance(0.5)
      ? body
      : body.minus(
          k.tube(R * 2, R * 0.97, width * 0.06).each([[0, 0]]),
          k.tube(R * 2, R * 0.97, width * 0.06).at(0, 0, width * 0.25),
          k.tube(R * 2, R * 0.97, width * 0.06).at(0, 0, -width * 0.25),
        );
  const n = k.int(10, 36),
    depth = section * k.num(0.08, 0.2),
    gap = (Math.PI * R) / n;
  const bar = k.box(depth * 2, gap, width * k.num(0.3, 0.6)).rot(k.pick([0, 0, 25, -25]), 0, 0);
  if (k.chance(0.5)) {
    body = body.minus(
      bar.at(0, 0, width * 0.05).each(k.ring(n, R)),
      bar
        .mirror(0, 0, 1)
        .at(0, 0, -width * 0.05)
        .each(k.ring(n, R, 180 / n)),
    );
  } else {
    body = body.plus(
      bar.at(0, 0, 0).each(k.ring(n, R - depth * 0.5)),
      bar.mirror(0, 0, 1).each(k.ring(n, R - depth * 0.5, 180 / n)),
    );
  }
  return body;
}

function knob(k) {
  const R = k.len(5, 40),
    h = R * k.num(0.5, 1.8),
    n = k.pick([0, 3, 5, 6, 8, 12, 24]);
  let outline = k.circle(R);
  if (n === 3 || n === 5) outline = k.join2d([k.circle(R * 0.7), k.spread(k.circle(R * 0.3), k.ring(n, R * 0.72))]);
  else if (n) outline = outline.minus(k.spread(k.hole((R * 2.2) / n), k.ring(n, R * 1.06)));
  let body = n === 3 || n === 5 ? outline.up(h * 0.5) : outline.up(h, { taper: k.num(0.7, 1) });
  if (k.chance(0.4)) body = body.and(k.ball(Math.hypot(R, h) * 0.95, 32).at(0, 0, h * 0.1));
  if (k.chance(0.6)) body = body.plus(k.cyl(R * 0.4, h * 0.4).at(0, 0, -h * 0.35));
  body = body.minus(k.pin(R * k.num(0.1, 0.25), h * 0.75).at(0, 0, -h * 0.4));
  if (k.chance(0.4)) body = body.plus(k.box(R, R * 0.1, h * 0.06).at(R * 0.45, 0, h * 0.45));
  return body;
}

function handle(k) {
  const span = k.len(20, 200),
    h = span * k.num(0.15, 0.4),
    r = span * k.num(0.025, 0.07);
  if (k.chance(0.4)) {
    // a lathe handle on a stem
    const points = [
      [0, 0],
      [r, 0],
    ];
    const waist = k.num(0, 1),
      belly = k.num(0.5, 2);
    for (let i = 0; i <= 16; i++)
      points.push([
        r * (1 + belly * sin((i / 16) * 170) + 0.4 * waist * sin((i / 16) * 720)),
        span * 0.15 + (span * 0.6 * i) / 16,
      ]);
    points.push([0, span * 0.76]);
    return k.turned(points).plus(k.cyl(r * 0.7, span * 0.3).at(0, 0, -span * 0.1));
  }
  const path = [[-span / 2, 0, 0]];
  const corner = Math.min(h, span / 2) * k.num(0.2, 0.9);
  for (let a = 0; a <= 90; a += 15) path.push([-span / 2 + corner - corner * cos(a), 0, h - corner + corner * sin(a)]);
  for (let a = 90; a >= 0; a -= 15) path.push([span / 2 - corner + corner * cos(a), 0, h - corner + corner * sin(a)]);
  path.push([span / 2, 0, 0]);
  const feet = k.chance(0.5)
    ? k.cyl(r * k.num(1.4, 2.4), r).each(k.grid(2, 1, span))
    : k
        .roundRect(r * 6, r * 3, r)
        .minus(k.hole(r * 0.6).at(r * 1.9))
        .up(r)
        .both(1, 0, 0)
        .at(0, 0, 0)
        .each([
          [-span / 2, 0],
          [span / 2, 0],
        ]);
  return k.bar(path, r, { flat: k.chance(0.3) ? 1.8 : 1 }).plus(feet);
}

function nozzle(k) {
  const R = k.len(3, 50),
    h = R * k.num(1, 4),
    t = R * k.num(0.08, 0.3),
    tip = R * k.num(0.1, 0.6),
    curve = k.num(0.4, 2);
  const outer = [],
    inner = [];
  for (let i = 0; i <= 12; i++) {
    const r = tip + (R - tip) * (1 - (i / 12) ** curve);
    outer.push([r + t, (h * i) / 12]);
    inner.unshift([Math.max(r, 0.05), (h * i) / 12]);
  }
  let body = k.turned([...outer, ...inner]);
  if (k.chance(0.5))
    body = body.plus(k.tube(R * 1.5, R, h * 0.1).minus(k.pin(R * 0.1, h).each(k.ring(k.int(3, 8), R * 1.3))));
  if (k.chance(0.3))
    body = body.plus(
      k
        .ngon(6, R * 2.5)
        .minus(k.circle(R))
        .up(h * 0.25),
    );
  return body;
}

/** A random profile of straight and curved runs, hollow or full. */
function turnedProfile(k) {
  const R = k.len(5, 60),
    n = k.int(2, 6);
  const inner = k.chance(0.5) ? R * k.num(0.1, 0.4) : 0;
  const points = [[inner, 0]];
  let z = 0,
    r = R * k.num(0.5, 1);
  for (let i = 0; i < n; i++) {
    const h = R * k.num(0.1, 0.8),
      to = R * k.num(0.45, 1.2),
      bulge = R * k.pick([0, 0, 0.1, -0.08, 0.25]);
    for (let j = 0; j <= 6; j++) points.push([r + ((to - r) * j) / 6 + bulge * sin(30 * j), z + (h * j) / 6]);
    z += h;
    r = k.chance(0.5) ? to : R * k.num(0.45, 1);
  }
  points.push([inner, z]);
  const body = k.turned(points, k.chance(0.12) ? k.pick([90, 180, 270]) : 360);
  return k.chance(0.25)
    ? body.minus(
        k
          .pin(R * 0.12, z * 3)
          .each(k.ring(k.int(2, 6), R * 0.35))
          .at(0, 0, -z),
      )
    : body;
}

function collar(k) {
  const r = k.len(2, 30),
    R = r * k.num(1.4, 2.4),
    h = r * k.num(0.5, 2.5);
  let body = k.bevelled(k.circle(R), h, h * k.num(0.03, 0.15)).minus(k.cyl(r, h * 3).at(0, 0, -h));
  if (k.chance(0.5))
    body = body.minus(
      k.box(R * 2, r * 0.2, h * 3).at(R, 0, -h),
      k
        .pin(R * 0.1, R * 3)
        .rot(90, 0, 0)
        .at((r + R) / 2, R * 1.5, h / 2),
    );
  else
    body = body.minus(
      k
        .pin(r * 0.2, R * 2)
        .rot(0, 90, 0)
        .at(0, 0, h / 2)
        .each(k.ring(k.int(1, 4), 0)),
    );
  if (k.chance(0.3))
    body = body.minus(
      k
        .box(r, r * 0.4, h * 3)
        .at(r * 0.8, 0, -h)
        .rot(0, 0, 180),
    );
  if (k.chance(0.3)) body = body.plus(k.tube(R * 0.8, r, h * 1.8));
  return body;
}
