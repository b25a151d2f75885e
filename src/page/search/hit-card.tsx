import type { WireHit, WireResult } from '../api/endpoints.js';
import { ChooseBox } from '../common/choose-box.js';
import type { Contained } from '../common/contained.js';
import { draggedAs } from '../common/dragged-file.js';
import { HREF } from '../common/route.js';
import { boxText } from '../common/figures.js';
import { Highlights } from '../common/highlights.js';
import { KindIcon, KIND_NAMES } from '../common/kind-icon.js';
import { Picture } from '../common/picture.js';
import { Reasons } from '../common/reasons.js';
import { hitAddress, MatchBadge, pageOf } from './match-badge.js';
import { SizeBars } from './size-bars.js';

interface HitCardProps {
  /** Undefined while it is loading. */
  readonly hit: WireHit | undefined;
  /** Name that tells it from others of the same name; undefined: its own does. */
  readonly name: string | undefined;
  readonly place: number;
  /** The input model to compare sizes with. */
  readonly input: WireResult['inputs'][number] | undefined;
  /** UIDs of the inputs of the search. */
  readonly like: readonly string[];
  /** The shape that was looked for inside others. */
  readonly contained: Contained;
  /** The searched words; '' for none. */
  readonly words: string;
}

/** One hit. */
export function HitCard({ hit, name, place, input, like, contained, words }: HitCardProps) {
  if (hit === undefined) return <article class="card card-coming" aria-hidden="true" />;
  const { uid, path, displayName, kind, bboxSizeMm, textHighlights } = hit;
  const from = like[hit.shapeMatch?.input ?? 0];
  const folder = path.slice(0, Math.max(0, path.length - displayName.length - 1));
  const href = hitAddress(hit, { like, contained, words });
  return (
    <article class="card" {...draggedAs(uid)}>
      <a class="card-picture" href={href} tabIndex={-1} aria-hidden="true">
        <Picture uid={uid} kind={kind} alt="" page={pageOf(hit)} faces={hit.faces} frame={hit.shapeMatch?.box} />
        <span class="card-rank">{place + 1}</span>
      </a>
      <ChooseBox file={{ uid, name: displayName }} />
      <div class="card-body">
        <p class="card-top">
          {hit.matchClass === null ? (
            <span class="kind">
              <KindIcon kind={kind} />
              {KIND_NAMES[kind].one}
            </span>
          ) : (
            <MatchBadge hit={hit} />
          )}
        </p>
        <h2 class="card-name">
          <a href={href} title={path}>
            {name ?? displayName}
          </a>
        </h2>
        <p class="card-folder quiet" title={path}>
          {folder === '' ? '\u00a0' : folder}
        </p>
        <p class="card-size quiet">
          {bboxSizeMm === null ? (hit.matchClass === null ? '\u00a0' : KIND_NAMES[kind].one) : boxText(bboxSizeMm)}
        </p>
        {like.length > 0 && (
          <div class="card-reasons">
            <Reasons of={hit} isShort />
          </div>
        )}
        {contained.uid !== '' && <p class="card-held">{uid === contained.uid ? 'The part itself' : heldText(hit)}</p>}
        {input !== undefined && <SizeBars hit={hit} input={input} />}
        {words !== '' && (
          <p class="card-snippet">
            {textHighlights.length > 0 && (
              <Highlights highlight={textHighlights[0]} lead={textHighlights[0].field === 'text' ? 24 : undefined} />
            )}
          </p>
        )}
        <p class="card-actions">
          {kind !== 'Text' && (
            <a href={HREF.search({ like: uid })} aria-label={`Similar to ${displayName}`}>
              Similar
            </a>
          )}
          {from !== undefined && from !== uid && (
            <a href={HREF.compare(from, uid)} aria-label={`Compare with ${displayName}`}>
              Compare
            </a>
          )}
        </p>
      </div>
    </article>
  );
}

/** How a file holds the shape that was looked for. */
function heldText({ occurrences = 1, mirrored = false, faces = [] }: WireHit): string {
  const times = occurrences > 1 ? `${occurrences} times` : 'once';
  const on = faces.length === 0 ? '' : `, on ${faces.length} ${faces.length === 1 ? 'face' : 'faces'}`;
  return `${times}${on}${mirrored ? '; more of its mirror image' : ''}`;
}
