/** A shape in a file that can be matched on its own, and its place. */
export interface StoredShapelet {
  /**
   * On a page: a box in fractions of the page's width and height, origin upper left. Of a model: an orthographic view.
   */
  readonly place:
    | {
        readonly kind: 'page';
        readonly page: number;
        readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
      }
    | {
        readonly kind: 'camera';
        /** Unit vector from the model towards the camera, in the model's frame. */
        readonly direction: readonly [number, number, number];
        /** Unit vector that points upwards in the picture. */
        readonly up: readonly [number, number, number];
        readonly scaleMmPerPixel: number;
        /**
         * How this view shortens a long part, as drawings do: the axis, which end is kept and the length of it.
         * Absent: the whole part is shown.
         */
        readonly brokenOff?: {
          readonly axis: 0 | 1 | 2;
          readonly shows: 'both ends' | 'low end' | 'high end';
          readonly lengthMm: number;
        };
      };
  /**
   * Width and height of the shape's box, mm of the part; where not `isToScale`, fractions of the page's longer side.
   */
  readonly size: readonly [width: number, height: number];
  readonly isToScale: boolean;
}

/** The shapelets of a file as the index and the search read them. */
export interface FileViewRow {
  readonly fileId: number;
  readonly uid: string;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly numbersMm: readonly number[];
  readonly extentsMm: readonly number[];
  readonly layouts: Uint8Array;
}
