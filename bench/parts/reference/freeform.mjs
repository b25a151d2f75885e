/**
 * Reference parts of no named kind: random outlines, stacks, cuts, hulls and sweeps, so that the tables meet the
 * unforeseen.
 */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const freeform = {
  'free-blocks': blocks,
  'free-round': roundStack,
  'free-machined': machined,
  'free-outline': outlined,
  'free-hull': hulled,
  'free-sweep': swept,
  'free-blend': blend,
  'free-mirrored': mirrored,
};

function randomSolid(k, s) {
  return k.pick([
    () => k.box(s * k.num(0.2, 1), s * k.num(0.2, 1), s * k.num(0.1, 0.8)),
    () => k.cyl(s * k.num(0.1, 0.4), s * k.num(0.2, 1)),
    () => k.cone(s * k.num(0.2, 0.5), s * k.num(0.05, 0.3), s * k.num(0.2, 0.8)),
    () => k.ball(s * k.num(0.15, 0.4), 24),
    () => k.ngon(k.int(3, 8), s * k.num(0.3, 0.8)).up(s * k.num(0.1, 0.7)),
    () => k.torus(s * k.num(0.25, 0.4), s * k.num(0.06, 0.15)),
    () =>
      k.roundRect(s * k.num(0.3, 1), s * k.num(0.3, 1), s * 0.1).up(s * k.num(0.1, 0.6), { taper: k.num(0.5, 1.1) }),
  ])();
}

function placed(k, solid, s) {
  const turned = k.chance(0.7)
    ? solid.rot(k.int(0, 3) * 90, k.int(0, 3) * 90, 0)
    : solid.rot(k.num(0, 360), k.num(0, 360), 0);
  return turned.at(k.num(-0.4, 0.4) * s, k.num(-0.4, 0.4) * s, k.num(-0.4, 0.4) * s);
}

function blocks(k) {
  const s = k.len(10, 100);
  let body = randomSolid(k, s);
  for (let n = k.int(1, 6); n > 0; n--) body = body.plus(placed(k, randomSolid(k, s), s));
  for (let n = k.int(0, 4); n > 0; n--) body = body.minus(placed(k, randomSolid(k, s * 0.6), s));
  return k.largest(body);
}

function roundStack(k) {
  const s = k.len(5, 50),
    parts = [];
  let z = 0;
  for (let n = k.int(2, 6); n > 0; n--) {
    const h = s * k.num(0.1, 0.8),
      r = s * k.num(0.2, 1);
    const outline = k.pick([
      () => k.circle(r),
      () => k.circle(r),
      () => k.ngon(k.pick([3, 4, 6, 8]), r * 1.6),
      () => k.circle(r).minus(k.spread(k.hole(r * 0.15), k.ring(k.int(3, 9), r * 0.75))),
    ])();
    parts.push(outline.up(h * 1.01, { taper: k.pick([1, 1, 1, 0.7, 1.2]) }).at(0, 0, z));
    z += h;
  }
  let body = k.join(parts);
  if (k.chance(0.5)) body = body.minus(k.cyl(s * k.num(0.05, 0.18), z * 3).at(0, 0, -z));
  if (k.chance(0.4))
    body = body.minus(
      k
        .pin(s * k.num(0.05, 0.2), s * 4)
        .rot(0, 90, 0)
        .at(k.chance(0.5) ? 0 : -s * 2, 0, z * k.num(0.2, 0.8)),
    );
  if (k.chance(0.2)) body = body.and(k.box(s * 4, s * 4, z * 3).at(s * k.num(1.7, 2.2), 0, -z));
  return body;
}

/** A block cut by slots, steps, pockets and drillings from its sides, as on a milling machine. */
function machined(k) {
  const w = k.len(15, 120),
    d = w * k.num(0.3, 1),
    h = w * k.num(0.15, 0.8);
  let body = k.chance(0.5) ? k.box(w, d, h) : k.softBox(w, d, h, d * 0.05);
  const half = { x: w / 2, y: d / 2 };
  for (let n = k.int(2, 7); n > 0; n--) {
    const cut = k.pick([
      () => k.box(w * 2, d * k.num(0.1, 0.4), h).at(0, half.y * k.num(-0.8, 0.8), h * k.num(0.3, 0.8)),
      () => k.box(w * k.num(0.1, 0.5), d * 2, h).at(half.x * k.pick([-1, 1, 0.2]), 0, h * k.num(0.2, 0.8)),
      () => k.pin(d * k.num(0.04, 0.2), h * 3).at(half.x * k.num(-0.7, 0.7), half.y * k.num(-0.5, 0.5), -h),
      () =>
        k
          .pin(h * k.num(0.08, 0.25), d * 3)
          .rot(90, 0, 0)
          .at(half.x * k.num(-0.7, 0.7), d * 1.5, h * k.num(0.3, 0.6)),
      () =>
        k
          .pin(h * k.num(0.08, 0.25), w * k.num(0.2, 2))
          .rot(0, 90, 0)
          .at(-w * 0.6, half.y * k.num(-0.5, 0.5), h * k.num(0.3, 0.6)),
      () =>
        k
          .roundRect(w * k.num(0.2, 0.5), d * k.num(0.2, 0.6), d * 0.05)
          .up(h)
          .at(half.x * k.num(-0.4, 0.4), 0, h * k.num(0.2, 0.7)),
      () =>
        k
          .box(w, d * 3, h * 2)
          .rot(0, k.num(20, 60), 0)
          .at(w * k.num(0.8, 0.95), 0, -h * 0.2),
      () =>
        k
          .pin(d * 0.04, h * 3)
          .each(k.grid(k.int(2, 4), k.int(1, 3), w * 0.2, d * 0.25))
          .at(0, 0, -h),
    ])();
    body = body.minus(cut);
  }
  if (k.chance(0.3))
    body = body.plus(k.pin(d * k.num(0.1, 0.3), h * k.num(0.3, 1.2)).at(half.x * k.num(-0.6, 0.6), 0, h * 0.3));
  return body;
}

/** A closed smooth random curve about the origin, of mean radius s. */
function blob(k, s, wobble = 0.3) {
  const waves = [2, 3, 4, 5].map((n) => [n, k.num(0, wobble) / n, k.num(0, 360)]);
  const n = Math.max(24, k.seg);
  return k.polygon(
    Array.from({ length: n }, (_, i) => {
      const a = (360 * i) / n,
        r = s * (1 + waves.reduce((sum, [m, size, phase]) => sum + size * 2 * sin(m * a + phase), 0));
      return [r * cos(a), r * sin(a)];
    }),
  );
}

function outlined(k) {
  const s = k.len(5, 60);
  let outline = blob(k, s);
  for (let n = k.int(0, 3); n > 0; n--)
    outline = outline.plus(
      k
        .rect(s * k.num(0.3, 2), s * k.num(0.2, 0.8))
        .rot(k.int(0, 7) * 45)
        .at(s * k.num(-0.8, 0.8), s * k.num(-0.8, 0.8)),
    );
  for (let n = k.int(0, 4); n > 0; n--)
    outline = outline.minus(
      (k.chance(0.5) ? k.hole(s * k.num(0.08, 0.3)) : k.slot(s * k.num(0.4, 0.9), s * 0.15).rot(k.num(0, 180))).at(
        s * k.num(-0.6, 0.6),
        s * k.num(-0.6, 0.6),
      ),
    );
  const h = s * k.len(0.08, 2);
  const body = outline.up(h, k.chance(0.3) ? { twist: k.num(-90, 90), steps: 8, taper: k.num(0.6, 1.1) } : {});
  return k.chance(0.3) ? body.plus(blob(k, s * 0.5).up(h * k.num(1.2, 2))) : body;
}

function hulled(k) {
  const s = k.len(8, 80),
    items = [];
  for (let n = k.int(2, 5); n > 0; n--)
    items.push(
      placed(k, k.chance(0.5) ? k.ball(s * k.num(0.05, 0.25), 16) : k.cyl(s * k.num(0.05, 0.3), s * 0.2, 24), s * 1.4),
    );
  let body = k.hull(items);
  if (k.chance(0.4))
    body = body.plus(k.hull([placed(k, k.ball(s * 0.15, 16), s), placed(k, k.ball(s * 0.1, 16), s * 1.8)]));
  for (let n = k.int(0, 3); n > 0; n--)
    body = body.minus(placed(k, k.pin(s * k.num(0.04, 0.15), s * 4).at(0, 0, -s * 2), s));
  return k.largest(body);
}

function swept(k) {
  const s = k.len(8, 80),
    closed = k.chance(0.3),
    n = 36,
    r = s * k.num(0.06, 0.2);
  const waves = [1, 2, 3].map((m) => [m, k.num(0.2, 1) / m, k.num(0, 360), k.num(0.2, 0.7) / m, k.num(0, 360)]);
  const path = Array.from({ length: n }, (_, i) => {
    const a = closed ? (360 * i) / n : (300 * i) / n;
    const wave = (size, phase) => waves.reduce((sum, w) => sum + 0.3 * w[size] * sin(w[0] * a + w[phase]), 0);
    return closed
      ? [s * (1 + 0.4 * wave(1, 2)) * cos(a), s * (1 + 0.4 * wave(1, 2)) * sin(a), 0]
      : [s * (i / n) * 3, s * wave(1, 2), s * wave(3, 4)];
  });
  const body = k.bar(path, closed ? r : (way) => r * (1 + 0.5 * sin(360 * way * 1.5)), {
    loop: closed,
    flat: k.num(0.5, 1.8),
    seg: k.pick([4, 6, 12, 16]),
  });
  return k.chance(0.4)
    ? body.plus(k.ball(r * k.num(1.5, 2.5), 20).at(...path[0]), k.ball(r * k.num(1.5, 2.5), 20).at(...path.at(-1)))
    : body;
}

/** A loft between two random outlines. */
function blend(k) {
  const s = k.len(5, 60),
    h = s * k.num(0.5, 3),
    n = Math.max(24, k.seg),
    steps = 8;
  const superellipse = () => {
    const a = k.num(0.4, 1),
      b = k.num(0.4, 1),
      p = k.num(0.35, 1.2),
      turn = k.int(0, 3) * 30;
    return (t) => {
      const x = a * Math.sign(cos(t)) * Math.abs(cos(t)) ** p,
        y = b * Math.sign(sin(t)) * Math.abs(sin(t)) ** p;
      return [x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)];
    };
  };
  const bottom = superellipse(),
    top = superellipse(),
    waist = k.num(-0.4, 0.3),
    lean = k.num(-0.6, 0.6);
  const rings = (scale, z0, z1) =>
    Array.from({ length: steps + 1 }, (_, i) => {
      const w = i / steps,
        e = w * w * (3 - 2 * w),
        belly = scale * s * (1 + waist * sin(180 * w));
      return Array.from({ length: n }, (_, j) => {
        const t = (360 * j) / n + 0.1,
          p = bottom(t),
          q = top(t);
        return [
          belly * (p[0] * (1 - e) + q[0] * e) + lean * s * w * w,
          belly * (p[1] * (1 - e) + q[1] * e),
          z0 + (z1 - z0) * w,
        ];
      });
    });
  const body = k.loft(rings(1, 0, h));
  return k.chance(0.45) ? body.minus(k.loft(rings(0.85, k.chance(0.5) ? -0.01 * h : 0.1 * h, h * 1.01))) : body;
}

/** A random body made symmetric about one, two or three planes. */
function mirrored(k) {
  const s = k.len(8, 80);
  let body = randomSolid(k, s).plus(...Array.from({ length: k.int(1, 3) }, () => placed(k, randomSolid(k, s), s)));
  for (let n = k.int(0, 2); n > 0; n--) body = body.minus(placed(k, randomSolid(k, s * 0.5), s));
  body = k
    .largest(body)
    .at(s * k.num(0, 0.3), s * k.num(0, 0.25), 0)
    .both(1, 0, 0);
  if (k.chance(0.5)) body = body.both(0, 1, 0);
  body = k.largest(body);
  return k.chance(0.3) ? body.minus(k.pin(s * k.num(0.05, 0.2), s * 6).at(0, 0, -s * 3)) : body;
}
