import type { WireHit } from '../api/endpoints.js';
import { ChooseBox } from '../common/choose-box.js';
import type { Contained } from '../common/contained.js';
import { draggedAs } from '../common/dragged-file.js';
import { Picture } from '../common/picture.js';
import { VirtualRows } from '../common/virtual-rows.js';
import { columnsOf, showColumn, shownColumns, type HitColumn } from './hit-columns.js';
import { hitAddress, MatchBadge, pageOf } from './match-badge.js';
import './hit-list.css';

interface HitListProps {
  readonly hits: readonly (WireHit | undefined)[];
  /** By path: names that tell files of one name apart. */
  readonly names: ReadonlyMap<string, string>;
  readonly like: readonly string[];
  readonly contained: Contained;
  readonly words: string;
  readonly onPlaces: (first: number, last: number) => void;
}

const ROW_HEIGHT = 56;
/** Widths of the box and of the match, px; the name takes what is left, and at least so much. */
const BOX_WIDTH = 32;
const MATCH_WIDTH = 152;
const NAME_WIDTH = 220;

/** The hits as a table with columns that the user chooses. */
export function HitList({ hits, names, like, contained, words, onPlaces }: HitListProps) {
  const known = columnsOf(hits);
  const columns = known.filter(({ id }) => shownColumns.value.includes(id));
  const hasMatch = hits.some((hit) => hit !== undefined && hit.matchClass !== null);
  const widths = [...(hasMatch ? [MATCH_WIDTH] : []), ...columns.map(({ width }) => width)];
  const gaps = 16 * (widths.length + 1);
  const style = {
    '--hit-columns': `${BOX_WIDTH}px minmax(${NAME_WIDTH}px, 1fr) ${widths.map((width) => `${width}px`).join(' ')}`,
    '--hit-width': `${BOX_WIDTH + NAME_WIDTH + widths.reduce((sum, width) => sum + width, 0) + gaps + 32}px`,
  };
  return (
    <>
      <Columns known={known} />
      <div class="hits-scroll" role="region" aria-label="Files that were found" tabIndex={0}>
        <div class="hits" role="table" aria-label="Files that were found" aria-rowcount={hits.length + 1} style={style}>
          <div role="rowgroup">
            <div role="row" class="hit hit-head" aria-rowindex={1}>
              <span role="columnheader">
                <span class="hidden">Chosen</span>
              </span>
              <span role="columnheader">Name</span>
              {hasMatch && (
                <span role="columnheader" class="hit-match">
                  Match
                </span>
              )}
              {columns.map(({ id, title }) => (
                <span key={id} role="columnheader" class="hit-cell hit-extra">
                  {title}
                </span>
              ))}
            </div>
          </div>
          <VirtualRows
            rows={hits.length}
            rowHeight={ROW_HEIGHT}
            label="Files that were found"
            role="rowgroup"
            onRows={onPlaces}
            render={(row) => {
              const hit = hits[row];
              return (
                <HitRow
                  hit={hit}
                  name={names.get(hit?.path ?? '')}
                  row={row}
                  href={hit && hitAddress(hit, { like, contained, words })}
                  hasMatch={hasMatch}
                  columns={columns}
                />
              );
            }}
          />
        </div>
      </div>
    </>
  );
}

/** The choice of the columns. */
function Columns({ known }: { readonly known: readonly HitColumn[] }) {
  return (
    <details class="hit-columns">
      <summary>Columns</summary>
      <div class="hit-columns-list" role="group" aria-label="Columns">
        {known.map(({ id, title }) => (
          <label key={id} class="inline">
            <input
              type="checkbox"
              checked={shownColumns.value.includes(id)}
              onChange={({ currentTarget }) => showColumn(id, currentTarget.checked)}
            />
            {title}
          </label>
        ))}
      </div>
    </details>
  );
}

interface HitRowProps {
  /** Undefined while it is loading. */
  readonly hit: WireHit | undefined;
  readonly name: string | undefined;
  readonly row: number;
  readonly href: string | undefined;
  readonly hasMatch: boolean;
  readonly columns: readonly HitColumn[];
}

function HitRow({ hit, name, row, href, hasMatch, columns }: HitRowProps) {
  if (hit === undefined)
    return (
      <div role="row" class="hit hit-coming" aria-rowindex={row + 2}>
        <span role="cell" class="hidden">
          loading
        </span>
      </div>
    );
  const { uid, path, displayName, kind } = hit;
  return (
    <div role="row" class="hit" aria-rowindex={row + 2} {...draggedAs(uid)}>
      <span role="cell">
        <ChooseBox file={{ uid, name: displayName }} />
      </span>
      <span role="cell" class="hit-name">
        <span class="hit-picture">
          <Picture uid={uid} kind={kind} alt="" page={pageOf(hit)} faces={hit.faces} />
        </span>
        <span class="hit-names">
          <a href={href} title={path}>
            {name ?? displayName}
          </a>
          <span class="quiet" title={path}>
            {path.slice(0, Math.max(0, path.length - displayName.length - 1))}
          </span>
        </span>
      </span>
      {hasMatch && (
        <span role="cell" class="hit-match">
          <MatchBadge hit={hit} />
        </span>
      )}
      {columns.map(({ id, text }) => {
        const said = text(hit);
        return (
          <span key={id} role="cell" class="hit-cell hit-extra" title={said}>
            {said}
          </span>
        );
      })}
    </div>
  );
}
