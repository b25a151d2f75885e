import type { ComponentChildren } from 'preact';

/** A text with `<mark>` around its ranges. ranges: offsets in the text, ascending, not overlapping. */
export function marked(
  text: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
): ComponentChildren {
  if (ranges.length === 0) return text;
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start > at) parts.push(text.slice(at, start));
    parts.push(<mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}
