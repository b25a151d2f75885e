/** A ref that puts the focus on a field when it appears, and brings its form into view: `autofocus` works for what is there from the start alone. */
export function focus(element: HTMLElement | null): void {
  element?.focus();
  const form = element?.closest('form');
  // All of the form is there once the frame is drawn.
  if (form) requestAnimationFrame(() => form.scrollIntoView({ block: 'nearest' }));
}
