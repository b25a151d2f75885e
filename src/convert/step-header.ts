/** A STRING of ISO 10303-21; characters beyond ASCII as UTF-16 in `\\X2\\`. */
export function quoted(text: string): string {
  const encoded = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replace(/[^\x20-\x7e]+/g, (run) => {
      const codes = Array.from({ length: run.length }, (_, i) => run.charCodeAt(i).toString(16).padStart(4, '0'));
      return `\\X2\\${codes.join('').toUpperCase()}\\X0\\`;
    });
  return `'${encoded}'`;
}

/** The header of a STEP file, without the time of day, so that the same model gives the same bytes. */
export function fileName(name: string): string {
  return `FILE_NAME(${quoted(name)},'1970-01-01T00:00:00',(''),(''),'shapedex','','')`;
}

/** Replaces the modeller's header, which holds the time of day. */
export function withStepHeader(bytes: Uint8Array, name: string): Uint8Array {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/FILE_NAME\([^;]*\);/, () => `${fileName(name)};`);
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
