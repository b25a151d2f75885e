import { extensionOfContent } from '../readers/package/sniff.js';
import { rescueBlobs, type RescueReport } from '../store/rescue.js';

/**
 * Copies all files whose bytes are whole out of a library, also of one that does not open: to `target/COMPANY/PATH` as
 * far as the catalogue can be read, search inputs to `target/search-inputs/COMPANY/NAME`, the others to
 * `target/unnamed/SHA-256.EXTENSION`, with the extension that their content tells. The library stays as it is.
 * @param target a folder that is missing or empty.
 * @throws EngineError `LIBRARY_LOCKED`, `CONFLICT` when the target holds something, `STORAGE_FAILED`.
 */
export function rescueFiles(library: string, target: string): Promise<RescueReport> {
  return rescueBlobs(library, target, { extensionOf: extensionOfContent });
}
