import type { PictureKey } from '../store/disk/pictures.js';
import type { Lifetime } from '../store/lifetime.js';
import type { Store } from '../store/store.js';

/** Pictures and GLB files that the library keeps: each is made once, also for callers who ask at the same time. */
export class KeptPictures {
  readonly #store: Store;
  readonly #lifetime: Lifetime;
  readonly #making = new Map<string, Promise<Uint8Array>>();

  constructor(store: Store, lifetime: Lifetime) {
    this.#store = store;
    this.#lifetime = lifetime;
  }

  /**
   * The kept bytes, or those that `make` returns, which are then kept.
   * @param mostBytes larger results are not kept.
   */
  async read(key: PictureKey, make: () => Promise<Uint8Array>, mostBytes = Infinity): Promise<Uint8Array> {
    const kept = await this.#store.pictures.read(key);
    if (kept !== undefined) return kept;
    const id = `${key.hash} ${key.name}`;
    const making =
      this.#making.get(id) ??
      this.#lifetime
        .write(async () => {
          const bytes = await make();
          if (bytes.length <= mostBytes) await this.#store.pictures.put(key, bytes);
          return bytes;
        })
        .finally(() => this.#making.delete(id));
    this.#making.set(id, making);
    return making;
  }
}
