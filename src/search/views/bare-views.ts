import { FLAGS_AT } from '../../core/views.js';
import { pickViews, VIEW_BYTES, VIEW_FLAG } from '../../descriptors/views.js';

/** Some views of a file, and their indices among all of it. */
export interface SomeViews {
  readonly views: Uint8Array;
  readonly numbers: readonly number[];
}

/** What a drawing may show of a part. */
export interface ShownViews {
  /** Its views as they are drawn. */
  readonly whole: SomeViews;
  /** The same, where strands go off from a body with that body alone: the part may lack them. */
  readonly bare: SomeViews;
}

/** Number of views without the bodies that are shown alone once more. */
export function countShown(views: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < views.length / VIEW_BYTES; i++) if (!isBare(views, i)) count++;
  return count;
}

/** Undefined for views without such bodies, as most are. A body follows its view. */
export function shownIn(views: Uint8Array): ShownViews | undefined {
  const count = views.length / VIEW_BYTES;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const whole = numbers.filter((i) => !isBare(views, i));
  if (whole.length === count) return undefined;
  const bare = numbers.filter((i) => i + 1 === count || !isBare(views, i + 1));
  const some = (own: readonly number[]): SomeViews => ({ views: pickViews(views, own), numbers: own });
  return { whole: some(whole), bare: some(bare) };
}

function isBare(views: Uint8Array, index: number): boolean {
  return (views[index * VIEW_BYTES + FLAGS_AT] & VIEW_FLAG.BARE) !== 0;
}
