import { signal } from '@preact/signals';

/** Files that were found together, so that their screens lead from one to the next. */
export interface FoundList {
  /** Address of the list. */
  readonly back: string;
  /** In their order; undefined where the list is not loaded. */
  readonly files: readonly ({ readonly uid: string; readonly href: string } | undefined)[];
}

/** The list that was shown last, for as long as the window is open. */
export const foundList = signal<FoundList | undefined>(undefined);
