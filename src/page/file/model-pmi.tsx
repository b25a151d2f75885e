import { useEffect, useState } from 'preact/hooks';
import type { PmiObject } from '../../index.js';
import { readPmi } from '../api/pages.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { PMI_GROUPS, readingOf, typeName } from '../drawing/pmi-words.js';
import { chosenFaces, selection, shownFaces, type ChosenFaces } from '../viewer/selection.js';
import { queryOfRoute } from './file-address.js';

/** What a model carries as data (AP242), and why it could not be asked for. */
export interface ModelAnnotations {
  readonly objects: readonly PmiObject[];
  readonly failure: string | undefined;
}

const NONE: ModelAnnotations = Object.freeze({ objects: [], failure: undefined });

/** Loads the dimensions, tolerances and datums that a model carries; none of what is no model. */
export function useModelAnnotations(record: WireRecord | undefined): ModelAnnotations {
  const [found, setFound] = useState(NONE);
  const isModel = record?.kind === 'ThreeD' && record.state === 'indexed';
  const uid = record?.uid ?? '';
  useEffect(() => {
    setFound(NONE);
    if (!isModel) return undefined;
    const leaving = new AbortController();
    readPmi(uid, leaving.signal).then(
      (pmi) => setFound({ objects: (pmi?.pages ?? []).flatMap(({ objects }) => objects), failure: undefined }),
      (cause: unknown) => setFound({ objects: [], failure: messageOf(cause) }),
    );
    return () => leaving.abort();
  }, [uid, isModel]);
  return found;
}

/** The annotations of a model by group, each with the faces that it stands on; one that is chosen has them marked in the viewer. */
export function ModelPmi({ uid, objects }: Pick<ModelAnnotations, 'objects'> & { readonly uid: string }) {
  const shown = shownFaces.value?.uid === uid ? shownFaces.value.faces : undefined;
  useEffect(
    () => () => {
      chosenFaces.value = undefined;
    },
    [uid],
  );
  useEffect(() => {
    // What the address asks for can be shown once the model is there.
    const asked = objects.find(({ id }) => queryOfRoute('at') === `annotation ${id}`);
    if (asked !== undefined && shown !== undefined && selection.peek() === undefined)
      chosenFaces.value ??= chosenFacesOf(uid, asked, shown);
  }, [uid, shown]);
  const groups = PMI_GROUPS.map(({ group, name }) => ({
    group,
    name,
    members: objects.filter((object) => object.group === group),
  })).filter(({ members }) => members.length > 0);
  return (
    <>
      <p class="quiet">
        Carried by the file as data (AP242).{' '}
        {shown === undefined
          ? ''
          : shown.size > 0
            ? 'Choose one to see its faces.'
            : 'On which faces of the model they stand cannot be shown.'}
      </p>
      {groups.map(({ group, name, members }) => (
        <section key={group} class="pmi-group">
          <h3 class="pmi-heading">
            <span class={`swatch spot-group-${group.replace('&', '')}`} aria-hidden="true" />
            {name} <span class="quiet">{members.length}</span>
          </h3>
          <ul class="model-pmi">
            {members.map((object) => (
              <li key={object.id}>
                <Annotation uid={uid} object={object} shown={shown} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Annotation({
  uid,
  object,
  shown,
}: {
  readonly uid: string;
  readonly object: PmiObject;
  readonly shown: ReadonlySet<number> | undefined;
}) {
  const words = (
    <>
      <span class="spot-name">{readingOf(object) || typeName(object)}</span>
      <span class="quiet">{[typeName(object), facesText(object)].filter((text) => text !== '').join(', ')}</span>
    </>
  );
  const own = chosenFacesOf(uid, object, shown);
  if (own === undefined)
    return (
      <div
        class="spot-row"
        title={
          shown === undefined
            ? undefined
            : object.faces === undefined
              ? 'The file ties it to no face.'
              : 'Its faces cannot be told in the model that is shown.'
        }
      >
        {words}
      </div>
    );
  const isChosen = chosenFaces.value?.uid === uid && chosenFaces.value.annotation === object.id;
  const choose = (): void => {
    selection.value = undefined;
    chosenFaces.value = isChosen ? undefined : own;
  };
  return (
    <button type="button" class="spot-row" aria-pressed={isChosen} onClick={choose}>
      {words}
    </button>
  );
}

/** What the viewer marks of an annotation; undefined where it shows none of its faces. */
function chosenFacesOf(
  uid: string,
  { id: annotation, faces = [] }: PmiObject,
  shown: ReadonlySet<number> | undefined,
): ChosenFaces | undefined {
  const marked = faces.map(({ id }) => id).filter((id) => shown?.has(id) === true);
  return marked.length === 0 ? undefined : { uid, annotation, faces: marked };
}

/** `2 cylinders`, `3 faces`; '' where the file ties it to none. */
function facesText({ faces = [] }: PmiObject): string {
  if (faces.length === 0) return '';
  const [{ surface }] = faces;
  const name = surface === 'other' || faces.some((face) => face.surface !== surface) ? 'face' : NAMES[surface];
  return faces.length === 1 ? `1 ${name}` : `${faces.length} ${name}s`;
}

const NAMES = { plane: 'plane', cylinder: 'cylinder', cone: 'cone', sphere: 'sphere', torus: 'torus face' } as const;
