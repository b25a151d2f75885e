import type { WireHit, WireQuery } from './endpoints.js';
import { facesText, MOST_FACES } from './face-numbers.js';
import { send, type Query } from './request.js';

/** Selects one of the pictures of a file. */
export interface PictureOptions {
  /** 'small': 256 pixels; 'large': 1024. Default small. */
  readonly size?: 'small' | 'large';
  /** Page, from 1. */
  readonly page?: number;
  /** Index of a shapelet: a picture of its lines, 256 pixels. */
  readonly shape?: number;
  /** Numbers of faces of a model: these are lit, at most {@link MOST_FACES} of them. */
  readonly faces?: readonly number[];
  readonly signal?: AbortSignal;
}

/** `blob:` URLs of pictures by key, because an `<img>` cannot send a token; the `most` used last are kept. */
class KeptAddresses {
  readonly #kept = new Map<string, Promise<string>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, load: () => Promise<string>): Promise<string> {
    const known = this.#kept.get(key);
    const loading = known ?? load();
    this.#kept.delete(key);
    this.#kept.set(key, loading);
    if (known === undefined) loading.catch(() => this.#kept.delete(key));
    for (const [oldest, address] of this.#kept) {
      if (this.#kept.size <= this.#most) break;
      this.#kept.delete(oldest);
      void address.then(URL.revokeObjectURL, () => undefined);
    }
    // Whoever asked first may have left the screen: whoever waits with it then asks for itself.
    return (
      known?.catch((cause: unknown) => {
        if (cause instanceof DOMException && cause.name === 'AbortError') return this.get(key, load);
        throw cause;
      }) ?? loading
    );
  }

  forget(start: string): void {
    for (const key of this.#kept.keys()) if (key.startsWith(start)) this.#kept.delete(key);
  }
}

const pictures = new KeptAddresses(800);
const pages = new KeptAddresses(24);
/** Pictures that are requested at the same time. */
const AT_A_TIME = 8;
const waiting: (() => void)[] = [];
let running = 0;

/**
 * A `blob:` URL of a file's picture. The newest waiting request runs first: it is for what the user has just scrolled
 * to. @throws ApiError 404 if there is no picture; AbortError.
 */
export function pictureAddress(
  uid: string,
  { size = 'small', page, shape, faces = [], signal }: PictureOptions = {},
): Promise<string> {
  if (faces.length > 0) {
    const list = facesText(faces.slice(0, MOST_FACES));
    return pictures.get(`${uid} faces ${size} ${list}`, () =>
      inTurn(async () => {
        signal?.throwIfAborted();
        const query = { fileUID: uid, faces: list, size: size === 'large' ? 1_024 : 256 };
        return addressFrom('FacesImage', query, signal);
      }),
    );
  }
  const type = shape !== undefined ? 2 : size === 'large' ? 1 : 0;
  return pictures.get(`${uid} ${type} ${page ?? ''} ${shape ?? ''}`, () =>
    inTurn(async () => {
      signal?.throwIfAborted();
      return addressFrom('Image', { fid: uid, token: 'bearer', type, lgFileNumber: page, shapeIndex: shape }, signal);
    }),
  );
}

/** Drops the kept pictures of a file that is being read again. */
export function forgetPictures(uid: string): void {
  pictures.forget(uid);
}

/** Widths at which pages are requested, pixels. */
export const PAGE_WIDTHS = [512, 1024, 2048, 4096] as const;

/** A `blob:` URL of a page's picture at a width. @throws ApiError 404; AbortError. */
export function pageAddress(uid: string, page: number, width: number, signal?: AbortSignal): Promise<string> {
  return pages.get(`${uid} ${page} ${width}`, () => addressFrom('PageImage', { fileUID: uid, page, width }, signal));
}

/**
 * A `blob:` URL of a picture of the matching views of a query and a hit overlaid; the caller releases it with
 * `URL.revokeObjectURL`. @throws ApiError 404.
 */
export function overlayAddress(
  queryUID: string,
  fileUID: string,
  { queryShapelet, shapelet }: NonNullable<WireHit['shapeMatch']>,
  { size = 512, signal }: { readonly size?: number; readonly signal?: AbortSignal } = {},
): Promise<string> {
  return addressFrom('Overlay', { queryUID, queryShapelet, fileUID, shapelet, size }, signal);
}

/** A model as binary glTF. @throws ApiError 422 if the file is not a model or has too many triangles. */
export async function readModel(uid: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const accept = 'model/gltf-binary, application/problem+json';
  return (await send('Model', { query: { fileUID: uid }, accept, signal })).arrayBuffer();
}

/**
 * Downloads the answer of an endpoint. A link cannot send a token, so the bytes are fetched first and then passed to
 * the browser as a `blob:` URL. @throws ApiError.
 */
export async function download(
  name: 'Download' | 'Converted' | 'DuplicatesFile' | 'InspectionFile' | 'PMIComparisonFile' | 'BillOfMaterialsFile',
  query: Query,
): Promise<void> {
  await save(await send(name, { query }));
}

/** Downloads the hits of a search as a table. @throws ApiError. */
export async function downloadHits(
  query: WireQuery,
  options: { readonly format: 'csv' | 'xlsx' | 'pdf'; readonly pictures: boolean },
): Promise<void> {
  // The body is a text that holds JSON, in JSON.
  await save(await send('FindFile', { method: 'POST', query: options, json: JSON.stringify(query) }));
}

/** Passes the bytes of an answer to the browser, to be saved under the name that the answer gives. */
async function save(response: Response): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  const [, exact] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  link.download = exact === undefined ? 'file' : decodeURIComponent(exact);
  link.click();
  // By then the browser has started to read the blob.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function addressFrom(name: string, query: Query, signal: AbortSignal | undefined): Promise<string> {
  return URL.createObjectURL(await (await send(name, { query, accept: 'image/png', signal })).blob());
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.pop()?.();
  }
}
