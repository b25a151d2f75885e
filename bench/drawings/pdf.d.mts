/** The bytes of a PDF of a page, its letters as text or as outlines. */
export function pdfOf(page: object, letters: 'text' | 'outlines'): Uint8Array | Promise<Uint8Array>;
