import { signal } from '@preact/signals';

/** A file that the user has chosen from a list, for an action on several. */
export interface ChosenFile {
  readonly uid: string;
  readonly name: string;
}

/** Most files that can be chosen at a time. */
export const MOST_CHOSEN = 1_000;

/** The chosen files by UID, in the order in which they were chosen. */
export const chosenFiles = signal<ReadonlyMap<string, ChosenFile>>(new Map());

/** Chooses a file, or takes it out of the chosen ones. */
export function choose(file: ChosenFile, isChosen: boolean): void {
  const next = new Map(chosenFiles.value);
  if (!isChosen) next.delete(file.uid);
  else if (next.size < MOST_CHOSEN) next.set(file.uid, file);
  chosenFiles.value = next;
}

/** Chooses further files, as many as there is room for. */
export function chooseAll(files: readonly ChosenFile[]): void {
  const next = new Map(chosenFiles.value);
  for (const file of files) if (next.size < MOST_CHOSEN) next.set(file.uid, file);
  chosenFiles.value = next;
}

export function chooseNone(): void {
  if (chosenFiles.value.size > 0) chosenFiles.value = new Map();
}
