import type { WireRecord } from '../api/endpoints.js';
import { ChooseBox } from '../common/choose-box.js';
import { HREF } from '../common/route.js';
import { KIND_NAMES } from '../common/kind-icon.js';
import { FilePicture } from '../common/picture.js';
import { VirtualGrid } from '../common/virtual-grid.js';
import { STATE_NAMES } from './library-state.js';

interface RecordGridProps {
  readonly records: readonly WireRecord[];
  readonly total: number;
  readonly onPlaces: (first: number, last: number) => void;
}

const CARD_WIDTH = 176;
/** Two cards fit beside each other on a phone. */
const NARROW_CARD_WIDTH = 148;
const PHONE_WIDTH = 560;
const CARD_HEIGHT = 232;

/** Records as a grid of pictures. */
export function RecordGrid({ records, total, onPlaces }: RecordGridProps) {
  return (
    <VirtualGrid
      count={total}
      cardWidth={innerWidth < PHONE_WIDTH ? NARROW_CARD_WIDTH : CARD_WIDTH}
      cardHeight={CARD_HEIGHT}
      label="Files"
      onPlaces={onPlaces}
      render={(place) => <RecordCard record={records[place]} />}
    />
  );
}

function RecordCard({ record }: { readonly record: WireRecord | undefined }) {
  if (record === undefined) return <article class="card card-coming" aria-hidden="true" />;
  const { uid, path, displayName, kind, state } = record;
  return (
    <article class="card">
      <a class="card-picture" href={HREF.file(uid)} tabIndex={-1} aria-hidden="true">
        <FilePicture of={record} />
      </a>
      <ChooseBox file={{ uid, name: displayName }} />
      <div class="card-body">
        <h2 class="card-name">
          <a href={HREF.file(uid)} title={path}>
            {displayName}
          </a>
        </h2>
        <p class="card-folder quiet" title={path}>
          {path.slice(0, Math.max(0, path.length - displayName.length - 1)) || '\u00a0'}
        </p>
        <p class="card-folder">
          {state === 'indexed' ? (
            KIND_NAMES[kind].one
          ) : (
            <span class={`state state-${state}`}>{STATE_NAMES[state]}</span>
          )}
        </p>
      </div>
    </article>
  );
}
