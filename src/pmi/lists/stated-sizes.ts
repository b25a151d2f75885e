import type { DrawnSize, DrawnSizes } from '../../content/drawn-size.js';
import { MILLIMETRES } from '../../content/units.js';
import type { Property } from '../../content/text.js';
import type { Pmi } from '../pmi.js';
import { comparedItems, type SizeItem } from './compared-items.js';

/** Sizes that were read with less confidence leave their kind out: where two drawings differ is where one errs. */
const SURE = 0.95;
const KINDS: ReadonlySet<string> = new Set<DrawnSize['kind']>(['length', 'diameter', 'radius', 'thread']);
/** `m8`, `m8x1`, `m8-1`; left-handed threads and those of several starts are others by the same numbers. */
const METRIC_THREAD =
  /^m(\d+(?:\.\d+)?)(?:(?:x|-(?=[\d.]+(?![\d.A-Ha-h])))(\d+(?:\.\d+)?)(?![\d.p])|(?![\d.x]))(?!.*(?:lh|left))/;
/** Diameters and pitches of coarse metric threads (ISO 261), mm: of those that state no pitch. */
const COARSE: ReadonlyMap<number, number> = new Map([
  [1, 0.25], [1.1, 0.25], [1.2, 0.25], [1.4, 0.3], [1.6, 0.35], [1.8, 0.35], [2, 0.4], [2.2, 0.45], [2.5, 0.45],
  [3, 0.5], [3.5, 0.6], [4, 0.7], [4.5, 0.75], [5, 0.8], [6, 1], [7, 1], [8, 1.25], [9, 1.25], [10, 1.5], [11, 1.5],
  [12, 1.75], [14, 2], [16, 2], [18, 2.5], [20, 2.5], [22, 2.5], [24, 3], [27, 3], [30, 3.5], [33, 3.5], [36, 4],
  [39, 4], [42, 4.5], [45, 4.5], [48, 5], [52, 5], [56, 5.5], [60, 5.5], [64, 6], [68, 6],
]); // biome-ignore format: a table
/** A longer pitch, as a share of the diameter, is none. */
const MOST_PITCH = 0.4;
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
  const found = METRIC_THREAD.exec(stated);
  if (found === null) return undefined;
  const [, diameter, pitch] = found;
  const pitchMm = pitch === undefined ? COARSE.get(Number(diameter)) : Number(pitch);
  // `M8x20` states the length of a screw.
  if (pitchMm === undefined || pitchMm > MOST_PITCH * Number(diameter)) return undefined;
  return { thread: pitch === undefined ? `M${diameter}` : `M${diameter}x${pitch}`, pitchMm };
}
