import { FourierSums } from './fourier.js';
import type { SurfaceFacts } from '../../../descriptors/surface.js';

/** Harmonics that are compared; a wheel with up to this many teeth is distinguished. */
const HARMONICS = 64;
const BINS = 512;
/**
 * Overlapping rings about the axis and slices along it, each with its own distribution, so that a small socket in a
 * long screw is visible.
 */
const RINGS = 3;
const SLICES = 3;
const CHANNELS = RINGS * SLICES;
/**
 * Noise of the tessellation: this share of the ring and slice, plus this share of the whole. Weaker harmonics count
 * little.
 */
const NOISE = 0.004;
const NOISE_OF_WHOLE = 0.0003;
/** Most proposed angles. */
const MAX_PEAKS = 10;

/** The distribution of a surface about an axis through its centroid: the harmonics of its area over the angle. */
export interface AngularSignature {
  /** f64[9], row-major: the axis, then the two directions from which and towards which angles are counted. */
  readonly frame: Float64Array;
  /** f64[CHANNELS * HARMONICS * 2]: real and imaginary parts, as shares of the whole. */
  readonly harmonics: Float64Array;
  /** f64[CHANNELS]: each channel's share of the whole. */
  readonly shares: Float64Array;
}

/** A surface about its centroid; see `PartSurface`. */
export interface CentredSurface {
  readonly facts: Pick<SurfaceFacts, 'reachMm'>;
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** f64[triangleCount], mm². */
  readonly areas: Float64Array;
}

/** The signature of a surface about an axis (unit) through its centroid. */
export function angularSignature(part: CentredSurface, axis: ArrayLike<number>): AngularSignature {
  const frame = frameAbout(axis);
  const bins = new Float64Array(CHANNELS * BINS);
  const { positions: p, indices, areas, facts } = part;
  let highest = 0,
    widest = 0;
  for (let i = 0; i < p.length; i += 3) {
    highest = Math.max(highest, Math.abs(frame[0] * p[i] + frame[1] * p[i + 1] + frame[2] * p[i + 2]));
    const v = frame[3] * p[i] + frame[4] * p[i + 1] + frame[5] * p[i + 2],
      w = frame[6] * p[i] + frame[7] * p[i + 1] + frame[8] * p[i + 2];
    widest = Math.max(widest, v * v + w * w);
  }
  widest = Math.sqrt(widest);
  const add = (x: number, y: number, z: number, area: number): void => {
    const height = frame[0] * x + frame[1] * y + frame[2] * z;
    const v = frame[3] * x + frame[4] * y + frame[5] * z,
      w = frame[6] * x + frame[7] * y + frame[8] * z;
    const radius = Math.sqrt(v * v + w * w);
    // Linear interpolation between neighbouring rings, slices and angles keeps the signature continuous.
    const ring = Math.min(RINGS - 1, (radius / widest) * (RINGS - 1) || 0);
    const slice = Math.min(SLICES - 1, (height / highest + 1) * 0.5 * (SLICES - 1) || 0);
    let turn = (Math.atan2(w, v) / (2 * Math.PI)) * BINS;
    if (turn < 0) turn += BINS;
    const bin = Math.floor(turn) % BINS,
      next = (bin + 1) % BINS,
      share = turn - Math.floor(turn);
    for (let i = Math.floor(ring); i <= ring + 1 && i < RINGS; i++) {
      for (let j = Math.floor(slice); j <= slice + 1 && j < SLICES; j++) {
        const weight = area * radius * (1 - Math.abs(ring - i)) * (1 - Math.abs(slice - j));
        const channel = (i * SLICES + j) * BINS;
        bins[channel + bin] += weight * (1 - share);
        bins[channel + next] += weight * share;
      }
    }
  };
  const longest = LONGEST_SIDE * facts.reachMm;
  for (let t = 0; t < indices.length; t += 3) {
    const triangle: number[] = [];
    for (let i = t; i < t + 3; i++) triangle.push(p[3 * indices[i]], p[3 * indices[i] + 1], p[3 * indices[i] + 2]);
    spreadOver([...triangle, areas[t / 3]], longest, add);
  }
  return { frame, ...transform(bins) };
}

/** Triangles are cut until no side is longer than this share of the reach. */
const LONGEST_SIDE = 0.12;

/**
 * Halves the longest side of a triangle until no side is longer than `longest`, then reports the centroid and the area
 * of each piece, in the order of a recursion that halves the piece with the first corner first.
 * @param triangle 9 coordinates and the area.
 */
function spreadOver(
  triangle: readonly number[],
  longest: number,
  add: (x: number, y: number, z: number, area: number) => void,
): void {
  const pending = [triangle];
  for (let piece = pending.pop(); piece !== undefined; piece = pending.pop()) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz, area] = piece;
    const ab = (bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2;
    const bc = (cx - bx) ** 2 + (cy - by) ** 2 + (cz - bz) ** 2;
    const ca = (ax - cx) ** 2 + (ay - cy) ** 2 + (az - cz) ** 2;
    const most = Math.max(ab, bc, ca);
    const half = area / 2;
    if (most <= longest * longest) {
      add((ax + bx + cx) / 3, (ay + by + cy) / 3, (az + bz + cz) / 3, area);
    } else if (most === ab) {
      const [x, y, z] = [(ax + bx) / 2, (ay + by) / 2, (az + bz) / 2];
      pending.push([x, y, z, bx, by, bz, cx, cy, cz, half], [ax, ay, az, x, y, z, cx, cy, cz, half]);
    } else if (most === bc) {
      const [x, y, z] = [(bx + cx) / 2, (by + cy) / 2, (bz + cz) / 2];
      pending.push([ax, ay, az, x, y, z, cx, cy, cz, half], [ax, ay, az, bx, by, bz, x, y, z, half]);
    } else {
      const [x, y, z] = [(cx + ax) / 2, (cy + ay) / 2, (cz + az) / 2];
      pending.push([x, y, z, bx, by, bz, cx, cy, cz, half], [ax, ay, az, bx, by, bz, x, y, z, half]);
    }
  }
}

function transform(bins: Float64Array): { harmonics: Float64Array; shares: Float64Array } {
  const harmonics = new Float64Array(CHANNELS * HARMONICS * 2);
  const shares = new Float64Array(CHANNELS);
  let whole = 0;
  for (let i = 0; i < bins.length; i++) {
    whole += bins[i];
    shares[Math.floor(i / BINS)] += bins[i];
  }
  for (let channel = 0; channel < CHANNELS; channel++) shares[channel] /= whole;
  // Two channels in one transform, as real and imaginary part; symmetry separates their sums.
  const re = new Float64Array(BINS),
    im = new Float64Array(BINS);
  for (let channel = 0; channel < CHANNELS; channel += 2) {
    re.set(bins.subarray(channel * BINS, (channel + 1) * BINS));
    im.fill(0);
    if (channel + 1 < CHANNELS) im.set(bins.subarray((channel + 1) * BINS, (channel + 2) * BINS));
    FOURIER.transform(re, im);
    for (let k = 1; k <= HARMONICS; k++) {
      const first = 2 * (channel * HARMONICS + k - 1),
        second = first + 2 * HARMONICS;
      const r = re[k],
        m = im[k],
        otherR = re[BINS - k],
        otherM = im[BINS - k];
      if (shares[channel] > LEAST_SHARE) {
        harmonics[first] = (r + otherR) / (2 * whole);
        harmonics[first + 1] = (m - otherM) / (2 * whole);
      }
      if (shares[channel + 1] > LEAST_SHARE) {
        harmonics[second] = (m + otherM) / (2 * whole);
        harmonics[second + 1] = (otherR - r) / (2 * whole);
      }
    }
  }
  return { harmonics, shares };
}

/** Channels with a smaller share of the whole are ignored. */
const LEAST_SHARE = 0.002;

const FOURIER = new FourierSums(BINS);

/**
 * The rotations about the axis that best align one surface with another, best first, as local matrices: rows and
 * columns are (axis, first, second direction). Phase correlation (Kuglin and Hines 1975), so that a small keyway counts
 * beside many teeth. A surface of revolution gets one arbitrary rotation.
 * @param options.flips reverse the axis. @param options.mirrors mirror `from` first, in a plane through the axis.
 */
export function matchTurns(
  from: AngularSignature,
  to: AngularSignature,
  options: { flips: boolean; mirrors: boolean },
): Float64Array[] {
  const { flips, mirrors } = options;
  const fits = new Float64Array(BINS),
    im = new Float64Array(BINS);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const other = flips ? channel - (channel % SLICES) + (SLICES - 1 - (channel % SLICES)) : channel;
    const noise = NOISE * (from.shares[channel] + to.shares[other]) * 0.5 + NOISE_OF_WHOLE;
    for (let k = 0; k < HARMONICS; k++) {
      const a = 2 * (channel * HARMONICS + k),
        b = 2 * (other * HARMONICS + k);
      const ar = from.harmonics[a],
        ai = mirrors ? -from.harmonics[a + 1] : from.harmonics[a + 1];
      const br = to.harmonics[b],
        bi = flips ? -to.harmonics[b + 1] : to.harmonics[b + 1];
      const strength = Math.sqrt((ar * ar + ai * ai) * (br * br + bi * bi)) + noise * noise;
      fits[k + 1] += (ar * br + ai * bi) / strength;
      im[k + 1] += (ai * br - ar * bi) / strength;
    }
  }
  FOURIER.transform(fits, im);
  const peaks: number[] = [];
  for (let bin = 0; bin < BINS; bin++) {
    if (fits[bin] >= fits[(bin + BINS - 1) % BINS] && fits[bin] > fits[(bin + 1) % BINS]) peaks.push(bin);
  }
  peaks.sort((a, b) => fits[b] - fits[a] || a - b);
  if (peaks.length === 0) peaks.push(0);
  return peaks.slice(0, MAX_PEAKS).map((bin) => {
    const c = FOURIER.cosines[bin],
      s = FOURIER.sines[bin];
    const f = flips ? -1 : 1,
      m = mirrors ? -1 : 1;
    return Float64Array.of(f, 0, 0, 0, c, -s * m, 0, s * f, c * f * m);
  });
}

/** A right-handed frame whose first direction is the axis. */
function frameAbout(axis: ArrayLike<number>): Float64Array {
  const [x, y, z] = [axis[0], axis[1], axis[2]];
  const smallest = Math.min(Math.abs(x), Math.abs(y), Math.abs(z));
  // The coordinate axis that is most nearly perpendicular to the axis.
  const [hx, hy, hz] = Math.abs(x) === smallest ? [1, 0, 0] : Math.abs(y) === smallest ? [0, 1, 0] : [0, 0, 1];
  let vx = y * hz - z * hy,
    vy = z * hx - x * hz,
    vz = x * hy - y * hx;
  const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
  vx /= length;
  vy /= length;
  vz /= length;
  return Float64Array.of(x, y, z, vx, vy, vz, y * vz - z * vy, z * vx - x * vz, x * vy - y * vx);
}
