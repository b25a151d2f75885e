import { signal } from '@preact/signals';

/** The component that viewer and tree show as chosen. */
export interface Selection {
  readonly uid: string;
  /** The way to it from the root of the product structure by the numbers of children, as `0.2.1`; '' is the root. */
  readonly path: string;
}

/** What is chosen, if anything is. */
export const selection = signal<Selection | undefined>(undefined);

/** An annotation whose faces the viewer marks. */
export interface ChosenFaces {
  readonly uid: string;
  /** `id` of the annotation. */
  readonly annotation: number;
  /** Numbers of its faces in the file. */
  readonly faces: readonly number[];
}

/** Which annotation is chosen, if any is; a chosen component goes before it. */
export const chosenFaces = signal<ChosenFaces | undefined>(undefined);

/** Numbers of the faces that the viewer can mark, once it has the model. */
export const shownFaces = signal<{ readonly uid: string; readonly faces: ReadonlySet<number> } | undefined>(undefined);

/** Addresses of small pictures of components, by {@link pictureKey}: the viewer makes them once it has the model. */
export const componentPictures = signal<ReadonlyMap<string, string>>(new Map());

/** Of a component of a file. */
export function pictureKey(uid: string, path: string): string {
  return `${uid} ${path}`;
}
