/**
 * A ref callback that focuses a field when it is added to the page and scrolls its form into view. The `autofocus`
 * attribute works only for elements that are present when the document loads.
 */
export function focus(element: HTMLElement | null): void {
  element?.focus();
  const form = element?.closest('form');
  // The form has its full height only after the next frame.
  if (form) requestAnimationFrame(() => form.scrollIntoView({ block: 'nearest' }));
}
