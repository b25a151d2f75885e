import { download } from '../api/blobs.js';
import { readBill, type WireBillLine } from '../api/endpoints.js';
import { count, volumeText } from '../common/figures.js';
import { Failure, Status } from '../common/notice.js';
import { HREF } from '../common/route.js';
import { useAction, useLoaded } from '../common/use-loaded.js';
import { findingComponent, componentPictures, pictureKey, selection } from '../viewer/selection.js';
import './bill-panel.css';

/** Lines that are shown; the files hold all of them. */
const MOST_LINES = 2_000;

/** The bill of materials of an assembly, also as a file. The viewer shows the selected line. */
export function BillPanel({ uid }: { readonly uid: string }) {
  const { value: lines, failure } = useLoaded((signal) => readBill(uid, signal), [uid]);
  const { busy, failure: failed, run } = useAction();
  if (lines === undefined) return failure === undefined ? <Status /> : <Failure of={failure} />;
  if (lines === null) return <p class="quiet">This is a single part.</p>;
  const parts = lines.filter(({ isAssembly }) => !isAssembly);
  const placed = parts.reduce((sum, { total }) => sum + total, 0);
  return (
    <>
      <p class="quiet">
        {count(placed)} parts, {count(lines.length)} {lines.length === 1 ? 'line' : 'lines'}.
      </p>
      <div class="row">
        {(['csv', 'xlsx', 'pdf'] as const).map((format) => (
          <button
            key={format}
            type="button"
            disabled={busy !== ''}
            onClick={() =>
              run(
                () => download('BillOfMaterialsFile', { fileUID: uid, format, pictures: format !== 'csv' }),
                'Writing the bill…',
              )
            }
          >
            Save as {format.toUpperCase()}
          </button>
        ))}
        <span class="quiet" role="status">
          {busy}
        </span>
      </div>
      <Failure of={failed} />
      <div class="bill" role="region" aria-label="Bill of materials" tabIndex={0}>
        <table aria-label="Parts list">
          <thead>
            <tr>
              {['Pos.', 'Part', 'Qty', 'Total', 'Volume of one'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, MOST_LINES).map((line) => (
              <Line key={line.position} uid={uid} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > MOST_LINES && (
        <p class="quiet">The first {count(MOST_LINES)} lines; the files hold all of them.</p>
      )}
    </>
  );
}

function Line({ uid, line }: { readonly uid: string; readonly line: WireBillLine }) {
  const { position, level, name, quantity, total, isAssembly, volumeMm3, path, uid: component } = line;
  const picture = componentPictures.value.get(pictureKey(uid, path));
  const isChosen = selection.value?.uid === uid && selection.value.path === path;
  // A component that is indexed by itself is looked for by its whole shape, any other by its faces.
  const findHref = component === null ? findingComponent(uid, path) : HREF.search({ like: component });
  const said = name === '' ? 'Part without a name' : name;
  return (
    <tr class={isChosen ? 'bill-chosen' : undefined}>
      <th scope="row" class={`number bill-level-${Math.min(level, 5)}`}>
        {position}
      </th>
      <td>
        <span class="bill-part">
          <span class="bill-picture">{picture !== undefined && <img src={picture} alt="" draggable={false} />}</span>
          <span class="bill-names">
            <button
              type="button"
              class="plain"
              aria-pressed={isChosen}
              title="Show it in the model"
              onClick={() => {
                selection.value = isChosen ? undefined : { uid, path };
              }}
            >
              {said}
            </button>
            {findHref !== undefined && (
              <a href={findHref} aria-label={`Find this part: ${said}`}>
                Find this part
              </a>
            )}
            {isAssembly && <span class="quiet">assembly</span>}
          </span>
        </span>
      </td>
      <td class="number">{count(quantity)}</td>
      <td class="number">{count(total)}</td>
      <td class="number">{volumeText(volumeMm3)}</td>
    </tr>
  );
}
