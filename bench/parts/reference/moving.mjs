/** Reference parts for air, water and springing: propellers, fans, wings, shells, springs, shock absorbers, hulls. */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const moving = {
  propeller,
  'fan-axial': axialFan,
  impeller,
  wing,
  fairing,
  hull: boatHull,
  windscreen,
  'spring-coil': coilSpring,
  'shock-absorber': shockAbsorber,
  'caterpillar-link': caterpillarLink,
};

/**
 * A symmetric or cambered aerofoil of chord 1 as points [x, y], counter-clockwise from the trailing edge; NACA 4-digit
 * form.
 */
function aerofoil(thickness, camber, n) {
  const y = (x) =>
    5 * thickness * (0.2969 * Math.sqrt(x) - 0.126 * x - 0.3516 * x ** 2 + 0.2843 * x ** 3 - 0.1036 * x ** 4);
  const mean = (x) => 4 * camber * x * (1 - x);
  const points = [];
  for (let i = 0; i < n; i++) {
    const x = (1 + cos((180 * i) / n)) / 2;
    points.push([x, mean(x) + y(x) + (i === 0 ? 0.002 : 0)]);
  }
  for (let i = 0; i < n; i++) {
    const x = (1 - cos((180 * i) / n)) / 2;
    points.push([x, mean(x) - y(x)]);
  }
  points.push([1, mean(1) - 0.002]);
  return points;
}

/** A twisted blade along +x from r0 to r1. */
function blade(k, r0, r1, chord, pitch0, pitch1, curve) {
  const section = aerofoil(k.num(0.08, 0.16), k.num(0, 0.08), k.seg > 32 ? 10 : 6),
    rings = [],
    steps = 8;
  const tip = k.num(0.25, 0.9);
  for (let i = 0; i <= steps; i++) {
    const s = i / steps,
      c = chord * (1 + curve * sin(180 * s)) * (1 - (1 - tip) * s ** 2),
      turn = pitch0 + (pitch1 - pitch0) * s;
    rings.push(
      section.map(([x, y]) => {
        const a = (x - 0.4) * c,
          b = y * c;
        return [r0 + (r1 - r0) * s, a * cos(turn) - b * sin(turn), a * sin(turn) + b * cos(turn)];
      }),
    );
  }
  return k.loft(rings);
}

function propeller(k) {
  const R = k.len(15, 200),
    n = k.pick([2, 2, 3, 3, 4, 5, 6]),
    hub = R * k.num(0.06, 0.18),
    h = hub * k.num(0.8, 2);
  const b = blade(k, hub * 0.5, R, R * k.num(0.1, n < 4 ? 0.35 : 0.25), k.num(35, 60), k.num(8, 25), k.num(0.1, 0.8));
  let body = k.join([b.each(k.ring(n, 0)), k.cyl(hub, h).at(0, 0, -h / 2)]);
  if (k.chance(0.4))
    body = body.plus(
      k
        .turned(
          Array.from({ length: 9 }, (_, i) => [hub * cos(i * 11.25), hub * 1.4 * sin(i * 11.25)]).concat([[0, 0]]),
        )
        .at(0, 0, h * 0.48),
    );
  if (k.chance(0.2)) body = body.plus(k.tube(R * 1.06, R * 0.98, h * 1.2).at(0, 0, -h * 0.6));
  return body.minus(k.pin(hub * k.num(0.15, 0.4), h).at(0, 0, -h * 0.6));
}

function axialFan(k) {
  const w = k.len(20, 140),
    h = w * k.num(0.15, 0.4),
    R = w * 0.47,
    hub = w * k.num(0.15, 0.24),
    n = k.int(5, 11);
  const b = blade(k, hub * 0.8, R * 0.94, w * k.num(0.14, 0.22), 50, k.num(25, 40), 0.4).at(0, 0, h / 2);
  const rotor = k.join([b.each(k.ring(n, 0)), k.cyl(hub, h * 0.9)]);
  if (k.chance(0.3)) return rotor.minus(k.cyl(hub * 0.85, h).at(0, 0, -h * 0.2));
  const holes = k.spread(k.hole(w * 0.02), k.corners(w * 0.44, w * 0.44));
  const frame = k.roundRect(w, w, w * 0.05).minus(k.circle(R), holes);
  const arm = k.spread(k.rect(R, w * 0.04).at(R * 0.55, 0), k.ring(k.pick([3, 4]), 0, 25)).plus(k.circle(hub));
  return k.join([frame.up(h), arm.and(k.circle(R * 1.01)).up(h * 0.12), rotor.at(0, 0, h * 0.08)]);
}

function impeller(k) {
  const R = k.len(10, 100),
    n = k.int(5, 14),
    h = R * k.num(0.15, 0.6),
    t = R * k.num(0.02, 0.05),
    sweep = k.num(-60, 60),
    inner = R * k.num(0.2, 0.4);
  const points = Array.from({ length: 7 }, (_, i) => {
    const q = inner * 0.8 + ((R * 0.98 - inner * 0.8) * i) / 6;
    return [q * cos((sweep * i) / 6), q * sin((sweep * i) / 6)];
  });
  const vanes = k.spread(k.strip(points, t), k.ring(n, 0)).up(h);
  const parts = [
    k.cyl(R, t * 2).at(0, 0, -t),
    vanes.and(k.cyl(R, h * 2)),
    k.cone(inner, inner * k.num(0.4, 1), h * k.num(0.8, 1.2)),
  ];
  if (k.chance(0.35)) parts.push(k.tube(R, inner * 1.3, t).at(0, 0, h * 0.98));
  const body = k.chance(0.3) ? k.join(parts).and(k.cone(R, R * 0.5, h * 1.5).at(0, 0, -t)) : k.join(parts);
  return body.minus(k.cyl(inner * 0.35, h * 4).at(0, 0, -h));
}

function wing(k) {
  const chord = k.len(10, 120),
    span = chord * k.num(0.8, 5),
    sweep = chord * k.num(-0.2, 1.2),
    tip = k.num(0.25, 1),
    lift = span * k.num(0, 0.12),
    steps = 6;
  const section = aerofoil(k.num(0.08, 0.2), k.pick([0, 0.02, 0.05]), 12);
  const rings = Array.from({ length: steps + 1 }, (_, i) => {
    const s = i / steps,
      c = chord * (1 - (1 - tip) * s);
    return section.map(([x, y]) => [x * c + sweep * s, span * s, y * c + lift * s]);
  });
  let body = k.loft(rings);
  if (k.chance(0.3))
    body = body.minus(
      k
        .box(chord * 0.015, span * 0.5, chord)
        .at(chord * 0.75 + sweep * 0.6, span * 0.6, -chord * 0.4)
        .rot(0, 0, 0),
    );
  if (k.chance(0.45)) body = body.both(0, 1, 0);
  if (k.chance(0.3))
    body = body.plus(
      k
        .ball(chord * 0.3, 24)
        .scale(3, 0.7, 0.7)
        .at(chord * 0.5, 0, 0),
    );
  if (k.chance(0.25))
    body = body.plus(
      k.box(chord * 0.5 * tip, chord * 0.03, chord * 0.4).at(sweep + chord * tip * 0.5, span * 0.99, lift),
    );
  return body;
}

/** A thin curved shell: the skin between two offset copies of one smooth surface, trimmed to an outline. */
function fairing(k) {
  const w = k.len(15, 150),
    d = w * k.num(0.4, 1.4),
    t = w * k.num(0.01, 0.04),
    nx = 12,
    ny = 10;
  const rise = w * k.num(0.1, 0.45),
    twist = k.num(-0.3, 0.3),
    p = k.num(1.2, 3),
    narrow = k.num(0.4, 1);
  const at = (u, v) => {
    const wide = 1 - ((1 - narrow) * (v + 1)) / 2;
    return [(u * w * wide) / 2, (v * d) / 2, rise * (1 - Math.abs(u) ** p) * (1 - 0.4 * v * v) + twist * rise * u * v];
  };
  const rings = [];
  for (let j = 0; j <= ny; j++) {
    const v = (2 * j) / ny - 1,
      over = [],
      under = [];
    for (let i = 0; i <= nx; i++) over.push(at((2 * i) / nx - 1, v));
    for (const [x, y, z] of over.toReversed()) under.push([x * (1 - (2 * t) / w), y, z - t]);
    rings.push([...over, ...under]);
  }
  let body = k.loft(rings, { strip: true });
  if (k.chance(0.4))
    body = body.minus(
      k
        .slot(w * 0.3, w * 0.08)
        .up(w * 3)
        .rot(0, 0, k.pick([0, 90]))
        .at(0, d * k.num(-0.2, 0.2), -w),
    );
  if (k.chance(0.4))
    body = body.minus(
      k
        .circle(w * 0.45)
        .up(w * 3)
        .at(w * 0.35, d * 0.45, -w),
    );
  if (k.chance(0.35)) body = body.plus(k.pin(w * 0.03, at(0.4, 0)[2] - t * 0.5).each(k.grid(2, 1, 2 * at(0.4, 0)[0])));
  return body;
}

function boatHull(k) {
  const L = k.len(30, 200),
    w = L * k.num(0.12, 0.35),
    h = L * k.num(0.08, 0.25),
    p = k.num(0.4, 1.2),
    rings = [],
    steps = 10,
    blunt = k.num(0.05, 0.8);
  for (let i = 0; i <= steps; i++) {
    const s = i / steps,
      b = Math.max(0.02, s < 0.5 ? blunt + (1 - blunt) * sin(180 * s) : sin(180 * s) ** 0.7);
    const ring = [];
    for (let a = 180; a <= 360; a += 15)
      ring.push([L * s, (w / 2) * b * cos(a), h * Math.abs(sin(a)) ** p * -(0.5 + 0.5 * b)]);
    rings.push(ring);
  }
  let body = k.loft(rings);
  if (k.chance(0.6)) body = body.minus(body.scale(0.92, 0.86, 0.86).at(L * 0.04, 0, 0.001 * h));
  if (k.chance(0.5)) body = body.plus(k.box(L * 0.25, w * 0.5, h * 0.8).at(L * k.num(0.3, 0.6), 0, -h * 0.3));
  if (k.chance(0.3)) body = body.plus(k.box(L * 0.5, w * 0.03, h * 0.6).at(L * 0.45, 0, -h * 1.3));
  return body;
}

function windscreen(k) {
  const w = k.len(10, 80),
    h = w * k.num(0.3, 0.9),
    d = w * k.num(0.3, 0.9),
    t = w * k.num(0.02, 0.06),
    top = k.num(0.4, 0.95);
  const outer = k.roundRect(w, d, w * k.num(0.02, 0.3));
  const solid = outer.up(h, { taper: [top, k.num(0.4, 1)] });
  const inside = outer.grow(-t, 'Miter').up(h - t, { taper: [top, 0.8] });
  let body = solid.minus(inside.at(0, 0, -0.001));
  if (k.chance(0.5)) body = body.and(k.box(w * 2, d, h * 2).at(0, d / 2, 0));
  if (k.chance(0.4)) body = body.minus(k.box(w * 0.5, d * 3, h * 0.4).at(0, 0, h * 0.3));
  if (k.chance(0.3))
    body = body.plus(
      k
        .cyl(t * 2, w * 0.2, 12)
        .rot(0, 90, 0)
        .at(-w * 0.1, d * 0.45, t),
    );
  return body;
}

/** A coil of varying radius; its ends are ground flat at times. */
function coil(k, R, wire, pitch, turns, { end = 1, seg = 8 } = {}) {
  const path = k.helix(R, pitch, turns, Math.min(k.seg, 24));
  return k.bar(
    path.map(([x, y, z], i) => {
      const s = 1 + ((end - 1) * i) / path.length;
      return [x * s, y * s, z];
    }),
    wire,
    { seg },
  );
}

function coilSpring(k) {
  const R = k.len(2, 30),
    wire = R * k.num(0.08, 0.22),
    turns = k.num(3, 12),
    pitch = wire * k.num(2.2, 6);
  switch (k.int(0, 3)) {
    case 0: {
      // with hooks at both ends
      const whole = Math.round(turns),
        hook = k.torus(R, wire, k.pick([180, 180, 290]));
      return k.join([
        coil(k, R, wire, wire * 2.1, whole),
        hook.rot(-90, 0, 0),
        hook.rot(90, 0, 0).at(0, 0, wire * 2.1 * whole),
      ]);
    }
    case 1: {
      // with legs, for torsion
      const path = k.helix(R, wire * 2.2, Math.ceil(turns) + k.pick([0, 0.25, 0.5]), 20),
        last = path.at(-1),
        a = Math.atan2(last[1], last[0]);
      return k.bar(
        [[R, -R * 3, 0], ...path, [last[0] - R * 3 * Math.sin(a), last[1] + R * 3 * Math.cos(a), last[2]]],
        wire,
        { seg: 8 },
      );
    }
    case 2:
      return coil(k, R, wire, pitch, turns, { end: k.num(0.4, 0.8) });
    default: {
      const body = coil(k, R, wire, pitch, turns);
      return k.chance(0.5) ? body.and(k.box(R * 4, R * 4, pitch * turns - wire).at(0, 0, wire * 0.5)) : body;
    }
  }
}

function shockAbsorber(k) {
  const R = k.len(3, 20),
    h = R * k.num(3.5, 9),
    eye = R * k.num(0.5, 0.9),
    wire = R * k.num(0.1, 0.18);
  const turns = k.num(4, 10),
    run = h * k.num(0.4, 0.6);
  const lug = k
    .tube(eye, eye * 0.5, R * k.num(0.6, 1.2))
    .rot(90, 0, 0)
    .at(0, R * 0.4, 0);
  const parts = [
    k.cyl(R * 0.65, h * 0.55),
    k.cyl(R * 0.3, h),
    lug.at(0, 0, -eye * 0.8),
    lug.at(0, 0, h + eye * 0.8),
    k.cyl(R * 1.2, R * 0.2).at(0, 0, h * 0.2 - R * 0.1),
    k.cyl(R * 1.2, R * 0.2).at(0, 0, h * 0.2 + run),
  ];
  if (k.chance(0.8)) parts.push(coil(k, R, wire, run / turns, turns, { seg: 8 }).at(0, 0, h * 0.2));
  if (k.chance(0.3))
    parts.push(k.cyl(R * 0.35, h * 0.5).at(R * 1.5, 0, 0), k.box(R * 1.5, R * 0.4, R * 0.5).at(R * 0.75));
  return k.join(parts);
}

function caterpillarLink(k) {
  const w = k.len(8, 80),
    p = w * k.num(0.2, 0.6),
    t = p * k.num(0.15, 0.3),
    n = k.int(2, 5),
    count = k.pick([1, 1, 1, 2, 4]);
  const r = t * k.num(0.6, 1),
    knuckle = w / (2 * n);
  const parts = [k.box(w, p * 0.9, t)];
  for (let i = 0; i < n; i++)
    parts.push(
      k
        .pin(r, knuckle * 0.9)
        .rot(0, 90, 0)
        .at(-w / 2 + 2 * i * knuckle, p / 2, t / 2),
      k
        .pin(r, knuckle * 0.9)
        .rot(0, 90, 0)
        .at(-w / 2 + (2 * i + 1) * knuckle, -p / 2, t / 2),
    );
  if (k.chance(0.7)) parts.push(k.box(w * k.num(0.6, 1), p * 0.25, t * k.num(1.5, 3)).at(0, p * k.num(-0.2, 0.2), -t));
  if (k.chance(0.5))
    parts.push(
      k
        .polygon([
          [-p * 0.3, 0],
          [p * 0.3, 0],
          [p * 0.1, t * 3],
          [-p * 0.1, t * 3],
        ])
        .up(w * 0.1)
        .rot(90, 0, 90)
        .at(-w * 0.05, 0, t * 0.9),
    );
  let link = k.join(parts);
  if (k.chance(0.3))
    link = link.minus(
      k
        .box(w * 0.12, p * 0.5, t * 9)
        .at(0, 0, -t * 4)
        .both(1, 0, 0)
        .each([
          [-w * 0.25, 0],
          [w * 0.25, 0],
        ]),
    );
  return k.join(Array.from({ length: count }, (_, i) => link.at(0, i * p * 1.0, 0)));
}
