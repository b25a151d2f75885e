import { signal } from '@preact/signals';

/** The component that viewer and tree show as selected. */
export interface Selection {
  readonly uid: string;
  /** Indices of children on the way from the root of the product structure, such as `0.2.1`; '' for the root. */
  readonly path: string;
}

/** The selected component, if any. */
export const selection = signal<Selection | undefined>(undefined);

/** An annotation whose faces the viewer marks. */
export interface ChosenFaces {
  readonly uid: string;
  /** `id` of the annotation. */
  readonly annotation: number;
  /** Numbers of its faces in the file. */
  readonly faces: readonly number[];
}

/** The selected annotation, if any; a selected component takes precedence. */
export const chosenFaces = signal<ChosenFaces | undefined>(undefined);

/** Numbers of the faces that the viewer can mark; undefined until the model is loaded. */
export const shownFaces = signal<{ readonly uid: string; readonly faces: ReadonlySet<number> } | undefined>(undefined);

/**
 * `data:` URLs of small pictures of components, by {@link pictureKey}; the viewer draws them after it has loaded the
 * model.
 */
export const componentPictures = signal<ReadonlyMap<string, string>>(new Map());

/** Key of a component's picture. */
export function pictureKey(uid: string, path: string): string {
  return `${uid} ${path}`;
}
