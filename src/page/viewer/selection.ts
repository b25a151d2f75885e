import { signal } from '@preact/signals';

/** The component that viewer and tree show as chosen. */
export interface Selection {
  readonly uid: string;
  /** The way to it from the root of the product structure by the numbers of children, as `0.2.1`; '' is the root. */
  readonly path: string;
}

/** What is chosen, if anything is. */
export const selection = signal<Selection | undefined>(undefined);

/** Addresses of small pictures of components, by {@link pictureKey}: the viewer makes them once it has the model. */
export const componentPictures = signal<ReadonlyMap<string, string>>(new Map());

/** Of a component of a file. */
export function pictureKey(uid: string, path: string): string {
  return `${uid} ${path}`;
}
