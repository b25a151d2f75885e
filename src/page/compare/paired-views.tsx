import { overlayAddress } from '../api/blobs.js';
import { readViews, type PageView, type WireHit, type WireRecord } from '../api/endpoints.js';
import { count } from '../common/figures.js';
import { Failure, Status } from '../common/notice.js';
import { useLoaded } from '../common/use-loaded.js';
import { inkApart } from './ink-apart.js';
import { pairViews } from './pair-views.js';

interface PairedViewsProps {
  readonly records: readonly [WireRecord, WireRecord];
  readonly names: readonly [string, string];
  /** Two views that are alike. */
  readonly match: NonNullable<WireHit['shapeMatch']>;
}

/** Most pairs that are drawn, the largest views, and pixels of a picture. */
const MOST_PAIRS = 12;
const SIZE = 1024;
/** Fewer pixels of ink on none of the other come from rounding. */
const LEAST_APART = 12;

/** A pair of views over each other. */
interface LaidPair {
  readonly first: PageView;
  readonly second: PageView;
  readonly address: string;
  readonly differs: boolean;
  readonly apart: number;
}

/** The views of two drawings over each other, in pairs by their places, those that differ most first. */
export function PairedViews({ records: [first, second], names, match }: PairedViewsProps) {
  const { value, failure } = useLoaded(
    (signal) => laidPairs(first.uid, second.uid, match, signal),
    [first.uid, second.uid, match],
    { release: ({ pairs }) => pairs.forEach(({ address }) => URL.revokeObjectURL(address)) },
  );
  if (failure !== undefined) return <Failure of={failure} />;
  if (value === undefined) return <Status>Laying the views over each other…</Status>;
  const { pairs, alone, more } = value;
  const differing = pairs.filter(({ differs }) => differs).length;
  return (
    <>
      <p role="status">
        {differing === 0
          ? `No difference is seen in the lines of ${
              pairs.length === 1 ? 'the one pair' : `the ${count(pairs.length)} pairs`
            } of views that were compared.`
          : `Lines differ in ${count(differing)} of ${count(pairs.length)} pairs of views.`}
        {more > 0 && ` ${count(more)} smaller pairs were not compared.`} Both of a pair are shown in one size;
        dimensions and texts are compared below.
      </p>
      {alone.map(
        (views, i) =>
          views.length > 0 && (
            <p key={i}>{`${views.map(nameOf).join(', ')} of ${names[i]}: no counterpart, not compared.`}</p>
          ),
      )}
      <ul class="compare-views" aria-label="Views over each other">
        {pairs.map(({ first: own, second: other, address, differs }) => (
          <li key={own.index} class={differs ? 'compare-differs' : ''}>
            <figure>
              <div class="compare-overlay">
                <img
                  src={address}
                  alt={`${nameOf(own)} of ${names[0]} and ${nameOf(other)} of ${names[1]}, overlaid`}
                />
              </div>
              <figcaption>
                {nameOf(own)}
                {other.index === own.index ? '' : ` and ${nameOf(other)}`}:{' '}
                {differs ? <strong>differs</strong> : 'no difference seen'}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </>
  );
}

function nameOf({ index }: PageView): string {
  return `View ${index + 1}`;
}

async function laidPairs(
  uid: string,
  otherUid: string,
  match: PairedViewsProps['match'],
  signal: AbortSignal,
): Promise<{ pairs: LaidPair[]; alone: readonly (readonly PageView[])[]; more: number }> {
  const [views, others] = await Promise.all([readViews(uid, signal), readViews(otherUid, signal)]);
  const known = views.find(({ index }) => index === match.queryShapelet),
    partner = others.find(({ index }) => index === match.shapelet);
  if (known === undefined || partner === undefined) throw new Error('The views that are alike are not known.');
  const { pairs, alone } = pairViews(views, others, [known, partner]);
  const laid = await Promise.all(
    pairs.slice(0, MOST_PAIRS).map(async ({ first, second }): Promise<LaidPair> => {
      const shown = { ...match, queryShapelet: first.index, shapelet: second.index };
      const address = await overlayAddress(uid, otherUid, shown, { size: SIZE, signal });
      const apart = await apartIn(address);
      return { first, second, address, apart, differs: apart >= LEAST_APART };
    }),
  );
  return { pairs: laid.sort((a, b) => b.apart - a.apart), alone, more: pairs.length - laid.length };
}

/** See {@link inkApart}. */
async function apartIn(address: string): Promise<number> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser draws no pictures to compare.');
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  return inkApart(data, width, height);
}
