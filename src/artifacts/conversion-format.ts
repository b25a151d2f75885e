/** Formats that a model can be written in. */
export type ConversionFormat = 'stl' | 'step';

/** A model in another format. */
export interface ConvertedModel {
  readonly bytes: Uint8Array;
  /** True: made of plane triangles. False: with the surfaces that the file came with. */
  readonly faceted: boolean;
  /** Why it is made of triangles, where the file had surfaces that could not be kept. */
  readonly reason?: string;
}
