/**
 * Whose search inputs a caller sees: everybody's, nobody's, or those of one owner (undefined: of no owner) and those
 * that were put without an owner. What a caller does not see is as if it did not exist.
 */
export type SeenInputs = 'all' | 'none' | { readonly of: string | undefined };
