/** Media types of JSON answers, the preferred first. */
export const JSON_TYPES = ['application/json', 'text/json', 'text/plain'] as const;
/** The same for answers that the interface calls plain strings. */
export const PLAIN_TYPES = ['text/plain', 'application/json', 'text/json'] as const;

/**
 * The offered type that an Accept header prefers, ties by the order of the offers; the first offer when it accepts
 * none.
 */
export function preferredType<Type extends string>(accept: string | null, offers: readonly Type[]): Type {
  if (accept === null || accept === '' || accept === '*/*') return offers[0];
  let best: Type = offers[0];
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, accept);
    if (quality > bestQuality) [best, bestQuality] = [offer, quality];
  }
  return best;
}

/** Quality (q) that an Accept header gives a type; the most specific range counts. */
function qualityOf(type: string, accept: string): number {
  const [main] = type.split('/');
  let quality = 0;
  let specificity = -1;
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    const found = name === type ? 2 : name === `${main}/*` ? 1 : name === '*/*' ? 0 : -1;
    if (found <= specificity) continue;
    specificity = found;
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const value = q === undefined ? 1 : Number(q.slice(2));
    quality = Number.isFinite(value) ? value : 0;
  }
  return quality;
}

/** Whether a request wants an image body instead of base64. */
export function wantsPicture(accept: string | null): boolean {
  return accept !== null && /(^|,)\s*image\//i.test(accept) && !/(^|,)\s*(application|text)\/(x-)?json/i.test(accept);
}
