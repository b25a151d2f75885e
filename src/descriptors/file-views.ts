import type { Shapelet } from '../shapelets/shapelet.js';

/** The shapelets of a file and what describes them: all that is kept of them. */
export interface FileViews {
  /** {@link VIEWS_VERSION} of what made the descriptors. */
  readonly version: number;
  /** u8[count × VIEW_BYTES], see `describeViews`. */
  readonly bytes: Uint8Array;
  readonly shapelets: readonly Pick<Shapelet, 'place' | 'size' | 'isToScale'>[];
  /** Lengths that a drawing states, mm, falling, each once. */
  readonly numbersMm: readonly number[];
  /** Of a model, mm: edges of the smallest box in any orientation, falling, then of the box along the axes. */
  readonly extentsMm: readonly number[];
  /** Of drawings and images: how ink lies on the first pages, one after another, see `layoutOfSheet`. Absent: none was made. */
  readonly layouts?: Uint8Array;
  /** The lines of shapelets that lie on pages, then, where one of them is a photo's, the brightness of all, packed; see `packPictures`. Null where none do: those of a model are drawn again when they are wanted. */
  readonly pictures: Uint8Array | null;
}
