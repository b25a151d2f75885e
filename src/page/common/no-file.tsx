import { HREF } from '../app/route.js';
import { sentence } from './figures.js';
import { Notice } from './notice.js';

/** In place of a file that cannot be shown: why, and where to go from here. */
export function NoFile({ children }: { readonly children: string }) {
  return (
    <>
      <h1>This file cannot be shown</h1>
      <Notice kind="error">{sentence(children)}</Notice>
      <p>
        It may have been removed, or the address is not complete. Files that were dropped to search with are kept for a
        while only.
      </p>
      <p class="no-file-ways">
        <a class="button" href={HREF.library()}>
          Open the library
        </a>
        <a class="button" href={HREF.search()}>
          Search
        </a>
      </p>
    </>
  );
}
