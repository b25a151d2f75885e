import type { FoundPage, Pmi, PmiObject, StoredShapelet } from '../../index.js';
import { send, sendForJson } from './request.js';

/** Page pictures that are kept. */
const KEPT = 24;
const kept = new Map<string, Promise<string>>();

/** Widths at which pages are requested, pixels. */
export const PAGE_WIDTHS = [512, 1024, 2048, 4096] as const;

/**
 * A `blob:` URL of a page's picture at a width. The {@link KEPT} used last are kept. page: undefined lets the server
 * choose.
 * @throws ApiError 404; AbortError.
 */
export function pageAddress(
  uid: string,
  page: number | undefined,
  width: number,
  signal?: AbortSignal,
): Promise<string> {
  const key = `${uid} ${page ?? ''} ${width}`;
  const known = kept.get(key);
  kept.delete(key);
  const loading =
    known ??
    (async () => {
      const response = await send('PageImage', { query: { fileUID: uid, page, width }, accept: 'image/png', signal });
      return URL.createObjectURL(await response.blob());
    })();
  kept.set(key, loading);
  if (known === undefined) loading.catch(() => kept.delete(key));
  for (const [oldest, address] of kept) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
    void address.then(URL.revokeObjectURL, () => undefined);
  }
  return loading;
}

/** A page of a file's text, as GET /Text answers it. */
export interface TextPage
  extends Pick<FoundPage, 'number' | 'name' | 'text'>,
    Required<Pick<FoundPage, 'ranges' | 'boxes'>> {
  readonly isCut: boolean;
}

/** Some pages of text; nextPage: the first of the following ones, null at the end. */
export interface TextPart {
  readonly pages: readonly TextPage[];
  readonly nextPage: number | null;
}

/**
 * The text of a file, starting at a page. words: occurrences of these are reported; '' for none.
 * @throws ApiError 400 for words without a letter or digit.
 */
export function readText(
  uid: string,
  { words = '', page = 1, signal }: { readonly words?: string; readonly page?: number; readonly signal?: AbortSignal },
): Promise<TextPart> {
  return sendForJson<TextPart>('Text', {
    query: { fileUID: uid, words: words === '' ? undefined : words, page },
    signal,
  });
}

/** Dimensions and tolerances of a drawing or model; undefined for other files. */
export async function readPmi(uid: string, signal?: AbortSignal): Promise<Pmi | undefined> {
  const { PMI } = await sendForJson<{ PMI: string }>('PMIData', { query: { fileUID: uid }, signal });
  return PMI === '' ? undefined : pmiOf(JSON.parse(PMI) as WirePmi);
}

/** PMI in the names of the PMIData endpoint. */
interface WirePmi {
  readonly BEVersion: string;
  readonly pages: readonly {
    readonly page: number;
    readonly ImageSize: readonly [width: number, height: number];
    readonly objects: readonly WirePmiObject[];
  }[];
}

interface WirePmiObject extends Pick<PmiObject, 'group' | 'box' | 'faces'> {
  readonly type_id: PmiObject['typeId'];
  readonly _id: number;
  readonly text?: string | readonly string[];
  readonly tol?: readonly string[];
  readonly mtext?: readonly { readonly text: string; readonly tol?: readonly string[] }[];
}

function pmiOf({ BEVersion, pages }: WirePmi): Pmi {
  return {
    version: Number(BEVersion),
    pages: pages.map(({ page, ImageSize: [widthPx, heightPx], objects }) => ({
      page,
      widthPx,
      heightPx,
      objects: objects.map(({ type_id: typeId, _id: id, text = [], tol, mtext, ...rest }) => ({
        ...rest,
        typeId,
        id,
        parts:
          mtext?.map((each) => ({ text: each.text, tolerance: each.tol })) ??
          [text].flat().map((each) => ({ text: each, tolerance: tol })),
      })),
    })),
  };
}

/** A view on a page of a file. */
export interface PageView {
  /** Index among the shapelets of the file. */
  readonly index: number;
  readonly page: number;
  /** As shares of the page's width and height. */
  readonly box: Extract<StoredShapelet['place'], { kind: 'page' }>['box'];
}

/** The views on the pages of a file; none of a model. */
export async function readViews(uid: string, signal?: AbortSignal): Promise<readonly PageView[]> {
  interface WireShapelet {
    readonly Index: number;
    readonly Page?: number;
    readonly Box?: { readonly X: number; readonly Y: number; readonly Width: number; readonly Height: number };
  }
  const { Shapelets } = await sendForJson<{ Shapelets: readonly WireShapelet[] | null }>('File', {
    query: { fileUID: uid, includeShapelets: true },
    signal,
  });
  return (Shapelets ?? []).flatMap(({ Index, Page, Box }) =>
    Page === undefined || Box === undefined
      ? []
      : [{ index: Index, page: Page, box: { x: Box.X, y: Box.Y, width: Box.Width, height: Box.Height } }],
  );
}

/** Two matching views. */
export interface ViewPair {
  readonly queryUID: string;
  readonly queryShapelet: number;
  readonly fileUID: string;
  readonly shapelet: number;
}

/**
 * A `blob:` URL of a picture of two views overlaid; the caller releases it with `URL.revokeObjectURL`.
 * @throws ApiError 404.
 */
export async function overlayAddress(pair: ViewPair, signal?: AbortSignal): Promise<string> {
  return URL.createObjectURL(await (await send('Overlay', { query: { ...pair }, accept: 'image/png', signal })).blob());
}
