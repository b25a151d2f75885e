import type { DrawnSize, DrawnSizes } from '../../content/drawn-size.js';
import { MILLIMETRES } from '../../content/units.js';
import type { Property } from '../../content/text.js';
import type { Pmi } from '../pmi.js';
import { metricThread } from '../../content/metric-threads.js';
import { comparedItems, type SizeItem } from './compared-items.js';

/** Sizes that were read with less confidence leave their kind out: where two drawings differ is where one errs. */
const SURE = 0.95;
const KINDS: ReadonlySet<string> = new Set<DrawnSize['kind']>(['length', 'diameter', 'radius', 'thread']);
/** Left-handed threads are others by the same numbers. */
const LEFT_HANDED = /lh|left/;
/** A size with a unit of its own that is neither millimetres nor inches. */
const OTHER_UNIT = /\d\s?(?:[cd]?m|CM|ft)(?![A-Za-z0-9])/;
/** Least slack of an item whose size has no decimals, in its unit. */
const WHOLE = 0.5;

/**
 * The lengths, diameters, radii and metric threads that a drawing states, each as often as it does, in its order;
 * reference sizes are left out, because they repeat others. Undefined where their unit is unknown, or neither
 * millimetres nor inches: by what a file says of its unit its sizes may still be in millimetres.
 * @param attributes those of the file: `Units`.
 */
export function statedSizes(pmi: Pmi, attributes: readonly Pick<Property, 'name' | 'value'>[]): DrawnSizes | undefined {
  const units = new Set(attributes.flatMap(({ name, value }) => (name === 'Units' ? [value] : [])));
  if (units.size > 1 || [...units].some((unit) => unit !== 'mm' && unit !== 'in')) return undefined;
  const items = comparedItems({ pmi, attributes }, { isAlone: true });
  const sizes: DrawnSize[] = [];
  const unsure = new Set<DrawnSize['kind']>();
  for (const item of items) {
    if (item.family !== 'size' || !isKind(item) || item.state === 'reference') continue;
    if (item.unit === 'unknown') return undefined;
    const { kind, nominal, count, said } = item;
    const unit = item.unit === 'in' ? 'in' : 'mm';
    const thread = kind === 'thread' ? threadOf(item.thread) : {};
    const isSure = (said.confidence ?? 1) >= SURE && thread !== undefined && !OTHER_UNIT.test(said.reading);
    const slackMm = item.slack >= WHOLE * (unit === 'in' ? MILLIMETRES.in : 1) ? 0 : item.slack;
    if (isSure) sizes.push({ kind, sizeMm: nominal, unit, slackMm, count, ...thread });
    else unsure.add(kind);
  }
  return { sizes, unsure: [...unsure], unread: items.filter(({ family }) => family === 'unread').length };
}

function isKind(item: SizeItem): item is SizeItem & { readonly kind: DrawnSize['kind'] } {
  return KINDS.has(item.kind);
}

/** Undefined for what is no plain metric thread, or one whose pitch nobody knows. */
function threadOf(stated = ''): Required<Pick<DrawnSize, 'thread' | 'pitchMm'>> | undefined {
  const found = metricThread(stated);
  if (found?.pitchMm === undefined || LEFT_HANDED.test(stated)) return undefined;
  const { diameterMm, pitchMm, isPitchStated } = found;
  return { thread: isPitchStated ? `M${diameterMm}x${pitchMm}` : `M${diameterMm}`, pitchMm };
}
