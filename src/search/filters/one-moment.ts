import type { ChangeDoor } from '../../store/catalogue.js';

/** How often at most. While 50 files a second come, a change meets one of about three tries that take some ms. */
const TRIES = 4;

/**
 * Decides from one state of the catalogue, though several calls ask it: again, where a file changed meanwhile, as long
 * as tries are left. decide: what it returns depends on what it reads in this call alone.
 */
export async function atOneMoment<T>(changes: ChangeDoor, decide: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    const { mark } = await changes.since();
    const decided = await decide();
    if (left === 1 || (await changes.since(mark)).fileIds?.length === 0) return decided;
  }
}
