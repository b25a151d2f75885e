import type { ComponentChildren } from 'preact';
import type { WireHit } from '../api/endpoints.js';

type Ranges = WireHit['textHighlights'][number]['ranges'];

/** A snippet of text with the found words marked. lead: most characters shown before the first mark. */
export function Highlights({
  highlight: { snippet, ranges },
  lead = Infinity,
}: {
  readonly highlight: Pick<WireHit['textHighlights'][number], 'snippet' | 'ranges'>;
  readonly lead?: number;
}) {
  const from = beginningOf(snippet, ranges[0]?.start ?? 0, lead);
  return (
    <>
      {from > 0 ? '…' : ''}
      {marked(snippet, ranges, from)}
    </>
  );
}

/** A text with `<mark>` around its ranges. ranges: offsets in the text, ascending, not overlapping. */
export function marked(text: string, ranges: Ranges, from = 0): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let at = from;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Where the snippet starts: after a space, if there is one within `lead`. */
function beginningOf(snippet: string, first: number, lead: number): number {
  if (first <= lead) return 0;
  const space = snippet.indexOf(' ', first - lead);
  return space >= 0 && space < first ? space + 1 : first;
}
