import { signal } from '@preact/signals';
import { MOST_FACES } from '../api/face-numbers.js';
import { containedQuery, NOTHING_CONTAINED } from '../common/contained.js';
import { HREF } from '../common/route.js';

/** The component that viewer and tree show as selected. */
export interface Selection {
  readonly uid: string;
  /** Indices of children on the way from the root of the product structure, such as `0.2.1`; '' for the root. */
  readonly path: string;
}

/** The selected component, if any. */
export const selection = signal<Selection | undefined>(undefined);

/** The components of a model that the viewer does not show, by path; what is in them is hidden with them. */
export const hiddenParts = signal<{ readonly uid: string; readonly paths: ReadonlySet<string> } | undefined>(undefined);

const NOTHING: ReadonlySet<string> = new Set();

/** The paths of the hidden components of a model. */
export function hiddenOf(uid: string): ReadonlySet<string> {
  return hiddenParts.value?.uid === uid ? hiddenParts.value.paths : NOTHING;
}

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

/** Faces that the viewer lights, by their numbers as `contains.faces` of a search takes them. */
export interface LitFaces {
  readonly uid: string;
  readonly faces: readonly number[];
  /**
   * Picked in the viewer; shown by a list; or the match of a search. All but those that were picked fade everything
   * else, so that the walls of a hole are seen.
   */
  readonly how: 'picked' | 'shown' | 'match';
}

/** The lit faces, if any; a selected component or annotation takes precedence. */
export const litFaces = signal<LitFaces | undefined>(undefined);

/** Lights faces instead of whatever is selected; none: selects nothing. */
export function light(lit: LitFaces): void {
  selection.value = undefined;
  chosenFaces.value = undefined;
  litFaces.value = lit.faces.length === 0 ? undefined : lit;
}

/** The faces of the components of the model that the viewer shows, by path; undefined until it is loaded. */
export const componentFaces = signal<
  { readonly uid: string; readonly of: (path: string) => readonly number[] } | undefined
>(undefined);

/**
 * The address of a search for the parts that hold all faces of a component; undefined where these are unknown or too
 * many.
 */
export function findingComponent(uid: string, path: string): string | undefined {
  if (componentFaces.value?.uid !== uid || path === '') return undefined;
  const faces = componentFaces.value.of(path);
  if (faces.length === 0 || faces.length > MOST_FACES) return undefined;
  return HREF.search(containedQuery({ ...NOTHING_CONTAINED, uid, faces }));
}

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
