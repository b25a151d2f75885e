import type { DrawnSizes } from '../../content/drawn-size.js';
import { LONGEST_PMI, type DrawnPmi } from '../query/drawn-pmi.js';

/** UTF-16 units of annotations read between two turns of the event loop: about 200 of them, 5 to 10 ms. */
const TURN_LENGTH = 20_000;

/** Reads the sizes that drawings state for one search, those of equal annotations once. */
export class SizesRead {
  readonly #sizesIn: (pmi: DrawnPmi) => DrawnSizes | undefined;
  readonly #turn: () => Promise<void>;
  /** By unit and annotations. */
  readonly #known = new Map<string, DrawnSizes | undefined>();
  #sinceTurn = 0;

  /** @param turn lets the event loop run; rejects to end the search. */
  constructor(sizesIn: (pmi: DrawnPmi) => DrawnSizes | undefined, turn: () => Promise<void>) {
    this.#sizesIn = sizesIn;
    this.#turn = turn;
  }

  /** Undefined where they are too many or their unit is unknown. @throws what reading them throws. */
  async of(pmi: DrawnPmi): Promise<DrawnSizes | undefined> {
    if (pmi.json.length > LONGEST_PMI) return undefined;
    const key = `${pmi.attributes.map(({ value }) => value).join(' ')} ${pmi.json}`;
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#sinceTurn > 0 && this.#sinceTurn + pmi.json.length > TURN_LENGTH) {
      this.#sinceTurn = 0;
      await this.#turn();
    }
    this.#sinceTurn += pmi.json.length;
    const sizes = this.#sizesIn(pmi);
    this.#known.set(key, sizes);
    return sizes;
  }
}
