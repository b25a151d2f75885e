/** A ref that puts the focus on a field when it appears: `autofocus` works for what is there from the start alone. */
export function focus(element: HTMLElement | null): void {
  element?.focus();
}
