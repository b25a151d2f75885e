import { send, type Query } from './request.js';

/** Saves a file as it was put. @throws ApiError. */
export function download(uid: string): Promise<void> {
  return save('Download', { fileUID: uid });
}

/** Saves a model in another format, as a ZIP. @throws ApiError 422 for what is no model. */
export function downloadConverted(uid: string, to: 'stl' | 'step'): Promise<void> {
  return save('Converted', { fileUID: uid, to });
}

/** Saves what an endpoint answers: a link cannot send a token, so the bytes come first and are handed to the browser then. */
export async function save(name: string, query: Query): Promise<void> {
  const response = await send(name, { query });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = nameIn(response.headers.get('content-disposition') ?? '');
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function nameIn(disposition: string): string {
  const exact = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return exact === undefined ? 'file' : decodeURIComponent(exact);
}
