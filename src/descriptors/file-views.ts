import type { Shapelet } from '../shapelets/shapelet.js';

/** Everything that is stored of the shapelets of a file. */
export interface FileViews {
  /** {@link VIEWS_VERSION} of the code that made the descriptors. */
  readonly version: number;
  /** True: views of a part of the pages, which a crop leaves. */
  readonly isPart?: boolean;
  /** u8[count × VIEW_BYTES], see `describeViews`. */
  readonly bytes: Uint8Array;
  /** Of a model: the number of upright views, which come first; drawings are compared with these alone. */
  readonly first?: number;
  readonly shapelets: readonly Pick<Shapelet, 'place' | 'size' | 'isToScale'>[];
  /** Lengths that a drawing states, mm, descending, without repeats. */
  readonly numbersMm: readonly number[];
  /** Of a model, mm: sides of the smallest box in any orientation, descending, then sides of the axis-aligned box. */
  readonly extentsMm: readonly number[];
  /**
   * Of drawings and images: the layouts of the first pages, one after another, see `layouts.ts`, and behind them the
   * key of their lines, see `line-key.ts`. Absent: none was made.
   */
  readonly layouts?: Uint8Array;
  /** Of drawings and images: the ink of the same pages, or of the part of them that a crop leaves, see `packInks`. */
  readonly inks?: Uint8Array;
  /**
   * Compressed pictures of shapelets on pages, see `packPictures`: the lines of all, then, if one of them comes from a
   * photo, the brightness of all. Null without such shapelets; views of a model are rendered again when needed.
   */
  readonly pictures: Uint8Array | null;
}
