import { signal } from '@preact/signals';

/** Faces of two compared models that are lit: those of features that changed. */
export interface LitChanges {
  /** The compared files. */
  readonly uids: readonly [string, string];
  readonly faces: readonly [first: readonly number[], second: readonly number[]];
  /** Whether all else fades, so that the walls of a hole are seen. */
  readonly fades: boolean;
}

/** What is lit, if anything. */
export const litChanges = signal<LitChanges | undefined>(undefined);
