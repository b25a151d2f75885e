import { useEffect, useState } from 'preact/hooks';
import { pageAddress, PAGE_WIDTHS } from '../api/pages.js';
import { messageOf } from '../api/request.js';
import type { Size } from './placement.js';

/** Time without a change of the zoom after which a sharper picture is asked for, ms. */
const PATIENCE_MS = 180;

/** A picture of a page, and what became of it. */
export interface LoadedPage {
  /** Undefined until the first picture is there. */
  readonly address: string | undefined;
  /** Pixels of the picture. */
  readonly size: Size | undefined;
  readonly failure: string | undefined;
  readonly isLoading: boolean;
}

/**
 * The picture of a page at the smallest of the kept widths that is sharp at `wantedPx` pixels; while it comes, the one that is there stays.
 * page: undefined lets the server choose.
 */
export function usePagePicture(uid: string, page: number | undefined, wantedPx: number): LoadedPage {
  const width = PAGE_WIDTHS.find((each) => each >= 0.9 * wantedPx) ?? PAGE_WIDTHS[PAGE_WIDTHS.length - 1];
  const key = `${uid} ${page ?? ''}`;
  const [loaded, setLoaded] = useState<LoadedPage & { readonly key: string; readonly width: number }>(() => ({
    ...NOTHING,
    key,
    width: 0,
  }));
  const isSame = loaded.key === key;
  const best = isSame ? loaded.width : 0;
  useEffect(() => {
    // A coarser picture than the one that is there is of no use.
    if (best >= width) return;
    const leaving = new AbortController();
    const timer = setTimeout(
      () => {
        void (async () => {
          try {
            const address = await pageAddress(uid, page, width, leaving.signal);
            const image = new Image();
            image.src = address;
            await image.decode();
            if (!leaving.signal.aborted)
              setLoaded({
                key,
                width,
                address,
                size: { width: image.naturalWidth, height: image.naturalHeight },
                failure: undefined,
                isLoading: false,
              });
          } catch (cause) {
            const message = messageOf(cause);
            if (message !== undefined && !leaving.signal.aborted)
              setLoaded((before) => ({
                ...(before.key === key ? before : NOTHING),
                key,
                width,
                failure: message,
                isLoading: false,
              }));
          }
        })();
      },
      best === 0 ? 0 : PATIENCE_MS,
    );
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, width, best]);
  return isSame ? { ...loaded, isLoading: loaded.failure === undefined && best < width } : NOTHING;
}

const NOTHING: LoadedPage = { address: undefined, size: undefined, failure: undefined, isLoading: true };
