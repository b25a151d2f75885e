import { useEffect, useState } from 'preact/hooks';
import type { PmiObject } from '../../index.js';
import { readPmi } from '../api/pages.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { PMI_GROUPS, readingOf, typeName } from '../drawing/pmi-words.js';

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

/** The annotations of a model by group, each with the faces that it stands on. */
export function ModelPmi({ objects }: Pick<ModelAnnotations, 'objects'>) {
  const groups = PMI_GROUPS.map(({ group, name }) => ({ group, name, members: objects.filter((object) => object.group === group) })).filter(({ members }) => members.length > 0);
  return (
    <>
      <p class="quiet">Carried by the file as data (AP242).</p>
      {groups.map(({ group, name, members }) => (
        <section key={group} class="pmi-group">
          <h3 class="pmi-heading"><span class={`swatch spot-group-${group.replace('&', '')}`} aria-hidden="true" />{name} <span class="quiet">{members.length}</span></h3>
          <ul class="model-pmi">
            {members.map((object) => (
              <li key={object._id}>
                <span class="spot-name">{readingOf(object) || typeName(object)}</span>
                <span class="quiet">{[typeName(object), facesText(object)].filter((text) => text !== '').join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** `2 cylinders`, `3 faces`; '' where the file ties it to none. */
function facesText({ faces = [] }: PmiObject): string {
  if (faces.length === 0) return '';
  const [{ surface }] = faces;
  const name = surface === 'other' || faces.some((face) => face.surface !== surface) ? 'face' : NAMES[surface];
  return faces.length === 1 ? `1 ${name}` : `${faces.length} ${name}s`;
}

const NAMES = { plane: 'plane', cylinder: 'cylinder', cone: 'cone', sphere: 'sphere', torus: 'torus face' } as const;
