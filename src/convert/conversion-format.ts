/** Formats that a model can be written in. */
export type ConversionFormat = 'stl' | 'step';

/** A model in another format. */
export interface ConvertedModel {
  readonly bytes: Uint8Array;
  /** True: made of plane triangles. False: with the surfaces of the file. */
  readonly faceted: boolean;
  /** Why it is faceted, where the file has surfaces that could not be kept. */
  readonly reason?: string;
}

/**
 * Largest angle between neighbouring segments of a curved surface that becomes STL, rad: a full circle has 108
 * segments. With 64, as the engine reads models for itself, a cap screw lost 0.16 % of its volume; with 108 a cylinder
 * loses 0.06 %, a torus 0.1 %. It makes 1.3 to 2 times as many triangles.
 */
export const STL_TURN_RAD = 0.117;
