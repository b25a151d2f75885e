import type { DrawnSizes } from '../../content/drawn-size.js';
import { EngineError } from '../../errors.js';
import { storedPmi, type DrawnPmi } from '../query/drawn-pmi.js';
import type { AttributeDoor } from '../../attributes/attribute-door.js';
import type { Store } from '../../store/store.js';
import type { PreparedInput } from '../query/inputs.js';
import { SizesRead } from './sizes-read.js';

/** What {@link StatedSizes} needs. */
export interface StatedSource {
  readonly store: Store;
  readonly attributes: Pick<AttributeDoor, 'those'>;
  readonly inputs: readonly PreparedInput[];
  /** The sizes that a drawing states; undefined where their unit is unknown. @throws EngineError `LIBRARY_DAMAGED`. */
  readonly sizesIn: (pmi: DrawnPmi) => DrawnSizes | undefined;
  /** Lets the event loop run; rejects to end the search. */
  readonly turn: () => Promise<void>;
}

/** Reads what drawings state, for one search: each file and input once. */
export class StatedSizes {
  readonly #source: StatedSource;
  readonly #read: SizesRead;
  readonly #ofFiles = new Map<number, DrawnSizes | undefined>();
  readonly #ofInputs = new Map<number, Promise<DrawnSizes | undefined>>();

  #inputDamage: string | undefined;
  readonly #damaged = new Map<number, string>();

  constructor(source: StatedSource) {
    this.#source = source;
    this.#read = new SizesRead(source.sizesIn, source.turn);
  }

  /** Of a whole drawing among the inputs. */
  ofInput(input: number): Promise<DrawnSizes | undefined> {
    const known = this.#ofInputs.get(input);
    if (known !== undefined) return known;
    const reading = this.#readInput(input);
    this.#ofInputs.set(input, reading);
    return reading;
  }

  async #readInput(input: number): Promise<DrawnSizes | undefined> {
    const { figures, isPart, pmi } = this.#source.inputs[input];
    const own = figures.kind === 'TwoD' && isPart !== true ? await pmi() : undefined;
    return (
      own &&
      this.#sizesOf(own, (why) => {
        this.#inputDamage = why;
      })
    );
  }

  /** Of stored files, of the first ones where much is annotated. */
  async ofFiles(fileIds: readonly number[]): Promise<ReadonlyMap<number, DrawnSizes | undefined>> {
    const unread = fileIds.filter((fileId) => !this.#ofFiles.has(fileId));
    const found: ReadonlyMap<number, DrawnPmi> =
      unread.length === 0 ? new Map() : await storedPmi(this.#source, unread);
    for (const fileId of unread) {
      const own = found.get(fileId);
      this.#ofFiles.set(fileId, own && (await this.#sizesOf(own, (why) => void this.#damaged.set(fileId, why))));
    }
    return this.#ofFiles;
  }

  /** Why what an input states could not be read; undefined: it was, or nobody asked. */
  get inputDamage(): string | undefined {
    return this.#inputDamage;
  }

  /** Why what a file states could not be read. */
  damageOf(fileId: number): string | undefined {
    return this.#damaged.get(fileId);
  }

  /** Annotations that are damaged cost a hit its reasons, not the search its hits. */
  async #sizesOf(pmi: DrawnPmi, isDamaged: (why: string) => void): Promise<DrawnSizes | undefined> {
    try {
      return await this.#read.of(pmi);
    } catch (cause) {
      if (!(cause instanceof EngineError && cause.code === 'LIBRARY_DAMAGED')) throw cause;
      isDamaged(cause.message);
      return undefined;
    }
  }
}
