import sharp from 'sharp';
import type { Picture } from '../../dist/content/sheet.js';

/** A box in pixels of a drawn page. */
export interface DrawnBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels of a page that SVG elements draw on white. */
export async function draw(elements: string, width: number, height: number, background = 'white'): Promise<Picture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${background}"/>${elements}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    widthPx: info.width,
    heightPx: info.height,
    gray: Uint8Array.from({ length: info.width * info.height }, (_, i) => data[info.channels * i]),
  };
}

/** Where the views of {@link drawingPage} stand. */
export const VIEWS: readonly DrawnBox[] = [
  { x: 300, y: 400, width: 500, height: 300 },
  { x: 1000, y: 400, width: 160, height: 300 },
  { x: 300, y: 900, width: 500, height: 160 },
];

/**
 * A page of 1 700 by 1 200 with a frame, a title block with text, and three views: a stepped plate with holes, its side
 * and its top; two dimensions with arrowheads and text, which are as wide as `thin`.
 */
export function drawingPage(thin = 2, wide = 4): string {
  const line = (x1: number, y1: number, x2: number, y2: number, w = thin): string =>
    `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="black" stroke-width="${w}"/>`;
  const arrow = (x: number, y: number, dx: number, dy: number): string =>
    `<path d="M${x} ${y}l${24 * dx - 6 * dy} ${24 * dy + 6 * dx}l${12 * dy} ${-12 * dx}z"/>`;
  const shape = (d: string): string => `<path d="${d}" fill="none" stroke="black" stroke-width="${wide}"/>`;
  const text = (x: number, y: number, words: string): string =>
    `<text x="${x}" y="${y}" font-size="26" font-family="sans-serif">${words}</text>`;
  return [
    `<rect x="60" y="60" width="1580" height="1080" fill="none" stroke="black" stroke-width="5"/>`,
    `<path d="M1100 940H1640M1100 1010H1640M1100 1075H1640M1100 940V1140M1380 940V1140" stroke="black" stroke-width="3"/>`,
    text(1110, 985, 'BRACKET'),
    text(1400, 985, 'AB-123/4'),
    text(1110, 1050, 'STEEL'),
    text(1400, 1050, '2.5 kg'),
    text(1110, 1120, 'A3'),
    text(1400, 1120, '1:1'),
    shape('M300 400H500V480H800V700H300Z'),
    `<circle cx="420" cy="600" r="50" fill="none" stroke="black" stroke-width="${wide}"/>`,
    `<circle cx="680" cy="600" r="60" fill="none" stroke="black" stroke-width="${wide}"/>`,
    shape('M1000 400H1160V700H1000ZM1000 480H1160'),
    shape('M300 900H800V1060H300ZM500 900V1060'),
    line(300, 385, 300, 300),
    line(800, 470, 800, 300),
    line(300, 320, 800, 320),
    arrow(300, 320, 1, 0),
    arrow(800, 320, -1, 0),
    text(520, 310, '125.00'),
    line(285, 400, 180, 400),
    line(285, 700, 180, 700),
    line(200, 400, 200, 700),
    arrow(200, 400, 0, 1),
    arrow(200, 700, 0, -1),
    text(105, 560, '75.0'),
  ].join('');
}

/** The page as a scanner gives it: turned by `deg` clockwise, on grey paper with noise that a seed determines. */
export function scanned(
  { widthPx, heightPx, gray }: Picture,
  deg: number,
  noise: number,
  random: () => number,
): Picture {
  const cos = Math.cos((deg * Math.PI) / 180),
    sin = Math.sin((deg * Math.PI) / 180);
  const scan = new Uint8Array(gray.length);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const u = x - widthPx / 2,
        v = y - heightPx / 2;
      const fromX = Math.round(u * cos + v * sin + widthPx / 2),
        fromY = Math.round(v * cos - u * sin + heightPx / 2);
      const value =
        fromX < 0 || fromY < 0 || fromX >= widthPx || fromY >= heightPx ? 255 : gray[fromY * widthPx + fromX];
      const light = 225 + 20 * (x / widthPx) - 15 * (y / heightPx);
      scan[y * widthPx + x] = Math.max(
        0,
        Math.min(255, light * (0.12 + (0.88 * value) / 255) + noise * (random() + random() + random() - 1.5) * 2),
      );
    }
  }
  return { widthPx, heightPx, gray: scan };
}
