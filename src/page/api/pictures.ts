import { send } from './request.js';

/** Selects one of the pictures of a file. */
export interface PictureOptions {
  /** 'small': 256 pixels; 'large': 1024. Default small. */
  readonly size?: 'small' | 'large';
  /** Page, from 1. */
  readonly page?: number;
  /** Index of a shapelet: a picture of its lines, 256 pixels. */
  readonly shape?: number;
  readonly signal?: AbortSignal;
}

/** Pictures that are kept, and requests that run at the same time. */
const KEPT = 800;
const AT_A_TIME = 8;

const kept = new Map<string, Promise<string>>();
const waiting: (() => void)[] = [];
let running = 0;

/**
 * A `blob:` URL of a file's picture, because an `<img>` cannot send a token. The {@link KEPT} used last are kept. The
 * newest waiting request runs first: it is for what the user has just scrolled to. @throws ApiError 404 if there is no
 * picture; AbortError.
 */
export function pictureAddress(
  uid: string,
  { size = 'small', page, shape, signal }: PictureOptions = {},
): Promise<string> {
  const type = shape !== undefined ? 2 : size === 'large' ? 1 : 0;
  const key = `${uid} ${type} ${page ?? ''} ${shape ?? ''}`;
  const known = kept.get(key);
  if (known !== undefined) {
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const loading = inTurn(async () => {
    signal?.throwIfAborted();
    const query = { fid: uid, token: 'bearer', type, lgFileNumber: page, shapeIndex: shape };
    return URL.createObjectURL(await (await send('Image', { query, accept: 'image/png', signal })).blob());
  });
  kept.set(key, loading);
  loading.catch(() => kept.delete(key));
  for (const [oldest, address] of kept) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
    void address.then(URL.revokeObjectURL, () => undefined);
  }
  return loading;
}

/** Drops the kept pictures of a file that is being read again. */
export function forgetPictures(uid: string): void {
  for (const key of kept.keys()) if (key.startsWith(uid)) kept.delete(key);
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
