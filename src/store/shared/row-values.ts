import type { ColumnType, RowValue } from './table-shapes.js';

/** A value as PostgreSQL takes it: its texts hold no U+0000; U+0001 begins what stands for the two. */
export function toServer(value: RowValue, type: ColumnType): RowValue {
  if (type !== 'TEXT' || typeof value !== 'string' || !/[\0\u0001]/.test(value)) return value;
  return value.replace(/[\0\u0001]/g, (one) => (one === '\0' ? '\u00010' : '\u00011'));
}

/** The value that {@link toServer} wrote. */
export function fromServer(value: RowValue, type: ColumnType): RowValue {
  if (type !== 'TEXT' || typeof value !== 'string' || !value.includes('\u0001')) return value;
  return value.replace(/\u0001([01])/g, (_, one) => (one === '0' ? '\0' : '\u0001'));
}

/** A key as JSON; bytes as an object with their hexadecimal digits. JSON writes control characters as escapes. */
export function writeKey(key: readonly RowValue[]): string {
  return JSON.stringify(
    key.map((one) => (one instanceof Uint8Array ? { hex: Buffer.from(one).toString('hex') } : one)),
  );
}

/** The key that {@link writeKey} wrote. */
export function readKey(text: string): RowValue[] {
  const key = JSON.parse(text) as (string | number | null | { hex: string })[];
  return key.map((one) => (typeof one === 'object' && one !== null ? Buffer.from(one.hex, 'hex') : one));
}
