import { crc32, deflateSync } from 'node:zlib';
import type { Triangles } from '../mesh-files.js';

/** Size of the photo; each pixel is the mean of four. */
const [WIDTH, HEIGHT] = [640, 480];
const FINE = 2;
type Vector = readonly [number, number, number];

/**
 * A photo of a part as PNG, made by code: seen from above and aside through a lens, lit from the upper left, on a
 * bench, with the noise of a sensor. The same bytes at every run.
 */
export function photoOf({ positions, indices }: Triangles): Uint8Array {
  const [width, height] = [WIDTH * FINE, HEIGHT * FINE];
  const places = seen(positions, width, height);
  const shade = new Float32Array(width * height).fill(-1);
  const depth = new Float32Array(width * height).fill(Infinity);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => places[indices[t + corner]]);
    fill({ a, b, c, light: lightOn(positions, indices.subarray(t, t + 3)) }, { width, height, depth, shade });
  }
  return png(developed(shade, width));
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

/** Where points of the part stand on the picture: the camera looks down on it from the front, three sizes away. */
function seen(positions: ArrayLike<number>, width: number, height: number): Place[] {
  const [low, high] = [Infinity, -Infinity].map((start, i) =>
    [0, 1, 2].map((axis) => {
      let best = start;
      for (let at = axis; at < positions.length; at += 3)
        best = i === 0 ? Math.min(best, positions[at]) : Math.max(best, positions[at]);
      return best;
    }),
  );
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const size = Math.hypot(...high.map((value, axis) => value - low[axis]));
  const [turn, tilt] = [0.6, 0.75];
  return Array.from({ length: positions.length / 3 }, (_, i) => {
    const [x, y, z] = [0, 1, 2].map((axis) => (positions[3 * i + axis] - middle[axis]) / size);
    const [right, away] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
    const far = 3 + away * Math.cos(tilt) - z * Math.sin(tilt);
    const up = away * Math.sin(tilt) + z * Math.cos(tilt);
    const scale = (2.2 * height) / far;
    return { x: width / 2 + right * scale, y: height / 2 - up * scale, depth: far };
  });
}

/** 0.15 to 1 on the side of the light. */
function lightOn(positions: ArrayLike<number>, corners: ArrayLike<number>): number {
  const at = (corner: number): Vector => {
    const from = 3 * corners[corner];
    return [positions[from], positions[from + 1], positions[from + 2]];
  };
  const [a, b, c] = [at(0), at(1), at(2)];
  const minus = (p: Vector, q: Vector): Vector => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
  const [u, v] = [minus(b, a), minus(c, a)];
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...normal) || 1;
  return 0.15 + 0.85 * Math.max(0, (-0.45 * normal[0] - 0.35 * normal[1] + 0.82 * normal[2]) / length);
}

interface Face {
  readonly a: Place;
  readonly b: Place;
  readonly c: Place;
  readonly light: number;
}

interface Film {
  readonly width: number;
  readonly height: number;
  readonly depth: Float32Array;
  readonly shade: Float32Array;
}

function fill({ a, b, c, light }: Face, { width, height, depth, shade }: Film): void {
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (Math.abs(area) < 1e-9) return;
  const right = Math.min(width - 1, Math.ceil(Math.max(a.x, b.x, c.x)));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(a.y, b.y, c.y)));
  for (let y = Math.max(0, Math.floor(Math.min(a.y, b.y, c.y))); y <= bottom; y++) {
    for (let x = Math.max(0, Math.floor(Math.min(a.x, b.x, c.x))); x <= right; x++) {
      const second = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
      const third = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
      if (second < 0 || third < 0 || second + third > 1) continue;
      const far = a.depth + second * (b.depth - a.depth) + third * (c.depth - a.depth);
      const at = y * width + x;
      if (far >= depth[at]) continue;
      depth[at] = far;
      shade[at] = light;
    }
  }
}

/** The picture in RGB: a steel part on a pale bench, a little noise over all. */
function developed(shade: Float32Array, width: number): Uint8Array {
  const rgb = new Uint8Array(3 * WIDTH * HEIGHT);
  let noise = 12_345;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      let sum = 0,
        covered = 0;
      for (let i = 0; i < FINE * FINE; i++) {
        const value = shade[(FINE * y + (i >> 1)) * width + FINE * x + (i & 1)];
        if (value >= 0) [sum, covered] = [sum + value, covered + 1];
      }
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
      const grain = ((noise >>> 16) % 7) - 3;
      const bench = 214 - 26 * (y / HEIGHT) + 10 * (x / WIDTH);
      const part = (sum / Math.max(1, covered)) * 175 + 12;
      const share = covered / (FINE * FINE);
      [1, 0.985, 0.95].forEach((tone, channel) => {
        const value = share * part + (1 - share) * bench * tone + grain;
        rgb[3 * (y * WIDTH + x) + channel] = Math.max(0, Math.min(255, Math.round(value)));
      });
    }
  }
  return rgb;
}

/** An RGB picture as PNG. */
function png(rgb: Uint8Array): Uint8Array {
  const lines = Buffer.alloc((1 + 3 * WIDTH) * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) lines.set(rgb.subarray(3 * WIDTH * y, 3 * WIDTH * (y + 1)), (1 + 3 * WIDTH) * y + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
