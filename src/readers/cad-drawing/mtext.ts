/**
 * The plain text of AutoCAD text with format codes (TEXT, MTEXT, dimension text, TOLERANCE; "Format codes for multiline
 * text" in the AutoCAD help). acad-ts 3.2.0 strips some codes only: stacked fractions, \U+ and %% codes stay in its
 * text. Lines are separated by `\n`; stacked parts are written side by side: `+0.1 -0.2`, `1/2`, limits as
 * `16.05/15.95`.
 */
export function plainMtext(text: string): string {
  return symbolsOf(withoutFormats(text)).replace(/\u0000/g, '');
}

/** Symbols of ISO 1101 and ASME Y14.5 by letter of AutoCAD's font gdt.shx. */
const GDT: Readonly<Record<string, string>> = Object.fromEntries(
  'a∠ b⊥ c⏥ d⌓ e○ f∥ g⌭ h↗ i⌯ j⌖ k⌒ lⓁ mⓂ n⌀ pⓅ r◎ sⓈ t⌰ u⏤ v⌴ w⌵ x↧ y⌲ z⌳'
    .split(' ')
    .map(([letter, symbol]) => [letter, symbol]),
);

/** Removes the format codes in one pass. A font set inside a group ends with the group. */
function withoutFormats(text: string): string {
  // Pieces, none of them empty: to look at the end of a string that grows would copy it each time.
  const plain: string[] = [];
  const add = (piece: string): void => {
    if (piece !== '') plain.push(piece);
  };
  const semicolonFrom = nextOf(text, ';');
  let symbols = false;
  const fonts: boolean[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') {
      fonts.push(symbols);
    } else if (character === '}') {
      symbols = fonts.pop() ?? false;
    } else if (character === '^' && at + 1 < text.length) {
      // Control characters: ^I tab, ^J new line, "^ " the caret itself.
      const next = text[++at];
      add(next === 'J' || next === 'M' ? '\n' : next === ' ' ? '^' : ' ');
    } else if (character !== '\\' || at + 1 >= text.length) {
      add(symbols ? (GDT[character] ?? character) : character);
    } else {
      const code = text[++at];
      const end = semicolonFrom(at);
      const unicode = /^[uU]\+([0-9a-f]{4})/i.exec(text.slice(at, at + 6));
      if (unicode !== null) {
        add(String.fromCharCode(parseInt(unicode[1], 16)));
        at += 5;
      } else if (/^M\+\d[0-9a-f]{4}/i.test(text.slice(at, at + 7))) {
        // A character of an Asian code page, which is not decoded.
        add('\ufffd');
        at += 6;
      } else if (code === 'P' || code === 'N' || code === 'X') {
        add('\n');
      } else if (code === '~') {
        add(' ');
      } else if (code === 'S' && end >= 0) {
        const part = stacked(text.slice(at + 1, end));
        // A fraction belongs to the whole number before it, and is none of its digits: `4'-0 1/4"`.
        add(/\d$/.test(plain.at(-1) ?? '') && /^\d+\/\d/.test(part) ? ` ${part}` : part);
        at = end;
      } else if (/[ACcFfHTQWp]/.test(code) && end >= 0) {
        if (code === 'F' || code === 'f') symbols = /^[^|;]*\bgdt\b|amgdt/i.test(text.slice(at + 1, end));
        at = end;
      } else if (!/[LlOoKk]/.test(code)) {
        // An escaped \, { or }, or an unknown code.
        add(code);
      }
    }
  }
  return plain.join('');
}

/** Finds the next `part` from a place on, asked for rising places: what has been searched is not searched again. */
function nextOf(text: string, part: string): (from: number) => number {
  let found = -1;
  let hasMore = true;
  return (from) => {
    if (hasMore && found < from) {
      found = text.indexOf(part, from);
      hasMore = found >= 0;
    }
    return hasMore ? found : -1;
  };
}

/** `1/2` and `1#2` are fractions; `+0.1^-0.2` has an upper and a lower part, and so have limits. */
function stacked(written: string): string {
  const text = written.replace(/\\U\+([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  const parts = /^((?:\\.|[^\\/#^])*)([/#^])([^]*)$/.exec(text);
  if (parts === null) return text.replace(/\\(.)/g, '$1');
  const [above, kind, below] = parts.slice(1).map((each) => each.trim());
  if (kind !== '^' || areLimits(above, below)) return `${above}/${below}`;
  return ` ${above} ${below} `;
}

/** Two sizes above each other, the larger one first: `16.05^15.95`; deviations have a sign or are 0. */
function areLimits(above: string, below: string): boolean {
  const [a, b] = [above, below].map((each) => /^\d*[.,](\d+)$/.exec(each));
  if (a === null || b === null || a[1].length !== b[1].length) return false;
  const [upper, lower] = [above, below].map((each) => Number(each.replace(',', '.')));
  return upper > lower && upper - lower <= 0.2 * upper;
}

/** Replaces `%%c` and similar codes; in TOLERANCE `%%v` separates the compartments of a control frame. */
function symbolsOf(text: string): string {
  return text.replace(/%<[^]{0,2000}?>%/g, '').replace(/%%(\d{3}|[^])/g, (_, code: string) => {
    if (/^\d{3}$/.test(code)) return String.fromCharCode(Number(code));
    return (
      ({ c: '⌀', d: '°', p: '±', v: ' ', '%': '%' } as Readonly<Record<string, string>>)[code.toLowerCase()] ??
      (/[uok]/i.test(code) ? '' : code)
    );
  });
}
