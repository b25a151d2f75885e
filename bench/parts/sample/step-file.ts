import { exportSTEP, type Shape3D } from 'replicad';

/** The header's date: fixed, so that the same part gives the same bytes at every run. */
const TIMESTAMP = '2026-01-01T00:00:00';

/** A solid and the name of its product. */
export interface NamedSolid {
  readonly name: string;
  readonly shape: Shape3D;
}

/**
 * A solid as a STEP file (ISO 10303-21, AP242) with its product name. `unit` is the unit of the file's numbers; the
 * solid itself is in mm.
 */
export function stepFile(solid: Shape3D, name: string, unit: 'MM' | 'INCH' = 'MM'): Promise<Uint8Array> {
  return written([{ shape: solid, name }], name, unit);
}

/** Solids in their places as one STEP file, each a product of its own. */
export function assemblyFile(name: string, parts: readonly NamedSolid[]): Promise<Uint8Array> {
  return written(parts, name, 'MM');
}

async function written(parts: readonly NamedSolid[], name: string, unit: 'MM' | 'INCH'): Promise<Uint8Array> {
  const solids = parts.map((part) => ({ ...part, color: '#9aa4b0' }));
  const text = await exportSTEP(solids, { unit, modelUnit: 'MM' }).text();
  const header = /FILE_NAME\([^;]*\);/;
  if (!header.test(text)) throw new Error(`the modeller wrote a STEP file without FILE_NAME for ${name}`);
  // The modeller writes the time of day and its own name into the header, so the header is replaced.
  return new TextEncoder().encode(
    text.replace(header, () => `FILE_NAME('${name}','${TIMESTAMP}',(''),(''),'','shapedex sample library','');`),
  );
}
