import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { containedOf, type Contained } from '../common/contained.js';
import { facesOf, facesText } from '../api/face-numbers.js';
import { goTo, HREF, route } from '../common/route.js';
import type { PagesState } from '../drawing/pages.js';
import { chosenFaces, light, litFaces, selection } from '../viewer/selection.js';

/**
 * Query parameters in the address of the file screen: `text` and `like`, the search that found the file; `tab`, the
 * open tab; `page`, the shown page; `at`, the selected item: a spot on a page (`pmi 1 17`, `view 3`), an annotation of
 * a model (`annotation 17`), a component (`part 0.2.1`), picked faces (`faces 3,7-9`) or those of a list (`shown
 * 3,7-9`); `place`, which of several occurrences of a shape that was looked for (see {@link askedOfRoute}) is lit, from
 * 1; absent: all.
 */
export type FileQuery = 'text' | 'like' | 'tab' | 'page' | 'at' | 'place';

/** The shape that was looked for when the file was found. */
export function askedOfRoute(): Contained {
  return containedOf(route.value.query);
}

/** A query parameter of the current address; '' if it is absent. */
export function queryOfRoute(name: FileQuery): string {
  return route.value.query.get(name) ?? '';
}

/**
 * Writes changed query parameters into the address, so that it can be shared and survives a reload. Replaces the
 * history entry: the Back button leads where it led before.
 */
export function noteInAddress(uid: string, changes: Partial<Record<FileQuery, string>>): void {
  const { path, query } = route.peek();
  // The user may already be leaving this screen.
  if (path[0] !== 'file' || path[1] !== uid) return;
  const before = Object.fromEntries(query);
  const href = HREF.file(uid, { ...before, ...changes });
  if (href !== HREF.file(uid, before)) goTo(href, { replace: true });
}

/**
 * Keeps the shown page and the selected item in step with the address, in both directions. pageCount: undefined until
 * the record is loaded.
 */
export function useFileAddress(uid: string, { page, chosen }: PagesState, pageCount: number | undefined): void {
  useEffect(() => {
    if (pageCount === undefined) return undefined;
    const show = (): void => {
      const number = Number(queryOfRoute('page'));
      page.value = Number.isInteger(number) && number >= 1 && number <= pageCount ? number : 1;
      const at = queryOfRoute('at');
      const part = /^part ([\d.]+)$/.exec(at);
      const faces = /^(faces|shown) ([\d,-]+)$/.exec(at);
      if (part !== null) selection.value = { uid, path: part[1] };
      else if (faces !== null) light({ uid, faces: facesOf(faces[2]), how: faces[1] === 'faces' ? 'picked' : 'shown' });
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
            : litOf(uid));
      // The item that the address names may appear only when the model is loaded, so `at` is written only after the
      // selection changed here.
      noteInAddress(uid, { page: page.value > 1 ? String(page.value) : '', ...(at === noted ? {} : { at }) });
      noted = at;
    });
    addEventListener('hashchange', show); // The user may type or paste another address of the same file.
    return () => {
      stop();
      removeEventListener('hashchange', show);
      litFaces.value = undefined;
    };
  }, [uid, page, pageCount]);
}

/** Lit faces as an item of the address. The match of a search is in the address already. */
function litOf(uid: string): string {
  const lit = litFaces.value;
  if (lit?.uid !== uid || lit.how === 'match') return '';
  return `${lit.how === 'picked' ? 'faces' : 'shown'} ${facesText(lit.faces)}`;
}
