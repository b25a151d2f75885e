import type { ComponentChildren } from 'preact';
import type { WireHit } from '../api/wire.js';

/** A piece of text with what was searched for marked in it. */
export function Highlights({ highlight: { snippet, ranges } }: { readonly highlight: Pick<WireHit['textHighlights'][number], 'snippet' | 'ranges'> }) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(snippet.slice(at, start), <mark key={start}>{snippet.slice(start, end)}</mark>);
    at = end;
  }
  return <>{parts}{snippet.slice(at)}</>;
}
