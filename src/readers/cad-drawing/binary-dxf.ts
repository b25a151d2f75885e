/** What stands at the start of a binary DXF file. */
const SENTINEL = 'AutoCAD Binary DXF\r\n\x1a\0';

/** How a group's value is stored: a text that ends with 0, bytes behind their count, or so many bytes. */
type Form = 'text' | 'chunk' | 1 | 2 | 4 | 8;

/** Last group code of a range, and the form of its values ("Group code value types" in the DXF reference). */
const FORMS: readonly (readonly [last: number, form: Form])[] = [
  [9, 'text'],
  [59, 8],
  [79, 2],
  [99, 4],
  [109, 'text'],
  [149, 8],
  [169, 8],
  [179, 2],
  [239, 8],
  [289, 2],
  [299, 1],
  [309, 'text'],
  [319, 'chunk'],
  [369, 'text'],
  [389, 2],
  [399, 'text'],
  [409, 2],
  [419, 'text'],
  [429, 4],
  [439, 'text'],
  [459, 4],
  [469, 8],
  [481, 'text'],
  [999, 'text'],
  [1003, 'text'],
  [1004, 'chunk'],
  [1009, 'text'],
  [1059, 8],
  [1070, 2],
  [1071, 4],
];

/**
 * A binary DXF file since AutoCAD 2007 with the non-ASCII characters of its texts, which are UTF-8, written as
 * `\U+2300`: acad-ts decodes them with the code page that the header names. Texts that are no UTF-8 and everything from
 * a group on whose code is unknown stay as they are.
 */
export function escapedBinaryDxf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: Uint8Array[] = [];
  let kept = 0;
  let at = SENTINEL.length;
  while (at + 2 <= bytes.length) {
    const code = view.getInt16(at, true);
    const form = code < 0 ? undefined : FORMS.find(([last]) => code <= last)?.[1];
    if (form === undefined) break;
    at += 2;
    if (form === 'chunk') at += 1 + (bytes[at] ?? 0);
    else if (form !== 'text') at += form;
    else {
      const end = bytes.indexOf(0, at);
      if (end < 0) break;
      const text = bytes.subarray(at, end);
      const escaped = text.some((byte) => byte > 0x7f) ? escapedText(text, decoder) : undefined;
      if (escaped !== undefined) {
        parts.push(bytes.subarray(kept, at), escaped);
        kept = end;
      }
      at = end + 1;
    }
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(kept)]);
}

/** Undefined for what is no UTF-8. */
function escapedText(bytes: Uint8Array, decoder: TextDecoder): Uint8Array | undefined {
  try {
    return Buffer.from(escapedDxfText(decoder.decode(bytes)), 'latin1');
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** A text with its non-ASCII characters written as `\U+2300`. */
export function escapedDxfText(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\U+${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether bytes begin like a binary DXF file. */
export function isBinaryDxf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 18)).toString('latin1') === SENTINEL.slice(0, 18);
}
