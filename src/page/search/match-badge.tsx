import type { WireHit } from '../api/wire.js';
import { figure } from '../common/figures.js';

const NAMES = { identical: 'Identical', mirrored: 'Mirrored', scaled: 'Scaled', similar: 'Similar' } as const;

/** The match class of a hit, and its similarity from 0 to 100. */
export function MatchBadge({
  hit: { matchClass, similarity, score, scale, maxDeviationMm },
}: {
  readonly hit: WireHit;
}) {
  if (matchClass === null) return null;
  const deviation = maxDeviationMm === undefined ? '' : `, surfaces within ${figure(maxDeviationMm)} mm`;
  return (
    <>
      <span class={`badge badge-${matchClass}`} title={`score ${score.toFixed(3)}${deviation}`}>
        {NAMES[matchClass]}
        {scale !== undefined && ` ×${figure(scale)}`}
      </span>
      {similarity !== null && (
        <span class="similarity" title={`score ${score.toFixed(3)}: 0 is the same shape`}>
          {similarity >= 99.5 && matchClass !== 'identical' ? '99' : Math.round(similarity)}
          <span class="quiet"> %</span>
        </span>
      )}
    </>
  );
}
