/**
 * The relation of one part to another:
 * - `identical`: the same shape and size, however it is turned, placed, exported or meshed;
 * - `mirrored`: its mirror image, where that differs from the part itself;
 * - `scaled`: the same shape, or its mirror image, in another size;
 * - `similar`: anything else.
 */
export type MatchClass = 'identical' | 'mirrored' | 'scaled' | 'similar';
