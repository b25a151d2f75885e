import { useEffect, useState } from 'preact/hooks';
import { pageAddress, PAGE_WIDTHS } from '../api/blobs.js';
import { messageOf } from '../api/request.js';
import type { Size } from './placement.js';

/** Pause in zooming after which a sharper picture is requested, ms. */
const PATIENCE_MS = 180;

/** The state of loading a picture of a page. */
export interface LoadedPage {
  /** URL of the picture; undefined until the first one is loaded. */
  readonly address: string | undefined;
  /** Size of the picture, pixels. */
  readonly size: Size | undefined;
  readonly failure: string | undefined;
  readonly isLoading: boolean;
}

/**
 * The picture of a page at the smallest of {@link PAGE_WIDTHS} that is sharp at `wantedPx` pixels. While a sharper
 * picture is loading, the present one stays.
 */
export function usePagePicture(uid: string, page: number, wantedPx: number): LoadedPage {
  const width = PAGE_WIDTHS.find((each) => each >= 0.9 * wantedPx) ?? PAGE_WIDTHS[PAGE_WIDTHS.length - 1];
  const key = `${uid} ${page}`;
  const [loaded, setLoaded] = useState<LoadedPage & { readonly key: string; readonly width: number }>(() => ({
    ...NOTHING,
    key,
    width: 0,
  }));
  const isSame = loaded.key === key;
  const best = isSame ? loaded.width : 0;
  useEffect(() => {
    // The present picture is sharp enough.
    if (best >= width) return;
    const controller = new AbortController();
    const timer = setTimeout(
      () => {
        void (async () => {
          try {
            const address = await pageAddress(uid, page, width, controller.signal);
            const image = new Image();
            image.src = address;
            await image.decode();
            const size = { width: image.naturalWidth, height: image.naturalHeight };
            if (!controller.signal.aborted) setLoaded({ ...NOTHING, key, width, address, size });
          } catch (cause) {
            const message = messageOf(cause);
            if (message !== undefined && !controller.signal.aborted)
              setLoaded((before) => ({ ...(before.key === key ? before : NOTHING), key, width, failure: message }));
          }
        })();
      },
      best === 0 ? 0 : PATIENCE_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, width, best]);
  return isSame ? { ...loaded, isLoading: loaded.failure === undefined && best < width } : NOTHING;
}

const NOTHING: LoadedPage = { address: undefined, size: undefined, failure: undefined, isLoading: true };
