/** Reference parts cut or bent from sheet and plate: plates, brackets, gussets, flanges, gaskets, clamps, hinges. */

/** The families of this file: each a function from a kit to a solid. */
export const plates = {
  'plate-holes': plateWithHoles,
  'plate-pocketed': pocketedPlate,
  'panel-ribbed': ribbedPanel,
  'bracket-l': lBracket,
  'bracket-u': uBracket,
  'bracket-z': zBracket,
  gusset,
  flange,
  gasket,
  'strap-clamp': strapClamp,
  hinge,
  hook,
};

/** A plate outline of one of several kinds within w by d. */
function blank(k, w, d) {
  const r = k.num(0.03, 0.3) * Math.min(w, d);
  switch (k.int(0, 5)) {
    case 0:
      return k.rect(w, d);
    case 1:
      return k.roundRect(w, d, r);
    case 2:
      return k.rect(w, d).minus(k.spread(k.rect(r * 1.4, r * 1.4).rot(45), k.corners(w / 2, d / 2)));
    case 3:
      return k.circle(Math.min(w, d) / 2);
    case 4:
      return k
        .roundRect(w, d, r)
        .minus(k.rect(w * k.num(0.2, 0.5), d * k.num(0.2, 0.5)).at(w / 2, k.chance(0.5) ? d / 2 : 0));
    default:
      return k.hull2d([k.circle(d / 2).at((d - w) / 2), k.circle(d * k.num(0.2, 0.5)).at(w / 2 - d * 0.3)]);
  }
}

/** Holes within w by d, of one of several patterns. */
function drilling(k, w, d) {
  const s = Math.min(w, d);
  const r = s * k.num(0.04, 0.1);
  switch (k.int(0, 6)) {
    case 0:
      return k.spread(k.hole(r), k.corners(w / 2 - 2 * r, d / 2 - 2 * r));
    case 1: {
      const nx = k.int(2, 6),
        ny = k.int(1, 4);
      return k.spread(
        k.hole(Math.min(r, (0.3 * w) / nx, (0.3 * d) / ny)),
        k.grid(nx, ny, w / (nx + 0.5), d / (ny + 0.5)),
      );
    }
    case 2:
      return k
        .spread(k.hole(r), k.ring(k.int(3, 10), s * k.num(0.28, 0.38), k.pick([0, 45])))
        .plus(k.circle(s * k.num(0.08, 0.2)));
    case 3:
      return k.spread(k.slot(w * k.num(0.2, 0.35), r * 1.5), k.grid(k.int(1, 2), k.int(1, 4), w * 0.45, d * 0.22));
    case 4:
      return k
        .spread(k.hole(r), k.corners(w / 2 - 2 * r, d / 2 - 2 * r))
        .plus(k.roundRect(w * k.num(0.2, 0.5), d * k.num(0.2, 0.5), r));
    case 5:
      return k.spread(k.hole(r), k.grid(1, k.int(2, 4), 1, d * 0.22)).at(w * k.num(-0.3, 0.3));
    default:
      return k.spread(k.hole(r * 1.4), k.grid(2, 1, w * 0.6)).plus(
        k
          .slot(w * 0.4, r * 2)
          .rot(k.pick([0, 90]))
          .scale(1, 0.8),
      );
  }
}

function plateWithHoles(k) {
  const w = k.len(15, 200),
    d = w * k.num(0.3, 1),
    t = d * k.len(0.03, 0.25);
  let outline = blank(k, w, d);
  for (let i = k.int(1, 2); i > 0; i--) outline = outline.minus(drilling(k, w, d));
  const plate = k.largest(outline.up(t));
  if (!k.chance(0.3)) return plate;
  const boss = k.tube(d * 0.12, d * 0.06, t * k.num(2, 4));
  return k.largest(plate.plus(k.chance(0.5) ? boss : boss.each(k.grid(2, 1, w * 0.5))));
}

function pocketedPlate(k) {
  const w = k.len(20, 150),
    d = w * k.num(0.4, 1),
    t = d * k.num(0.12, 0.4);
  let plate = k.chance(0.5) ? k.softBox(w, d, t, t * k.num(0.05, 0.25)) : k.roundRect(w, d, d * k.num(0.02, 0.3)).up(t);
  const n = k.int(1, 4),
    depth = t * k.num(0.3, 0.8);
  const pocket = k.pick([
    () => k.roundRect((w * 0.8) / n, d * k.num(0.3, 0.8), d * 0.06),
    () => k.circle(Math.min((w * 0.4) / n, d * 0.4)),
    () => k.slot((w * 0.75) / n, Math.min((w * 0.5) / n, d * 0.4)),
    () => k.ngon(6, Math.min((w * 0.7) / n, d * 0.7)),
  ])();
  plate = plate.minus(
    pocket
      .up(t)
      .each(k.grid(n, 1, (w * 0.9) / n))
      .at(0, 0, t - depth),
  );
  if (k.chance(0.6))
    plate = plate.minus(
      drilling(k, w, d)
        .up(t * 3)
        .at(0, 0, -t),
    );
  if (k.chance(0.4))
    plate = plate.minus(k.box(w * 2, d * k.num(0.08, 0.25), t).at(0, d * k.num(-0.4, 0.4), t * k.num(0.5, 0.8)));
  return plate;
}

function ribbedPanel(k) {
  const w = k.len(40, 250),
    d = w * k.num(0.4, 1),
    t = w * k.num(0.01, 0.03),
    h = t * k.num(2, 8);
  const nx = k.int(0, 7),
    ny = k.int(1, 5);
  const parts = [
    k
      .roundRect(w, d, d * k.num(0.01, 0.2))
      .minus(k.chance(0.5) ? drilling(k, w * 0.9, d * 0.9) : k.hole(t))
      .up(t),
  ];
  if (nx) parts.push(k.box(t, d * 0.9, h).each(k.grid(nx, 1, (w * 0.9) / nx)));
  parts.push(k.box(w * 0.9, t, h * k.num(0.5, 1)).each(k.grid(1, ny, 1, (d * 0.9) / ny)));
  if (k.chance(0.5)) parts.push(k.tube(t * 2.4, t * 1.2, h * 1.2).each(k.corners(w * 0.44, d * 0.42)));
  if (k.chance(0.4))
    parts.push(
      k
        .rect(w, d)
        .minus(k.rect(w - 2 * t, d - 2 * t))
        .up(h),
    );
  return k.join(parts);
}

/** A drilled leg of a bracket: w wide, `length` long, t thick, lying in +y from the origin. */
function leg(k, w, length, t) {
  let outline = k.rect(w, length);
  if (k.chance(0.4))
    outline = k.hull2d([
      k.rect(w, t).at(0, t / 2 - length / 2),
      k.circle(Math.min(w, length) / 2).at(0, length / 2 - Math.min(w, length) / 2),
    ]);
  const r = w * k.num(0.05, 0.12),
    n = k.int(1, 3);
  const hole = k.chance(0.3) ? k.slot(r * 4, r * 1.6).rot(k.pick([0, 90])) : k.hole(r);
  const holes = k.spread(
    hole,
    k.chance(0.5) ? k.grid(n, 1, (w * 0.8) / n) : k.grid(k.int(1, 2), n, w * 0.5, (length * 0.6) / n),
  );
  return (k.chance(0.9) ? outline.minus(holes.at(0, t / 2)) : outline).up(t).at(0, length / 2, 0);
}

function lBracket(k) {
  const w = k.len(12, 120),
    t = w * k.num(0.04, 0.15),
    a = w * k.num(0.5, 2),
    b = w * k.num(0.5, 2);
  const parts = [leg(k, w, a, t), leg(k, w, b, t).rot(90, 0, 0).at(0, t, 0)];
  const ribs = k.int(0, 3);
  if (ribs) {
    const s = Math.min(a, b) * k.num(0.4, 0.9);
    const rib = k
      .polygon([
        [0, 0],
        [s, 0],
        [k.chance(0.3) ? s : t, s * 0.3],
        [t, s],
        [0, s],
      ])
      .up(t)
      .rot(90, 0, 90)
      .at(-t / 2, 0, 0);
    parts.push(
      rib.each(
        ribs === 1
          ? [[0, 0]]
          : ribs === 2
            ? [
                [(t - w) / 2, 0],
                [(w - t) / 2, 0],
              ]
            : [[(t - w) / 2, 0]],
      ),
    );
  }
  return k.join(parts);
}

function uBracket(k) {
  const w = k.len(12, 120),
    t = w * k.num(0.04, 0.15),
    gap = w * k.num(0.4, 2),
    h = w * k.num(0.4, 1.6);
  const side = leg(k, w, h, t).rot(90, 0, 0);
  const parts = [
    k
      .rect(w, gap + 2 * t)
      .minus(k.chance(0.8) ? drilling(k, w, gap) : k.hole(t))
      .up(t),
    side.at(0, t - gap / 2 - t, 0),
    (k.chance(0.8) ? side : leg(k, w, h * k.num(0.5, 1), t).rot(90, 0, 0)).mirror(0, 1, 0).at(0, gap / 2, 0),
  ];
  if (k.chance(0.4))
    parts.push(
      leg(k, w, w * k.num(0.3, 0.8), t).at(0, gap / 2, h - t),
      leg(k, w, w * k.num(0.3, 0.8), t)
        .rot(0, 0, 180)
        .at(0, -gap / 2, h - t),
    );
  return k.join(parts);
}

function zBracket(k) {
  const w = k.len(12, 100),
    t = w * k.num(0.05, 0.15),
    h = w * k.num(0.3, 1.5);
  const bottom = leg(k, w, w * k.num(0.4, 1.4), t),
    top = leg(k, w, w * k.num(0.4, 1.4), t);
  const web = k.box(w, t, h);
  return k.join([bottom, web.at(0, t / 2, 0), top.rot(0, 0, 180).at(0, t, h - t)]);
}

function gusset(k) {
  const a = k.len(15, 150),
    b = a * k.num(0.5, 1.3),
    t = a * k.num(0.03, 0.2),
    cut = a * k.num(0.05, 0.3);
  let outline = k.polygon(
    k.chance(0.5)
      ? [
          [0, 0],
          [a, 0],
          [a, cut],
          [cut, b],
          [0, b],
        ]
      : [
          [cut, 0],
          [a, 0],
          [a, cut * 0.6],
          [cut * 0.6, b],
          [0, b],
          [0, cut],
        ],
  );
  if (k.chance(0.4)) outline = outline.minus(k.circle(a * 0.75).at(a * 0.95, b * 0.95));
  const r = a * k.num(0.03, 0.07);
  outline = outline.minus(
    k.spread(k.hole(r), [
      [a * 0.2, b * 0.2],
      [a * 0.75, cut * 0.45],
      [cut * 0.45, b * 0.75],
    ]),
  );
  if (k.chance(0.3))
    outline = outline.minus(
      k.polygon([
        [a * 0.3, b * 0.3],
        [a * 0.5, b * 0.3],
        [a * 0.3, b * 0.5],
      ]),
    );
  const plate = outline.up(t);
  if (k.chance(0.5)) return plate;
  const foot = k
    .box(a, t * k.num(2, 5), t)
    .at(a / 2, 0, 0)
    .rot(90, 0, 0)
    .at(0, t, t / 2);
  return plate.plus(foot, k.chance(0.5) ? foot.rot(0, 0, 90).at(t, 0, 0) : foot);
}

function flange(k) {
  const R = k.len(10, 120),
    t = R * k.num(0.1, 0.35),
    bore = R * k.num(0.2, 0.5),
    bolt = R * k.num(0.05, 0.1);
  const n = k.pick([2, 3, 4, 4, 6, 8, 12]),
    circle = R * 0.8;
  let outline = k.circle(R);
  if (k.chance(0.25)) outline = k.roundRect(R * 2, R * 2, R * 0.3);
  else if (n <= 3)
    outline = k.hull2d([k.circle(bore * 1.35), ...k.ring(n, circle).map(([x, y]) => k.circle(bolt * 2.2).at(x, y))]);
  const hub = bore + R * k.num(0.06, 0.15),
    neck = t * k.num(0.5, 4);
  let body = outline.up(t).plus(k.chance(0.5) ? k.cone(hub * k.num(1, 1.25), hub, t + neck) : k.cyl(hub, t + neck));
  body = body.minus(
    k.cyl(bore, t * 8).at(0, 0, -t),
    k
      .pin(bolt, t * 2)
      .at(0, 0, -t / 2)
      .each(k.ring(n, circle)),
  );
  if (k.chance(0.3)) body = body.minus(k.tube(bore * 1.2, bore * 1.08, t).at(0, 0, -t * 0.7));
  if (k.chance(0.3))
    body = body.plus(
      k
        .box(R * 0.5, t * 0.4, t + neck * 0.6)
        .each(k.ring(k.int(3, 6), bore + R * 0.3, 20))
        .minus(
          k.cyl(bore + 0.01, t * 20).at(0, 0, -t),
          k
            .pin(bolt, t * 20)
            .at(0, 0, -t)
            .each(k.ring(n, circle)),
        ),
    );
  return body;
}

function gasket(k) {
  const s = k.len(15, 150),
    n = k.int(3, 8),
    t = s * k.len(0.01, 0.08);
  const lobes = k.ring(n, s / 2).map(([x, y]) => [x * k.num(0.6, 1.2), y * k.num(0.6, 1.2)]);
  const lug = s * k.num(0.06, 0.1);
  const frame = k.chance(0.5)
    ? k.hull2d(lobes.map((p) => k.circle(lug).at(...p)))
    : k.strip([...lobes, lobes[0]], lug * 1.4).plus(k.spread(k.circle(lug), lobes));
  const inner = k.hull2d(lobes.map(([x, y]) => k.circle(lug * 0.5).at(x * 0.6, y * 0.6)));
  const window = k.chance(0.6) ? inner : k.spread(k.circle(s * 0.1), k.grid(k.int(1, 3), 1, s * 0.24));
  return frame.minus(window, k.spread(k.hole(lug * 0.5), lobes)).up(t);
}

function strapClamp(k) {
  const r = k.len(4, 40),
    t = r * k.num(0.08, 0.35),
    w = r * k.num(0.4, 2),
    ear = r * k.num(0.8, 1.4),
    gap = r * k.num(0.05, 0.3);
  const closed = k.chance(0.5);
  let outline = k.circle(r + t).minus(k.circle(r));
  if (closed) {
    outline = outline
      .plus(k.rect(ear, gap + 2 * t).at(r + t / 2 + ear / 2, 0))
      .minus(k.rect(ear * 4, gap).at(r + ear * 2 - t, 0), k.circle(r));
  } else {
    outline = outline.and(k.rect(3 * r, 3 * r).at(0, 1.5 * r)).plus(k.rect(ear, t).at(r + ear / 2, t / 2));
    outline = outline.plus(k.rect(ear, t).at(k.chance(0.7) ? -r - ear / 2 : r + ear / 2, t / 2)).minus(k.circle(r));
  }
  const drill = k
    .pin(Math.min(ear, w) * k.num(0.12, 0.25), 8 * r)
    .rot(90, 0, 0)
    .at(0, 4 * r, w / 2);
  const x = r + t / 2 + ear * 0.55;
  return outline.up(w).minus(drill.at(x), drill.at(-x, closed ? 100 * r : 0));
}

function hinge(k) {
  const h = k.len(15, 120),
    w = h * k.num(0.3, 0.9),
    t = h * k.num(0.02, 0.06),
    r = t * k.num(1.2, 2),
    n = k.pick([3, 5, 7]);
  const knuckle = h / n;
  const leaf = (side) => {
    const holes = k.spread(k.hole(t * 0.9), k.grid(k.int(1, 2), k.int(2, 4), w * 0.35, h * 0.24));
    let plate = k
      .roundRect(w, h, w * 0.1)
      .minus(holes)
      .up(t)
      .at(w / 2 + r * 0.5, 0, 0);
    for (let i = 0; i < n; i++) {
      const place = k
        .pin(r * 1.25, knuckle * 1.04)
        .rot(90, 0, 0)
        .at(0, knuckle * 0.52 + (i - (n - 1) / 2) * knuckle, r);
      if ((i + side) % 2) plate = plate.minus(place);
      else
        plate = plate.plus(
          k
            .pin(r, knuckle * 0.96)
            .rot(90, 0, 0)
            .at(0, knuckle * 0.48 + (i - (n - 1) / 2) * knuckle, r),
        );
    }
    return plate.minus(
      k
        .pin(r * 0.5, h * 2)
        .rot(90, 0, 0)
        .at(0, h, r),
    );
  };
  const first = leaf(0);
  if (k.chance(0.35)) return first;
  const pin = k
    .pin(r * 0.5, h * 1.04)
    .rot(90, 0, 0)
    .at(0, h * 0.52, r);
  return first.plus(leaf(1).rot(0, 0, 180).rot(0, 0, 0), pin);
}

function hook(k) {
  const R = k.len(4, 40),
    r = R * k.num(0.15, 0.3),
    shank = R * k.num(1, 5),
    bend = k.num(180, 290);
  const path = [[R, 0, shank]];
  for (let a = 0; a <= bend; a += 12)
    path.push([R * Math.cos((-a * Math.PI) / 180), 0, R * Math.sin((-a * Math.PI) / 180)]);
  const bar = k.bar(path, (way) => r * (1 - 0.5 * way * way));
  switch (k.int(0, 2)) {
    case 0:
      return bar.plus(
        k
          .torus(r * 2.2, r)
          .rot(90, 0, 0)
          .at(R, 0, shank + r * 2),
      );
    case 1:
      return bar.plus(
        k
          .roundRect(r * 6, r * 6, r)
          .minus(k.spread(k.hole(r * 0.5), k.corners(r * 2, r * 2)))
          .up(r)
          .at(R, 0, shank - r / 2),
      );
    default:
      return bar.plus(k.cyl(r * 1.5, r * 3).at(R, 0, shank - r));
  }
}
