/** Pages of plain primitives, written as PDF (ISO 32000-1). */
import { deflateSync } from 'node:zlib';

const POINTS_PER_MM = 72 / 25.4;

/**
 * A page as PDF.
 * @param {object} page widthMm, heightMm; `items` in the order in which they are drawn, mm, x to the right, y downwards:
 * { points, width, dash?, color? } a polyline; { fill, color? } a filled polygon; { text, x, y, height, up? } words
 * from the start of their baseline, upwards if `up`; { picture: { widthPx, heightPx, gray }, x, y, widthMm, heightMm }.
 * Colours are three shares of red, green and blue, default black. `jpeg`: { bytes, widthPx, heightPx } over the whole
 * page instead.
 */
export function pdfOf({ widthMm, heightMm, items = [], jpeg }) {
  const objects = [];
  const add = (dictionary, bytes) => {
    objects.push({ dictionary, bytes });
    return objects.length;
  };
  const pictures = [];
  const k = POINTS_PER_MM;
  const at = (x, y) => `${(k * x).toFixed(3)} ${(k * (heightMm - y)).toFixed(3)}`;
  const path = (points) => points.map(([x, y], i) => `${at(x, y)} ${i === 0 ? 'm' : 'l'}`).join(' ');
  const inColor = (color = [0, 0, 0]) => `${color.join(' ')} RG ${color.join(' ')} rg`;
  const lines = items.map((item) => {
    if (item.points !== undefined) {
      const dash = (item.dash ?? []).map((length) => (k * length).toFixed(2)).join(' ');
      return `${inColor(item.color)} ${(k * item.width).toFixed(3)} w [${dash}] 0 d ${path(item.points)} S`;
    }
    if (item.fill !== undefined) return `${inColor(item.color)} ${path(item.fill)} f`;
    if (item.text !== undefined) {
      const turn = item.up ? '0 1 -1 0' : '1 0 0 1';
      const words = item.text.replace(/[\\()]/g, '\\$&');
      // The capitals of Helvetica are 0.72 of its size.
      const size = ((k * item.height) / 0.72).toFixed(2);
      return `${inColor(item.color)} BT /F1 ${size} Tf ${turn} ${at(item.x, item.y)} Tm (${words}) Tj ET`;
    }
    const { picture, x, y, widthMm: width, heightMm: height } = item;
    pictures.push(picture);
    return `q ${(k * width).toFixed(3)} 0 0 ${(k * height).toFixed(3)} ${at(x, y + height)} cm /Im${pictures.length - 1} Do Q`;
  });
  const size = `${(k * widthMm).toFixed(3)} ${(k * heightMm).toFixed(3)}`;
  if (jpeg !== undefined) lines.push(`q ${size.replace(' ', ' 0 0 ')} 0 0 cm /Im0 Do Q`);
  const gray = (widthPx, heightPx) =>
    `/Type /XObject /Subtype /Image /Width ${widthPx} /Height ${heightPx} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  const images = pictures.map((picture) =>
    add(`${gray(picture.widthPx, picture.heightPx)} /Filter /FlateDecode`, deflateSync(picture.gray)),
  );
  if (jpeg !== undefined) images.push(add(`${gray(jpeg.widthPx, jpeg.heightPx)} /Filter /DCTDecode`, jpeg.bytes));
  const content = add('/Filter /FlateDecode', deflateSync(Buffer.from(lines.join('\n'), 'latin1')));
  const font = add('/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding');
  const named = images.map((id, i) => `/Im${i} ${id} 0 R`).join(' ');
  const pages = objects.length + 2;
  const page = add(
    `/Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${size}] /Contents ${content} 0 R ` +
      `/Resources << /Font << /F1 ${font} 0 R >> /XObject << ${named} >> >>`,
  );
  add(`/Type /Pages /Kids [${page} 0 R] /Count 1`);
  const catalog = add(`/Type /Catalog /Pages ${pages} 0 R`);
  return written(objects, catalog);
}

function written(objects, catalog) {
  const parts = [Buffer.from('%PDF-1.4\n')];
  let end = parts[0].length;
  const put = (bytes) => {
    parts.push(Buffer.from(bytes));
    end += parts.at(-1).length;
  };
  const starts = objects.map(({ dictionary, bytes }, i) => {
    const start = end;
    put(`${i + 1} 0 obj\n<< ${dictionary}${bytes === undefined ? '' : ` /Length ${bytes.length}`} >>\n`);
    if (bytes !== undefined) {
      put('stream\n');
      put(bytes);
      put('\nendstream\n');
    }
    put('endobj\n');
    return start;
  });
  const table = end;
  const rows = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`);
  put(`trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Uint8Array(Buffer.concat(parts));
}
