/**
 * Drawings of the reference parts in many styles, as they come from many offices.
 *
 * A seed decides for each sheet: first or third angle, views, an isometric view, shaded views, sections, hidden and
 * centre lines, line widths and colours, dimensions and notes, paper, frame, title block, one to three parts; and what
 * the file is: a PDF of lines, a picture of the page, or a scan (turned by up to 5°, noisy, at times faint) as PDF or
 * JPEG. Text is set in Helvetica. Nothing here was taken from a real drawing. Only where it is asked for, long parts
 * are broken, or the lines are drawn by hand.
 */
import sharp from 'sharp';
import { pagePicture, scanAngleRad, scanOf } from '../support/crossmodal-queries.mjs';
import { seededRandom } from '../support/software-camera.mjs';
import { breakLines, breakOf, brokenPaths, brokenPicture } from './drawings/broken-lines.mjs';
import { byHand } from './drawings/by-hand.mjs';
import { centreLines, dimensioned } from './drawings/dimensions.mjs';
import { pdfOf } from './drawings/page-pdf.mjs';
import { framed } from './drawings/sheet-frame.mjs';
import { laidAnew, radiusOf, shadedView, viewLines } from './drawings/view-lines.mjs';
import { referenceParts } from './reference.mjs';

/** Resolution of stored pictures and scans, per inch. */
const STORED_DPI = 150;
/** Pixels of a shaded picture of the whole part of which a broken view shows the ends. */
const BROKEN_PX = 1_600;
/** Scales of drawings: these and their multiples by ten. */
const SCALES = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5];

/**
 * Parts for `count` drawings: `siblings` of each family, families in an order that the seed decides.
 * @returns {Promise<{ name: string, family: string, positions: Float32Array, indices: Uint32Array }[][]>} the parts of
 * each sheet.
 */
export async function partsOfSheets({ seed, count, siblings = 2 }) {
  const byFamily = new Map();
  for await (const part of referenceParts({ seed: 1_000 + seed, count: 400 })) {
    if (!byFamily.has(part.family)) byFamily.set(part.family, []);
    if (part.indices.length < 12_000) byFamily.get(part.family).push(part);
  }
  const random = seededRandom(seed);
  const families = [...byFamily.values()].filter(({ length }) => length >= siblings);
  for (let i = families.length - 1; i > 0; i--) {
    const j = Math.floor((i + 1) * random());
    [families[i], families[j]] = [families[j], families[i]];
  }
  const own = families.flatMap((parts) => parts.slice(0, siblings)).slice(0, count);
  return own.map((part) => {
    const more = random() < 0.12 ? 1 + Math.floor(2 * random()) : 0;
    return [part, ...Array.from({ length: more }, () => own[Math.floor(own.length * random())])];
  });
}

/**
 * A sheet of some parts: { bytes, extension, style, page, views, widthMm, heightMm, items }. `page()`: its picture at a
 * resolution, as stored. items: what is drawn, see `pdfOf`.
 * views: { side, box, around, detail } with boxes [x, y, width, height] in mm on the stored page, `around` with the
 * dimensions, and the number of paths.
 * @param fixed traits of the style that the seed does not choose, such as { shading: 'all', file: 'scan' }. Besides
 * those of the seed: isByHand, statesSizes (dimensions state the part's), and isBroken, with which long parts lie along
 * the page and are drawn with a break, whose gap is `breakGap` heights of the view.
 */
export async function drawSheet(parts, seed, fixed = {}) {
  const random = seededRandom(seed);
  const style = { ...styleOf(random), ...fixed };
  const { widthMm, heightMm, items, area } = framed(style, random);
  const columns = parts.length;
  const views = parts.flatMap((part, i) => {
    const own = [area[0] + (i * area[2]) / columns, area[1], area[2] / columns, area[3]];
    return partOn(part, own, { style, random, items });
  });
  const own = style.isByHand ? byHand(items, seededRandom(seed + 1)) : items;
  const clean = pdfOf({ widthMm, heightMm, items: own });
  const picture = (dpi) => pagePicture(clean, 1, dpi);
  const base = { style, views, widthMm, heightMm, items: own };
  if (style.file === 'lines') return { ...base, bytes: clean, extension: '.pdf', page: picture };
  const drawn = await picture(STORED_DPI);
  if (style.file === 'picture')
    return { ...base, bytes: await encoded(drawn, 'png'), extension: '.png', page: resized(drawn) };
  const pale = style.isFaint ? { ...drawn, gray: drawn.gray.map((g) => 255 - 0.45 * (255 - g)) } : drawn;
  const bytes = new Uint8Array(await scanOf(pale, seed));
  const decoded = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width: widthPx, height: heightPx } = decoded.info;
  const scan = { widthPx, heightPx, gray: new Uint8Array(decoded.data) };
  const angle = scanAngleRad(seed);
  const turned = views.map((view) => ({
    ...view,
    box: turnedBox(view.box, angle, widthMm, heightMm),
    around: turnedBox(view.around, angle, widthMm, heightMm),
  }));
  const isPdf = style.file === 'scanned pdf';
  return {
    ...base,
    views: turned,
    page: resized(scan),
    bytes: isPdf ? pdfOf({ widthMm, heightMm, jpeg: { bytes, widthPx, heightPx } }) : bytes,
    extension: isPdf ? '.pdf' : '.jpg',
  };
}

/** A picture ({ widthPx, heightPx, gray }) as PNG or JPEG. */
export async function encoded({ widthPx, heightPx, gray }, format) {
  const made = sharp(gray, { raw: { width: widthPx, height: heightPx, channels: 1 } });
  return new Uint8Array(await (format === 'png' ? made.png() : made.jpeg({ quality: 85 })).toBuffer());
}

function styleOf(random) {
  const pick = (...choices) => choices[Math.floor(choices.length * random())];
  const thin = pick(0.13, 0.18, 0.25, 0.35);
  return {
    file: pick('lines', 'lines', 'lines', 'lines', 'lines', 'picture', 'picture', 'scan', 'scanned pdf'),
    isFaint: random() < 0.3,
    isFirstAngle: random() < 0.5,
    hasIsometric: random() < 0.45,
    shading: pick('none', 'none', 'none', 'isometric', 'all'),
    hasSection: random() < 0.25,
    hasHidden: random() < 0.5,
    hasCentreLines: random() < 0.6,
    thin,
    thick: pick(thin, 1.4 * thin, 2 * thin, 2 * thin, 2.8 * thin),
    color: pick([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0.7], [0.5, 0.5, 0.5], [0.6, 0, 0]),
    dimensions: pick(0, 2, 3, 4, 6),
    letter: pick(1.8, 2.5, 3.5),
    arrow: pick('filled', 'filled', 'open', 'tick'),
    paper: pick('a4', 'a4 upright', 'a3', 'a3', 'a2', 'letter'),
    frame: pick('none', 'single', 'single', 'double', 'zones', 'heavy'),
    block: pick('none', 'corner', 'corner', 'foot', 'column'),
  };
}

/** Whether a part is drawn with a break where the style asks for it. */
export function isBreakable(part) {
  return breakBetween(alongThePage(part)) !== undefined;
}

/** Where the front and the top view of a mesh are broken; both at the same places. */
function breakBetween(mesh, gap) {
  return breakOf(
    ['front', 'top'].map((side) => viewLines(mesh, side).seen),
    gap,
  );
}

/** The mesh with its longest side along x. */
function alongThePage(part) {
  const widths = [0, 1, 2].map((way) => {
    const mesh = laidAnew(part, way);
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < mesh.positions.length; i += 3) {
      low = Math.min(low, mesh.positions[i]);
      high = Math.max(high, mesh.positions[i]);
    }
    return high - low;
  });
  return laidAnew(part, widths.indexOf(Math.max(...widths)));
}

/** Draws the views of one part into an area; returns them. */
function partOn(part, area, { style, random, items }) {
  const way = Math.floor(3 * random());
  const mesh = style.isBroken ? alongThePage(part) : laidAnew(part, way);
  const side = style.isFirstAngle ? 'left' : 'right';
  const count = 1 + Math.floor(3 * random());
  const sides = ['front', 'top', side].slice(0, Math.max(count, random() < 0.2 ? 1 : 2));
  // An isometric view of the whole would be too large beside broken ones.
  const cut = style.isBroken ? breakBetween(mesh, style.breakGap) : undefined;
  const drawn = sides.map((name, i) => drawn1(mesh, name, { style, cut, isSection: style.hasSection && i === 0 }));
  if (style.hasIsometric && cut === undefined) drawn.push(drawn1(mesh, 'isometric', { style, isSection: false }));
  const gap = 8 + 4 * style.dimensions;
  const at = (name) => drawn.find((view) => view.side === name);
  const [front, top, beside, isometric] = ['front', 'top', side, 'isometric'].map(at);
  const across = Math.max(front.size[0], top?.size[0] ?? 0),
    further = Math.max(beside?.size[0] ?? 0, isometric?.size[0] ?? 0);
  const down = [Math.max(front.size[1], beside?.size[1] ?? 0), Math.max(top?.size[1] ?? 0, isometric?.size[1] ?? 0)];
  const room = [area[2] - (further > 0 ? 2.5 : 1.5) * gap, area[3] - (down[1] > 0 ? 2.5 : 1.5) * gap].map((side) =>
    Math.max(side, 20),
  );
  const most = Math.min(room[0] / (across + further), room[1] / (down[0] + down[1]));
  const radius = radiusOf(mesh);
  const scale = standard(most / radius) * radius;
  // First angle: the top view lies below the front view.
  const upper = style.isFirstAngle ? down[0] : down[1];
  const rows = style.isFirstAngle ? [0.5 * down[0], upper + 0.5 * down[1]] : [upper + 0.5 * down[0], 0.5 * down[1]];
  const columnsUsed = further > 0 ? 2 : 1,
    rowsUsed = down[1] > 0 ? 2 : 1;
  // What is left of the area is spread between the views.
  const between = [
    (area[2] - scale * (across + further)) / (columnsUsed + 1),
    (area[3] - scale * (down[0] + down[1])) / (rowsUsed + 1),
  ];
  const rowGap = (row) => (rows[row] > upper ? 2 : 1) * between[1];
  const place = (view, column, row) =>
    placed(view, {
      x: area[0] + (column + 1) * between[0] + scale * (column === 0 ? across / 2 : across + further / 2),
      y: area[1] + rowGap(row) + scale * rows[row],
      scale,
      radius,
      style,
      random,
      items,
    });
  const found = [place(front, 0, 0)];
  if (top !== undefined) found.push(place(top, 0, 1));
  if (beside !== undefined) found.push(place(beside, 1, 0));
  if (isometric !== undefined) found.push(place(isometric, 1, 1));
  return found;
}

/** The largest usual scale up to this one. */
function standard(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  return ten * Math.max(...SCALES.filter((scale) => scale * ten <= most));
}

function drawn1(mesh, side, { style, cut, isSection }) {
  const whole = viewLines(mesh, side, { isSection });
  const isCut = cut !== undefined && (side === 'front' || side === 'top');
  const lines = isCut ? brokenView(whole, cut, style.breakLine ?? 'wave') : whole;
  const all = lines.seen.flat();
  const box = [0, 1].map((axis) => [Math.min(...all.map((p) => p[axis])), Math.max(...all.map((p) => p[axis]))]);
  const isShaded = style.shading === 'all' || (style.shading === 'isometric' && side === 'isometric');
  return {
    side,
    lines,
    middle: box.map(([low, high]) => (low + high) / 2),
    size: box.map(([low, high]) => Math.max(high - low, 0.01)),
    ...(isShaded && !isSection ? shadedAs(mesh, side, { cut: isCut ? cut : undefined, style, seen: whole.seen }) : {}),
  };
}

/** What a shaded view shows: one picture, or the pieces beside a break with the lines of the break, if it has any. */
function shadedAs(mesh, side, { cut, style, seen }) {
  if (cut === undefined) return { pictures: [shadedView(mesh, side)] };
  const heights = seen.flat().map(([, y]) => y);
  const across = { ...cut, top: Math.min(...heights), low: Math.max(...heights) };
  return {
    pictures: brokenPicture(shadedView(mesh, side, BROKEN_PX), cut),
    marks: breakLines(across, style.breakLine ?? 'wave'),
  };
}

/** The lines of a view with a break. */
function brokenView({ seen, hidden, hatch = [] }, cut, kind) {
  const heights = seen.flat().map(([, y]) => y);
  const across = { ...cut, top: Math.min(...heights), low: Math.max(...heights) };
  return {
    seen: [...brokenPaths(seen, cut), ...breakLines(across, kind)],
    hidden: brokenPaths(hidden, cut),
    hatch: brokenPaths(hatch, cut),
  };
}

/** Draws a view with its middle at x, y: { side, box, around, detail }. */
function placed({ side, lines, middle, size, pictures, marks = [] }, { x, y, scale, radius, style, random, items }) {
  const on = ([px, py]) => [x + scale * (px - middle[0]), y + scale * (py - middle[1])];
  const box = [x - (scale * size[0]) / 2, y - (scale * size[1]) / 2, scale * size[0], scale * size[1]];
  if (pictures !== undefined) {
    for (const picture of pictures) {
      const [left, top] = on(picture.box.slice(0, 2));
      items.push({ picture, x: left, y: top, widthMm: scale * picture.box[2], heightMm: scale * picture.box[3] });
    }
    const dash = style.hasHidden ? { dash: [2.5, 1.2] } : {};
    for (const path of marks) items.push({ points: path.map(on), width: style.thin, ...dash });
  } else {
    for (const path of lines.seen) items.push({ points: path.map(on), width: style.thick });
    for (const ends of lines.hatch ?? []) items.push({ points: ends.map(on), width: style.thin });
    if (style.hasHidden && side !== 'isometric')
      for (const path of lines.hidden) items.push({ points: path.map(on), width: style.thin, dash: [2.5, 1.2] });
  }
  let around = box;
  if (side !== 'isometric') {
    if (style.hasCentreLines) centreLines(box, style, items);
    around = dimensioned(box, lines, { on, scale: scale / radius, style, random, items });
  }
  return { side, box, around, detail: lines.seen.length };
}

/** A picture at other resolutions. */
function resized(picture) {
  return async (dpi) => {
    const { widthPx, heightPx, gray } = picture;
    if (dpi === STORED_DPI) return picture;
    const [width, height] = [widthPx, heightPx].map((side) => Math.round((side * dpi) / STORED_DPI));
    const pixels = await sharp(gray, { raw: { width: widthPx, height: heightPx, channels: 1 } })
      .resize(width, height, { fit: 'fill' })
      .raw()
      .toColourspace('b-w')
      .toBuffer();
    return { widthPx: width, heightPx: height, gray: new Uint8Array(pixels) };
  };
}

function turnedBox([x, y, width, height], angle, widthMm, heightMm) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corners = [0, 1, 2, 3].map((i) => {
    const u = x + (i % 2) * width - widthMm / 2,
      v = y + (i >> 1) * height - heightMm / 2;
    return [u * cos - v * sin + widthMm / 2, u * sin + v * cos + heightMm / 2];
  });
  const [left, top] = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])));
  const [right, low] = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis])));
  return [left, top, right - left, low - top];
}
