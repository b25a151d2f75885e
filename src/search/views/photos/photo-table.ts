import { readFileSync } from 'node:fs';
import { EngineError } from '../../../errors.js';

const BYTES = 314_112;
let loaded: Uint8Array | undefined;

/**
 * The weights of the network that tells whether a rendering shows the object of a photo.
 * @throws EngineError `CORE_FAILED` when the file is not of this version.
 */
export function photoFitsTable(): Uint8Array {
  if (loaded !== undefined) return loaded;
  const bytes = new Uint8Array(readFileSync(new URL('../../../tables/photo-fits.bin', import.meta.url)));
  if (bytes.length !== BYTES)
    throw new EngineError(
      'CORE_FAILED',
      `photo-fits.bin does not fit this version: ${bytes.length} bytes, ${BYTES} were expected`,
    );
  return (loaded = bytes);
}
