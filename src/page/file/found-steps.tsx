import { foundList } from '../common/found-list.js';

/** Links to the files before and after a file in the list in which it was found. */
export function FoundSteps({ uid }: { readonly uid: string }) {
  const list = foundList.value;
  const at = list?.files.findIndex((file) => file?.uid === uid) ?? -1;
  if (list === undefined || at < 0) return null;
  const [before, after] = [list.files[at - 1], list.files[at + 1]];
  return (
    <nav class="found-steps" aria-label="Found files">
      {before === undefined ? <span class="quiet">‹ Previous</span> : <a href={before.href}>‹ Previous</a>}
      <a href={list.back}>
        {at + 1} of {list.files.length} found
      </a>
      {after === undefined ? <span class="quiet">Next ›</span> : <a href={after.href}>Next ›</a>}
    </nav>
  );
}
