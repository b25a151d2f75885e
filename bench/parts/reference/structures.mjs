/**
 * Reference parts as model railways, buildings and playgrounds have them: doors, windows, fences, ladders, stairs,
 * tracks.
 */
import { cos, sin } from './kit.mjs';

/** The families of this file: each a function from a kit to a solid. */
export const structures = {
  door,
  'window-frame': windowFrame,
  fence,
  ladder,
  stairs,
  lattice,
  'track-segment': trackSegment,
  enclosure,
  'enclosure-lid': enclosureLid,
  crate,
};

function door(k) {
  const h = k.len(12, 120),
    w = h * k.num(0.35, 0.7),
    t = w * k.num(0.04, 0.15),
    rows = k.int(1, 4),
    columns = k.int(1, 2);
  let outline = k.rect(w, h);
  if (k.chance(0.2)) outline = outline.plus(k.circle(w / 2).at(0, h / 2));
  let body = outline.up(t);
  const panel = k
    .rect((w * 0.75) / columns, (h * 0.75) / rows)
    .up(t)
    .each(k.grid(columns, rows, (w * 0.86) / columns, (h * 0.86) / rows));
  body = k.chance(0.3) ? body.minus(panel.at(0, 0, -t / 2)) : body.minus(panel.at(0, 0, t * k.num(0.5, 0.8)));
  if (k.chance(0.7))
    body = body.plus(k.ball(t * 0.6, 12).at(w * 0.42, 0, t * 1.2), k.pin(t * 0.25, t).at(w * 0.42, 0, t * 0.8));
  if (k.chance(0.5))
    body = body.plus(
      k
        .pin(t * 0.6, h * 0.2)
        .rot(90, 0, 0)
        .at(-w / 2, h * 0.4, t / 2),
      k
        .pin(t * 0.6, h * 0.2)
        .rot(90, 0, 0)
        .at(-w / 2, -h * 0.2, t / 2),
    );
  if (k.chance(0.3))
    body = body.plus(
      k
        .rect(w * 1.2, h * 1.1)
        .minus(k.rect(w * 1.01, h * 1.2).at(0, -h * 0.08))
        .up(t * 1.8)
        .at(0, 0, -t * 0.4),
    );
  return body;
}

function windowFrame(k) {
  const h = k.len(10, 100),
    w = h * k.num(0.5, 1.6),
    bar = Math.min(w, h) * k.num(0.05, 0.12),
    t = bar * k.num(0.6, 2);
  const round = k.chance(0.25);
  const outer = round ? k.rect(w, h).plus(k.circle(w / 2).at(0, h / 2)) : k.rect(w, h);
  const nx = k.int(1, 4),
    ny = k.int(1, 4);
  const bars = [outer.minus(outer.grow(-bar, 'Miter'))];
  for (let i = 1; i < nx; i++)
    bars.push(
      k
        .rect(bar * 0.7, h * 2.2)
        .at(w * (i / nx - 0.5), 0)
        .and(outer),
    );
  for (let i = 1; i < ny; i++) bars.push(k.rect(w, bar * 0.7).at(0, h * (i / ny - 0.5)));
  const parts = [k.join2d(bars).up(t)];
  if (k.chance(0.4)) parts.push(k.box(w * 1.15, bar * 1.2, t * 2.5).at(0, -h / 2, -t * 0.5));
  if (k.chance(0.35)) parts.push(outer.up(t * 0.2).at(0, 0, t * 0.4));
  if (k.chance(0.3))
    parts.push(
      k
        .box(w / 2, h, t * 0.6)
        .rot(0, k.num(30, 100), 0)
        .at(w / 2, 0, t),
    );
  return k.join(parts);
}

function fence(k) {
  const w = k.len(20, 200),
    h = w * k.num(0.15, 0.6),
    t = w * k.num(0.01, 0.025),
    n = k.int(4, 22),
    step = w / n;
  const rails = k.spread(k.rect(w, t * 1.2), [
    [0, h * 0.15],
    [0, h * k.num(0.6, 0.85)],
  ]);
  const picket = k.pick([
    () =>
      k.polygon([
        [-step * 0.3, 0],
        [step * 0.3, 0],
        [step * 0.3, h * 0.9],
        [0, h],
        [-step * 0.3, h * 0.9],
      ]),
    () => k.rect(t, h).at(0, h / 2),
    () =>
      k
        .rect(t, h)
        .at(0, h / 2)
        .plus(k.circle(t * 1.3).at(0, h)),
    () => k.rect(step * 0.5, h).at(0, h / 2),
  ])();
  const pickets = k.spread(picket, k.grid(n, 1, step));
  const parts = [rails.up(t).at(0, 0, t * 0.5), pickets.up(t)];
  if (k.chance(0.5))
    parts.push(
      k
        .box(t * 2.5, h * 1.15, t * 2.5)
        .both(1, 0, 0)
        .at(0, h * 0.55, -t * 0.5)
        .each([
          [-w / 2, 0],
          [w / 2, 0],
        ]),
    );
  if (k.chance(0.25)) parts.push(k.box(w * 1.05, t * 3, t * 6).at(0, -t, -t * 2.5));
  return k.join(parts);
}

function ladder(k) {
  const h = k.len(20, 200),
    w = h * k.num(0.12, 0.4),
    t = w * k.num(0.06, 0.15),
    n = k.int(4, 14),
    round = k.chance(0.6);
  const rail = round ? k.pin(t, h).rot(-90, 0, 0) : k.box(t * 1.2, h, t * 2).at(0, h / 2, -t);
  const lean = k.pick([0, 0, (8 * w) / h]);
  const rungAt = (y) => {
    const wide = w - (2 * y * sin(lean)) / cos(lean);
    return (
      round
        ? k
            .pin(t * 0.7, wide)
            .rot(0, 90, 0)
            .at(-wide / 2)
        : k.box(wide, t, t)
    ).at(0, y);
  };
  const parts = [
    rail.rot(0, 0, -lean).at(-w / 2),
    rail.rot(0, 0, lean).at(w / 2),
    ...Array.from({ length: n }, (_, i) => rungAt(((i + 0.5) * h) / n)),
  ];
  if (k.chance(0.25)) parts.push(k.torus(w * 0.5, t, 180).at(0, h));
  if (k.chance(0.2))
    parts.push(
      k
        .join([parts[0], parts[1]])
        .rot(-35, 0, 0)
        .at(0, h * 0.18, h * 0.57),
    );
  return k.join(parts);
}

function stairs(k) {
  const n = k.int(3, 14),
    run = k.len(3, 15),
    rise = run * k.num(0.5, 1),
    w = run * k.num(2, 6);
  if (k.chance(0.3)) {
    // a spiral
    const turn = k.num(15, 35),
      R = w,
      t = rise * k.num(0.2, 0.9);
    const tread = k
      .polygon([
        [0, -R * 0.03],
        [R * cos(turn / 2), -R * sin(turn / 2)],
        [R * cos(turn / 2), R * sin(turn / 2)],
        [0, R * 0.03],
      ])
      .up(t);
    const parts = [k.cyl(R * 0.12, n * rise + t)];
    for (let i = 0; i < n; i++) parts.push(tread.rot(0, 0, i * turn).at(0, 0, i * rise));
    return k.join(parts);
  }
  const points = [[0, 0]];
  for (let i = 0; i < n; i++) points.push([i * run, (i + 1) * rise], [(i + 1) * run, (i + 1) * rise]);
  const open = k.chance(0.5);
  if (open) points.push([n * run, (n - 1) * rise], [run, 0]);
  else points.push([n * run, 0]);
  const flight = k.polygon(points).up(w).rot(90, 0, 0);
  if (k.chance(0.6)) return flight;
  const post = [];
  for (let i = 0; i < n; i += 2)
    post.push(k.pin(run * 0.1, rise * 4).at((i + 0.4) * run, -run * 0.3, Math.min(i + 0.5, n - 0.5) * rise));
  return k.join([flight, ...post]);
}

function lattice(k) {
  const nx = k.int(1, 8),
    ny = k.int(1, 3),
    s = k.len(5, 30),
    t = s * k.num(0.08, 0.16);
  const strips = [];
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      const flip = (i + j) % 2;
      strips.push(
        k.strip(
          [
            [i * s, (j + flip) * s],
            [(i + 1) * s, (j + 1 - flip) * s],
          ],
          t,
        ),
      );
      if (nx * ny < 6)
        strips.push(
          k.strip(
            [
              [i * s, (j + 1 - flip) * s],
              [(i + 1) * s, (j + flip) * s],
            ],
            t,
          ),
        );
    }
  }
  for (let j = 0; j <= ny; j++)
    strips.push(
      k.strip(
        [
          [0, j * s],
          [nx * s, j * s],
        ],
        t * 1.2,
      ),
    );
  for (let i = 0; i <= nx; i++)
    strips.push(
      k.strip(
        [
          [i * s, 0],
          [i * s, ny * s],
        ],
        t * 1.2,
      ),
    );
  const side = k.join2d(strips).up(t * 1.2);
  if (k.chance(0.4)) return side;
  const d = ny * s * k.num(0.6, 1.2);
  const ties = k.box(t, t, d + t * 1.2);
  const places = [];
  for (let i = 0; i <= nx; i++) for (let j = 0; j <= ny; j++) places.push([i * s, j * s]);
  return k.join([side, side.at(0, 0, d), ties.each(places)]);
}

function trackSegment(k) {
  const gauge = k.len(8, 45),
    rail = gauge * k.num(0.05, 0.1),
    curved = k.chance(0.5),
    ties = k.int(4, 14);
  const section = k.join2d([
    k.rect(rail * 2, rail * 0.5).at(0, rail * 0.25),
    k.rect(rail * 0.5, rail * 1.6).at(0, rail * 0.9),
    k.rect(rail, rail * 0.5).at(0, rail * 1.7),
  ]);
  const tie = (length) => k.box(gauge * 1.6, length, rail);
  if (curved) {
    const R = gauge * k.num(3, 8),
      angle = k.pick([22.5, 30, 45, 90]);
    const seg = Math.round((360 / angle) * k.int(6, 12));
    const parts = [
      section.at(R - gauge / 2, rail * 0.9).spin(angle, seg),
      section.at(R + gauge / 2, rail * 0.9).spin(angle, seg),
    ];
    const step = angle / ties;
    for (let i = 0; i < ties; i++)
      parts.push(
        tie((R * step * Math.PI) / 360)
          .at(R)
          .rot(0, 0, (i + 0.5) * step),
      );
    return k.join(parts);
  }
  const length = gauge * k.num(2, 9);
  const straight = section
    .up(length)
    .rot(90, 0, 0)
    .at(0, length / 2, rail * 0.9);
  const parts = [
    straight.at(-gauge / 2),
    straight.at(gauge / 2),
    tie((length / ties) * 0.5).each(k.grid(1, ties, 1, length / ties)),
  ];
  if (k.chance(0.25))
    parts.push(
      k
        .polygon([
          [-gauge, -length / 2],
          [gauge, -length / 2],
          [gauge * 1.4, length / 2],
          [-gauge * 1.4, length / 2],
        ])
        .up(rail * 0.4),
    );
  if (k.chance(0.2)) parts.push(straight.rot(0, 0, k.num(30, 90)).both(1, 0, 0));
  return k.join(parts);
}

function enclosure(k) {
  const w = k.len(20, 160),
    d = w * k.num(0.4, 1),
    h = w * k.num(0.12, 0.8),
    t = d * k.num(0.02, 0.06),
    r = d * k.num(0.02, 0.25);
  let body = k
    .roundRect(w, d, r)
    .up(h)
    .minus(
      k
        .roundRect(w - 2 * t, d - 2 * t, Math.max(r - t, t * 0.2))
        .up(h)
        .at(0, 0, t),
    );
  const post = Math.max(t * 1.6, d * 0.04),
    x = w / 2 - post * 1.5 - t,
    y = d / 2 - post * 1.5 - t;
  if (k.chance(0.8))
    body = body.plus(
      k
        .tube(post, post * 0.5, h * k.num(0.15, 0.9))
        .at(0, 0, t * 0.5)
        .each(k.corners(x * k.num(0.6, 1), y)),
    );
  if (k.chance(0.5))
    body = body.minus(
      k
        .box(w * 0.03, d * 0.4, t * 4)
        .at(0, 0, -t)
        .each(k.grid(k.int(3, 9), 1, w * 0.07)),
    );
  if (k.chance(0.6))
    body = body.minus(
      k
        .roundRect(w * k.num(0.1, 0.3), h * 0.4, t)
        .up(t * 4)
        .rot(90, 0, 0)
        .at(w * k.num(-0.3, 0.3), -d / 2 + t * 2, h * 0.55),
    );
  if (k.chance(0.4))
    body = body.minus(
      k
        .pin(h * 0.15, t * 4)
        .rot(0, 90, 0)
        .at(w / 2 - 2 * t, d * k.num(-0.2, 0.2), h * 0.5),
    );
  if (k.chance(0.35))
    body = body.plus(
      k
        .slot(w * 0.2, d * 0.2)
        .minus(k.hole(d * 0.04).at(w * 0.05))
        .up(t * 1.5)
        .at(w / 2)
        .both(1, 0, 0)
        .minus(k.box(w - t, d - t, h)),
    );
  if (k.chance(0.25)) body = body.plus(k.box(t, d - t, h * 0.8).at(w * k.num(-0.3, 0.3)));
  return body;
}

function enclosureLid(k) {
  const w = k.len(20, 160),
    d = w * k.num(0.4, 1),
    t = d * k.num(0.02, 0.05),
    r = d * k.num(0.02, 0.2),
    hole = d * 0.03;
  let body = k.roundRect(w, d, r).up(t * 1.2);
  const lipOuter = k.roundRect(w - 2.4 * t, d - 2.4 * t, r);
  body = body.plus(lipOuter.minus(lipOuter.grow(-t)).up(t * k.num(2, 6)));
  body = body.minus(
    k
      .pin(hole, t * 9)
      .at(0, 0, -t)
      .each(k.corners(w / 2 - 4 * t - hole, d / 2 - 4 * t - hole)),
  );
  if (k.chance(0.5))
    body = body.minus(
      k
        .roundRect(w * k.num(0.2, 0.5), d * k.num(0.2, 0.5), t)
        .up(t * 5)
        .at(w * k.num(-0.15, 0.15), 0, -t),
    );
  if (k.chance(0.4))
    body = body.minus(
      k
        .hole(d * 0.05)
        .up(t * 5)
        .at(0, 0, -t)
        .each(k.grid(k.int(2, 4), k.int(1, 3), w * 0.15, d * 0.15))
        .at(0, d * 0.05),
    );
  if (k.chance(0.3)) body = body.plus(k.box(w * 0.02, d * 0.7, t * 3).each(k.grid(k.int(2, 6), 1, w * 0.1)));
  return body;
}

function crate(k) {
  const w = k.len(15, 120),
    d = w * k.num(0.5, 1),
    h = w * k.num(0.2, 0.9),
    t = w * k.num(0.02, 0.06),
    taper = k.num(0.9, 1.15);
  let body = k
    .roundRect(w, d, k.pick([0.01, 0.1, 0.2]) * d)
    .up(h, { taper })
    .minus(
      k
        .roundRect(w - 2 * t, d - 2 * t, 0.1 * d)
        .up(h, { taper })
        .at(0, 0, t),
    );
  const nx = k.int(1, 5),
    ny = k.int(1, 4);
  if (k.chance(0.5)) {
    const dividers = [];
    for (let i = 1; i < nx; i++) dividers.push(k.box(t, d - t, h * 0.8).at(w * (i / nx - 0.5)));
    for (let i = 1; i < ny; i++) dividers.push(k.box(w - t, t, h * 0.8).at(0, d * (i / ny - 0.5)));
    if (dividers.length) body = body.plus(...dividers.map((s) => s.and(k.box(w - t, d - t, h))));
  } else {
    const n = k.int(3, 8);
    const slots = k
      .box((w / n) * 0.4, d * 3, h * 0.5)
      .at(0, 0, h * 0.3)
      .each(k.grid(n, 1, (w * 0.85) / n));
    body = body.minus(slots);
  }
  if (k.chance(0.4))
    body = body.plus(
      k
        .roundRect(w * 1.12, d * 1.12, d * 0.1)
        .scale(taper)
        .minus(k.rect((w - 2 * t) * taper, (d - 2 * t) * taper))
        .up(t)
        .at(0, 0, h - t),
    );
  return body;
}
