/**
 * The kit from which the reference parts are built: seeded random draws, and short-named solids and outlines over
 * manifold-3d. Every manifold object made through a kit is remembered and freed by `free()`, because they live on the
 * WebAssembly heap, where no garbage collector reaches. Lengths are millimetres, angles degrees; solids stand on z = 0
 * unless moved.
 */

/** A seeded generator of numbers in [0, 1): mulberry32 by Tommy Ettinger (public domain). */
export function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A flat region that can be combined with others and raised into a solid. */
class Outline {
  constructor(kit, raw) {
    this.kit = kit;
    this.raw = kit.remember(raw);
  }
  at(x, y = 0) {
    return new Outline(this.kit, this.raw.translate([x, y]));
  }
  rot(degrees) {
    return new Outline(this.kit, this.raw.rotate(degrees));
  }
  scale(x, y = x) {
    return new Outline(this.kit, this.raw.scale([x, y]));
  }
  mirror(x, y) {
    return new Outline(this.kit, this.raw.mirror([x, y]));
  }
  plus(...others) {
    return this.kit.join2d([this, ...others]);
  }
  minus(...others) {
    return new Outline(this.kit, this.kit.wasm.CrossSection.difference([this, ...others].map((o) => o.raw)));
  }
  and(other) {
    return new Outline(this.kit, this.raw.intersect(other.raw));
  }
  /** Grow (or, when negative, shrink) by a distance; `join` is Round, Miter or Square. */
  grow(distance, join = 'Round') {
    return new Outline(this.kit, this.raw.offset(distance, join, 4, this.kit.seg));
  }
  /** Round the outer corners to radius `r`. */
  soften(r) {
    return this.grow(-r, 'Miter').grow(r);
  }
  /** Raise to height `h`; `twist` in degrees over the height, `taper` scales the top. */
  up(h, { twist = 0, steps = 0, taper = 1 } = {}) {
    return new Solid(this.kit, this.raw.extrude(h, steps, twist, typeof taper === 'number' ? [taper, taper] : taper));
  }
  /** Revolve the right half (x = radius, y = height) about the z axis. */
  spin(degrees = 360, seg = this.kit.seg) {
    return new Solid(this.kit, this.raw.revolve(seg, degrees));
  }
}

/** A closed body. */
class Solid {
  constructor(kit, raw) {
    this.kit = kit;
    this.raw = kit.remember(raw);
  }
  at(x, y = 0, z = 0) {
    return new Solid(this.kit, this.raw.translate([x, y, z]));
  }
  rot(x, y = 0, z = 0) {
    return new Solid(this.kit, this.raw.rotate([x, y, z]));
  }
  scale(x, y = x, z = x) {
    return new Solid(this.kit, this.raw.scale([x, y, z]));
  }
  mirror(x, y, z) {
    return new Solid(this.kit, this.raw.mirror([x, y, z]));
  }
  plus(...others) {
    return this.kit.join([this, ...others]);
  }
  minus(...others) {
    return new Solid(this.kit, this.kit.wasm.Manifold.difference([this, ...others].map((o) => o.raw)));
  }
  and(other) {
    return new Solid(this.kit, this.raw.intersect(other.raw));
  }
  /** This body together with its mirror image across the plane through the origin with the given normal. */
  both(x, y, z) {
    return this.plus(this.mirror(x, y, z));
  }
  /** Copies at the given places ([x, y] or [x, y, angle]), joined. */
  each(places) {
    return this.kit.join(places.map(([x, y, angle = 0]) => (angle ? this.rot(0, 0, angle) : this).at(x, y)));
  }
}

/** One kit builds one part: it holds that part's random stream and tessellation, and the list of objects to free. */
export class Kit {
  /**
   * @param {object} wasm the manifold-3d module after `setup()`
   * @param {number} seed of this part's random stream
   */
  constructor(wasm, seed) {
    this.wasm = wasm;
    this.random = mulberry32(seed);
    this.owned = [];
    /** Segments of a full turn for main surfaces. */
    this.seg = this.pick([12, 16, 20, 24, 24, 32, 32, 40, 48, 48, 64, 96]);
    /** Segments of a full turn for holes and other small round features. */
    this.fineSeg = Math.min(this.seg, this.pick([12, 16, 16, 24, 32]));
  }

  // Draws

  /** Uniform in [lo, hi). */
  num(lo, hi) {
    return lo + (hi - lo) * this.random();
  }
  /** Log-uniform in [lo, hi): as many small as large ones, for sizes. */
  len(lo, hi) {
    return lo * Math.exp(Math.log(hi / lo) * this.random());
  }
  /** A whole number in lo..hi, both included. */
  int(lo, hi) {
    return lo + Math.floor((hi - lo + 1) * this.random());
  }
  pick(list) {
    return list[Math.floor(list.length * this.random())];
  }
  chance(p) {
    return this.random() < p;
  }

  // Outlines

  rect(x, y) {
    return new Outline(this, this.wasm.CrossSection.square([x, y], true));
  }
  /** A rectangle whose corners are rounded to radius `r`. */
  roundRect(x, y, r) {
    const radius = Math.min(r, 0.499 * x, 0.499 * y);
    return this.rect(x - 2 * radius, y - 2 * radius).grow(radius);
  }
  circle(r, seg = this.seg) {
    return new Outline(this, this.wasm.CrossSection.circle(r, seg));
  }
  hole(r) {
    return this.circle(r, this.fineSeg);
  }
  /** A regular polygon given by the distance across its flats. */
  ngon(n, acrossFlats) {
    return this.circle(acrossFlats / 2 / Math.cos(Math.PI / n), n).rot(180 / n);
  }
  /** A slot along x of full length `length` and width `width`. */
  slot(length, width) {
    const half = Math.max(length - width, 1e-3) / 2;
    return this.hull2d([this.hole(width / 2).at(-half), this.hole(width / 2).at(half)]);
  }
  /** A region bounded by points [x, y], in either winding. */
  polygon(points) {
    return new Outline(this, this.wasm.CrossSection.ofPolygons([points], 'EvenOdd'));
  }
  join2d(outlines) {
    return new Outline(this, this.wasm.CrossSection.union(outlines.map((o) => o.raw)));
  }
  hull2d(outlines) {
    return new Outline(this, this.wasm.CrossSection.hull(outlines.map((o) => o.raw)));
  }
  /** Copies of an outline at the given places, joined. */
  spread(outline, places) {
    return this.join2d(places.map(([x, y, angle = 0]) => (angle ? outline.rot(angle) : outline).at(x, y)));
  }
  /** A strip of constant width along points [x, y]. */
  strip(points, width, round = true) {
    const half = width / 2;
    return this.join2d(
      points.slice(1).map((to, i) => {
        const from = points[i];
        if (round) return this.hull2d([this.circle(half).at(...from), this.circle(half).at(...to)]);
        const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
        const angle = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
        return this.rect(length + width, width)
          .rot(angle)
          .at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
      }),
    );
  }

  // Places

  /** The places of an nx by ny grid centred on the origin. */
  grid(nx, ny, dx, dy = dx) {
    const places = [];
    for (let i = 0; i < nx; i++)
      for (let j = 0; j < ny; j++) places.push([(i - (nx - 1) / 2) * dx, (j - (ny - 1) / 2) * dy]);
    return places;
  }
  /** n places on a circle of radius r, each turned outward. */
  ring(n, r, phase = 0) {
    return Array.from({ length: n }, (_, i) => {
      const angle = phase + (360 * i) / n;
      return [r * cos(angle), r * sin(angle), angle];
    });
  }
  /** The four corners (±x, ±y). */
  corners(x, y) {
    return [
      [-x, -y],
      [x, -y],
      [x, y],
      [-x, y],
    ];
  }

  // Solids

  box(x, y, z) {
    return this.rect(x, y).up(z);
  }
  cyl(r, h, seg = this.seg) {
    return this.circle(r, seg).up(h);
  }
  pin(r, h) {
    return this.cyl(r, h, this.fineSeg);
  }
  tube(outer, inner, h) {
    return this.circle(outer).minus(this.circle(inner)).up(h);
  }
  cone(r1, r2, h, seg = this.seg) {
    return new Solid(this, this.wasm.Manifold.cylinder(h, r1, r2, seg));
  }
  ball(r, seg = Math.min(this.seg, 32)) {
    return new Solid(this, this.wasm.Manifold.sphere(r, seg));
  }
  /** A body of revolution from its half profile of points [radius, z]. */
  turned(points, degrees = 360) {
    return this.polygon(points).spin(degrees);
  }
  torus(R, r, degrees = 360) {
    return this.circle(r, this.fineSeg).at(R).spin(degrees);
  }
  join(solids) {
    return new Solid(this, this.wasm.Manifold.union(solids.map((s) => s.raw)));
  }
  hull(solids) {
    return new Solid(this, this.wasm.Manifold.hull(solids.map((s) => s.raw)));
  }
  /** Raise a convex outline with both rims bevelled by `c`. */
  bevelled(outline, h, c) {
    return this.hull([outline.grow(-c, 'Miter').up(h), outline.up(h - 2 * c).at(0, 0, c)]);
  }
  /** A box with rounded vertical edges and bevelled rims. */
  softBox(x, y, z, r) {
    return this.bevelled(this.roundRect(x, y, r), z, Math.min(r, z / 3, x / 3, y / 3));
  }

  /**
   * A skin over rings of equally many points [x, y, z]; the ends are capped, or joined when `loop` is set. A cap is a
   * fan about the ring's centre, or with `strip` a band between the ring's first and second half, as a thin shell
   * needs.
   */
  loft(rings, { loop = false, strip = false } = {}) {
    const solid = this.skin(rings, { loop, strip, flip: false });
    return solid.raw.volume() < 0 ? this.skin(rings, { loop, strip, flip: true }) : solid;
  }

  skin(rings, { loop, strip, flip }) {
    const n = rings[0].length;
    const points = rings.flat();
    const triangles = [];
    const add = (a, b, c) => triangles.push(...(flip ? [a, c, b] : [a, b, c]));
    const last = loop ? rings.length : rings.length - 1;
    for (let i = 0; i < last; i++) {
      const lower = i * n,
        upper = ((i + 1) % rings.length) * n;
      for (let j = 0; j < n; j++) {
        const next = (j + 1) % n;
        add(lower + j, lower + next, upper + next);
        add(lower + j, upper + next, upper + j);
      }
    }
    if (strip) {
      const top = (rings.length - 1) * n;
      for (let j = 0; j < n / 2 - 1; j++) {
        const across = n - 1 - j;
        add(j, across, across - 1), add(j, across - 1, j + 1);
        add(top + j, top + across - 1, top + across), add(top + j, top + j + 1, top + across - 1);
      }
    } else if (!loop) {
      const centre = (ring) => [0, 1, 2].map((axis) => ring.reduce((sum, p) => sum + p[axis], 0) / n);
      const start = points.push(centre(rings[0])) - 1;
      const end = points.push(centre(rings.at(-1))) - 1;
      const top = (rings.length - 1) * n;
      for (let j = 0; j < n; j++) {
        add(start, (j + 1) % n, j);
        add(end, top + j, top + ((j + 1) % n));
      }
    }
    return new Solid(
      this,
      this.wasm.Manifold.ofMesh({
        numProp: 3,
        vertProperties: Float32Array.from(points.flat()),
        triVerts: Uint32Array.from(triangles),
      }),
    );
  }

  /** A round bar of radius `r` (a number, or a function of the way 0..1) along points [x, y, z]. */
  bar(path, r, { seg = this.fineSeg, loop = false, flat = 1 } = {}) {
    const count = path.length;
    const tangentAt = (i) => {
      const from = path[loop ? (i + count - 1) % count : Math.max(i - 1, 0)];
      const to = path[loop ? (i + 1) % count : Math.min(i + 1, count - 1)];
      return unit(minus(to, from));
    };
    let normal = null;
    return this.loft(
      path.map((point, i) => {
        const tangent = tangentAt(i);
        // Carrying the last normal along keeps the rings from twisting against each other.
        const guess = normal ?? (Math.abs(tangent[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]);
        const along = guess[0] * tangent[0] + guess[1] * tangent[1] + guess[2] * tangent[2];
        normal = unit(
          minus(
            guess,
            tangent.map((t) => t * along),
          ),
        );
        const side = cross(tangent, normal);
        const radius = typeof r === 'function' ? r(i / (count - 1)) : r;
        return Array.from({ length: seg }, (_, j) => {
          const c = radius * cos((360 * j) / seg),
            s = radius * flat * sin((360 * j) / seg);
          return point.map((p, axis) => p + c * normal[axis] + s * side[axis]);
        });
      }),
      { loop },
    );
  }

  /** The points of a helix about z. */
  helix(R, pitch, turns, stepsPerTurn = 20) {
    const steps = Math.ceil(turns * stepsPerTurn);
    return Array.from({ length: steps + 1 }, (_, i) => {
      const angle = (360 * turns * i) / steps;
      return [R * cos(angle), R * sin(angle), (pitch * turns * i) / steps];
    });
  }

  /** The largest by volume of a body's separate pieces. */
  largest(solid) {
    const pieces = solid.raw.decompose().map((raw) => new Solid(this, raw));
    return pieces.reduce((best, piece) => (piece.raw.volume() > best.raw.volume() ? piece : best));
  }

  // Memory

  remember(raw) {
    this.owned.push(raw);
    return raw;
  }

  /** Free every manifold object this kit made; no outline or solid of it may be used afterwards. */
  free() {
    for (const raw of this.owned) raw.delete();
    this.owned = [];
  }
}

/** Cosine of degrees. */
export function cos(degrees) {
  return Math.cos((degrees * Math.PI) / 180);
}
/** Sine of degrees. */
export function sin(degrees) {
  return Math.sin((degrees * Math.PI) / 180);
}

function minus(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((x) => x / length);
}
