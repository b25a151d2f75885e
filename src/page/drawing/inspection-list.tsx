import { useEffect } from 'preact/hooks';
import type { InspectionRow } from '../../index.js';
import { download } from '../api/blobs.js';
import { readInspection } from '../api/endpoints.js';
import { readUnit } from '../common/in-units.js';
import { units } from '../common/units.js';
import { Failure } from '../common/notice.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { choose, pointing, type PagesState } from './pages.js';
import { withSureness } from './pmi-words.js';

const COLUMNS = ['No.', 'Reading', 'Nominal', 'Upper', 'Lower'];
const NO_ROWS: readonly InspectionRow[] = [];

/**
 * An inspector's list: a numbered balloon for each characteristic, with its deviations. state: the pages that the balloons
 * are shown on; absent for models.
 */
export function InspectionList({ uid, state }: { readonly uid: string; readonly state?: PagesState }) {
  const { value, failure } = useLoaded((signal) => readInspection(uid, signal), [uid]);
  const { run, failure: failed } = useAction();
  const rows = value ?? NO_ROWS;
  useEffect(() => {
    if (state === undefined) return;
    // Several sizes of one annotation, or of a table of holes, have numbers in a row.
    const balloons = new Map<string, string>();
    for (const row of rows) {
      const [first] = balloons.get(spotOf(row))?.split('–') ?? [];
      balloons.set(spotOf(row), first === undefined ? `${row.number}` : `${first}–${row.number}`);
    }
    state.balloons.value = balloons;
    return () => {
      state.balloons.value = new Map();
    };
  }, [state, rows]);
  if (value === undefined) return <Failure of={failure} />;
  if (rows.length === 0) return <p class="quiet">Nothing to inspect was read from this file.</p>;
  return (
    <>
      <div class="row">
        {(['csv', 'xlsx'] as const).map((format) => (
          <button
            key={format}
            type="button"
            onClick={() => run(() => download('InspectionFile', { fileUID: uid, format }))}
          >
            Save as {format.toUpperCase()}
          </button>
        ))}
      </div>
      <Failure of={failed} />
      <div class="inspection" role="region" aria-label="Inspection list" tabIndex={0}>
        <table aria-label="Inspection list">
          <caption class="quiet">Sizes and deviations in {units.value}, angles in degrees.</caption>
          <thead>
            <tr>
              {COLUMNS.map((title, i) => (
                <th key={title} scope="col" class={i < 2 ? undefined : 'number'}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.number} row={row} state={state} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Row({ row, state }: { readonly row: InspectionRow; readonly state: PagesState | undefined }) {
  const { number, reading, nominal, unit, from, why } = row;
  // The reading is a quotation; the numbers follow the user's units.
  const read = readUnit(unit);
  const inUnits = (value: number | undefined): number | undefined =>
    value === undefined || read.factor === 1 ? value : Number((value * read.factor).toPrecision(5));
  const size = inUnits(nominal);
  const spot = state?.spots.value.find(({ id }) => id === spotOf(row));
  const isChosen = spot !== undefined && state?.chosen.value === spot.id;
  const show = (): void => {
    if (state === undefined || spot === undefined) return;
    if (isChosen) state.chosen.value = '';
    else choose(state, spot);
  };
  return (
    <tr class={isChosen ? 'inspection-chosen' : undefined} {...(state && spot && pointing(state, spot))}>
      <th scope="row">
        {spot === undefined ? (
          number
        ) : (
          <button
            type="button"
            class="balloon"
            aria-pressed={isChosen}
            aria-label={`Show ${number} on the page`}
            onClick={show}
          >
            {number}
          </button>
        )}
      </th>
      <td colSpan={size === undefined ? COLUMNS.length - 1 : 1}>
        {reading}
        {/* Below the reading and not in a column of its own, so that the numbers are seen in a narrow panel. */}
        <div class="quiet inspection-source">{withSureness(why === undefined ? from : `none: ${why}`, row)}</div>
      </td>
      {size !== undefined && (
        <>
          <td class="number">
            {size}
            {unit === '°' && '°'}
          </td>
          <td class="number">{signed(inUnits(row.upper))}</td>
          <td class="number">{signed(inUnits(row.lower))}</td>
        </>
      )}
    </tr>
  );
}

function spotOf({ page, id }: InspectionRow): string {
  return `pmi ${page} ${id}`;
}

function signed(value: number | undefined): string {
  if (value === undefined) return '';
  return value < 0 ? `\u2212${-value}` : value > 0 ? `+${value}` : '0';
}
