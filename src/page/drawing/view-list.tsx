import { HREF } from '../common/route.js';
import { Picture } from '../common/picture.js';
import type { PageView, WireRecord } from '../api/endpoints.js';
import { choose, pointing, type PagesState, type Spot } from './pages.js';
import type { Size } from './placement.js';

interface ViewListProps {
  readonly record: WireRecord;
  readonly views: readonly PageView[];
  readonly state: PagesState;
}

/** The views found on the pages. Each can be shown on its page and used alone for a search. */
export function ViewList({ record, views, state }: ViewListProps) {
  if (views.length === 0) return <p class="quiet">No views were found on the pages.</p>;
  return (
    <ul class="view-list" aria-label="Views">
      {views.map((view) => {
        const spot = spotOf(view);
        const crop = cropOf(record, view, state.sizes.value.get(view.page));
        return (
          <li key={view.index}>
            <button
              type="button"
              class="view-show"
              aria-pressed={state.chosen.value === spot.id}
              onClick={() => {
                state.showsViews.value = true;
                choose(state, spot);
              }}
              {...pointing(state, spot)}
            >
              <Picture uid={record.uid} kind={record.kind} shape={view.index} alt="" />
              <span>
                {spot.name}
                {(record.pageCount ?? 1) > 1 ? `, page ${view.page}` : ''}
              </span>
            </button>
            {crop !== undefined && (
              <a href={HREF.search({ like: record.uid, crop })}>
                <span>Find this view</span>
                <span class="hidden"> ({spot.name})</span>
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A view as a box on its page. */
export function spotOf({ index, page, box }: PageView): Spot {
  return { id: `view ${index}`, kind: 'view', page, box, name: `View ${index + 1}` };
}

/** Length of the longer side of a drawing's page in the pixels of the engine's `crop` (its `CROP_SIDE`). */
const CROP_SIDE = 1024;
/** Margin around the box, as a share of its size, so that no line is cut off. */
const AROUND = 0.02;

/**
 * `x,y,width,height` for a search with one view: in the pixels of an image, or in those of a drawing's page. undefined
 * if the size of the page is not known yet.
 */
function cropOf(
  { kind, extractedAttributes }: WireRecord,
  { box }: PageView,
  page: Size | undefined,
): string | undefined {
  const pixels =
    kind === 'Image'
      ? imageSize(extractedAttributes)
      : page && {
          width: (page.width * CROP_SIDE) / Math.max(page.width, page.height),
          height: (page.height * CROP_SIDE) / Math.max(page.width, page.height),
        };
  if (pixels === undefined) return undefined;
  const left = Math.floor((box.x - AROUND * box.width) * pixels.width),
    top = Math.floor((box.y - AROUND * box.height) * pixels.height);
  const x = Math.max(0, left),
    y = Math.max(0, top);
  const width = Math.min(Math.ceil((1 + 2 * AROUND) * box.width * pixels.width), Math.floor(pixels.width) - x);
  const height = Math.min(Math.ceil((1 + 2 * AROUND) * box.height * pixels.height), Math.floor(pixels.height) - y);
  return [x, y, width, height].join(',');
}

function imageSize(attributes: readonly string[]): Size | undefined {
  const [width, height] = ['Width(px)=', 'Height(px)='].map((name) =>
    Number(attributes.find((attribute) => attribute.startsWith(name))?.slice(name.length)),
  );
  return width > 0 && height > 0 ? { width, height } : undefined;
}
