import type { PmiObject } from '../../../dist/pmi/pmi.js';
import type { Written } from './written.mjs';

/** An object that the product found, and its page. */
export interface FoundObject {
  readonly object: PmiObject;
  readonly page: unknown;
}

/** A drawing made by code. */
export interface GeneratedDrawing {
  readonly name: string;
  readonly path: string;
  readonly casesOf: (pmi: { readonly pages: readonly { readonly objects: readonly PmiObject[] }[] }) => {
    readonly wanted: readonly (Written & { readonly box?: readonly number[]; readonly typeId?: number })[];
    readonly found: readonly FoundObject[];
  };
}

export function generatedDrawings(options: {
  readonly seed: number;
  readonly count: number;
  readonly kinds?: readonly string[];
  readonly isBroad?: boolean;
  readonly hasForms?: boolean;
  readonly isOffice?: boolean;
  readonly isFits?: boolean;
  readonly hasCallouts?: boolean;
  readonly hasComposites?: boolean;
  readonly hasOthers?: boolean;
}): AsyncGenerator<GeneratedDrawing>;
