let known: boolean | undefined;

/** Whether the browser can draw in three dimensions; asked once, because three.js reports a missing context as an error. */
export function hasWebgl(): boolean {
  if (known === undefined) {
    const context = document.createElement('canvas').getContext('webgl2');
    known = context !== null;
    context?.getExtension('WEBGL_lose_context')?.loseContext();
  }
  return known;
}
