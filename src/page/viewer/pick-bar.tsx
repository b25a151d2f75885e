import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/request.js';
import { ContainedOptions } from '../common/contained-options.js';
import { containedQuery, NOTHING_CONTAINED, type Contained } from '../common/contained.js';
import { areaText, count, sentence } from '../common/figures.js';
import { MOST_FACES } from '../api/face-numbers.js';
import { HREF } from '../common/route.js';
import { faceFacts, factsText, withTangent, type FaceFacts } from './face-facts.js';
import { relationText } from './face-relation.js';
import { light, litFaces } from './selection.js';

interface PickBarProps {
  readonly uid: string;
  /** Whether the model is a single part: faces of several do not lie in one frame. */
  readonly isPart: boolean;
  /** Whether a click in the viewer picks faces. */
  readonly isPicking: boolean;
  /** What measuring says; it takes precedence. '' for nothing. */
  readonly said: string;
  /** Whether a click adds a face without Shift, for fingers and single hands. */
  readonly adds: boolean;
  readonly onAdds: (adds: boolean) => void;
  /** Whether a box picks the faces that others cover, too; undefined: nothing is picked by a box. */
  readonly hiddenToo: boolean | undefined;
  readonly onHiddenToo: (hiddenToo: boolean) => void;
}

/** Says which faces are lit, and leads to the parts that hold them. */
export function PickBar({ uid, isPart, isPicking, said, adds, onAdds, hiddenToo, onHiddenToo }: PickBarProps) {
  const [options, setOptions] = useState<Pick<Contained, 'sizes' | 'tolerance'>>({ sizes: 'exact', tolerance: '' });
  const lit = litFaces.value?.uid === uid && litFaces.value.how !== 'match' ? litFaces.value : undefined;
  const { facts, failure } = useFaceFacts(uid, lit !== undefined);
  const faces = lit?.faces ?? [];
  const asked = faces.slice(0, MOST_FACES);
  const href = HREF.search(containedQuery({ ...NOTHING_CONTAINED, uid, faces: asked, ...options }));
  return (
    <>
      <p class="viewer-said" role="status">
        {said || (lit === undefined ? (isPicking ? HINT : '') : saidOf(faces, facts, isPart))}
        {failure !== undefined && <span class="bad"> {failure}</span>}
      </p>
      {/* Nothing appears with the first face: the canvas must not move between the clicks of a double click. */}
      {(lit !== undefined || isPicking) && (
        <section class="pick" aria-label="Find faces in other parts">
          {isPicking && (
            <button type="button" aria-pressed={adds} onClick={() => onAdds(!adds)}>
              Add to them
            </button>
          )}
          {hiddenToo !== undefined && (
            <button
              type="button"
              title="A box picks faces that others cover, too"
              aria-pressed={hiddenToo}
              onClick={() => onHiddenToo(!hiddenToo)}
            >
              Hidden ones too
            </button>
          )}
          <button type="button" disabled={lit === undefined} onClick={() => void growLit(uid)}>
            Add tangent faces
          </button>
          <button type="button" disabled={lit === undefined} onClick={() => light({ uid, faces: [], how: 'picked' })}>
            Pick none
          </button>
          <ContainedOptions of={options} onChange={(changes) => setOptions({ ...options, ...changes })} />
          {lit === undefined ? (
            <button type="button" class="primary" disabled>
              Find in other parts
            </button>
          ) : (
            <a class="button primary" href={href}>
              Find in other parts
            </a>
          )}
        </section>
      )}
    </>
  );
}

const HINT = 'Click a face to pick it; Shift adds one, a double click takes its tangent faces along.';

/** Adds the tangent faces of the lit faces, or of one face, to them. */
export async function growLit(uid: string, from?: number): Promise<void> {
  const facts = await faceFacts(uid).catch(() => undefined); // The bar tells why.
  const lit = litFaces.peek()?.uid === uid ? litFaces.peek() : undefined;
  if (facts === undefined || (lit === undefined && from === undefined)) return;
  const before = lit?.faces ?? [];
  const grown = withTangent(facts, from === undefined ? before : [from]);
  light({ uid, faces: [...new Set([...before, ...grown])], how: 'picked' });
}

/** The facts of a model's faces once they are needed. */
function useFaceFacts(uid: string, isNeeded: boolean): { readonly facts?: FaceFacts; readonly failure?: string } {
  const [loaded, setLoaded] = useState<{ readonly facts?: FaceFacts; readonly failure?: string }>({});
  useEffect(() => {
    if (!isNeeded) return undefined;
    let isWanted = true;
    faceFacts(uid).then(
      (facts) => isWanted && setLoaded({ facts }),
      (cause: unknown) => isWanted && setLoaded({ failure: messageOf(cause) }),
    );
    return () => {
      isWanted = false;
    };
  }, [uid, isNeeded]);
  return loaded;
}

/** What the faces are, how two of them lie to each other, and their area. */
function saidOf(faces: readonly number[], facts: FaceFacts | undefined, isPart: boolean): string {
  const many = `${count(faces.length)} ${faces.length === 1 ? 'face' : 'faces'}`;
  if (facts === undefined) return `${many}.`;
  const known = faces.flatMap((face) => facts.get(face) ?? []);
  const relation = isPart && faces.length === 2 && known.length === 2 ? relationText(known[0], known[1]) : '';
  const area = areaText(known.reduce((sum, { areaMm2 }) => sum + areaMm2, 0));
  return [
    `${many}: ${factsText(facts, faces)}.`,
    ...(relation === '' ? [] : [sentence(relation)]),
    `Area ${area}.`,
    ...(faces.length > MOST_FACES ? [`Only the first ${count(MOST_FACES)} are looked for.`] : []),
  ].join(' ');
}
