import { useEffect, useMemo, useState } from 'preact/hooks';
import { readPmi, readViews, type PageView } from '../api/pages.js';
import { messageOf } from '../api/request.js';
import type { WireRecord } from '../api/wire.js';
import { newPagesState, replaceSpots, type PagesState, type Spot } from './pages.js';
import { isView, readingOf, typeName } from './pmi-words.js';
import { spotOf } from './view-list.js';

/** The state of a file's pages and what was found on them. */
export interface FilePages {
  readonly state: PagesState;
  readonly views: readonly PageView[];
  /** Type names of the annotations, by the ids of their spots. */
  readonly types: ReadonlyMap<string, string>;
  readonly failure: string | undefined;
}

/** Whether a file has pages to show: drawings, images, PDF documents. */
export function hasPages({ kind, extension, state }: WireRecord): boolean {
  return state === 'indexed' && (kind === 'TwoD' || kind === 'Image' || extension === '.pdf');
}

/** Loads the views and annotations of a file's pages, if it has pages. */
export function usePages(record: WireRecord | undefined): FilePages {
  const state = useMemo(newPagesState, [record?.uid]);
  const [views, setViews] = useState<readonly PageView[]>([]);
  const [types, setTypes] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const isShown = record !== undefined && hasPages(record);
  const uid = record?.uid ?? '';
  useEffect(() => {
    if (!isShown) return;
    const controller = new AbortController();
    const { signal } = controller;
    const fail = (cause: unknown): void => setFailure(messageOf(cause));
    readViews(uid, signal).then((found) => {
      setViews(found);
      replaceSpots(state, 'view', found.map(spotOf));
    }, fail);
    readPmi(uid, signal).then((pmi) => {
      const found = (pmi?.pages ?? []).flatMap(({ page, widthPx: width, heightPx: height, objects }) =>
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
            };
            return { spot, type: typeName(object) };
          }),
      );
      // Sizes of pages that were not opened yet, so that their views can be searched with too.
      const sizes = (pmi?.pages ?? []).map(
        ({ page, widthPx: width, heightPx: height }) => [page, { width, height }] as const,
      );
      state.sizes.value = new Map([...sizes, ...state.sizes.peek()]);
      replaceSpots(
        state,
        'pmi',
        found.map(({ spot }) => spot),
      );
      setTypes(new Map(found.map(({ spot, type }) => [spot.id, type])));
    }, fail);
    return () => controller.abort();
  }, [uid, isShown]);
  return { state, views, types, failure };
}
