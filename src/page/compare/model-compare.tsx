import { useState } from 'preact/hooks';
import { lengthText } from '../common/figures.js';
import { Failure, Notice, Status } from '../common/notice.js';
import { useShownModel } from '../viewer/use-shown-model.js';
import { Overlaid } from './overlaid.js';
import { SideBySide } from './side-by-side.js';
import { Stills } from './stills.js';
import { Table } from './table.js';
import { useDeviations, type ShownDeviations } from './deviation-surfaces.js';
import '../viewer/viewer.css';

interface ModelCompareProps {
  readonly uids: readonly [string, string];
  readonly names: readonly [string, string];
}

/** Two models side by side or overlaid, with the deviations between them. */
export function ModelCompare({ uids, names }: ModelCompareProps) {
  const [isOverlaid, setIsOverlaid] = useState(false);
  const { value: found, failure } = useDeviations(uids[0], uids[1]);
  const first = useShownModel(uids[0]),
    second = useShownModel(uids[1]);
  const missing = first.failure ?? second.failure;
  return (
    <>
      <div class="compare-modes" role="group" aria-label="How they are shown">
        <button type="button" aria-pressed={!isOverlaid} onClick={() => setIsOverlaid(false)}>
          Side by side
        </button>
        <button
          type="button"
          aria-pressed={isOverlaid}
          disabled={found === undefined || missing !== undefined}
          onClick={() => setIsOverlaid(true)}
        >
          Overlaid
        </button>
      </div>
      <Failure of={failure} />
      {missing !== undefined ? (
        <>
          <Notice kind="info">{missing}</Notice>
          <Stills of={uids.map((uid, i) => ({ uid, kind: 'ThreeD', name: names[i] }))} />
        </>
      ) : isOverlaid && found !== undefined ? (
        <Overlaid found={found} names={names} />
      ) : first.value !== undefined && second.value !== undefined ? (
        <SideBySide uids={uids} models={[first.value, second.value]} names={names} transform={found?.transform} />
      ) : (
        <Status>Loading the models…</Status>
      )}
      {found === undefined && failure === undefined && <Status>Aligning the models…</Status>}
      {found !== undefined && <Deviations found={found} names={names} />}
    </>
  );
}

function Deviations({ found, names }: { readonly found: ShownDeviations; readonly names: readonly [string, string] }) {
  return (
    <section class="compare-figures" aria-labelledby="deviations-heading">
      <h2 id="deviations-heading">Deviations</h2>
      <p>{sentenceOf(found)}</p>
      <Table
        label="Deviations both ways"
        head={['Surface', 'from', <Meant is="outside" />, <Meant is="inside" />, 'Largest', '95 % within', 'Mean']}
        rows={[rowOf(names, found.first), rowOf([names[1], names[0]], found.second)]}
        texts={1}
      />
    </section>
  );
}

/** What lies outside or inside is meant by, as a picture: one surface over a body, and the way from one to the other. */
function Meant({ is }: { readonly is: 'outside' | 'inside' }) {
  const isOut = is === 'outside';
  return (
    <span class="compare-meant">
      <svg viewBox="0 0 56 32" width="56" height="32" aria-hidden="true">
        <rect x="4" y="14" width="48" height="14" class="meant-other" />
        <path d={isOut ? 'M4 14h14V4h20v10h14v14H4z' : 'M4 14h14v9h20v-9h14v14H4z'} class="meant-own" />
        <path d={isOut ? 'M28 14V5m-3 3 3-3 3 3' : 'M28 14v8m-3-3 3 3 3-3'} class={`meant-${is}`} />
      </svg>
      {isOut ? 'Outside it' : 'Inside it'}
    </span>
  );
}

function rowOf(
  names: readonly string[],
  { outsideMm, insideMm, maxMm, p95Mm, meanMm }: ShownDeviations['first'],
): string[] {
  const lengths = [outsideMm, insideMm, maxMm, p95Mm, meanMm];
  return [...names, ...lengths.map((value) => (value === null ? '–' : deviationText(value)))];
}

/** A length, mm, as text; below 0.001 mm, where single precision is not accurate, only `< 0.001 mm`. */
function deviationText(valueMm: number): string {
  return valueMm < 1e-3 ? `< ${lengthText(1e-3)}` : lengthText(valueMm);
}

function sentenceOf({ alignedBy, matchClass, maxMm }: ShownDeviations): string {
  if (alignedBy === 'match' && matchClass === 'identical')
    return `They are the same part. Aligned, their surfaces differ by at most ${deviationText(maxMm).replace('< ', '')}.`;
  if (alignedBy === 'match')
    return matchClass === 'mirrored'
      ? 'One is the mirror image of the other; the first is mirrored onto the second.'
      : 'They have the same shape in another size; the first is scaled to the second.';
  if (alignedBy === 'place')
    return 'They are not the same part. They are compared at their positions in the files, where they fit best.';
  return (
    'They are not the same part. The first was aligned to the second by the principal axes, ' +
    'then moved until the distance between the surfaces was smallest.'
  );
}
