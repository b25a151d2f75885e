import { send, type Query } from './request.js';

/** Downloads the original file. @throws ApiError. */
export function download(uid: string): Promise<void> {
  return save('Download', { fileUID: uid });
}

/** Downloads a model in another format, as a ZIP. @throws ApiError 422 if the file is not a model. */
export function downloadConverted(uid: string, to: 'stl' | 'step'): Promise<void> {
  return save('Converted', { fileUID: uid, to });
}

/**
 * Downloads the answer of an endpoint. A link cannot send a token, so the bytes are fetched first and then passed to
 * the browser as a `blob:` URL.
 */
export async function save(name: string, query: Query): Promise<void> {
  const response = await send(name, { query });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = nameIn(response.headers.get('content-disposition') ?? '');
  link.click();
  // By then the browser has started to read the blob.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function nameIn(disposition: string): string {
  const exact = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return exact === undefined ? 'file' : decodeURIComponent(exact);
}
