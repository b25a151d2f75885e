/** Reference parts that hold others together: screws, nuts, washers, circlips, pins, rivets, studs, standoffs. */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const fasteners = {
  'screw-cap': capScrew,
  'screw-pan': panScrew,
  'screw-countersunk': countersunkScrew,
  'screw-hex': hexScrew,
  'screw-thumb': thumbScrew,
  'eye-bolt': eyeBolt,
  nut,
  'nut-wing': wingNut,
  'washer-plain': plainWasher,
  'washer-star': starWasher,
  'washer-spring': springWasher,
  circlip,
  'dowel-pin': dowelPin,
  rivet,
  standoff,
  'cotter-pin': cotterPin,
};

/** A shank of radius r hanging down from z = 0: smooth, ringed like a thread, or partly so; perhaps pointed. */
function shank(k, r, length) {
  const kind = k.int(0, 2),
    threadFrom = kind === 1 ? 0 : length * k.num(0.2, 0.6);
  const points = [
    [0, 0],
    [r, 0],
  ];
  let z = threadFrom;
  if (kind) {
    const pitch = Math.max(r * k.num(0.25, 0.5), length / 36),
      depth = pitch * 0.5;
    points.push([r, -z]);
    for (; z + pitch < length; z += pitch)
      points.push([r, -z - pitch * 0.1], [r - depth, -z - pitch * 0.5], [r, -z - pitch * 0.9]);
  }
  const point = k.chance(0.25) ? r * 1.6 : r * 0.15;
  points.push([r * 0.9, -length], [point > r ? r * 0.1 : r * 0.8, -length - point], [0, -length - point]);
  return k.turned(points).plus(k.cyl(r * 0.5, r * 0.2).at(0, 0, -r * 0.1));
}

/** A drive recess sunk from z = top: hex socket, slot, cross or star, or none. */
function recess(k, body, r, top) {
  const deep = r * k.num(0.5, 0.9);
  const shape = k.pick([
    () => k.ngon(6, r * 1.1),
    () => k.rect(r * 4, r * 0.3),
    () => k.rect(r * 1.6, r * 0.3).plus(k.rect(r * 0.3, r * 1.6)),
    () =>
      k.spread(k.ngon(3, r * 0.75), [
        [0, 0, 0],
        [0, 0, 60],
      ]),
    () => null,
  ])();
  return shape ? body.minus(shape.up(r * 4).at(0, 0, top - deep)) : body;
}

function size(k) {
  const r = k.len(1, 12);
  return { r, length: r * k.len(1.5, 16) };
}

function capScrew(k) {
  const { r, length } = size(k),
    h = r * k.num(1.4, 2.2);
  const head = k.bevelled(k.circle(r * k.num(1.5, 2)), h, r * k.num(0.03, 0.2));
  return recess(k, head, r, h).plus(shank(k, r, length));
}

function panScrew(k) {
  const { r, length } = size(k),
    R = r * k.num(1.7, 2.5),
    h = r * k.num(0.7, 1.6);
  const flat = k.num(0, 0.5);
  const points = [
    [0, 0],
    [R, 0],
    [R, h * flat],
  ];
  for (let a = 0; a <= 90; a += 15) points.push([R * cos(a), h * flat + h * (1 - flat) * sin(a)]);
  return recess(k, k.turned(points), r * 0.9, h).plus(shank(k, r, length));
}

function countersunkScrew(k) {
  const { r, length } = size(k),
    R = r * k.num(1.7, 2.3),
    h = r * k.num(0.8, 1.3),
    dome = k.chance(0.4) ? r * 0.4 : 0;
  const head = k.turned([
    [0, 0],
    [r, 0],
    [R, h],
    [R, h * 1.1],
    [R * 0.6, h * 1.1 + dome],
    [0, h * 1.1 + dome * 1.2],
  ]);
  return recess(k, head, r * 0.8, h * 1.1 + dome).plus(shank(k, r, length));
}

function hexScrew(k) {
  const { r, length } = size(k),
    h = r * k.num(1, 1.6),
    flats = r * k.num(3, 3.8);
  let head = k.ngon(k.chance(0.85) ? 6 : 4, flats).up(h);
  if (k.chance(0.5)) head = head.and(k.cone(flats * 0.78, flats * 0.48, h));
  if (k.chance(0.4)) head = head.plus(k.cyl(flats * k.num(0.6, 0.75), h * 0.2));
  return head.plus(shank(k, r, length));
}

function thumbScrew(k) {
  const { r, length } = size(k),
    R = r * k.num(2, 4),
    h = r * k.num(1, 2.5),
    n = k.int(10, 28);
  const grip = k.chance(0.6)
    ? k
        .circle(R)
        .minus(k.spread(k.rect(R * 0.12, (R * 3) / n), k.ring(n, R)))
        .up(h)
    : k.roundRect(R * 2.4, r * 1.4, r * 0.6).up(h * 1.4);
  return k.join([grip, k.cyl(r * 1.5, h * 0.5).at(0, 0, -h * 0.35), shank(k, r, length)]);
}

function eyeBolt(k) {
  const { r, length } = size(k),
    R = r * k.num(1.8, 3),
    open = k.chance(0.3) ? k.num(240, 300) : 360;
  const parts = [
    k
      .torus(R, r * 0.9, open)
      .rot(90, 0, 0)
      .rot(0, -20, 0)
      .at(0, 0, R + r * 0.5),
    shank(k, r, length),
  ];
  parts.push(k.cyl(r * k.num(1.4, 2), r * 0.6).at(0, 0, -r * 0.3));
  return k.join(parts);
}

function nut(k) {
  const r = k.len(1, 15),
    flats = r * k.num(3, 4),
    h = r * k.num(0.8, 2.4);
  let body = k.ngon(k.pick([6, 6, 6, 4, 8]), flats).up(h);
  if (k.chance(0.5)) body = body.and(k.cone(flats * 0.8, flats * 0.48, h));
  if (k.chance(0.3)) body = body.plus(k.cyl(flats * k.num(0.6, 0.8), h * 0.2));
  if (k.chance(0.25)) body = body.plus(k.cyl(flats * 0.42, h * 1.4));
  if (k.chance(0.2))
    body = body.plus(k.cyl(flats * 0.44, h * 1.5)).minus(
      k
        .box(flats * 2, r * 0.5, h)
        .at(0, 0, h * 1.05)
        .each([
          [0, 0, 0],
          [0, 0, 60],
          [0, 0, 120],
        ]),
    );
  if (k.chance(0.2))
    body = k
      .ngon(6, flats)
      .up(h * 0.6)
      .plus(
        k.turned([
          [0, h * 0.6],
          [flats / 2, h * 0.6],
          [flats * 0.46, h],
          [flats * 0.3, h * 1.4],
          [0, h * 1.55],
        ]),
      )
      .minus(k.cyl(r, h));
  else body = body.minus(k.cyl(r, h * 4).at(0, 0, -h));
  return body;
}

function wingNut(k) {
  const r = k.len(1.5, 10),
    h = r * k.num(1.5, 2.5),
    span = r * k.num(2.5, 4);
  const wing = k
    .hull2d([k.circle(r * 0.8).at(span, h * 1.3), k.rect(r, h * 0.8).at(r, h * 0.4)])
    .up(r * 0.7)
    .rot(90, 0, 0)
    .at(0, r * 0.35, 0);
  return k
    .cone(r * 1.9, r * 1.5, h)
    .plus(wing.both(1, 0, 0))
    .minus(k.cyl(r, h * 8).at(0, 0, -h));
}

function plainWasher(k) {
  const r = k.len(1, 25),
    R = r * k.num(1.3, 3),
    h = r * k.len(0.08, 0.5);
  let outline = (k.chance(0.15) ? k.rect(R * 2, R * 2) : k.circle(R)).minus(k.circle(r));
  if (k.chance(0.25)) outline = outline.plus(k.rect(R * 0.5, r * 0.5).at(R * 1.15, 0));
  if (k.chance(0.2)) outline = outline.minus(k.rect(R * 2, r * 1.8).at(R, 0));
  if (k.chance(0.2))
    return k.turned([
      [r, 0],
      [R, -h],
      [R, 0],
      [r, h],
    ]);
  return outline.up(h);
}

function starWasher(k) {
  const r = k.len(1.5, 15),
    R = r * k.num(1.6, 2.2),
    h = r * k.num(0.1, 0.3),
    n = k.int(6, 18),
    tilt = k.num(10, 35);
  const rimAt = k.chance(0.6) ? 'inner' : 'outer';
  const ring = rimAt === 'inner' ? k.tube((r + R) / 2, r, h) : k.tube(R, (r + R) / 2, h);
  const length = (R - r) * 0.6,
    width = ((Math.PI * R) / n) * k.num(0.7, 1);
  const tooth = k
    .box(length, width, h)
    .at(0, 0, -h / 2)
    .rot(tilt, 0, 0)
    .at(0, 0, h / 2);
  return ring.plus(tooth.each(k.ring(n, rimAt === 'inner' ? R - length * 0.5 : r + length * 0.5)));
}

function springWasher(k) {
  const r = k.len(1.5, 15),
    w = r * k.num(0.2, 0.4);
  const path = k.helix(r + w, w * k.num(0.8, 2.2), k.pick([0.93, 0.95, 1.6, 2.4]), 36);
  return k.bar(path, w * 0.7, { seg: 4, flat: k.num(0.8, 1.4) });
}

function circlip(k) {
  const r = k.len(2, 40),
    t = r * k.num(0.08, 0.18),
    h = r * k.num(0.06, 0.15),
    gap = k.num(20, 100),
    outward = k.chance(0.5);
  const lug = t * k.num(0.7, 1.2),
    turn = gap / 2,
    place = outward ? r + t + lug * 0.5 : r - lug * 0.5;
  let ring = k.circle(r + t).minus(k.circle(r).at(outward ? -t * 0.3 : t * 0.3));
  ring = ring.minus(
    k.polygon([
      [0, 0],
      [4 * r * cos(turn), 4 * r * sin(turn)],
      [4 * r * cos(turn), -4 * r * sin(turn)],
    ]),
  );
  const ends = [turn + 4, -turn - 4].map((a) => [place * cos(a), place * sin(a)]);
  if (k.chance(0.3)) {
    // an E-clip
    const body = k
      .circle(r + t * 2)
      .minus(k.circle(r), k.rect(r * 2, r * 1.5).at(r, 0))
      .plus(
        k.spread(
          k.rect(r * 0.6, r * 0.3),
          k.ring(3, r * 0.85, 180).filter(([x]) => x < r * 0.2),
        ),
        k.rect(r * 0.6, r * 0.3).at(-r * 0.85, 0),
      );
    return body.up(h);
  }
  return ring
    .plus(k.spread(k.circle(lug), ends))
    .minus(k.spread(k.hole(lug * 0.45), ends))
    .up(h);
}

function dowelPin(k) {
  const r = k.len(0.8, 15),
    h = r * k.len(2, 16),
    c = r * k.num(0.1, 0.4);
  let body = k.turned([
    [0, 0],
    [r - c, 0],
    [r, c],
    [r * k.num(0.9, 1), h - c],
    [r - c * 1.1, h],
    [0, h],
  ]);
  if (k.chance(0.4)) body = body.minus(k.cyl(r * k.num(0.4, 0.75), h * 3).at(0, 0, -h));
  if (k.chance(0.3)) body = body.minus(k.box(r * 3, r * 0.3, h * 3).at(r * 1.5, 0, -h));
  if (k.chance(0.3)) body = body.plus(k.cyl(r * 1.6, r * 0.6).at(0, 0, -r * 0.3));
  if (k.chance(0.3))
    body = body.minus(
      k
        .pin(r * 0.3, r * 4)
        .rot(90, 0, 0)
        .at(0, r * 2, h - r),
    );
  if (k.chance(0.3)) body = body.minus(k.tube(r * 2, r * 0.8, r * 0.3).at(0, 0, h * 0.85));
  return body;
}

function rivet(k) {
  const { r, length } = size(k),
    R = r * k.num(1.5, 2.4),
    h = r * k.num(0.5, 1.4);
  const points = [
    [0, 0],
    [R, 0],
  ];
  for (let a = 0; a <= 90; a += 15) points.push([R * cos(a), h * sin(a)]);
  const head = k.turned(points),
    body = k.cyl(r, length + 0.1 * r).at(0, 0, -length);
  const whole = k.chance(0.3) ? k.join([head, body, head.mirror(0, 0, 1).at(0, 0, -length)]) : head.plus(body);
  return k.chance(0.4) ? whole.minus(k.cyl(r * 0.6, length * 0.7).at(0, 0, -length - h)) : whole;
}

function standoff(k) {
  const r = k.len(1, 5),
    h = r * k.len(2, 16);
  const body = k
    .pick([() => k.ngon(6, r * 3.2), () => k.circle(r * k.num(1.5, 2.2)), () => k.rect(r * 3, r * 3)])()
    .up(h);
  const bored = () => body.minus(k.pin(r, h * k.num(0.3, 2)).at(0, 0, -0.1 * r));
  return k.chance(0.6)
    ? body.minus(k.pin(r, h * 0.6).at(0, 0, -0.1 * r)).plus(k.pin(r * 0.95, h * 0.4 + r).at(0, 0, h - 0.1 * r))
    : bored().minus(k.pin(r, h * 0.3).at(0, 0, h * 0.75));
}

function cotterPin(k) {
  const r = k.len(0.5, 4),
    length = r * k.num(10, 35),
    R = r * k.num(2, 3),
    half = r * 1.1;
  const path = [];
  if (k.chance(0.5)) {
    // an R-clip: one straight leg, one wavy
    for (let x = length; x >= 0; x -= length / 4) path.push([x, -half * 1.5, 0]);
    for (let a = -120; a >= -250; a -= 15) path.push([R * cos(a) - R, R * 1.4 * sin(a), 0]);
    for (let i = 0; i <= 24; i++)
      path.push([(length * 0.8 * i) / 24, half * 2.4 + r * 1.5 * sin((i / 24) * 450 + 60), 0]);
  } else {
    path.push([length, -half, 0], [length * 0.5, -half, 0], [0, -half, 0]);
    for (let a = -150; a >= -210 - 0; a -= 15) path.push([-R + R * 1.4 * cos(a + 0), R * 1.4 * sin(a), 0]);
    path.push([0, half, 0], [length * 0.5, half, 0], [length * k.num(0.85, 1.1), half, 0]);
  }
  return k.bar(path, r, { seg: 12 });
}
