import { send } from './request.js';

/** Which picture of a file. */
export interface PictureOptions {
  /** 'small': 256 pixels; 'large': 1024. Default small. */
  readonly size?: 'small' | 'large';
  /** From 1. */
  readonly page?: number;
  /** The lines of this extracted shape, 256 pixels. */
  readonly shape?: number;
  readonly signal?: AbortSignal;
}

/** Pictures kept, and requests sent at a time. */
const KEPT = 800;
const AT_A_TIME = 8;

const kept = new Map<string, Promise<string>>();
const waiting: (() => void)[] = [];
let running = 0;

/**
 * A `blob:` address of a file's picture: an `<img>` cannot send a token. The last {@link KEPT} are kept; newer requests go first, because people
 * look at what they have scrolled to. @throws ApiError 404 when there is none; AbortError.
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

/** Forgets the pictures of a file that was read anew. */
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
