/**
 * Pictures of parts like photos, with the exact mask of the part: a part in any pose on a table or before a background,
 * in perspective, lit by a key light with a soft shadow, light from above and a fill light. It shares the rasteriser of
 * this folder, and no code with the core's renderer.
 *
 * Materials: steel, dark oxide, brass, anodised, painted, white and black plastic; rough to shiny, brushed or even.
 * Backgrounds (`style`): plain, graded, table (a table with shadow), wood, clutter (paper, bars and discs on the
 * table). Then: blur of what is out of focus, vignette, colour cast, exposure, noise, JPEG; some parts are small in the
 * frame or cut by its border.
 */
import sharp from 'sharp';
import { blur, gaussian, poseMesh, randomRotation, rasterise, seededRandom } from './software-camera.mjs';

export const PHOTO_STYLES = ['plain', 'graded', 'table', 'wood', 'clutter'];

/** Longer and shorter side of a photo, pixels; it is drawn with 1.5 times as many and reduced. */
const [LONG, SHORT] = [640, 480];
const FINER = 1.5;
/** Pixels a side of the maps that tell what a light reaches. */
const LIGHT_MAP = 400;

/**
 * A mesh ({ positions, indices }) as a photo.
 * @param style one of {@link PHOTO_STYLES}.
 * @returns { jpeg, rgb u8[3 × pixels], mask u8[pixels] (1: the part), widthPx, heightPx, isCut, share: longer side of
 * the part over the shorter one of the picture }.
 */
export async function photoScene(mesh, { seed, style }) {
  const random = seededRandom(seed);
  const between = (low, high) => low + (high - low) * random();
  const isUpright = random() < 0.25;
  const [widthPx, heightPx] = isUpright ? [SHORT, LONG] : [LONG, SHORT];
  const [width, height] = [widthPx * FINER, heightPx * FINER];
  const posed = poseMesh(mesh, randomRotation(random));
  const hasTable = style !== 'plain' && style !== 'graded';
  const camera = cameraOf(posed, { random, width, height, between });
  const drawn = rasterise(posed, width, height, camera.project);
  const elevation = between(0.3, 1.35),
    roll = random() < 0.7 ? between(-0.2, 0.2) : between(-Math.PI, Math.PI);
  const up = [Math.sin(roll) * Math.cos(elevation), Math.cos(roll) * Math.cos(elevation), Math.sin(elevation)];
  const key = unit(add(scale(up, between(0.7, 1.6)), [between(-1, 1), between(-1, 1), between(-0.1, 1)]));
  const lights = {
    up,
    key,
    keyMap: lightMap(posed, key),
    upMap: lightMap(posed, up),
    soft: between(0.01, 0.12),
    keyPower: between(0.45, 0.9),
    upPower: between(0.2, 0.45),
    fill: unit([between(-1, 1), between(-0.5, 1), between(0.4, 1)]),
    fillPower: between(0.1, 0.35),
    ambient: between(0.08, 0.22),
  };
  const material = materialOf(random, between);
  const ground = hasTable ? groundOf(posed, up) : undefined;
  const paint = backgroundOf(style, { random, between, up, ground });
  const near = new Float32Array(3 * width * height),
    far = new Float32Array(3 * width * height);
  const taps = Array.from({ length: 10 }, () => [2 * random() - 1, 2 * random() - 1]);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const ray = camera.ray(x + 0.5, y + 0.5);
      const color =
        drawn.depth[at] < Infinity
          ? lit(camera.at(ray, drawn.depth[at]), drawn.normals.subarray(3 * at, 3 * at + 3), ray, {
              material,
              lights,
              taps,
            })
          : behind(ray, x / width, y / height, { camera, ground, paint, lights, taps });
      (drawn.depth[at] < Infinity ? near : far).set(color, 3 * at);
    }
  }
  const cover = Float32Array.from(drawn.depth, (value) => (value < Infinity ? 1 : 0));
  const unsharp = random() < 0.5 ? 0 : between(1, 5),
    soft = random() < 0.7 ? 0 : between(1, 2.2);
  const full = composed({ near, far, cover, width, height, unsharp, soft });
  const sized = { raw: { width, height, channels: 3 } };
  const reduced = await sharp(develop(full, { width, height, random, between }), sized)
    .resize(widthPx, heightPx, { kernel: 'cubic' })
    .raw()
    .toBuffer();
  const noise = between(0.5, 4);
  const rgb = Uint8Array.from(reduced, (value) => clamp(value + noise * gaussian(random)));
  const jpeg = await sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .jpeg({ quality: Math.round(between(60, 95)) })
    .toBuffer();
  return { jpeg, rgb, mask: maskOf(cover, width, { widthPx, heightPx }), widthPx, heightPx, ...camera.facts };
}

/** A photo as it would be with the part alone before a background that differs from it, PNG. */
export async function cutOut({ rgb, mask, widthPx, heightPx }) {
  const tones = new Float64Array(256);
  for (let i = 0; i < mask.length; i++)
    if (mask[i] === 1) tones[Math.round(0.3 * rgb[3 * i] + 0.59 * rgb[3 * i + 1] + 0.11 * rgb[3 * i + 2])]++;
  const near = (tone) => tones.slice(Math.max(0, tone - 24), tone + 25).reduce((sum, count) => sum + count, 0);
  const tone = [250, 200, 160, 128].reduce((best, other) => (near(other) < 0.7 * near(best) ? other : best));
  const cut = rgb.map((value, i) => (mask[Math.floor(i / 3)] === 1 ? value : tone));
  return sharp(cut, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .png()
    .toBuffer();
}

/** Looks along -z at the part, whose radius is 1. */
function cameraOf({ points }, { random, width, height, between }) {
  const fieldRad = (between(14, 48) * Math.PI) / 180;
  const focal = height / 2 / Math.tan(fieldRad / 2);
  const side = Math.min(width, height);
  const isCut = random() < 0.08,
    isSmall = random() < 0.15;
  const share = isCut ? between(0.85, 1) : isSmall ? between(0.22, 0.4) : between(0.45, 0.88);
  // The distance at which the part takes its share, found in a few steps; the field of view stays.
  let distance = (2 * focal) / (share * side) + 1;
  const boxAt = () => {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i += 3) {
      const away = distance - points[i + 2];
      const x = (focal * points[i]) / away,
        y = (-focal * points[i + 1]) / away;
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
    return box;
  };
  for (let round = 0; round < 6; round++) {
    const [x0, y0, x1, y1] = boxAt();
    const fits = Math.max((x1 - x0) / width, (y1 - y0) / height, Math.max(x1 - x0, y1 - y0) / side / 1.15) / share;
    distance = Math.max(1.6, 1 + (distance - 1) * fits);
  }
  const [x0, y0, x1, y1] = boxAt();
  const room = [Math.max(0, width - (x1 - x0)), Math.max(0, height - (y1 - y0))];
  const shift = isCut
    ? [(random() < 0.5 ? -1 : 1) * (room[0] / 2 + 0.06 * (x1 - x0)), 0]
    : room.map((value) => 0.6 * value * (random() - 0.5));
  const middle = [width / 2 - (x0 + x1) / 2 + shift[0], height / 2 - (y0 + y1) / 2 + shift[1]];
  return {
    project: (x, y, z) => [
      middle[0] + (focal * x) / (distance - z),
      middle[1] - (focal * y) / (distance - z),
      distance - z,
    ],
    /** Direction of the ray of a pixel, with -1 along z. */
    ray: (x, y) => [(x - middle[0]) / focal, (middle[1] - y) / focal, -1],
    at: (ray, away) => [ray[0] * away, ray[1] * away, distance - away],
    distance,
    facts: { isCut, share: Math.max(x1 - x0, y1 - y0) / side },
  };
}

const STUFFS = [
  // color, deviation of each channel, share of mirror, gloss, exponent
  { name: 'steel', color: [0.5, 0.5, 0.52], mirror: [0.2, 0.6], gloss: [0.2, 0.7], sharp: [8, 60] },
  { name: 'dark', color: [0.12, 0.12, 0.13], mirror: [0, 0.2], gloss: [0.1, 0.5], sharp: [10, 80] },
  { name: 'brass', color: [0.62, 0.48, 0.2], mirror: [0.2, 0.5], gloss: [0.2, 0.7], sharp: [8, 60] },
  { name: 'anodised', mirror: [0, 0.25], gloss: [0.1, 0.5], sharp: [6, 30] },
  { name: 'painted', mirror: [0, 0.1], gloss: [0.05, 0.6], sharp: [15, 120] },
  { name: 'pale', color: [0.8, 0.79, 0.76], mirror: [0, 0.05], gloss: [0, 0.25], sharp: [10, 60] },
  { name: 'cast', color: [0.34, 0.33, 0.32], mirror: [0, 0.05], gloss: [0, 0.15], sharp: [4, 12] },
];

function materialOf(random, between) {
  const stuff = STUFFS[Math.floor(STUFFS.length * random())];
  const pick = ([low, high]) => between(low, high);
  const color = stuff.color?.map((value) => value * between(0.85, 1.15)) ?? ofHue(6 * random(), between(0.2, 0.75));
  const grain = random() < 0.4 ? between(0.01, 0.06) : 0;
  const turn = Array.from({ length: 3 }, () => between(-40, 40));
  return {
    color,
    mirror: pick(stuff.mirror),
    gloss: pick(stuff.gloss),
    exponent: pick(stuff.sharp),
    // Fine streaks, as of brushing or of a rough cast.
    grainAt: (p) => 1 + grain * Math.sin(dot(p, turn) + 3 * Math.sin(7 * p[1] + 5 * p[0])),
    sky: {
      tilt: unit([between(-1, 1), between(0.3, 1), between(-0.3, 1)]),
      bands: between(2, 7),
      floor: between(0.1, 0.4),
    },
  };
}

/** A hue of 0 to 6 with this value. */
function ofHue(hue, value) {
  return [0, 2, 4].map((shift) => {
    const part = Math.abs(((hue + shift) % 6) - 3) - 1;
    return value * (0.2 + 0.8 * Math.max(0, Math.min(1, part)));
  });
}

function lit(p, normal, ray, { material, lights, taps }) {
  const view = unit(scale(ray, -1));
  let n = unit(normal);
  // Faces of open meshes are lit on both sides.
  if (dot(n, view) < 0) n = scale(n, -1);
  const shadow = reach(lights.keyMap, p, lights.soft, taps, 0.02);
  const open = reach(lights.upMap, p, 0.25, taps, 0.03);
  const onKey = Math.max(0, dot(n, lights.key)) * shadow,
    onUp = (0.5 + 0.5 * dot(n, lights.up)) * (0.35 + 0.65 * open),
    onFill = Math.max(0, dot(n, lights.fill));
  const light = lights.ambient + lights.keyPower * onKey + lights.upPower * onUp + lights.fillPower * onFill;
  const half = unit(add(lights.key, view));
  const shine = material.gloss * shadow * Math.max(0, dot(n, half)) ** material.exponent;
  const mirrored = add(scale(n, 2 * dot(n, view)), scale(view, -1));
  const { tilt, bands, floor } = material.sky;
  const height = dot(mirrored, tilt);
  const sky = height < -0.1 ? floor : 0.45 + 0.45 * Math.sin(bands * (height + 0.3 * mirrored[0])) ** 3;
  const edge = material.mirror + 0.3 * (1 - Math.max(0, dot(n, view))) ** 4 * Math.min(1, 3 * material.gloss);
  const grain = material.grainAt(p);
  return material.color.map(
    (value) =>
      value * light * grain * (1 - 0.6 * edge) + edge * sky * (0.4 + 0.6 * (value / 0.6)) + shine * lights.keyPower,
  );
}

function behind(ray, u, v, { camera, ground, paint, lights, taps }) {
  if (ground !== undefined) {
    const slope = dot(ray, ground.up);
    const away = slope < -1e-3 ? (ground.level - ground.up[2] * camera.distance) / slope : Infinity;
    if (away > 0 && away < 40) {
      const p = camera.at(ray, away);
      const open = reach(lights.upMap, p, 0.35, taps, 0.01),
        shadow = reach(lights.keyMap, p, lights.soft + 0.03, taps, 0.01);
      const light =
        0.25 + lights.keyPower * shadow * Math.max(0, dot(ground.up, lights.key)) + lights.upPower * 1.2 * open;
      return paint.table(dot(p, ground.right), dot(p, ground.ahead)).map((value) => value * light);
    }
  }
  return paint.wall(u, v);
}

function groundOf({ points }, up) {
  let level = Infinity;
  for (let i = 0; i < points.length; i += 3)
    level = Math.min(level, points[i] * up[0] + points[i + 1] * up[1] + points[i + 2] * up[2]);
  const right = unit(cross(up, [0.3, 0.2, 1])),
    ahead = cross(up, right);
  return { up, level: level - 0.002, right, ahead };
}

function backgroundOf(style, { random, between }) {
  const value = random() < 0.6 ? between(0.7, 0.98) : between(0.08, 0.7);
  const tint =
    random() < 0.6 ? [value, value, value] : ofHue(6 * random(), value).map((part) => 0.6 * part + 0.4 * value);
  const change = style === 'plain' ? 0 : between(0.15, 0.55),
    angle = between(0, 2 * Math.PI),
    isRound = random() < 0.3;
  const wall = (u, v) => {
    const along = isRound
      ? ((2 * u - 1) ** 2 + (2 * v - 1) ** 2) / 2
      : 0.5 + 0.5 * ((2 * u - 1) * Math.cos(angle) + (2 * v - 1) * Math.sin(angle));
    return tint.map((part) => part * (1 - change * along));
  };
  const noise = noiseOf(random);
  const dark = random() < 0.3;
  const base = style === 'wood' ? [0.55, 0.38, 0.22].map((part) => part * (dark ? 0.5 : 1.2)) : tint;
  const stretch = between(0.6, 2),
    grain = between(0.1, 0.3),
    turn = between(0, Math.PI),
    rough = style === 'table' ? between(0, 0.06) : 0.03;
  const shapes = style === 'clutter' ? clutterOf(random, between) : [];
  const table = (x, y) => {
    const a = x * Math.cos(turn) + y * Math.sin(turn),
      b = y * Math.cos(turn) - x * Math.sin(turn);
    let factor = 1 + rough * (noise(25 * a, 25 * b) - 0.5) * 2;
    if (style === 'wood') {
      const ring = 9 * stretch * b + 2.5 * noise(0.7 * a, 2 * b);
      factor += grain * (Math.sin(2.2 * ring) * 0.6 + (noise(3 * a, 40 * b) - 0.5));
    }
    for (let i = shapes.length - 1; i >= 0; i--) {
      const color = shapes[i](x, y);
      if (color !== undefined) return color;
    }
    return base.map((part) => part * factor);
  };
  return { wall: style === 'plain' || style === 'graded' ? wall : () => tint.map((part) => 0.8 * part), table };
}

/** Sheets of paper, bars and discs that lie on the table, some of them under the part. */
function clutterOf(random, between) {
  return Array.from({ length: 4 + Math.floor(7 * random()) }, () => {
    const from = random() < 0.3 ? between(0, 1) : between(1.3, 4),
      angle = between(0, 2 * Math.PI),
      turn = between(0, Math.PI);
    const [x0, y0] = [from * Math.cos(angle), from * Math.sin(angle)];
    const kind = Math.floor(3 * random());
    const value = between(0.05, 0.95);
    const color = random() < 0.5 ? [value, value, value] : ofHue(6 * random(), between(0.3, 0.95));
    const [long, wide] = kind === 0 ? [between(0.5, 1.6), between(0.4, 1.2)] : [between(0.4, 2), between(0.03, 0.15)];
    const radius = between(0.1, 0.5);
    const lines = kind === 0 && random() < 0.5 ? between(8, 25) : 0;
    return (x, y) => {
      const a = (x - x0) * Math.cos(turn) + (y - y0) * Math.sin(turn),
        b = (y - y0) * Math.cos(turn) - (x - x0) * Math.sin(turn);
      const isIn = kind === 2 ? Math.hypot(a, b) < radius : Math.abs(a) < long && Math.abs(b) < wide;
      if (!isIn) return undefined;
      return lines > 0 && Math.sin(lines * b * 4) > 0.85 && Math.abs(a) < 0.85 * long
        ? color.map((part) => 0.4 * part)
        : color;
    };
  });
}

/** Smooth noise of a plane, 0 to 1. */
function noiseOf(random) {
  const values = Float32Array.from({ length: 64 * 64 }, random);
  const at = (x, y) => values[(((y % 64) + 64) % 64) * 64 + (((x % 64) + 64) % 64)];
  const ease = (t) => t * t * (3 - 2 * t);
  return (x, y) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [ease(x - i), ease(y - j)];
    return (1 - v) * ((1 - u) * at(i, j) + u * at(i + 1, j)) + v * ((1 - u) * at(i, j + 1) + u * at(i + 1, j + 1));
  };
}

/** What a light from far away reaches first: its height over the middle of the part, by place across the light. */
function lightMap(posed, toward) {
  const right = unit(cross(toward, Math.abs(toward[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0])),
    ahead = cross(toward, right);
  const toMap = (x, y, z) => [
    LIGHT_MAP * (0.5 + 0.45 * (right[0] * x + right[1] * y + right[2] * z)),
    LIGHT_MAP * (0.5 + 0.45 * (ahead[0] * x + ahead[1] * y + ahead[2] * z)),
    -(toward[0] * x + toward[1] * y + toward[2] * z),
  ];
  return { depth: rasterise(posed, LIGHT_MAP, LIGHT_MAP, toMap).depth, toMap };
}

/** The share of a light that a point gets: taps within a radius that nothing of the part covers. */
function reach({ depth, toMap }, p, radius, taps, bias) {
  const [x, y, away] = toMap(...p);
  let open = 0;
  for (const [u, v] of taps) {
    const column = Math.floor(x + u * radius * 0.45 * LIGHT_MAP),
      row = Math.floor(y + v * radius * 0.45 * LIGHT_MAP);
    const isOut = column < 0 || row < 0 || column >= LIGHT_MAP || row >= LIGHT_MAP;
    if (isOut || depth[row * LIGHT_MAP + column] > away - bias) open++;
  }
  return open / taps.length;
}

/** The part over its background, which is out of focus; light of either goes a little way over the border. */
function composed({ near, far, cover, width, height, unsharp, soft }) {
  const full = new Float32Array(3 * width * height);
  const alpha = soft === 0 ? cover : blur(cover, width, height, soft);
  for (let channel = 0; channel < 3; channel++) {
    const pick = (values) => Float32Array.from({ length: width * height }, (_, i) => values[3 * i + channel]);
    const front = pick(near);
    const shown = soft === 0 ? front : blur(front, width, height, soft);
    const behindIt = spread(pick(far), cover, width, height, unsharp);
    for (let i = 0; i < alpha.length; i++) full[3 * i + channel] = shown[i] + (1 - alpha[i]) * behindIt[i];
  }
  return full;
}

/** The background blurred, without the part in it. */
function spread(values, cover, width, height, sigma) {
  const open = Float32Array.from(cover, (value) => 1 - value);
  const [sums, shares] = [values, open].map((list) => blur(list, width, height, Math.max(2, sigma)));
  return values.map((value, i) =>
    sigma === 0 && open[i] === 1 ? value : shares[i] > 1e-3 ? sums[i] / shares[i] : value,
  );
}

/** Exposure, cast, vignette and the curve of a camera: bytes. */
function develop(full, { width, height, random, between }) {
  const mean = full.reduce((sum, value) => sum + value, 0) / full.length;
  const exposure = Math.min(2.2, Math.max(0.5, (between(0.4, 0.62) / Math.max(0.05, mean)) ** 0.6));
  const cast = [0, 1, 2].map(() => 1 + (random() < 0.6 ? between(-0.03, 0.03) : between(-0.13, 0.13)));
  const vignette = random() < 0.4 ? between(0.05, 0.35) : 0;
  return Uint8Array.from(full, (value, i) => {
    const at = Math.floor(i / 3);
    const u = (2 * (at % width)) / width - 1,
      v = (2 * Math.floor(at / width)) / height - 1;
    const light = exposure * cast[i % 3] * value * (1 - (vignette * (u * u + v * v)) / 2);
    return clamp(255 * (light < 0.8 ? light : 0.8 + 0.2 * (1 - Math.exp(-(light - 0.8) / 0.2))));
  });
}

/** Pixels of the photo of which the part covers at least half. */
function maskOf(cover, width, { widthPx, heightPx }) {
  const mask = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      mask[y * widthPx + x] = cover[Math.floor((y + 0.5) * FINER) * width + Math.floor((x + 0.5) * FINER)];
  return mask;
}

const clamp = (value) => Math.max(0, Math.min(255, Math.round(value)));
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scale = (a, factor) => [a[0] * factor, a[1] * factor, a[2] * factor];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (v) => {
  const length = Math.hypot(...v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
};
