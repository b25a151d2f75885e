import { EngineError } from '../../errors.js';

/**
 * The header of AC1018 and later is XORed with a fixed sequence of this many bytes from this offset ("Open Design
 * Specification for .dwg files", 4.1).
 */
const COVERED_AT = 0x80;
const COVERED_BYTES = 0x6c;

/**
 * Checks that the sections of a DWG file lie inside it: acad-ts would read forever beyond the end of a truncated file.
 * Files of AutoCAD 2007 encode these offsets differently and are not checked.
 * @throws EngineError `FILE_MALFORMED`.
 */
export function checkDwgFrame(bytes: Uint8Array, version: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 0x100) throw cut(bytes.length, 0x100);
  if (version <= 'AC1015') {
    const sections = view.getUint32(0x15, true);
    for (let i = 0; i < Math.min(sections, 20); i++) {
      const end = view.getUint32(0x1a + 9 * i, true) + view.getUint32(0x1e + 9 * i, true);
      if (end > bytes.length) throw cut(bytes.length, end);
    }
  } else if (version !== 'AC1021') {
    const header = new DataView(new ArrayBuffer(COVERED_BYTES));
    for (let i = 0, seed = 1; i < COVERED_BYTES; i++) {
      seed = (Math.imul(seed, 0x343fd) + 0x269ec3) | 0;
      header.setUint8(i, bytes[COVERED_AT + i] ^ ((seed >> 16) & 0xff));
    }
    const pageMapAt = header.getUint32(0x54, true) + 0x100;
    if (header.getUint32(0x58, true) !== 0 || pageMapAt >= bytes.length) throw cut(bytes.length, pageMapAt);
  }
}

function cut(found: number, expected: number): EngineError {
  return new EngineError(
    'FILE_MALFORMED',
    `the DWG file has ${found} bytes, but refers to offset ${expected}: it is truncated or damaged`,
  );
}
