import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { goTo, HREF, route } from '../app/route.js';
import type { PagesState } from '../drawing/pages.js';
import { chosenFaces, selection } from '../viewer/selection.js';

/**
 * What the address of a file's screen says: how the file was found (`text`, `like`), which `tab` is open, which `page` is shown, and `at`: what is chosen, a spot
 * on a page (`pmi 1 17`, `view 3`), an annotation of a model (`annotation 17`) or a component (`part 0.2.1`).
 */
export type FileQuery = 'text' | 'like' | 'tab' | 'page' | 'at';

/** Of the present address; '' where it says nothing. */
export function queryOfRoute(name: FileQuery): string {
  return route.value.query.get(name) ?? '';
}

/** Writes into the address what changed, so that it can be shared and outlives a reload. Back goes where it went before. */
export function noteInAddress(uid: string, changes: Partial<Record<FileQuery, string>>): void {
  const { path, query } = route.peek();
  // The screen may be being left.
  if (path[0] !== 'file' || path[1] !== uid) return;
  const before = Object.fromEntries(query);
  const href = HREF.file(uid, { ...before, ...changes });
  if (href !== HREF.file(uid, before)) goTo(href, { replace: true });
}

/** Shows what the address says of pages and of what is chosen, and keeps it there. pageCount: undefined as long as the file is not known. */
export function useFileAddress(uid: string, { page, chosen }: PagesState, pageCount: number | undefined): void {
  useEffect(() => {
    if (pageCount === undefined) return undefined;
    const show = (): void => {
      const number = Number(queryOfRoute('page'));
      page.value = Number.isInteger(number) && number >= 1 && number <= pageCount ? number : 1;
      const at = queryOfRoute('at');
      const part = /^part ([\d.]+)$/.exec(at);
      if (part !== null) selection.value = { uid, path: part[1] };
      else if (!at.startsWith('annotation ')) chosen.value = at;
    };
    show();
    let noted = '';
    const stop = effect(() => {
      const at =
        chosen.value ||
        (selection.value?.uid === uid
          ? `part ${selection.value.path}`
          : chosenFaces.value?.uid === uid
            ? `annotation ${chosenFaces.value.annotation}`
            : '');
      // What the address asks for may come later, with the model: only a change here changes it.
      noteInAddress(uid, { page: page.value > 1 ? String(page.value) : '', ...(at === noted ? {} : { at }) });
      noted = at;
    });
    addEventListener('hashchange', show); // Another address of this file, typed or pasted.
    return () => {
      stop();
      removeEventListener('hashchange', show);
    };
  }, [uid, page, pageCount]);
}
