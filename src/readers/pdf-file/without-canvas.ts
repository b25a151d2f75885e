import { createRequire } from 'node:module';

/** The package from which pdfjs takes its canvas: an optional dependency of `pdfjs-dist`, compiled for some systems. */
export const CANVAS_PACKAGE = '@napi-rs/canvas';

/** Resolves the copy of the canvas that pdfjs takes. @throws Node's error for a package that is not installed. */
export function resolveCanvas(): string {
  return createRequire(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')).resolve(CANVAS_PACKAGE);
}

/**
 * Lets pdfjs be imported where the canvas is not installed. pdfjs makes a `DOMMatrix` while it is imported, which comes
 * from that package; a class without methods is enough to read texts and line work. Pages cannot be drawn then.
 */
export function allowNoCanvas(): void {
  try {
    resolveCanvas();
  } catch {
    const names = ['DOMMatrix', 'ImageData', 'Path2D'].filter((name) => !(name in globalThis));
    // With all three there, pdfjs prints no warnings to the console of the host.
    for (const name of names) Object.assign(globalThis, { [name]: class {} });
  }
}
