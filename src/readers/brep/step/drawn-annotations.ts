import { idOf, idsOf, Part21Instances } from './part21-instances.js';

const CALLOUTS = ['DRAUGHTING_CALLOUT', 'LEADER_DIRECTED_CALLOUT', 'STRUCTURED_DIMENSION_CALLOUT'];
const LINK = 'DRAUGHTING_MODEL_ITEM_ASSOCIATION';
const HIDDEN = 'INVISIBILITY';

/** How many annotations a file draws. */
export interface DrawnAnnotations {
  /** Not tied to any data, so that only their pictures say what they mean. */
  readonly unread: number;
  /** Marked as invisible. */
  readonly hidden: number;
}

/**
 * Counts the annotations that a STEP file draws (presentation: CAx-IF Recommended Practices for PMI 4.0, 7) and that
 * are tied to nothing, or are marked as invisible.
 */
export function drawnAnnotations(bytes: Uint8Array): DrawnAnnotations {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!text.includes('DRAUGHTING_CALLOUT') && !text.includes('_CALLOUT(')) return { unread: 0, hidden: 0 };
  const instances = new Part21Instances(bytes, [...CALLOUTS, LINK, HIDDEN]);
  const tied = new Set(instances.listed(LINK).map((id) => idOf(instances.arguments(id, LINK)[4])));
  const invisible = new Set(instances.listed(HIDDEN).flatMap((id) => idsOf(instances.arguments(id, HIDDEN)[0])));
  const callouts = CALLOUTS.flatMap((keyword) => [...instances.listed(keyword)]);
  return {
    unread: callouts.filter((id) => !tied.has(id)).length,
    hidden: callouts.filter((id) => invisible.has(id)).length,
  };
}
