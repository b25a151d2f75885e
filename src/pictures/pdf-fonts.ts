/** A piece of text in one font. */
export interface FontRun {
  readonly font: string;
  /** Codes of its characters, two digits each. */
  readonly hex: string;
  /** In ems. */
  readonly width: number;
}

/** Characters beyond ASCII in one font: the codes 128 to 255. */
const FONT_ROOM = 128;
/** Most fonts; what has no room any more is drawn as a question mark. */
const MOST_FONTS = 16;

/**
 * Advance widths of ASCII from the space on in Helvetica, thousandths of an em (Adobe Font Metrics); bold is some 6 %
 * wider.
 */
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];
const BOLD_FACTOR = 1.06;

/** Characters that the standard fonts lack, and lookalikes that they have. */
const SUBSTITUTES = new Map(
  ['\u2300Ø', '\u2205Ø', '\u00a0 ', '\u202f ', '\u2009 ', '\u2010-', '\u2011-', '\u2212\u2013', '\u00ad-'].map(
    ([character, like]) => [character, like],
  ),
);
/** Stands for a character without a lookalike (Chinese, for example). */
const UNKNOWN = '\u25a1';

/** The fonts of a page: Helvetica and its bold, each repeated for every 128 different characters beyond ASCII. */
export class PdfFonts {
  readonly #plain: Map<string, number>[] = [new Map()];
  readonly #bold: Map<string, number>[] = [new Map()];

  /** The text, split where the font changes. */
  runs(text: string, isBold: boolean): FontRun[] {
    const runs: { font: string; hex: string; width: number }[] = [];
    for (const written of text.normalize('NFC')) {
      const character = substitute(written);
      const { font, code } = this.#codeOf(character, isBold);
      if (runs.at(-1)?.font !== font) runs.push({ font, hex: '', width: 0 });
      const run = runs[runs.length - 1];
      run.hex += code.toString(16).padStart(2, '0');
      run.width += widthOf(character, isBold) / 1_000;
    }
    return runs;
  }

  /** The font dictionaries. */
  objects(): { name: string; body: string }[] {
    return [
      ...this.#plain.map((codes, i) => object(`F${i}`, codes, false)),
      ...this.#bold.map((codes, i) => object(`B${i}`, codes, true)),
    ];
  }

  #codeOf(character: string, isBold: boolean): { font: string; code: number } {
    const fonts = isBold ? this.#bold : this.#plain;
    const letter = isBold ? 'B' : 'F';
    if (character < '\u0080') return { font: `${letter}0`, code: character.charCodeAt(0) };
    const known = fonts.findIndex((codes) => codes.has(character));
    if (known >= 0) return { font: `${letter}${known}`, code: fonts[known].get(character)! };
    if (fonts[fonts.length - 1].size === FONT_ROOM) {
      if (fonts.length === MOST_FONTS) return { font: `${letter}0`, code: 0x3f };
      fonts.push(new Map());
    }
    const codes = fonts[fonts.length - 1];
    const code = 0x80 + codes.size;
    codes.set(character, code);
    return { font: `${letter}${fonts.length - 1}`, code };
  }
}

function substitute(character: string): string {
  if (character < ' ' || character === '\u007f') return ' ';
  const point = character.codePointAt(0)!;
  // Latin, Greek, Cyrillic; punctuation, currency, letter-like and mathematical symbols, shapes.
  const isKnown = point < 0x530 || (point >= 0x1e00 && point < 0x2400) || (point >= 0x2500 && point < 0x2600);
  return SUBSTITUTES.get(character) ?? (isKnown ? character : UNKNOWN);
}

function widthOf(character: string, isBold: boolean): number {
  // Letters with accents are as wide as without.
  const base = character.normalize('NFD')[0];
  const plain =
    WIDTHS[base.charCodeAt(0) - 32] ??
    (character === 'Ø' ? 778 : character === '°' ? 400 : character === UNKNOWN ? 604 : 600);
  return isBold ? Math.round(plain * BOLD_FACTOR) : plain;
}

function object(name: string, codes: ReadonlyMap<string, number>, isBold: boolean): { name: string; body: string } {
  const base = isBold ? 'Helvetica-Bold' : 'Helvetica';
  const ascii = Array.from({ length: 95 }, (_, i) => widthOf(String.fromCharCode(32 + i), isBold));
  const widths = [...ascii, 0, ...[...codes.keys()].map((character) => widthOf(character, isBold))];
  const names = [...codes.keys()].map(
    (character) => `/uni${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return {
    name,
    body:
      `<< /Type /Font /Subtype /Type1 /BaseFont /${base} /FirstChar 32 ` +
      `/LastChar ${31 + widths.length} /Widths [${widths.join(' ')}] ` +
      `/FontDescriptor << /Type /FontDescriptor /FontName /${base} /Flags 32 ` +
      `/FontBBox [-170 -230 1000 940] /ItalicAngle 0 /Ascent 718 /Descent -207 /CapHeight 718 ` +
      `/StemV ${isBold ? 140 : 88} >> ` +
      `/Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [128 ${names.join(' ')}] >> >>`,
  };
}
