import sharp from 'sharp';
import { checkInteger, withDefaults } from '../options.js';

/** A picture with two lines of text. */
export interface Tile {
  /** A PNG, drawn at its own size or reduced to the tile. Absent: an empty tile. */
  readonly png?: Uint8Array;
  readonly title: string;
  readonly caption: string;
}

/** Layout of a contact sheet. */
export interface ContactSheetOptions {
  /** Tiles per row, 1 to 20. Default 5. */
  readonly columns: number;
  /** Side of a picture, 32 to 512 pixels. Default 200. */
  readonly tileSize: number;
}

const DEFAULTS: ContactSheetOptions = Object.freeze({ columns: 5, tileSize: 200 });

/** Most tiles of a sheet: the largest PNG that viewers commonly open. */
const MOST_TILES = 500;
const GAP = 16;
const TITLE_HEIGHT = 18;
const CAPTION_HEIGHT = 16;
const TITLE_FONT = 13;
const CAPTION_FONT = 11.5;
/** Mean letter width over font size for a wide text, bold and regular: the font is one of the machine's. */
const TITLE_LETTER = 0.68;
const CAPTION_LETTER = 0.6;

/**
 * Arranges pictures in rows, each with a title and a caption beneath, as one PNG. Texts that are too long lose their
 * beginning, because paths differ at their end.
 * @throws TypeError or RangeError that names a wrong option.
 */
export async function contactSheet(
  tiles: readonly Tile[],
  options?: Partial<ContactSheetOptions>,
): Promise<Uint8Array> {
  const { columns, tileSize } = withDefaults('contact sheet options', options, DEFAULTS);
  checkInteger('contact sheet options.columns', columns, 1, 20);
  checkInteger('contact sheet options.tileSize', tileSize, 32, 512);
  checkInteger('the number of tiles', tiles.length, 1, MOST_TILES);
  const pitchX = tileSize + GAP,
    pitchY = tileSize + TITLE_HEIGHT + CAPTION_HEIGHT + GAP;
  const width = GAP + Math.min(columns, tiles.length) * pitchX;
  const height = GAP + Math.ceil(tiles.length / columns) * pitchY;
  const placed = tiles.map((tile, i) => ({
    tile,
    left: GAP + (i % columns) * pitchX,
    top: GAP + Math.floor(i / columns) * pitchY,
  }));

  const pictures = await Promise.all(
    placed.flatMap(({ tile, left, top }) =>
      tile.png === undefined ? [] : [fitted(tile.png, tileSize).then((input) => ({ input, left, top }))],
    ),
  );
  const labels = placed
    .map(({ tile, left, top }) => label(tile, left + tileSize / 2, top + tileSize, tileSize))
    .join('');
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `font-family="sans-serif" text-anchor="middle">${labels}</svg>`;
  return sharp({ create: { width, height, channels: 3, background: 'white' } })
    .composite([...pictures, { input: Buffer.from(svg), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** The picture, centred in a square of the tile's size. */
function fitted(png: Uint8Array, tileSize: number): Promise<Buffer> {
  return sharp(png)
    .resize(tileSize, tileSize, {
      fit: 'contain',
      withoutEnlargement: true,
      background: { r: 255, g: 255, b: 255, alpha: 0 },
    })
    .png()
    .toBuffer();
}

function label({ title, caption }: Tile, x: number, y: number, width: number): string {
  return (
    `<text x="${x}" y="${y + 14}" font-size="${TITLE_FONT}" font-weight="bold" fill="#222">` +
    `${shortened(title, width / (TITLE_LETTER * TITLE_FONT))}</text>` +
    `<text x="${x}" y="${y + 14 + CAPTION_HEIGHT}" font-size="${CAPTION_FONT}" fill="#666">` +
    `${shortened(caption, width / (CAPTION_LETTER * CAPTION_FONT))}</text>`
  );
}

/** As many letters from the end of the text as fit, escaped for SVG. */
function shortened(text: string, room: number): string {
  const most = Math.floor(room);
  const letters = [...text.replace(/\p{Cc}|\p{Cs}/gu, '\ufffd')];
  const kept = letters.length <= most ? letters.join('') : `…${letters.slice(letters.length - most + 1).join('')}`;
  return kept.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
