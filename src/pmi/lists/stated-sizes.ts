import type { DrawnSize, DrawnSizes } from '../../content/drawn-size.js';
import type { Property } from '../../content/text.js';
import type { Pmi } from '../pmi.js';
import { comparedItems, type SizeItem } from './compared-items.js';

/** Sizes that were read with less confidence leave their kind out: where two drawings differ is where one errs. */
const SURE = 0.95;
const KINDS: ReadonlySet<string> = new Set<DrawnSize['kind']>(['length', 'diameter', 'radius', 'thread']);
const METRIC_THREAD = /^m(\d+(?:\.\d+)?)(?:x(\d+(?:\.\d+)?))?/;

/**
 * The lengths, diameters, radii and metric threads that a drawing states, each as often as it does, in its order;
 * reference sizes are left out, because they repeat others. Undefined where they may be in inches or millimetres.
 * @param attributes those of the file: `Units`.
 */
export function statedSizes(pmi: Pmi, attributes: readonly Pick<Property, 'name' | 'value'>[]): DrawnSizes | undefined {
  const items = comparedItems({ pmi, attributes });
  const sizes: DrawnSize[] = [];
  const unsure = new Set<DrawnSize['kind']>();
  for (const item of items) {
    if (item.family !== 'size' || !isKind(item) || item.state === 'reference') continue;
    if (item.unit === 'unknown') return undefined;
    const { kind, nominal, slack: slackMm, count, said } = item;
    const unit = item.unit === 'in' ? 'in' : 'mm';
    const thread = kind === 'thread' ? threadOf(item.thread) : undefined;
    const isSure = (said.confidence ?? 1) >= SURE && (kind !== 'thread' || thread !== undefined);
    const size = { kind, sizeMm: nominal, unit, slackMm, count } as const;
    if (isSure) sizes.push(thread === undefined ? size : { ...size, thread });
    else unsure.add(kind);
  }
  return { sizes, unsure: [...unsure], unread: items.filter(({ family }) => family === 'unread').length };
}

function isKind(item: SizeItem): item is SizeItem & { readonly kind: DrawnSize['kind'] } {
  return KINDS.has(item.kind);
}

function threadOf(stated = ''): string | undefined {
  const found = METRIC_THREAD.exec(stated);
  if (found === null) return undefined;
  const [, diameter, pitch] = found;
  return pitch === undefined ? `M${diameter}` : `M${diameter}x${pitch}`;
}
