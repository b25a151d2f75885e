let known: boolean | undefined;

/**
 * Whether the browser has WebGL 2. Tested before three.js is used, because three.js logs a missing context as an error.
 */
export function hasWebgl(): boolean {
  if (known === undefined) {
    const context = document.createElement('canvas').getContext('webgl2');
    known = context !== null;
    context?.getExtension('WEBGL_lose_context')?.loseContext();
  }
  return known;
}
