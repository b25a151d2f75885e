import { exportSTEP, type Shape3D } from 'replicad';

/** The header's date: fixed, so that the same part gives the same bytes at every run. */
const TIMESTAMP = '2026-01-01T00:00:00';

/**
 * A solid as a STEP file (ISO 10303-21, AP242) with its product name. `unit` is the unit of the file's numbers; the
 * solid itself is in mm.
 */
export async function stepFile(solid: Shape3D, name: string, unit: 'MM' | 'INCH' = 'MM'): Promise<Uint8Array> {
  const blob = exportSTEP([{ shape: solid, name, color: '#9aa4b0' }], { unit, modelUnit: 'MM' });
  const text = await blob.text();
  const header = /FILE_NAME\([^;]*\);/;
  if (!header.test(text)) throw new Error(`the modeller wrote a STEP file without FILE_NAME for ${name}`);
  // The modeller writes the time of day and its own name into the header, so the header is replaced.
  return new TextEncoder().encode(
    text.replace(header, () => `FILE_NAME('${name}','${TIMESTAMP}',(''),(''),'','shapedex sample library','');`),
  );
}
