/** Reference parts with teeth, and the cams and cranks that go with them. */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const gears = {
  'gear-spur': spurGear,
  'gear-helical': helicalGear,
  'gear-bevel': bevelGear,
  'gear-ring': ringGear,
  'gear-compound': compoundGear,
  rack,
  worm,
  sprocket,
  ratchet,
  cam,
  crank,
  'connecting-rod': connectingRod,
};

/**
 * The outline of an involute gear (20 degrees pressure angle); `inside` cuts the deeper teeth of a ring gear's hole.
 */
function gearOutline(k, teeth, module, inside = false) {
  const pitch = (teeth * module) / 2,
    base = pitch * cos(20);
  const tip = pitch + module * (inside ? 1.2 : 1),
    root = Math.max(pitch - module * (inside ? 1 : 1.25), 0.3 * pitch);
  const involute = (a) => Math.tan(a) - a;
  const half = (r) => Math.PI / 2 / teeth + involute((20 * Math.PI) / 180) - involute(Math.acos(Math.min(1, base / r)));
  const from = Math.max(base, root),
    steps = k.seg > 40 ? 4 : 2;
  const flank = Array.from({ length: steps + 1 }, (_, i) => from + ((tip - from) * i) / steps);
  const points = [];
  for (let i = 0; i < teeth; i++) {
    const middle = (2 * Math.PI * i) / teeth;
    const put = (r, a) => points.push([r * Math.cos(middle + a), r * Math.sin(middle + a)]);
    if (root < from) put(root, -half(from));
    for (const r of flank) put(r, -Math.max(half(r), 0.01 / teeth));
    for (const r of flank.toReversed()) put(r, Math.max(half(r), 0.01 / teeth));
    if (root < from) put(root, half(from));
  }
  return k.polygon(points);
}

/** Cut a bore, perhaps with a keyway or a cross, and perhaps lighten the web; `root` is the radius under the teeth. */
function bored(k, body, root, h) {
  const bore = root * k.num(0.15, 0.45);
  const cuts = [];
  const kind = k.int(0, 4);
  if (kind === 3)
    cuts.push(
      k
        .rect(bore * 2, bore * 0.7)
        .plus(k.rect(bore * 0.7, bore * 2))
        .up(h * 8)
        .at(0, 0, -h * 4),
    );
  else if (kind) cuts.push(k.cyl(bore, h * 8).at(0, 0, -h * 4));
  if (kind === 1) cuts.push(k.box(bore * 0.8, bore * 0.5, h * 8).at(bore, 0, -h * 4));
  if (k.chance(0.35) && bore < 0.35 * root) {
    const n = k.int(3, 8),
      mid = (bore + root) / 2;
    cuts.push(
      k
        .pin(Math.min((root - bore) * 0.3, mid * sin(180 / n) * 0.8), h * 8)
        .each(k.ring(n, mid, 30))
        .at(0, 0, -h * 4),
    );
  }
  if (k.chance(0.3)) cuts.push(k.tube(root * 0.85, bore + root * 0.15, h).at(0, 0, h * k.num(0.6, 0.8)));
  return cuts.length ? body.minus(...cuts) : body;
}

function spurGear(k) {
  const z = k.int(9, 60),
    m = k.len(0.4, 4),
    h = m * k.num(1.5, 14),
    root = (z * m) / 2 - 1.25 * m;
  let body = gearOutline(k, z, m).up(h);
  if (k.chance(0.5)) body = body.plus(k.cyl(root * k.num(0.4, 0.95), h * k.num(1.2, 2)));
  return bored(k, body, root, h);
}

function helicalGear(k) {
  const z = k.int(10, 36),
    m = k.len(0.5, 4),
    h = m * k.num(4, 14),
    twist = k.num(8, 40) * k.pick([1, -1]);
  let body = gearOutline(k, z, m).up(h, { twist, steps: 6 });
  if (k.chance(0.4)) body = body.plus(body.mirror(0, 0, 1));
  return bored(k, body, (z * m) / 2 - 1.25 * m, h * 2);
}

function bevelGear(k) {
  const z = k.int(10, 40),
    m = k.len(0.6, 4),
    r = (z * m) / 2,
    h = r * k.num(0.2, 0.8);
  let body = gearOutline(k, z, m).up(h, { taper: k.num(0.45, 0.85), twist: k.pick([0, 0, 20]), steps: 3 });
  if (k.chance(0.7)) body = body.plus(k.cyl(r * k.num(0.4, 0.8), h * k.num(0.4, 1)).at(0, 0, -h * 0.4));
  return bored(k, body, r * 0.5, h);
}

function ringGear(k) {
  const z = k.int(18, 60),
    m = k.len(0.5, 3),
    r = (z * m) / 2,
    R = r + m * k.num(2.2, 6),
    h = m * k.num(2, 10);
  let outline = k.pick([
    () => k.circle(R),
    () => k.circle(R).plus(k.spread(k.circle(m * 1.6), k.ring(k.int(3, 6), R))),
    () => gearOutline(k, Math.round((2 * R) / m) + 3, m),
  ])();
  outline = outline.minus(gearOutline(k, z, m, true));
  const ring = outline.up(h);
  return k.chance(0.3) ? ring.plus(k.tube(R - m * 0.5, r * k.num(0.3, 0.8), h * 0.2).at(0, 0, -h * 0.18)) : ring;
}

function compoundGear(k) {
  const z1 = k.int(18, 50),
    z2 = k.int(8, 16),
    m = k.len(0.4, 2.5),
    h = m * k.num(2, 8);
  const small = (z2 * m) / 2;
  const body = gearOutline(k, z1, m)
    .up(h)
    .plus(
      gearOutline(k, z2, m).up(h * k.num(1.8, 3.5)),
      k.chance(0.5) ? k.cyl(small * 0.8, h).at(0, 0, -h * 0.8) : k.cyl(small, h),
    );
  return bored(k, body, small * 0.8, h * 2);
}

function rack(k) {
  const n = k.int(8, 50),
    m = k.len(0.5, 4),
    pitch = Math.PI * m,
    back = m * k.num(1.5, 6),
    w = m * k.num(2, 10);
  const points = [[0, -back]];
  for (let i = 0; i < n; i++)
    points.push(
      [i * pitch, -m],
      [(i + 0.14) * pitch, -m],
      [(i + 0.38) * pitch, m],
      [(i + 0.62) * pitch, m],
      [(i + 0.86) * pitch, -m],
    );
  points.push([n * pitch, -m], [n * pitch, -back]);
  points[0] = [0, -back - m];
  points[points.length - 1] = [n * pitch, -back - m];
  const body = k
    .polygon(points)
    .up(w)
    .at((-n * pitch) / 2);
  return k.chance(0.5)
    ? body.minus(
        k
          .pin(w * 0.15, back * 20)
          .rot(90, 0, 0)
          .at(0, back * 10, w / 2)
          .each(k.grid(k.int(2, 5), 1, n * pitch * 0.2)),
      )
    : body;
}

function worm(k) {
  const r = k.len(3, 30),
    h = r * k.num(2, 6),
    starts = k.int(1, 4),
    depth = r * k.num(0.15, 0.35);
  const lobe = k.hull2d([k.circle(r * 0.3, 12).at(r * 0.4), k.circle(depth * 0.35, 8).at(r)]);
  const outline = k.spread(lobe, k.ring(starts, 0));
  const turns = ((h / r) * k.num(0.35, 0.7)) / starts;
  let body = outline
    .up(h, { twist: 360 * turns * k.pick([1, -1]), steps: Math.ceil(turns * 24) })
    .plus(k.cyl(r - depth, h));
  if (k.chance(0.7)) body = body.plus(k.cyl(r * k.num(0.3, 0.6), h * 1.8).at(0, 0, -h * 0.4));
  else body = body.minus(k.cyl(r * 0.3, h * 3).at(0, 0, -h));
  return body;
}

function sprocket(k) {
  const n = k.int(8, 40),
    pitch = k.pick([4, 6.35, 9.525, 12.7]),
    R = pitch / 2 / sin(180 / n),
    roller = pitch * 0.3,
    t = pitch * k.num(0.15, 0.5);
  const outline = k.circle(R + roller * 0.9).minus(
    k.spread(k.hole(roller), k.ring(n, R)),
    k.spread(
      k.polygon([
        [-roller, 0],
        [roller, roller * 1.15],
        [roller, -roller * 1.15],
      ]),
      k.ring(n, R + roller * 0.5),
    ),
  );
  let body = outline.up(t);
  const root = R - roller;
  if (k.chance(0.6)) body = body.plus(k.cyl(root * k.num(0.25, 0.6), t * k.num(2, 5)));
  return bored(k, body, root, t * 2);
}

function ratchet(k) {
  const n = k.int(6, 40),
    R = k.len(6, 60),
    depth = R * k.num(0.06, 0.25),
    h = R * k.num(0.08, 0.5);
  const points = [];
  for (let i = 0; i < n; i++) {
    const a = (360 * i) / n,
      b = a + (360 / n) * k.num(0.001, 0.002);
    points.push([(R - depth) * cos(a), (R - depth) * sin(a)], [R * cos(b), R * sin(b)]);
  }
  const body = k.polygon(points).up(h);
  return bored(k, k.chance(0.4) ? body.plus(k.cyl(R * 0.4, h * 2)) : body, R - depth, h * 2);
}

function cam(k) {
  const r = k.len(5, 40),
    lift = r * k.num(0.3, 1.2),
    h = r * k.num(0.2, 1.2);
  const lobe = () => k.hull2d([k.circle(r), k.circle(r * k.num(0.25, 0.6)).at(lift + r * 0.3)]);
  const spiral = () =>
    k.polygon(
      Array.from({ length: 48 }, (_, i) => [
        (r + (lift * i) / 48) * cos(7.5 * i),
        (r + (lift * i) / 48) * sin(7.5 * i),
      ]),
    );
  const heart = () =>
    k.polygon(
      Array.from({ length: 60 }, (_, i) => {
        const q = r + lift * Math.abs(i / 30 - 1);
        return [q * cos(6 * i), q * sin(6 * i)];
      }),
    );
  const outline = k.pick([lobe, lobe, spiral, heart, () => k.circle(r * 1.3).at(lift * 0.5)])();
  if (k.chance(0.3)) {
    // a camshaft
    const n = k.int(2, 6),
      lobes = Array.from({ length: n }, (_, i) =>
        lobe()
          .rot(k.int(0, 7) * 45)
          .up(h)
          .at(0, 0, i * h * 2.2),
      );
    return k.join([...lobes, k.cyl(r * 0.6, n * h * 2.2 + h * 2).at(0, 0, -h * 1.5)]);
  }
  const body = outline.up(h).plus(k.chance(0.5) ? k.cyl(r * 0.6, h * 1.8) : k.cyl(r * 0.3, h));
  return body.minus(
    k.cyl(r * k.num(0.15, 0.4), h * 8).at(0, 0, -h * 4),
    ...(k.chance(0.5) ? [k.box(r * 0.5, r * 0.2, h * 8).at(r * 0.3, 0, -h * 4)] : []),
  );
}

function crank(k) {
  const arm = k.len(12, 120),
    t = arm * k.num(0.06, 0.2),
    a = arm * k.num(0.15, 0.3),
    b = arm * k.num(0.1, 0.25);
  if (k.chance(0.35)) {
    // a crankshaft
    const n = k.int(1, 4),
      web = k.hull2d([k.circle(a), k.circle(b).at(arm * 0.4)]).up(t);
    const parts = [];
    for (let i = 0; i < n; i++) {
      const z = i * t * 6,
        turn = i * k.pick([90, 180, 120]);
      parts.push(
        k
          .join([web, web.at(0, 0, t * 3), k.cyl(b * 0.7, t * 4).at(arm * 0.4, 0, 0)])
          .rot(0, 0, turn)
          .at(0, 0, z),
      );
    }
    for (let i = 0; i <= n; i++) parts.push(k.cyl(a * 0.6, t * 2.2).at(0, 0, i * t * 6 - t * 2.1));
    return k.join(parts);
  }
  const body = k
    .hull2d([k.circle(a), k.circle(b).at(arm)])
    .up(t)
    .plus(k.cyl(a, t * k.num(1.2, 2.5)));
  const grip = k.chance(0.7)
    ? k.cyl(b * k.num(0.5, 0.9), arm * k.num(0.3, 0.7)).at(arm, 0, k.chance(0.5) ? 0 : t * 0.5)
    : k.cyl(b, t * 1.5).at(arm);
  const eye = k.chance(0.5)
    ? k.cyl(a * 0.55, t * 9).at(0, 0, -t)
    : k
        .rect(a * 0.8, a * 0.8)
        .up(t * 9)
        .at(0, 0, -t);
  return body.plus(grip).minus(eye);
}

function connectingRod(k) {
  const length = k.len(15, 150),
    a = length * k.num(0.15, 0.25),
    b = length * k.num(0.08, 0.18),
    h = length * k.num(0.06, 0.2);
  const beam = k
    .polygon([
      [0, -a * 0.6],
      [length, -b * 0.6],
      [length, b * 0.6],
      [0, a * 0.6],
    ])
    .up(h * k.num(0.5, 0.9));
  let body = k.join([beam, k.cyl(a, h), k.cyl(b, h).at(length)]);
  if (k.chance(0.6))
    body = body.minus(
      k
        .polygon([
          [a * 1.2, -a * 0.3],
          [length - b * 1.3, -b * 0.3],
          [length - b * 1.3, b * 0.3],
          [a * 1.2, a * 0.3],
        ])
        .up(h)
        .at(0, 0, h * 0.3),
    );
  body = body.minus(
    k.cyl(a * k.num(0.5, 0.75), h * 3).at(0, 0, -h),
    k.cyl(b * k.num(0.4, 0.7), h * 3).at(length, 0, -h),
  );
  if (k.chance(0.4)) body = body.plus(k.box(a * 0.6, a * 2.6, h * 0.8).minus(k.cyl(a * 0.76, h * 3).at(0, 0, -h)));
  return body;
}
