// A page of bench/drawings as pixels: clean as a program saves it, as a scanner of an office gives it, and as a photo
// of paper: resolution, pens, grey of the ink, blur, noise, turn, uneven light and JPEG, each drawn from the seed.
import sharp from 'sharp';
import { placedText } from './pdf.mjs';
import { Dice } from './styles.mjs';

const MM_PER_INCH = 25.4;

/** As a program saves it, with nothing that could spoil a letter. */
const clean = (dpi) => () => ({ dpi, ink: 0, turn: 0, blur: 0, noise: 0, shadow: 0, quality: undefined });

/** How pixels of a seed look. */
export const RASTER_KINDS = {
  'clean-150': clean(150),
  'clean-200': clean(200),
  'clean-300': clean(300),
  /** As a program saves it: level, sharp, grey or black. */
  picture: (dice) => ({
    dpi: dice.oneOf([150, 200, 200, 300]),
    ink: dice.oneOf([0, 0, 40, 80]),
    turn: 0,
    blur: dice.oneOf([0, 0, 0.5]),
    noise: 0,
    shadow: 0,
    quality: dice.oneOf([undefined, 85, 60]),
  }),
  /** As a scanner gives it. */
  scan: (dice) => ({
    dpi: dice.oneOf([150, 200, 200, 300]),
    ink: dice.oneOf([0, 30, 70, 110]),
    turn: dice.between(-0.8, 0.8),
    blur: dice.oneOf([0.4, 0.6, 0.9]),
    noise: dice.between(1, 7),
    shadow: dice.oneOf([0, 0, 12]),
    quality: dice.oneOf([75, 60, 45]),
  }),
  /** As a telephone takes it, straightened roughly. */
  photo: (dice) => ({
    dpi: dice.oneOf([200, 250]),
    ink: dice.oneOf([20, 60, 90]),
    turn: dice.between(-2, 2),
    blur: dice.between(0.7, 1.2),
    noise: dice.between(3, 9),
    shadow: dice.between(30, 90),
    quality: dice.oneOf([80, 60]),
  }),
};

/**
 * The page as a picture.
 * @param {import('./page.mjs').Page} page
 * @param {keyof typeof RASTER_KINDS} kind
 * @returns {Promise<{ bytes: Buffer, extension: string, place: (xMm: number, yMm: number) => [x: number, y: number],
 * width: number, height: number, scale: number }>} a PNG or JPEG; where a point of the page is in it, pixels; pixels
 * per mm.
 */
export async function rasterOf(page, kind, seed) {
  const dice = new Dice(7_919 * seed + kind.length);
  const look = RASTER_KINDS[kind](dice);
  const scale = look.dpi / MM_PER_INCH;
  const [wide, high] = [Math.round(page.widthMm * scale), Math.round(page.heightMm * scale)];
  let image = sharp(Buffer.from(svgOf(page, wide, high, look)), { limitInputPixels: false }).flatten({
    background: '#fff',
  });
  const turn = (look.turn * Math.PI) / 180;
  if (turn !== 0) image = sharp(await image.png().toBuffer()).rotate(look.turn, { background: '#fff' });
  if (look.blur > 0) image = image.blur(Math.max(0.3, look.blur));
  const { data, info } = await image.grayscale().raw().toBuffer({ resolveWithObject: true });
  light(data, info, look, dice);
  const out = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).withMetadata({
    density: look.dpi,
  });
  const bytes = await (look.quality === undefined ? out.png() : out.jpeg({ quality: look.quality })).toBuffer();
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const place = (xMm, yMm) => {
    const [dx, dy] = [xMm * scale - wide / 2, yMm * scale - high / 2];
    return [dx * cos - dy * sin + info.width / 2, dx * sin + dy * cos + info.height / 2];
  };
  return {
    bytes,
    extension: look.quality === undefined ? '.png' : '.jpg',
    place,
    width: info.width,
    height: info.height,
    scale,
  };
}

/** Shadow and noise, in place. */
function light(data, { width, height, channels }, { noise, shadow }, dice) {
  if (noise === 0 && shadow === 0) return;
  const [fromX, fromY] = [dice.between(-0.5, 1.5), dice.between(-0.5, 1.5)];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const away = Math.min(1, Math.hypot(x / width - fromX, y / height - fromY) / 1.5);
      const grain = noise * (dice.random() + dice.random() + dice.random() - 1.5) * 1.6;
      const lit = 1 - (shadow / 255) * away;
      for (let c = 0; c < channels; c++) {
        const i = (y * width + x) * channels + c;
        data[i] = Math.max(0, Math.min(255, Math.round(data[i] * lit + grain)));
      }
    }
}

export function svgOf(page, wide, high, { ink }) {
  const color = `rgb(${ink},${ink},${ink})`;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${page.widthMm} ${page.heightMm}">`,
    `<g fill="none" stroke="${color}" stroke-linecap="round">`,
  ];
  const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join('L')}`;
  const stroke = (points, width) => out.push(`<path d="${path(points)}" stroke-width="${width.toFixed(3)}"/>`);
  const fill = (contours) =>
    out.push(`<path d="${contours.map(path).join('')}" fill="${color}" stroke="none" fill-rule="nonzero"/>`);
  for (const item of page.items) {
    if (item.points !== undefined) stroke(item.points, item.width);
    else if (item.fill !== undefined) fill([item.fill]);
    else if (item.circle !== undefined) {
      const [x, y, r] = item.circle;
      out.push(`<circle cx="${x}" cy="${y}" r="${r}" stroke-width="${item.width}"/>`);
    } else {
      const { strokes, areas } = placedText(item, page.style);
      for (const points of strokes) stroke(points, Math.max(page.style.line, 0.08 * item.height));
      for (const contours of areas) fill(contours);
    }
  }
  out.push('</g></svg>');
  return out.join('\n');
}
