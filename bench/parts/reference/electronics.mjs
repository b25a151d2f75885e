/** Reference parts of electronics: headers, packages with leads, capacitors, coils, cells, boards, sockets, motors. */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const electronics = {
  'pin-header': pinHeader,
  'ic-dual': dualPackage,
  'ic-quad': quadPackage,
  'transistor-tab': tabPackage,
  'chip-passive': chipPassive,
  capacitor,
  inductor,
  led,
  battery,
  board,
  socket,
  'terminal-block': terminalBlock,
  'switch-button': switchButton,
  potentiometer,
  'motor-stepper': stepperMotor,
  'motor-round': roundMotor,
  'motor-servo': servo,
  display,
};

function pinHeader(k) {
  const p = k.pick([2.54, 2.54, 2, 1.27, 5.08]),
    n = k.int(2, 20),
    rows = k.pick([1, 1, 2, 2, 3]),
    h = p * k.num(0.8, 3.4),
    w = p * k.num(0.22, 0.32);
  const places = k.grid(n, rows, p);
  if (k.chance(0.35)) {
    // a socket strip
    const body = k.box(n * p, rows * p, h).minus(
      k
        .box(w * 1.6, w * 1.6, h * 0.8)
        .at(0, 0, h * 0.3)
        .each(places),
    );
    return body.plus(
      k
        .box(w, w * 0.6, p * 1.3)
        .at(0, 0, -p * 1.2)
        .each(places),
    );
  }
  let outline = k.rect(n * p, rows * p);
  if (k.chance(0.5))
    outline = outline.minus(k.spread(k.rect(p * 0.25, p * 0.25).rot(45), k.grid(n + 1, 2, p, rows * p)));
  const above = p * k.num(1.5, 4),
    pin = k.box(w, w, above + h + p).at(0, 0, -p);
  const parts = [outline.up(h)];
  if (k.chance(0.25)) {
    // bent at a right angle
    parts.push(
      k
        .box(w, w, h + p * 1.5)
        .at(0, 0, -p)
        .each(places),
      k
        .box(w, above + rows * p, w)
        .at(0, (above + rows * p) / 2, h + p * 0.4)
        .each(k.grid(n, 1, p)),
    );
  } else parts.push(pin.each(places));
  if (k.chance(0.3))
    parts.push(
      k
        .rect(n * p + p * 2, rows * p + p * 1.6)
        .minus(k.rect(n * p + p * 1.4, rows * p + p), k.rect(p * 1.8, p).at(0, (rows * p) / 2 + p * 0.6))
        .up(above * 0.9 + h),
      k.box(n * p + p * 2, rows * p + p * 1.6, h * 0.5),
    );
  return k.join(parts);
}

/** A gull-wing or straight lead at x = 0 pointing to +x, `w` wide, from height z down to 0. */
function lead(k, w, reach, z, through) {
  const t = w * 0.5;
  const outline = through
    ? k.strip(
        [
          [-reach * 0.2, z],
          [reach, z],
          [reach, -z * 1.6],
        ],
        t,
        false,
      )
    : k.strip(
        [
          [-reach * 0.2, z],
          [reach * 0.4, z],
          [reach * 0.55, t / 2],
          [reach * 1.1, t / 2],
        ],
        t,
        false,
      );
  return outline
    .up(w)
    .rot(90, 0, 0)
    .at(0, w / 2, 0);
}

function dualPackage(k) {
  const p = k.pick([2.54, 1.27, 0.65]),
    n = k.pick([2, 3, 4, 7, 8, 10, 14, 20]),
    W = p * k.num(2, 6),
    L = n * p + p * 0.4,
    h = p * k.num(0.8, 1.6),
    through = k.chance(0.5);
  let body = k.bevelled(k.rect(W, L), h, h * k.num(0.02, 0.15)).at(0, 0, p * 0.15);
  if (k.chance(0.6)) body = body.minus(k.pin(Math.min(p * 0.4, W * 0.15), h).at(0, L / 2, h * 0.8));
  if (k.chance(0.4)) body = body.minus(k.pin(p * 0.25, h).at(-W * 0.3, L / 2 - p * 0.6, h * 1.05));
  const foot = lead(k, p * k.num(0.3, 0.5), p * k.num(0.6, 1.2), h * 0.5 + p * 0.15, through)
    .at(W / 2)
    .each(k.grid(1, n, 1, p));
  return k.join([body, foot, foot.rot(0, 0, 180)]);
}

function quadPackage(k) {
  const n = k.pick([6, 8, 11, 12, 16, 20]),
    p = k.pick([0.5, 0.8, 1.27]),
    W = n * p + p * 3,
    h = p * k.num(1.2, 3);
  const body = k
    .bevelled(
      k.rect(W, W).minus(
        k
          .rect(p, p)
          .rot(45)
          .at(-W / 2, W / 2),
      ),
      h,
      h * 0.1,
    )
    .at(0, 0, p * 0.2);
  if (k.chance(0.3)) {
    // a grid of balls
    const m = Math.min(n, 10);
    return body.plus(
      k
        .ball(p * 0.4, 8)
        .at(0, 0, p * 0.1)
        .each(k.grid(m, m, (W * 0.9) / m)),
    );
  }
  const row = k.chance(0.25)
    ? k
        .box(p * 1.2, p * 0.5, p * 0.4)
        .at(W / 2 - p * 0.4)
        .each(k.grid(1, n, 1, p))
    : lead(k, p * 0.45, p * 1.6, h * 0.5, false)
        .at(W / 2)
        .each(k.grid(1, n, 1, p));
  const parts = [
    body.minus(k.pin(p * 0.7, h).at(-W * 0.36, W * 0.36, h * 1.05)),
    row,
    row.rot(0, 0, 90),
    row.rot(0, 0, 180),
    row.rot(0, 0, 270),
  ];
  if (k.chance(0.2)) parts.push(k.box(W * 0.6, W * 0.6, h * 0.3).at(0, 0, h));
  return k.join(parts);
}

function tabPackage(k) {
  const w = k.len(3, 20),
    h = w * k.num(0.7, 1.3),
    t = w * k.num(0.3, 0.5),
    n = k.pick([2, 3, 3, 5]),
    leadW = (w / n) * 0.3,
    drop = h * k.num(0.5, 1.5);
  const parts = [];
  if (k.chance(0.35)) {
    // a half-round can
    parts.push(
      k
        .circle(w / 2)
        .minus(k.rect(w, w * 0.4).at(0, -w * 0.45))
        .up(h),
    );
  } else {
    parts.push(
      k
        .bevelled(k.rect(w, h), t, t * 0.12)
        .rot(90, 0, 0)
        .at(0, t / 2, h / 2),
    );
    if (k.chance(0.8))
      parts.push(
        k
          .rect(w, h * 1.5)
          .minus(k.hole(w * 0.18).at(0, h * 0.48))
          .up(t * 0.3)
          .rot(90, 0, 0)
          .at(0, t * 0.5, h * 0.75),
      );
  }
  const legs = k
    .box(leadW, leadW * 0.7, drop)
    .at(0, 0, -drop * 0.95)
    .each(k.grid(n, 1, (w * 0.9) / n));
  parts.push(legs);
  if (k.chance(0.3))
    parts.push(
      k
        .box(leadW * 1.8, leadW, drop * 0.3)
        .at(0, 0, -drop * 0.28)
        .each(k.grid(n, 1, (w * 0.9) / n)),
    );
  return k.join(parts);
}

function chipPassive(k) {
  const L = k.len(0.6, 8),
    w = L * k.num(0.35, 0.7),
    h = L * k.num(0.15, 0.5),
    cap = L * k.num(0.12, 0.28);
  if (k.chance(0.4)) {
    // axial, with wire leads
    const r = w * 0.4,
      wire = r * k.num(0.15, 0.3),
      length = L * k.num(0.8, 2.5);
    const profile = [
      [0, 0],
      [r * 0.7, 0],
      [r, L * 0.08],
      [r, L * 0.22],
      [r * 0.8, L * 0.3],
      [r * 0.8, L * 0.7],
      [r, L * 0.78],
      [r, L * 0.92],
      [r * 0.7, L],
      [0, L],
    ];
    const bodyOnly = k.chance(0.6) ? k.turned(profile) : k.cyl(r, L);
    const straight = bodyOnly.plus(k.cyl(wire, L + 2 * length, 12).at(0, 0, -length));
    if (k.chance(0.5)) return straight;
    return bodyOnly.plus(
      k.bar(
        [
          [length, 0, -length * 0.3],
          [r, 0, -length * 0.3],
          [0, 0, -length * 0.25],
          [0, 0, L + length * 0.25],
          [r, 0, L + length * 0.3],
          [length, 0, L + length * 0.3],
        ],
        wire,
        { seg: 8 },
      ),
    );
  }
  const terminal = k.box(cap, w * k.num(1, 1.06), h * 1.06).at(0, 0, -h * 0.03);
  const core = k.chance(0.3) ? k.softBox(L * 0.99, w, h, h * 0.1) : k.box(L * 0.99, w, h);
  return k.join([core, terminal.at((cap - L) / 2), terminal.at((L - cap) / 2)]);
}

function capacitor(k) {
  const R = k.len(1.5, 20),
    h = R * k.num(1, 4.5),
    wire = R * k.num(0.05, 0.1),
    drop = R * k.num(0.6, 4),
    pitch = R * k.num(0.6, 1);
  const kind = k.int(0, 3);
  const legs = k
    .cyl(wire, drop, 12)
    .at(0, 0, -drop * 0.98)
    .each([
      [-pitch / 2, 0],
      [pitch / 2, k.chance(0.3) ? R * 0.2 : 0],
    ]);
  if (kind === 0)
    return k.join([
      k
        .cyl(R, h * 0.3, k.seg)
        .rot(90, 0, 0)
        .at(0, h * 0.15, R * 0.9)
        .and(k.box(R * 3, h, R * 3).at(0, 0, -R)),
      legs,
    ]); // a disc
  if (kind === 1) return k.join([k.softBox(R * 2.4, R * k.num(0.5, 1.2), h * 0.7, R * 0.08), legs]); // a film box
  let can = k.turned([
    [0, 0],
    [R * 0.95, 0],
    [R, R * 0.05],
    [R, h * 0.08],
    [R * 0.92, h * 0.11],
    [R, h * 0.14],
    [R, h * 0.97],
    [R * 0.94, h],
    [0, h],
  ]);
  if (k.chance(0.5))
    can = can.minus(
      k
        .box(R * 1.6, R * 0.06, R * 0.1)
        .plus(k.box(R * 0.06, R * 1.6, R * 0.1))
        .at(0, 0, h - R * 0.05),
    );
  if (kind === 2) return k.join([can, legs]);
  const base = k
    .polygon([
      [-R * 1.1, -R * 1.1],
      [R * 0.7, -R * 1.1],
      [R * 1.1, -R * 0.7],
      [R * 1.1, R * 0.7],
      [R * 0.7, R * 1.1],
      [-R * 1.1, R * 1.1],
    ])
    .up(R * 0.3);
  return k.join([can, base, k.box(R * 2.9, R * 0.3, R * 0.1)]);
}

function inductor(k) {
  const R = k.len(2, 20);
  switch (k.int(0, 3)) {
    case 0: {
      // a wound ring
      const r = R * k.num(0.22, 0.38),
        wire = r * k.num(0.12, 0.22),
        turns = k.int(10, 36),
        path = [],
        steps = turns * 10,
        share = k.num(0.6, 0.95);
      for (let i = 0; i <= steps; i++) {
        const around = (360 * share * i) / steps,
          a = (360 * turns * i) / steps,
          q = R + (r + wire * 0.9) * cos(a);
        path.push([q * cos(around), q * sin(around), (r + wire * 0.9) * sin(a)]);
      }
      return k.join([k.torus(R, r), k.bar(path, wire, { seg: 6 })]);
    }
    case 1: {
      // a drum
      const h = R * k.num(0.6, 1.6),
        n = k.int(6, 16),
        points = [
          [0, 0],
          [R, 0],
          [R, h * 0.15],
        ];
      for (let i = 0; i < n; i++)
        points.push([R * 0.7, h * (0.15 + (0.7 * i) / n)], [R * 0.78, h * (0.15 + (0.7 * (i + 0.5)) / n)]);
      points.push([R * 0.7, h * 0.85], [R, h * 0.85], [R, h], [0, h]);
      return k.turned(points).plus(
        k
          .cyl(R * 0.06, R, 12)
          .at(0, 0, -R * 0.95)
          .each([
            [-R * 0.5, 0],
            [R * 0.5, 0],
          ]),
      );
    }
    case 2: {
      // an air coil
      const wire = R * k.num(0.06, 0.14),
        turns = k.int(4, 12),
        path = k.helix(R, wire * k.num(2.2, 3.5), turns, 20);
      const first = path[0],
        last = path.at(-1);
      return k.bar([[first[0], -R * 2, 0], ...path, [last[0], last[1] + R * 2, last[2]]], wire, { seg: 10 });
    }
    default: {
      // a transformer of E cores
      const w = R * 2,
        d = R * k.num(0.6, 1.2),
        h = R * 1.7;
      const core = k
        .rect(w, h)
        .minus(
          k.spread(k.rect(w * 0.22, h * 0.6), [
            [-w * 0.22, 0],
            [w * 0.22, 0],
          ]),
        )
        .up(d)
        .rot(90, 0, 0)
        .at(0, d / 2, h / 2);
      const parts = [
        core,
        k
          .roundRect(w * 0.6, d * 1.5, R * 0.15)
          .up(h * 0.56)
          .at(0, 0, h * 0.22),
        k.box(w, d * 1.4, h * 0.1).at(0, 0, -h * 0.08),
      ];
      parts.push(
        k
          .box(R * 0.08, R * 0.08, R * 0.6)
          .at(0, 0, -R * 0.6)
          .each(k.grid(k.int(2, 6), 2, w * 0.17, d)),
      );
      return k.join(parts);
    }
  }
}

function led(k) {
  const r = k.len(1, 6),
    h = r * k.num(1.2, 2.6),
    wire = r * 0.16,
    drop = r * k.num(2, 9);
  if (k.chance(0.3)) {
    // several digits or a bar
    const n = k.int(1, 4),
      w = r * 4;
    const digit = k
      .spread(k.slot(w * 0.45, w * 0.08), [
        [0, w * 0.5],
        [0, 0],
        [0, -w * 0.5],
      ])
      .plus(
        k.spread(k.slot(w * 0.42, w * 0.08).rot(90), [
          [-w * 0.26, w * 0.25],
          [w * 0.26, w * 0.25],
          [-w * 0.26, -w * 0.25],
          [w * 0.26, -w * 0.25],
        ]),
      );
    return k
      .box(n * w, w * 1.6, r * 2)
      .minus(
        digit
          .up(r)
          .at(0, 0, r * 1.8)
          .each(k.grid(n, 1, w)),
      )
      .plus(
        k
          .pin(wire, drop)
          .at(0, 0, -drop * 0.98)
          .each(k.grid(n * 5, 2, w / 5, w * 1.2)),
      );
  }
  const dome = k.chance(0.7)
    ? k.cyl(r, h).plus(
        k
          .ball(r, k.seg)
          .at(0, 0, h)
          .and(k.cyl(r, h * 2 + r).at(0, 0, h * 0.5)),
      )
    : k.box(r * 2, r * k.num(0.8, 2), h * 1.4);
  const rimmed = dome.plus(k.cyl(r * 1.15, r * 0.4).minus(k.box(r, r * 4, r * 3).at(r * 1.6, 0, -r)));
  return rimmed.plus(
    k.box(wire * 2, wire * 2, drop).at(-r * 0.5, 0, -drop * 0.98),
    k.box(wire * 2, wire * 2, drop * 0.85).at(r * 0.5, 0, -drop * 0.83),
  );
}

function battery(k) {
  const r = k.len(3, 20),
    h = r * k.num(2, 8);
  const cell = k.turned([
    [0, 0],
    [r * 0.95, 0],
    [r, r * 0.08],
    [r, h - r * 0.1],
    [r * 0.9, h],
    [r * 0.4, h],
    [r * 0.38, h + r * 0.25],
    [0, h + r * 0.25],
  ]);
  switch (k.int(0, 4)) {
    case 0:
      return k.turned([
        [0, 0],
        [r * 0.85, 0],
        [r * 0.88, r * 0.12],
        [r, r * 0.15],
        [r, r * k.num(0.25, 0.6)],
        [r * 0.97, r * 0.62],
        [0, r * 0.62],
      ]); // a coin
    case 1: {
      // a block with snap terminals
      const w = r * 2.6,
        d = r * 1.7,
        body = k.softBox(w, d, h * 0.6 + r, r * 0.2),
        top = h * 0.6 + r;
      return k.join([
        body,
        k.cyl(r * 0.28, r * 0.3).at(-w * 0.25, 0, top - 0.02 * r),
        k
          .ngon(6, r * 0.8)
          .minus(k.circle(r * 0.25))
          .up(r * 0.35)
          .at(w * 0.25, 0, top - 0.02 * r),
      ]);
    }
    case 2: {
      // cells in a holder
      const n = k.int(1, 4),
        laid = cell.rot(90, 0, 0).at(0, h / 2, r * 1.17);
      const tray = k
        .box(n * 2.1 * r + r * 0.4, h + r * 1.2, r * 1.4)
        .minus(k.box(n * 2.1 * r, h + r * 0.6, r * 2).at(0, 0, r * 0.2));
      return k.chance(0.3) ? tray : tray.plus(laid.each(k.grid(n, 1, 2.1 * r)));
    }
    case 3:
      return k.join([
        cell.each(k.grid(k.int(1, 4), k.int(1, 3), 1.97 * r)),
        k.box(r * 0.6, r * 0.1, r * 0.1).at(0, 0, h + r * 0.22),
      ]);
    default:
      return cell;
  }
}

function board(k) {
  const w = k.len(15, 120),
    d = w * k.num(0.4, 1),
    t = w * k.num(0.012, 0.03);
  const hole = w * 0.022;
  let outline = k
    .roundRect(w, d, k.pick([0.01, 0.05]) * w)
    .minus(k.spread(k.hole(hole), k.corners(w / 2 - 2 * hole, d / 2 - 2 * hole)));
  if (k.chance(0.25)) outline = outline.minus(k.rect(w * 0.2, d * 0.15).at(w * k.num(-0.3, 0.3), d / 2));
  const parts = [outline.up(t)];
  for (let n = k.int(3, 14); n > 0; n--) {
    const a = w * k.len(0.03, 0.25),
      b = w * k.len(0.03, 0.2),
      h = w * k.len(0.015, 0.12);
    const x = k.num(-0.5, 0.5) * (w - a),
      y = k.num(-0.5, 0.5) * (d - b),
      below = k.chance(0.1);
    const item = k.chance(0.2) ? k.pin(Math.min(a, b) / 2, h * 1.6) : k.box(a, b, h);
    parts.push((below ? item.mirror(0, 0, 1) : item).at(x, y, below ? t * 0.2 : t * 0.8));
  }
  if (k.chance(0.6)) {
    const n = k.int(4, 20),
      p = (w * 0.8) / 20,
      y = (d / 2 - p) * k.pick([1, -1]);
    parts.push(
      k.box(n * p, p, p).at(0, y, t * 0.9),
      k
        .box(p * 0.3, p * 0.3, p * 4)
        .at(0, 0, -p)
        .each(k.grid(n, 1, p))
        .at(0, y, 0),
    );
  }
  if (k.chance(0.5))
    parts.push(k.box(w * 0.12, w * 0.12, w * k.num(0.04, 0.12)).at(w * 0.47, d * k.num(-0.3, 0.3), t * 0.8));
  return k.join(parts);
}

function socket(k) {
  const w = k.len(4, 40),
    h = w * k.num(0.3, 0.9),
    d = w * k.num(0.5, 1.4),
    t = w * k.num(0.03, 0.08);
  switch (k.int(0, 3)) {
    case 0: {
      // a shell with a tongue
      const shape = k.pick([
        () => k.roundRect(w, h, h * 0.1),
        () => k.roundRect(w, h, h * 0.48),
        () =>
          k.polygon([
            [-w / 2, h / 2],
            [w / 2, h / 2],
            [w * 0.38, -h / 2],
            [-w * 0.38, -h / 2],
          ]),
      ])();
      const parts = [
        shape.up(d).minus(
          shape
            .grow(-t)
            .up(d)
            .at(0, 0, d * 0.2),
        ),
        k.box(w * 0.65, h * 0.25, d * 0.9),
      ];
      if (k.chance(0.5))
        parts.push(
          k
            .box(t, h * 0.6, d * 0.15)
            .at(0, -h * 0.6, d * 0.3)
            .each(k.grid(k.int(2, 5), 1, w * 0.18)),
        );
      return k.join(parts);
    }
    case 1: {
      // a trapezoid plug with pins and flange
      const n = k.int(4, 12),
        p = w / (n + 1),
        shell = k.polygon([
          [-w * 0.55, p * 1.7],
          [w * 0.55, p * 1.7],
          [w * 0.5, -p * 1.7],
          [-w * 0.5, -p * 1.7],
        ]);
      const flangePlate = k
        .roundRect(w * 1.7, p * 5, p)
        .minus(
          k.spread(k.hole(p * 0.7), [
            [-w * 0.7, 0],
            [w * 0.7, 0],
          ]),
        )
        .up(p * 0.5);
      return k.join([
        flangePlate,
        shell.minus(shell.grow(-p * 0.4)).up(p * 3),
        k
          .pin(p * 0.22, p * 4)
          .at(0, 0, -p)
          .each(k.grid(n, 1, p))
          .at(0, p * 0.6),
        k
          .pin(p * 0.22, p * 4)
          .at(0, 0, -p)
          .each(k.grid(n - 1, 1, p))
          .at(0, -p * 0.6),
      ]);
    }
    case 2: {
      // a round jack
      const r = w / 3,
        barrel = k
          .tube(r, r * 0.6, d)
          .rot(90, 0, 0)
          .at(0, 0, r);
      return k.join([
        k
          .box(w * 0.8, d * 0.8, r * 2.1)
          .at(0, d * 0.38, 0)
          .minus(
            k
              .pin(r * 0.6, d)
              .rot(90, 0, 0)
              .at(0, d * 0.4, r),
          ),
        barrel,
        k
          .pin(r * 0.18, d * 1.2)
          .rot(90, 0, 0)
          .at(0, d * 0.5, r),
        k
          .box(t, t * 3, r)
          .at(0, d * 0.5, -r * 0.9)
          .each(k.grid(2, 1, w * 0.5)),
      ]);
    }
    default: {
      // a jack for network plugs
      const body = k
        .box(w, d, h * 1.3)
        .minus(
          k.box(w * 0.75, d, h * 0.7).at(0, -d * 0.35, h * 0.2),
          k.box(w * 0.35, d * 0.5, h * 0.3).at(0, -d * 0.3, h * 0.85),
        );
      const contact = k
        .box(t * 0.6, d * 0.5, t * 0.6)
        .rot(30, 0, 0)
        .at(0, -d * 0.05, h * 0.5);
      return k.join([
        body,
        contact.each(k.grid(k.pick([4, 6, 8]), 1, w * 0.08)),
        k
          .pin(t, h * 0.5)
          .at(0, 0, -h * 0.45)
          .each(k.grid(2, 1, w * 0.6)),
      ]);
    }
  }
}

function terminalBlock(k) {
  const p = k.pick([2.54, 3.5, 5, 5.08]),
    n = k.int(2, 10),
    d = p * k.num(1.2, 2),
    h = p * k.num(1.4, 2.4);
  const side = k.polygon([
    [-d / 2, 0],
    [d / 2, 0],
    [d / 2, h * 0.5],
    [d * 0.3, h],
    [-d * 0.3, h],
    [-d / 2, h * 0.6],
  ]);
  let body = side
    .up(n * p)
    .rot(90, 0, 90)
    .at((-n * p) / 2, 0, 0);
  body = body.minus(
    k
      .box(p * 0.65, d * 0.5, h * 0.4)
      .at(0, -d * 0.35, h * 0.1)
      .each(k.grid(n, 1, p)),
    k
      .pin(p * 0.32, h)
      .at(0, 0, h * 0.7)
      .each(k.grid(n, 1, p)),
  );
  const screw = k
    .cyl(p * 0.26, h * 0.3, 12)
    .minus(k.box(p, p * 0.1, h).at(0, 0, h * 0.2))
    .at(0, 0, h * 0.6);
  return k.join([
    body,
    screw.each(k.grid(n, 1, p)),
    k
      .box(p * 0.2, p * 0.2, p)
      .at(0, 0, -p * 0.95)
      .each(k.grid(n, 1, p)),
  ]);
}

function switchButton(k) {
  const w = k.len(3, 30),
    h = w * k.num(0.3, 1),
    lead = w * 0.06;
  const parts = [k.chance(0.6) ? k.softBox(w, w * k.num(0.5, 1), h, w * 0.05) : k.cyl(w / 2, h)];
  parts.push(
    k.pick([
      () => k.cyl(w * k.num(0.15, 0.35), w * k.num(0.2, 0.8)).at(0, 0, h * 0.98),
      () => k.box(w * 0.25, w * 0.2, w * 0.4).at(w * 0.15, 0, h * 0.98),
      () =>
        k
          .cone(w * 0.06, w * 0.1, w * 0.9)
          .rot(0, 18, 0)
          .at(0, 0, h * 0.9)
          .plus(k.cyl(w * 0.22, w * 0.3).at(0, 0, h * 0.95)),
      () =>
        k
          .polygon([
            [-w * 0.35, 0],
            [w * 0.35, 0],
            [w * 0.35, w * 0.3],
            [0, w * 0.1],
            [-w * 0.35, w * 0.15],
          ])
          .up(w * 0.4)
          .rot(90, 0, 0)
          .at(0, w * 0.2, h * 0.97),
      () =>
        k
          .box(w * 0.9, w * 0.2, w * 0.04)
          .rot(0, -8, 0)
          .at(0, 0, h * 1.05)
          .plus(k.box(w * 0.06, w * 0.2, w * 0.2).at(-w * 0.42, 0, h * 0.9)),
    ])(),
  );
  const n = k.int(2, 4);
  parts.push(
    k
      .box(lead * 2, lead, w * 0.4)
      .at(0, 0, -w * 0.38)
      .each(k.chance(0.5) ? k.grid(n, 1, (w * 0.8) / n) : k.corners(w * 0.3, w * 0.2)),
  );
  if (k.chance(0.25))
    parts.push(
      k
        .circle(w * 0.7)
        .up(w * 0.06)
        .at(0, 0, h * 0.9),
    );
  return k.join(parts);
}

function potentiometer(k) {
  const R = k.len(3, 14),
    h = R * k.num(0.6, 1.3),
    shaft = R * k.num(0.25, 0.4),
    length = R * k.num(1, 4);
  let stem = k.cyl(shaft, length);
  if (k.chance(0.5)) stem = stem.minus(k.box(shaft * 2, shaft * 4, length).at(shaft * 1.5, 0, length * 0.4));
  const parts = [k.cyl(R, h), k.cyl(shaft * 1.5, length * 0.4).at(0, 0, h * 0.98), stem.at(0, 0, h * 0.98)];
  if (k.chance(0.4)) parts.push(k.cyl(R * 0.9, h).at(0, 0, -h * 0.95));
  parts.push(
    k
      .box(R * 0.2, R * 1.2, R * 0.1)
      .at(0, -R * 1.3, h * 0.2)
      .each(k.grid(3, 1, R * 0.5)),
    k.box(R * 1.4, R * 0.6, R * 0.25).at(0, -R * 0.9, h * 0.1),
  );
  return k.join(parts);
}

function stepperMotor(k) {
  const w = k.pick([20, 28, 35, 42.3, 42.3, 57, 86]),
    h = w * k.num(0.5, 2),
    cut = w * k.num(0.06, 0.14),
    r = w * k.num(0.05, 0.09),
    length = w * k.num(0.3, 0.8);
  const square = k.rect(w, w).minus(k.spread(k.rect(cut * 1.42, cut * 1.42).rot(45), k.corners(w / 2, w / 2)));
  const drill = k
    .pin(w * 0.035, h * 0.4)
    .at(0, 0, h * 0.8)
    .each(k.corners(w * 0.365, w * 0.365));
  const parts = [square.up(h * 0.2), square.up(h * 0.2).at(0, 0, h * 0.8)];
  parts.push(
    (k.chance(0.5) ? square.grow(-w * 0.02, 'Miter') : k.circle(w * 0.5).and(k.rect(w * 0.96, w * 0.96)))
      .up(h * 0.7)
      .at(0, 0, h * 0.15),
  );
  let body = k
    .join(parts)
    .minus(drill)
    .plus(k.cyl(w * 0.26, w * 0.05).at(0, 0, h * 0.999));
  let shaft = k.cyl(r, length);
  if (k.chance(0.6)) shaft = shaft.minus(k.box(r * 2, r * 4, length).at(r * 1.6, 0, length * 0.3));
  body = body.plus(shaft.at(0, 0, h));
  if (k.chance(0.5)) body = body.plus(k.box(w * 0.4, w * 0.25, h * 0.18).at(0, -w * 0.55, h * 0.03));
  if (k.chance(0.2)) body = body.plus(k.cyl(r, length).at(0, 0, -length * 0.98));
  return body;
}

function roundMotor(k) {
  const R = k.len(4, 40),
    h = R * k.num(1, 4),
    r = R * k.num(0.08, 0.15),
    flats = k.chance(0.4);
  let can = k.circle(R);
  if (flats) can = can.and(k.rect(R * 3, R * k.num(1.4, 1.8)));
  const parts = [can.up(h), k.cyl(R * 0.3, R * 0.15).at(0, 0, h * 0.995), k.cyl(r, R * k.num(0.6, 1.5)).at(0, 0, h)];
  if (k.chance(0.5)) parts.push(k.cyl(R * 0.3, R * 0.15).at(0, 0, -R * 0.14));
  if (k.chance(0.4))
    parts.push(
      k
        .box(R * 0.06, R * 0.25, R * 0.3)
        .at(0, 0, -R * 0.28)
        .each(k.grid(2, 1, R * 1.2)),
    );
  if (k.chance(0.35)) parts.push(k.cyl(R * 1.04, h * k.num(0.3, 0.6)).at(0, 0, h * 0.2));
  if (k.chance(0.3)) parts.push(k.softBox(R * 2.1, R * 2.1, h * 0.5, R * 0.2).at(0, 0, h * 0.5));
  if (k.chance(0.3))
    parts.push(
      k
        .circle(R * 1.5)
        .minus(k.circle(R * 0.9), k.spread(k.hole(R * 0.12), k.ring(k.int(2, 6), R * 1.28)))
        .up(h * 0.06),
    );
  const body = k.join(parts);
  return k.chance(0.5)
    ? body.minus(
        k
          .pin(R * 0.08, h * 0.2)
          .at(0, 0, h * 0.9)
          .each(k.ring(k.int(2, 4), R * 0.6)),
      )
    : body;
}

function servo(k) {
  const w = k.len(15, 50),
    d = w * k.num(0.4, 0.6),
    h = w * k.num(0.8, 1.1),
    ear = w * k.num(0.15, 0.25),
    r = d * k.num(0.35, 0.5);
  const tab = k
    .rect(w + 2 * ear, d)
    .minus(k.spread(k.hole(d * 0.1), k.grid(2, k.int(1, 2), w + ear, d * 0.5)))
    .up(h * 0.08)
    .at(0, 0, h * 0.7);
  const parts = [
    k.softBox(w, d, h, d * 0.06),
    tab,
    k.cyl(r, h * 0.15).at(w / 2 - d / 2, 0, h * 0.98),
    k.pin(r * 0.35, h * 0.3).at(w / 2 - d / 2, 0, h),
  ];
  if (k.chance(0.5)) {
    const n = k.pick([1, 2, 4]),
      arm = k.spread(k.hull2d([k.circle(r * 0.6), k.circle(r * 0.3).at(w * 0.45)]), k.ring(n, 0, k.int(0, 3) * 30));
    parts.push(
      arm
        .minus(k.spread(k.hole(r * 0.12), k.ring(n, w * 0.4)))
        .up(h * 0.06)
        .at(w / 2 - d / 2, 0, h * 1.2),
    );
  }
  return k.join(parts);
}

function display(k) {
  const w = k.len(10, 120),
    d = w * k.num(0.4, 0.8),
    t = w * k.num(0.02, 0.06),
    hole = w * 0.02;
  let body = k
    .roundRect(w, d, w * 0.02)
    .minus(k.spread(k.hole(hole), k.corners(w / 2 - hole * 2, d / 2 - hole * 2)))
    .up(t);
  const glass = k
    .rect(w * k.num(0.7, 0.95), d * 0.6)
    .up(t * 1.5)
    .at(0, 0, t * 0.9);
  body = body.plus(
    k.chance(0.5)
      ? glass.minus(
          k
            .rect(w * 0.6, d * 0.45)
            .up(t)
            .at(0, 0, t * 2),
        )
      : glass,
  );
  const n = k.int(4, 16),
    p = (w * 0.9) / 17;
  body = body.plus(
    k
      .pin(p * 0.2, t * 5)
      .at(0, 0, -t * 3)
      .each(k.grid(n, 1, p))
      .at(0, d * 0.43),
  );
  if (k.chance(0.3)) body = body.plus(k.cyl(d * 0.2, w * k.num(0.1, 0.4)).at(w * 0.2, 0, t * 0.5));
  return body;
}
