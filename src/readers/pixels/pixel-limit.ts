import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';

/** Refuses an image that has more than `limits.imagePixels` pixels. @throws EngineError `LIMIT_EXCEEDED`. */
export function checkPixels(pixels: number, limits: Limits): void {
  if (pixels <= limits.imagePixels) return;
  throw new EngineError(
    'LIMIT_EXCEEDED',
    `the image has ${pixels} pixels, more than limits.imagePixels, ${limits.imagePixels}`,
    { details: { limit: 'imagePixels', allowed: limits.imagePixels, found: pixels } },
  );
}
