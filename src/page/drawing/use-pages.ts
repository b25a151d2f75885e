import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PmiObject } from '../../index.js';
import { readPmi, readViews, type PageView, type ReadPmi, type WireRecord } from '../api/endpoints.js';
import { useLoaded } from '../common/use-loaded.js';
import { newPagesState, replaceSpots, type Spot } from './pages.js';
import { isView, readingOf, withSureness, typeName } from './pmi-words.js';
import { spotOf } from './view-list.js';

/** Whether a file has pages to show: drawings, images, PDF documents. */
export function hasPages({ kind, extension, state }: WireRecord): boolean {
  return state === 'indexed' && (kind === 'TwoD' || kind === 'Image' || extension === '.pdf');
}

const NO_VIEWS: readonly PageView[] = [];
const NO_PMI: ReadPmi = { pages: [], fields: [] };

function turnedOf({ angleDeg, ...box }: NonNullable<PmiObject['orientedBox']>, side: number): Spot['turned'] {
  const shares = { x: box.x / side, y: box.y / side, width: box.width / side, height: box.height / side };
  return { ...shares, angleDeg };
}

/**
 * The state of a file's pages, its views, the type names of its annotations by the ids of their spots, and the fields
 * of its title blocks; loads views and annotations if the file has pages.
 */
export function usePages(record: WireRecord | undefined) {
  const state = useMemo(newPagesState, [record?.uid]);
  const isShown = record !== undefined && hasPages(record);
  const uid = record?.uid ?? '';
  const { value: views = NO_VIEWS, failure } = useLoaded(
    (signal) => (isShown ? readViews(uid, signal) : undefined),
    [uid, isShown],
  );
  useEffect(() => replaceSpots(state, 'view', views.map(spotOf)), [state, views]);
  const { value: { pages, fields } = NO_PMI, failure: pmiFailure } = useLoaded(
    (signal) => (isShown ? readPmi(uid, signal) : undefined),
    [uid, isShown],
  );
  const [types, setTypes] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const found = pages.flatMap(({ page, widthPx: width, heightPx: height, objects }) =>
      objects
        .filter((object) => !isView(object))
        .map((object) => {
          const [x, y, across, down] = object.box;
          const spot: Spot = {
            id: `pmi ${page} ${object.id}`,
            kind: 'pmi',
            page,
            group: object.group,
            name: readingOf(object) || typeName(object),
            box: { x: x / width, y: y / height, width: across / width, height: down / height },
            ...(object.orientedBox !== undefined && { turned: turnedOf(object.orientedBox, Math.max(width, height)) }),
          };
          return { spot, type: withSureness(typeName(object), object) };
        }),
    );
    // Sizes of pages that were not opened yet, so that their views can be searched with too.
    const sizes = pages.map(({ page, widthPx: width, heightPx: height }) => [page, { width, height }] as const);
    state.sizes.value = new Map([...sizes, ...state.sizes.peek()]);
    const spots = found.map(({ spot }) => spot);
    replaceSpots(state, 'pmi', spots);
    setTypes(new Map(found.map(({ spot, type }) => [spot.id, type])));
  }, [state, pages]);
  return { state, views, types, fields, failure: failure ?? pmiFailure };
}
