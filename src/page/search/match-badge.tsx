import type { WireHit } from '../api/endpoints.js';
import { containedQuery, isHeldWhole, type Contained } from '../common/contained.js';
import { FAR_BELOW } from '../common/far-below.js';
import { figure, lengthText } from '../common/figures.js';
import { HREF } from '../common/route.js';

/** What was searched for, as far as the address of a hit tells it. */
interface Asked {
  /** UIDs of the inputs of the search. */
  readonly like: readonly string[];
  /** The shape that was looked for inside others. */
  readonly contained: Contained;
  /** The searched words; '' for none. */
  readonly words: string;
}

/** The address of a found file, which tells how it was found. */
export function hitAddress(hit: WireHit, { like, contained, words }: Asked): string {
  // The link opens the text only if the words were found in it, not if they are in the name or an attribute.
  const isInText = hit.textHighlights.some(({ field }) => field === 'text');
  return HREF.file(hit.uid, {
    like: like[hit.shapeMatch?.input ?? 0],
    page: pageOf(hit)?.toString(),
    text: isInText ? words : undefined,
    ...containedQuery(contained),
  });
}

/** The matching page of a drawing. */
export function pageOf({ shapeMatch, kind }: WireHit): number | undefined {
  return kind === 'ThreeD' ? undefined : (shapeMatch?.page ?? undefined);
}

const NAMES = {
  identical: 'Identical',
  mirrored: 'Mirrored',
  scaled: 'Scaled',
  similar: 'Similar',
  contains: 'Holds it',
} as const;

/** The match class of a hit, and its similarity from 0 to 100. */
export function MatchBadge({ hit }: { readonly hit: WireHit }) {
  const { matchClass, similarity, score, scale, maxDeviationMm } = hit;
  if (matchClass === null) return null;
  const isWhole = matchClass === 'identical' || (matchClass === 'contains' && isHeldWhole(hit));
  const isFar = matchClass === 'similar' && similarity !== null && similarity < FAR_BELOW;
  const deviation = maxDeviationMm === undefined ? '' : `, surfaces within ${lengthText(maxDeviationMm)}`;
  return (
    <>
      {!isFar && (
        <span class={`badge badge-${matchClass}`} title={`score ${score.toFixed(3)}${deviation}`}>
          {matchClass === 'contains' && !isWhole ? 'Holds part of it' : NAMES[matchClass]}
          {scale !== undefined && ` ×${figure(scale)}`}
        </span>
      )}
      {similarity !== null && (
        <span
          class="similarity"
          title={
            matchClass === 'contains'
              ? 'share of the shape that it holds'
              : `score ${score.toFixed(3)}: 0 is the same shape`
          }
        >
          {similarity >= 99.5 && !isWhole ? '99' : Math.round(similarity)}
          <span class="quiet"> %</span>
        </span>
      )}
    </>
  );
}
