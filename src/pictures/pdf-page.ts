import { deflateSync } from 'node:zlib';
import type { Picture } from '../content/sheet.js';
import { PdfFonts } from './pdf-fonts.js';

/** Colour (0xRRGGBB) and line style of a path. */
export interface PathStyle {
  readonly color: number;
  /** Points; undefined: the area is filled. */
  readonly lineWidth?: number;
  /** Lengths of dashes and gaps in turn, points. */
  readonly dash?: readonly number[];
}

/** A line of text. */
export interface TextLine {
  readonly text: string;
  /** Start of its baseline. */
  readonly x: number;
  readonly y: number;
  /** Font size, points. */
  readonly size: number;
  /** Clockwise. */
  readonly angleRad?: number;
  /** Width to which it is squeezed or stretched; absent: its natural width. */
  readonly width?: number;
  readonly isBold?: boolean;
  readonly color?: number;
}

/**
 * Writes a PDF of one page, so that sheets and texts are drawn by the same renderer as the pages of PDF files. Frame:
 * points, x to the right, y downwards, origin upper left. Text uses the standard fonts, which the renderer ships, so
 * the fonts of the machine do not matter. Source: ISO 32000-1.
 */
export class PdfPage {
  readonly #width: number;
  readonly #height: number;
  readonly #content: string[] = [];
  readonly #fonts = new PdfFonts();
  readonly #pictures: Picture[] = [];
  #style = '';

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /**
   * Lines or, in a filled style, areas (even-odd rule).
   * @param polylines each x, y, x, y …
   */
  draw(polylines: readonly (readonly number[])[], style: PathStyle): void {
    this.#set(style);
    for (const points of polylines) {
      for (let i = 0; i + 1 < points.length; i += 2)
        this.#content.push(`${n(points[i])} ${n(this.#height - points[i + 1])} ${i === 0 ? 'm' : 'l'}\n`);
      if (isClosed(points)) this.#content.push('h\n');
    }
    this.#content.push(style.lineWidth === undefined ? 'f*\n' : 'S\n');
  }

  /** Text on one line. */
  write({ text, x, y, size, angleRad = 0, width, isBold = false, color = 0 }: TextLine): void {
    const runs = this.#fonts.runs(text, isBold);
    const natural = size * runs.reduce((sum, run) => sum + run.width, 0);
    if (natural <= 0) return;
    const squeeze = width === undefined || width <= 0 ? 1 : Math.min(2, Math.max(0.4, width / natural));
    const cos = Math.cos(angleRad),
      sin = Math.sin(angleRad);
    this.#set({ color });
    this.#content.push(
      `BT ${n(100 * squeeze)} Tz ${n(cos)} ${n(-sin)} ${n(sin)} ${n(cos)} ${n(x)} ${n(this.#height - y)} Tm\n`,
    );
    for (const { font, hex } of runs) this.#content.push(`/${font} ${n(size)} Tf <${hex}> Tj\n`);
    this.#content.push('ET\n');
  }

  /** A grey picture in a rectangle. */
  place(picture: Picture, x: number, y: number, width: number, height: number): void {
    this.#pictures.push(picture);
    this.#content.push(
      `q ${n(width)} 0 0 ${n(height)} ${n(x)} ${n(this.#height - y - height)} cm /P${this.#pictures.length} Do Q\n`,
    );
  }

  /** Width of a text in ems, without drawing it. */
  measure(text: string, isBold = false): number {
    return this.#fonts.runs(text, isBold).reduce((sum, { width }) => sum + width, 0);
  }

  /** The file. */
  end(): Uint8Array {
    const objects = new Objects();
    const fonts = this.#fonts.objects().map(({ name, body }) => `/${name} ${objects.add(body)} 0 R`);
    const pictures = this.#pictures.map(
      ({ widthPx, heightPx, gray }, i) =>
        `/P${i + 1} ${objects.addStream(
          `/Type /XObject /Subtype /Image /Width ${widthPx} /Height ${heightPx} ` +
            '/ColorSpace /DeviceGray /BitsPerComponent 8',
          gray,
        )} 0 R`,
    );
    const content = objects.addStream('', Buffer.from(this.#content.join(''), 'latin1'));
    const pages = objects.count + 2;
    const page = objects.add(
      `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${n(this.#width)} ${n(this.#height)}] ` +
        `/Contents ${content} 0 R ` +
        `/Resources << /Font << ${fonts.join(' ')} >> /XObject << ${pictures.join(' ')} >> >> >>`,
    );
    objects.add(`<< /Type /Pages /Count 1 /Kids [${page} 0 R] >>`);
    return objects.end(objects.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
  }

  #set({ color, lineWidth, dash = [] }: PathStyle): void {
    const [red, green, blue] = [color >> 16, color >> 8, color].map((channel) => n((channel & 255) / 255));
    const style =
      lineWidth === undefined
        ? `${red} ${green} ${blue} rg\n`
        : `${red} ${green} ${blue} RG ${n(lineWidth)} w [${dash.map(n).join(' ')}] 0 d 1 J 1 j\n`;
    if (style === this.#style) return;
    this.#style = style;
    this.#content.push(style);
  }
}

/** Objects of a file, numbered from 1. */
class Objects {
  readonly #parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  readonly #offsets: number[] = [];
  #length = this.#parts[0].length;

  get count(): number {
    return this.#offsets.length;
  }

  add(body: string | Buffer): number {
    this.#offsets.push(this.#length);
    const part = Buffer.concat([Buffer.from(`${this.count} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    this.#parts.push(part);
    this.#length += part.length;
    return this.count;
  }

  addStream(dictionary: string, bytes: Uint8Array): number {
    const packed = deflateSync(bytes, { level: 1 });
    return this.add(
      Buffer.concat([
        Buffer.from(`<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
        packed,
        Buffer.from('\nendstream'),
      ]),
    );
  }

  end(root: number): Uint8Array {
    const entries = this.#offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const table =
      `xref\n0 ${this.count + 1}\n0000000000 65535 f \n${entries}` +
      `trailer << /Size ${this.count + 1} /Root ${root} 0 R >>\nstartxref\n${this.#length}\n%%EOF\n`;
    return Buffer.concat([...this.#parts, Buffer.from(table)]);
  }
}

function isClosed(points: readonly number[]): boolean {
  const last = points.length - 2;
  return last >= 4 && points[0] === points[last] && points[1] === points[last + 1];
}

/** A number in PDF syntax: no exponent. */
function n(value: number): string {
  if (!Number.isFinite(value)) return '0';
  return Number.isInteger(value) ? value.toFixed(0) : value.toFixed(Math.abs(value) < 1 ? 4 : 2);
}
