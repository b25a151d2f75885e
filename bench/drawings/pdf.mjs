// A page of bench/drawings as PDF (ISO 32000-1): its text as text, or as outlines and strokes.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { drawnText, hasPrinted, PRINTED, printedFont, strokesOf } from './lettering.mjs';

const K = 72 / 25.4;
/** Circles by four curves. */
const KAPPA = 0.5522847498;
/** Units of the plotter font's glyphs per height of a capital. */
const GRID = 1_000;

/**
 * The page as a PDF file.
 * @param {import('./page.mjs').Page} page
 * @param {'text' | 'outlines'} lettering
 */
export function pdfOf(page, lettering) {
  const objects = [];
  const add = (dictionary, bytes) => objects.push({ dictionary, bytes });
  const fonts = new Fonts(page.style, add);
  const out = [`0 G 0 g 1 J`];
  for (const item of page.items) out.push(drawn(item, page, fonts, lettering));
  const content = add('/Filter /FlateDecode', deflateSync(Buffer.from(out.join('\n'), 'latin1')));
  const named = fonts.finish();
  const size = `${(K * page.widthMm).toFixed(2)} ${(K * page.heightMm).toFixed(2)}`;
  const pages = objects.length + 2;
  const at = add(
    `/Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${size}] /Contents ${content} 0 R /Resources << /Font << ${named} >> >>`,
  );
  add(`/Type /Pages /Kids [${at} 0 R] /Count 1`);
  return written(objects, add(`/Type /Catalog /Pages ${pages} 0 R`));
}

function drawn(item, { heightMm, style }, fonts, lettering) {
  const at = ([x, y]) => `${(K * x).toFixed(3)} ${(K * (heightMm - y)).toFixed(3)}`;
  const path = (points) => points.map((point, i) => `${at(point)} ${i === 0 ? 'm' : 'l'}`).join(' ');
  if (item.points !== undefined) return `${(K * item.width).toFixed(3)} w ${path(item.points)} S`;
  if (item.fill !== undefined) return `${path(item.fill)} f`;
  if (item.circle !== undefined) {
    const [x, y, r] = item.circle;
    const c = KAPPA * r;
    const arcs = [
      [x + r, y - c, x + c, y - r, x, y - r],
      [x - c, y - r, x - r, y - c, x - r, y],
      [x - r, y + c, x - c, y + r, x, y + r],
      [x + c, y + r, x + r, y + c, x + r, y],
    ];
    const curves = arcs.map((p) => `${at(p.slice(0, 2))} ${at(p.slice(2, 4))} ${at(p.slice(4))} c`);
    return `${(K * item.width).toFixed(3)} w ${at([x + r, y])} m ${curves.join(' ')} S`;
  }
  if (lettering === 'outlines') {
    const { strokes, areas } = placedText(item, style);
    const width = (K * Math.max(style.line, 0.08 * item.height)).toFixed(3);
    return [
      ...strokes.map((points) => `${width} w ${path(points)} S`),
      ...areas.map((contours) => `${contours.map((points) => path(points)).join(' ')} f`),
    ].join('\n');
  }
  return fonts.text(item, heightMm);
}

/** A text of a page as strokes and areas on the page, mm. */
export function placedText({ text, x, y, height, angle, shear = 0 }, style) {
  const { strokes, areas } = drawnText(text, style);
  const cos = Math.cos(angle),
    sin = Math.sin(angle);
  const place = ([ux, py]) => {
    const px = ux - shear * py;
    return [x + height * (px * cos + py * sin), y + height * (px * sin - py * cos)];
  };
  return {
    strokes: strokes.map((points) => points.map(place)),
    areas: areas.map((contours) => contours.map((points) => points.map(place))),
  };
}

/** The fonts of a file: a plotter font whose glyphs are strokes, and a printed one that is embedded. */
class Fonts {
  #style;
  #add;
  #plotted = new Map();
  #printed = new Map();

  constructor(style, add) {
    this.#style = style;
    this.#add = add;
  }

  text({ text, x, y, height, angle, shear = 0 }, heightMm) {
    const { stretch, printed } = this.#style;
    const slant = this.#style.slant - shear;
    const cos = Math.cos(angle),
      sin = Math.sin(angle);
    const shown = this.#style.letterSign && printed !== undefined ? text.replaceAll('⌀', 'Ø') : text;
    const runs = [];
    for (const sign of shown) {
      const isPrinted = printed !== undefined && hasPrinted(printed, sign);
      if (runs.at(-1)?.isPrinted === isPrinted) runs.at(-1).text += sign;
      else runs.push({ isPrinted, text: sign });
    }
    let along = 0;
    const out = [];
    for (const run of runs) {
      const size = run.isPrinted ? height / PRINTED[printed].capital : height;
      // The page turns clockwise, the file counter-clockwise.
      const matrix = [cos * stretch, -sin * stretch, slant * cos + sin, cos - slant * sin];
      const px = x + along * cos,
        py = y + along * sin;
      const codes = [...run.text].map((sign) => (run.isPrinted ? this.#printedCode(sign) : this.#plottedCode(sign)));
      out.push(
        `BT /${run.isPrinted ? 'F1' : 'F2'} ${(K * size).toFixed(3)} Tf ${matrix.map((v) => v.toFixed(5)).join(' ')} ` +
          `${(K * px).toFixed(3)} ${(K * (heightMm - py)).toFixed(3)} Tm <${codes.join('')}> Tj ET`,
      );
      along += height * drawnText(run.text, { ...this.#style, printed: run.isPrinted ? printed : undefined }).width;
    }
    return out.join('\n');
  }

  #printedCode(sign) {
    const index = printedFont(this.#style.printed).charToGlyphIndex(sign);
    this.#printed.set(index, sign);
    return index.toString(16).padStart(4, '0');
  }

  #plottedCode(sign) {
    if (!this.#plotted.has(sign)) this.#plotted.set(sign, this.#plotted.size + 1);
    return this.#plotted.get(sign).toString(16).padStart(2, '0');
  }

  /** Writes the fonts and returns their names for the page. */
  finish() {
    const names = [];
    if (this.#printed.size > 0) names.push(`/F1 ${this.#embedded()} 0 R`);
    if (this.#plotted.size > 0) names.push(`/F2 ${this.#drawnFont()} 0 R`);
    return names.join(' ');
  }

  #unicode(codes, digits) {
    const rows = codes.map(([code, sign]) => {
      const units = [...Array(sign.length).keys()].map((i) => sign.charCodeAt(i).toString(16).padStart(4, '0'));
      return `<${code.toString(16).padStart(digits, '0')}> <${units.join('')}>`;
    });
    const blocks = [];
    for (let i = 0; i < rows.length; i += 100)
      blocks.push(`${Math.min(100, rows.length - i)} beginbfchar\n${rows.slice(i, i + 100).join('\n')}\nendbfchar`);
    const text =
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def\n1 begincodespacerange ` +
      `<${'0'.repeat(digits)}> <${'f'.repeat(digits)}> endcodespacerange\n${blocks.join('\n')}\nendcmap end end`;
    return this.#add('/Filter /FlateDecode', deflateSync(Buffer.from(text)));
  }

  #embedded() {
    const name = this.#style.printed;
    const font = printedFont(name);
    const bytes = readFileSync(PRINTED[name].file);
    const unicode = this.#unicode([...this.#printed], 4);
    const file = this.#add(`/Length1 ${bytes.length} /Filter /FlateDecode`, deflateSync(bytes));
    const descriptor = this.#add(
      `/Type /FontDescriptor /FontName /Sans /Flags 4 /FontBBox [-500 -300 1500 1000] /ItalicAngle 0 /Ascent 905 ` +
        `/Descent -212 /CapHeight 729 /StemV 80 /FontFile2 ${file} 0 R`,
    );
    const widths = [...this.#printed.keys()].map(
      (index) => `${index} [${Math.round((1000 * font.glyphs.get(index).advanceWidth) / font.unitsPerEm)}]`,
    );
    const below = this.#add(
      `/Type /Font /Subtype /CIDFontType2 /BaseFont /Sans /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ` +
        `/Supplement 0 >> /FontDescriptor ${descriptor} 0 R /W [${widths.join(' ')}] /CIDToGIDMap /Identity`,
    );
    return this.#add(
      `/Type /Font /Subtype /Type0 /BaseFont /Sans /Encoding /Identity-H /DescendantFonts [${below} 0 R] /ToUnicode ${unicode} 0 R`,
    );
  }

  #drawnFont() {
    const codes = [...this.#plotted].map(([sign, code]) => [code, sign]);
    const unicode = this.#unicode(codes, 2);
    const widths = [];
    const glyphs = codes.map(([code, sign]) => {
      const { paths, width } = strokesOf(sign, this.#style.stroke);
      widths.push(Math.round(GRID * width));
      const shown = paths.map((points) =>
        points.map(([x, y], i) => `${Math.round(GRID * x)} ${Math.round(GRID * y)} ${i === 0 ? 'm' : 'l'}`).join(' '),
      );
      const text = `${Math.round(GRID * width)} 0 d0 80 w 1 J ${shown.map((each) => `${each} S`).join(' ')}`;
      return `/g${code} ${this.#add('/Filter /FlateDecode', deflateSync(Buffer.from(text)))} 0 R`;
    });
    return this.#add(
      `/Type /Font /Subtype /Type3 /FontBBox [-100 -400 1500 1200] /FontMatrix [${1 / GRID} 0 0 ${1 / GRID} 0 0] ` +
        `/FirstChar 1 /LastChar ${codes.length} /Widths [${widths.join(' ')}] /CharProcs << ${glyphs.join(' ')} >> ` +
        `/Encoding << /Type /Encoding /Differences [1 ${codes.map(([code]) => `/g${code}`).join(' ')}] >> ` +
        `/Resources << >> /ToUnicode ${unicode} 0 R`,
    );
  }
}

function written(objects, catalog) {
  const parts = [Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let end = parts[0].length;
  const starts = objects.map(({ dictionary, bytes }, i) => {
    const start = end;
    const head = `${i + 1} 0 obj\n<< ${dictionary}${bytes === undefined ? '' : ` /Length ${bytes.length}`} >>\n`;
    const body = bytes === undefined ? [] : [Buffer.from('stream\n'), Buffer.from(bytes), Buffer.from('\nendstream\n')];
    for (const part of [Buffer.from(head), ...body, Buffer.from('endobj\n')]) {
      parts.push(part);
      end += part.length;
    }
    return start;
  });
  const rows = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} ` +
        `/Root ${catalog} 0 R >>\nstartxref\n${end}\n%%EOF\n`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}
