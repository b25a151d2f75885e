import { useState } from 'preact/hooks';
import { figure } from '../common/figures.js';
import { Notice } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { useShownModel } from '../viewer/use-shown-model.js';
import { Overlaid } from './overlaid.js';
import { SideBySide } from './side-by-side.js';
import { useDeviations, type LoadedDeviations } from './use-deviations.js';
import '../viewer/viewer.css';

interface ModelCompareProps {
  readonly uids: readonly [string, string];
  readonly names: readonly [string, string];
}

type Found = NonNullable<LoadedDeviations['found']>;

/** Two models side by side or overlaid, with the deviations between them. */
export function ModelCompare({ uids, names }: ModelCompareProps) {
  const [isOverlaid, setIsOverlaid] = useState(false);
  const { found, failure } = useDeviations(uids[0], uids[1]);
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
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {missing !== undefined ? (
        <>
          <Notice kind="info">{missing}</Notice>
          <div class="compare-pair">
            {uids.map((uid, i) => (
              <figure key={uid} class="compare-side compare-still">
                <Picture uid={uid} kind="ThreeD" size="large" alt={`Picture of ${names[i]}`} />
                <figcaption>{names[i]}</figcaption>
              </figure>
            ))}
          </div>
        </>
      ) : isOverlaid && found !== undefined ? (
        <Overlaid found={found} names={names} />
      ) : first.model !== undefined && second.model !== undefined ? (
        <SideBySide models={[first.model, second.model]} names={names} transform={found?.transform} />
      ) : (
        <p class="quiet" role="status">
          Loading the models…
        </p>
      )}
      {found === undefined ? (
        failure === undefined && (
          <p class="quiet" role="status">
            Aligning the models…
          </p>
        )
      ) : (
        <Deviations found={found} names={names} />
      )}
    </>
  );
}

function Deviations({ found, names }: { readonly found: Found; readonly names: readonly [string, string] }) {
  const rows = [
    [names[0], names[1], found.first],
    [names[1], names[0], found.second],
  ] as const;
  return (
    <section class="compare-figures" aria-labelledby="deviations-heading">
      <h2 id="deviations-heading">Deviations</h2>
      <p>{sentenceOf(found)}</p>
      <div class="compare-table" role="region" aria-label="Deviations both ways" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Surface</th>
              <th scope="col">from</th>
              <th scope="col">Outside it</th>
              <th scope="col">Inside it</th>
              <th scope="col">Largest</th>
              <th scope="col">95 % within</th>
              <th scope="col">Mean</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, other, { maxMm, p95Mm, meanMm, outsideMm, insideMm }], i) => (
              <tr key={i}>
                <th scope="row">{name}</th>
                <td>{other}</td>
                {[outsideMm, insideMm, maxMm, p95Mm, meanMm].map((value, k) => (
                  <td key={k} class="number">
                    {value === null ? '–' : lengthText(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A length; below 0.001 mm, where single precision is not accurate, only `< 0.001 mm`. */
function lengthText(valueMm: number): string {
  return valueMm < 1e-3 ? '< 0.001 mm' : `${figure(valueMm)} mm`;
}

function sentenceOf({ alignedBy, matchClass, maxMm }: Found): string {
  if (alignedBy === 'match' && matchClass === 'identical')
    return `They are the same part. Aligned, their surfaces differ by at most ${lengthText(maxMm).replace('< ', '')}.`;
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
