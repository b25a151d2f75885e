import { useEffect } from 'preact/hooks';
import type { PmiObject } from '../../index.js';
import { readPmi, type WireRecord } from '../api/endpoints.js';
import { readAttribute } from '../common/attribute-text.js';
import { useLoaded } from '../common/use-loaded.js';
import { grouped, readingOf, typeName } from '../drawing/pmi-words.js';
import { chosenFaces, selection, shownFaces, type ChosenFaces } from '../viewer/selection.js';
import { queryOfRoute } from './file-address.js';

/** Loads the dimensions, tolerances and datums that a model file contains as data (AP242). */
export function useModelAnnotations({ uid, kind, state }: WireRecord) {
  const isModel = kind === 'ThreeD' && state === 'indexed';
  return useLoaded(
    (signal) =>
      isModel ? readPmi(uid, signal).then(({ pages }) => pages.flatMap(({ objects }) => objects)) : undefined,
    [uid, isModel],
  );
}

interface ModelPmiProps {
  readonly record: WireRecord;
  readonly objects: readonly PmiObject[];
}

/**
 * The annotations of a model by group, each with the faces that it refers to. The viewer marks the faces of the
 * selected one.
 */
export function ModelPmi({ record, objects }: ModelPmiProps) {
  const { uid } = record;
  const unit = unitOf(record);
  const shown = shownFaces.value?.uid === uid ? shownFaces.value.faces : undefined;
  useEffect(
    () => () => {
      chosenFaces.value = undefined;
    },
    [uid],
  );
  useEffect(() => {
    // The annotation that the address names can be shown only after the model is loaded.
    const asked = objects.find(({ id }) => queryOfRoute('at') === `annotation ${id}`);
    if (asked !== undefined && shown !== undefined && selection.peek() === undefined)
      chosenFaces.value ??= chosenFacesOf(uid, asked, shown);
  }, [uid, shown]);
  return (
    <>
      <p class="quiet">
        Stored in the file as data (AP242){unit === '' ? '' : `, lengths in ${unit}`}.{' '}
        {shown === undefined
          ? ''
          : shown.size > 0
            ? 'Select one to see its faces.'
            : 'The faces that they refer to cannot be shown.'}
      </p>
      {grouped(objects).map(({ group, name, members }) => (
        <section key={group} class="pmi-group">
          <h2 class="pmi-heading">
            <span class={`swatch spot-group-${group.replace('&', '')}`} aria-hidden="true" />
            {name} <span class="quiet">{members.length}</span>
          </h2>
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

/** The unit of the lengths, as it was read from the file; '' where it has several, or none. */
function unitOf({ extractedAttributes }: WireRecord): string {
  return extractedAttributes.map(readAttribute).find(({ name }) => name === 'Units')?.values[0] ?? '';
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
              ? 'The file does not link it to a face.'
              : 'Its faces are not known in the displayed model.'
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

/** The faces of an annotation that the viewer can mark; undefined if it shows none of them. */
function chosenFacesOf(
  uid: string,
  { id: annotation, faces = [] }: PmiObject,
  shown: ReadonlySet<number> | undefined,
): ChosenFaces | undefined {
  const marked = faces.map(({ id }) => id).filter((id) => shown?.has(id) === true);
  return marked.length === 0 ? undefined : { uid, annotation, faces: marked };
}

/** `2 cylinders`, `3 faces`; '' if the file links the annotation to no face. */
function facesText({ faces = [] }: PmiObject): string {
  if (faces.length === 0) return '';
  const [{ surface }] = faces;
  const name = surface === 'other' || faces.some((face) => face.surface !== surface) ? 'face' : NAMES[surface];
  return faces.length === 1 ? `1 ${name}` : `${faces.length} ${name}s`;
}

const NAMES = { plane: 'plane', cylinder: 'cylinder', cone: 'cone', sphere: 'sphere', torus: 'torus face' } as const;
