import { HREF } from './route.js';
import { sentence } from './figures.js';
import { Notice } from './notice.js';

/** Shown instead of a file that cannot be shown: the reason, and links to the library and the search. */
export function NoFile({ children }: { readonly children: string }) {
  return (
    <>
      <h1>This file cannot be shown</h1>
      <Notice kind="error">{sentence(children)}</Notice>
      <p>It may have been removed, or the address may be incomplete. Search inputs are kept only for a limited time.</p>
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
