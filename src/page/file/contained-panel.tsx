import { useEffect } from 'preact/hooks';
import { findContained, readRecord, type WireHit, type WireRecord } from '../api/endpoints.js';
import { containedQuery, containedWire, isHeldWhole, wrongFacesText, type Contained } from '../common/contained.js';
import { figure } from '../common/figures.js';
import { Failure, Status } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { HREF } from '../common/route.js';
import { useLoaded } from '../common/use-loaded.js';
import { light, litFaces, selection } from '../viewer/selection.js';
import { noteInAddress, queryOfRoute } from './file-address.js';

interface ContainedPanelProps {
  readonly record: WireRecord;
  /** What was looked for. */
  readonly asked: Contained;
}

/** How a file holds the shape that was looked for: how much of it, where and how often. The viewer lights its faces. */
export function ContainedPanel(props: ContainedPanelProps) {
  const wrong = wrongFacesText(props.asked);
  return wrong === undefined ? <Match {...props} /> : <Failure of={wrong} />;
}

function Match({ record, asked }: ContainedPanelProps) {
  const query = JSON.stringify(containedWire(asked));
  const { value: part, failure: partFailure } = useLoaded((signal) => readRecord(asked.uid, signal), [asked.uid]);
  const { value: hit, failure = partFailure } = useLoaded(
    async (signal) =>
      (await findContained(JSON.parse(query) as ReturnType<typeof containedWire>, record.uid, signal)) ?? null,
    [query, record.uid],
  );
  if (failure !== undefined) return <Failure of={failure} />;
  if (hit === undefined || part === undefined) return <Status />;
  const what =
    asked.faces.length === 0 ? '' : asked.faces.length === 1 ? 'a face of ' : `${asked.faces.length} faces of `;
  return (
    <div class="match">
      <p>
        You looked for {what}
        <a href={HREF.file(asked.uid)}>{part.displayName}</a>
        {asked.sizes === 'any' && ', in any size'}.
      </p>
      <div class="match-asked">
        <Picture
          uid={asked.uid}
          kind={part.kind}
          faces={asked.faces}
          alt={`What was looked for, in ${part.displayName}`}
        />
      </div>
      {hit === null ? <p>This file does not hold it.</p> : <Found uid={record.uid} hit={hit} asked={asked} />}
      <p>
        <a href={HREF.search(containedQuery(asked))}>All results</a>
      </p>
    </div>
  );
}

function Found({ uid, hit, asked }: { readonly uid: string; readonly hit: WireHit; readonly asked: Contained }) {
  const { coverage = 0, faces = [], occurrences = 1, occurrenceFaces, mirrored = false } = hit;
  const places = distinct(occurrenceFaces ?? [faces]);
  // 0: all of them.
  const number = Math.min(places.length, Math.max(0, Number(queryOfRoute('place')) || 0));
  const facesAt = (place: number): readonly number[] => (place === 0 ? [...new Set(places.flat())] : places[place - 1]);
  const shown = facesAt(number);
  useEffect(() => {
    // What the address selects, or the user meanwhile, stays.
    const before = litFaces.peek();
    if ((before === undefined || before.uid !== uid || before.how === 'match') && selection.peek()?.uid !== uid)
      light({ uid, faces: shown, how: 'match' });
  }, [uid, shown.join()]);
  useEffect(
    () => () => {
      if (litFaces.peek()?.how === 'match') litFaces.value = undefined;
    },
    [],
  );
  const step = (by: number): void => {
    const next = (number + by + places.length + 1) % (places.length + 1);
    light({ uid, faces: facesAt(next), how: 'match' });
    noteInAddress(uid, { place: next === 0 ? '' : String(next) });
  };
  return (
    <>
      <p>
        <strong>
          {isHeldWhole(hit)
            ? 'Holds all of it'
            : `Holds ${figure(100 * coverage)} % of ${asked.sizes === 'any' ? 'its faces' : 'its surface'}`}
          {occurrences > 1 && `, ${occurrences} times`}.
        </strong>
      </p>
      {mirrored && <p>It holds more of the mirror image than of the shape itself.</p>}
      {shown.length === 0 ? (
        <p class="quiet">The numbers of the faces are not known, so they cannot be shown.</p>
      ) : places.length > 1 ? (
        <div class="match-places" role="group" aria-label="Places where it is held">
          <button type="button" onClick={() => step(-1)} aria-label="Previous place">
            ‹
          </button>
          <span role="status">
            {number === 0 ? `All ${places.length} places` : `Place ${number} of ${places.length}`}
          </span>
          <button type="button" onClick={() => step(1)} aria-label="Next place">
            ›
          </button>
        </div>
      ) : (
        occurrences > 1 && <p class="quiet">All are placements of one component, with the same faces.</p>
      )}
      {shown.length > 0 && (
        <button type="button" onClick={() => light({ uid, faces: shown, how: 'match' })}>
          Light its faces
        </button>
      )}
    </>
  );
}

/** Lists of faces, each once: placements of one component have the same. */
function distinct(places: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return [...new Map(places.map((faces) => [faces.join(), faces])).values()];
}
