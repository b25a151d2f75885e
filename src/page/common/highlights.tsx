import type { ComponentChildren } from 'preact';
import type { WireHit } from '../api/wire.js';

/** A snippet of text with the found words marked. lead: most characters shown before the first mark. */
export function Highlights({
  highlight: { snippet, ranges },
  lead = Infinity,
}: {
  readonly highlight: Pick<WireHit['textHighlights'][number], 'snippet' | 'ranges'>;
  readonly lead?: number;
}) {
  const parts: ComponentChildren[] = [];
  let at = beginningOf(snippet, ranges[0]?.start ?? 0, lead);
  if (at > 0) parts.push('…');
  for (const { start, end } of ranges) {
    parts.push(snippet.slice(at, start), <mark key={start}>{snippet.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {snippet.slice(at)}
    </>
  );
}

/** Where the snippet starts: after a space, if there is one within `lead`. */
function beginningOf(snippet: string, first: number, lead: number): number {
  if (first <= lead) return 0;
  const space = snippet.indexOf(' ', first - lead);
  return space >= 0 && space < first ? space + 1 : first;
}
