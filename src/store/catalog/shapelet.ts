/** A shape of a file that can be matched by itself, and where it is. */
export interface StoredShapelet {
  /** On a page: a box as shares of the page's width and height, origin upper left. Of a model: what an orthographic camera sees. */
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
        /** How the part is broken off in this view, as drawings show long parts: along which axis, what is left and how long that is. Absent: all of it is seen. */
        readonly brokenOff?: {
          readonly axis: 0 | 1 | 2;
          readonly shows: 'both ends' | 'low end' | 'high end';
          readonly lengthMm: number;
        };
      };
  /** Width and height of the shape's box, mm of the part or, where `isToScale` is false, shares of the page's longer side. */
  readonly size: readonly [width: number, height: number];
  readonly isToScale: boolean;
}

/** What the index and the search need of a file. */
export interface FileViewRow {
  readonly fileId: number;
  readonly uid: string;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly numbersMm: readonly number[];
  readonly extentsMm: readonly number[];
  readonly layouts: Uint8Array;
}
