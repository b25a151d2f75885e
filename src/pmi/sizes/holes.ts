import { isDepthByWordBehind } from '../dimension-words.js';
import type { DimensionReading } from './dimension.js';

/** Holes for which a size is stated, and what makes them. */
export interface Holes {
  readonly count: number;
  /** The thread or the drill that was read last. */
  readonly made?: Pick<DimensionReading, 'kind' | 'nominal'>;
}

/** Drills before a thread have these shares of its size (ISO 2306: `M3` 2.5, `M30x1` 29). */
const DRILLS = [0.7, 0.97] as const;

/**
 * A size that may go on from the hole before it, whose count it then has: its counterbore, its countersink, its depth,
 * the drill of its thread.
 * @param holes those of the size before it.
 */
export function goingOn(
  said: DimensionReading,
  holes: Holes,
): { readonly reading: DimensionReading; readonly holes: Holes } {
  const { kind } = said;
  const isDeep = kind === 'length' && isDepthByWordBehind(said.text);
  const isPart = kind === 'counterbore' || kind === 'countersink' || kind === 'depth' || isDeep;
  const goesOn = said.count === 1 && (isPart || (holes.made !== undefined && areDrillAndThread(said, holes.made)));
  const reading = goesOn ? { ...said, count: holes.count } : said;
  const made = kind === 'thread' || kind === 'diameter' ? said : isPart ? holes.made : undefined;
  return { reading, holes: { count: reading.count, ...(made !== undefined && { made }) } };
}

function areDrillAndThread(a: NonNullable<Holes['made']>, b: NonNullable<Holes['made']>): boolean {
  const [drill, thread] = a.kind === 'thread' ? [b, a] : [a, b];
  const share = drill.nominal / thread.nominal;
  return drill.kind === 'diameter' && thread.kind === 'thread' && share > DRILLS[0] && share < DRILLS[1];
}
