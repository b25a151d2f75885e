import { EngineError } from '../errors.js';
import type { FileSources } from '../indexing/file-sources.js';
import type { FileSource, WorkerRequest } from '../indexing/worker/messages.js';
import type { WorkerPool } from '../indexing/pool/pool.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';
import type { KeptPictures } from '../pictures/kept-pictures.js';
import { pictureName, type DrawnPicture } from '../pictures/picture-name.js';
import {
  THUMBNAIL_SIZES,
  checkThumbnailOptions,
  type PageImageOptions,
  type ThumbnailOptions,
} from '../pictures/thumbnail-options.js';
import type { ContainedInput, SearchHit, SearchInput, SearchQuery, SearchResult } from '../search/query/query.js';
import { checkPart, checkUid } from './checks.js';
import type { CompanyContext } from './context.js';
import type { FileContents } from './file-contents.js';

/** Options of drawing two shapelets over each other. */
export interface OverlayOptions {
  /** Edge length, pixels, 16 to 1024. Default 512. */
  readonly size: number;
}

/** Which page of a drawing is drawn with its annotations. */
export interface PmiOverlayOptions {
  /** Page number, from 1. Default: the first page with annotations. */
  readonly page: number;
}

/** Most faces that one picture lights. */
const MOST_LIT_FACES = 10_000;

const OVERLAY_DEFAULTS = Object.freeze({ size: 512 } satisfies Defaults<OverlayOptions>);
const PMI_DEFAULTS = Object.freeze({ page: undefined } satisfies Defaults<PmiOverlayOptions>);

/** @internal */
interface PicturesParts extends CompanyContext {
  readonly pool: WorkerPool;
  readonly sources: FileSources;
  readonly kept: KeptPictures;
  readonly contents: FileContents;
}

/** Less common pictures of a company's files: `company.pictures`. Thumbnails and pages are methods of the company. */
export class CompanyPictures {
  readonly #parts: PicturesParts;

  /** @internal */
  constructor(parts: PicturesParts) {
    this.#parts = parts;
  }

  /**
   * Draws the lines of one shapelet of a file, or of bytes that are not stored, as a PNG: the longest side takes 60/64
   * of the picture. The file is read again at each call, in a worker.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` when there is no such shapelet, or the reason why the file cannot
   * be read; TypeError or RangeError.
   */
  async shapelet(part: string | SearchInput, index: number, options?: Partial<ThumbnailOptions>): Promise<Uint8Array> {
    const { pool, sources } = this.#open();
    checkInteger('index', index, 0);
    const given = checkThumbnailOptions(options);
    const of = await this.#source(checkPart('part', part));
    const draw = (): Promise<Uint8Array> => sources.read(pool, { kind: 'shapelet', of, index, ...given });
    const { size, background } = given;
    if (size !== THUMBNAIL_SIZES.small || background !== 'transparent') return draw();
    return this.#kept(of, pictureName(of.name, { kind: 'shapelet', size, index }), draw);
  }

  /**
   * Draws the matching shapelets of a hit and the query over each other, as PNG: query red, match blue, the query's
   * shapelet in the middle. The hit must have been found by its views (it has a `shapeMatch`). like: the inputs of the
   * search. Both files are read again, in a worker.
   * @throws the errors of {@link shapelet}; TypeError for a hit without `shapeMatch`.
   */
  async overlay(
    like: string | NonNullable<SearchQuery['like']>,
    { uid, shapeMatch }: Pick<SearchHit, 'uid' | 'shapeMatch'>,
    options?: Partial<OverlayOptions>,
  ): Promise<Uint8Array> {
    const { pool, sources, companyId, seen } = this.#open();
    const { size } = withDefaults('overlay options', options, OVERLAY_DEFAULTS);
    checkInteger('overlay options.size', size, 16, 1024);
    if (shapeMatch === undefined)
      throw new TypeError(`${uid} was not found by its views, so there is nothing to lay over the query`);
    const inputs: readonly (string | SearchInput)[] = Array.isArray(like) ? like : [like as string | SearchInput];
    const given = inputs.at(shapeMatch.input);
    if (given === undefined)
      throw new RangeError(`shapeMatch.input is ${shapeMatch.input}, but like holds ${inputs.length} inputs`);
    const query = checkPart('like', given);
    return sources.read(pool, {
      kind: 'overlay',
      of: await sources.stored(companyId, checkUid(uid), seen),
      index: shapeMatch.shapelet,
      query: await this.#source(query),
      queryIndex: shapeMatch.queryShapelet,
      ...(query.crop === undefined ? {} : { queryCrop: query.crop }),
      size,
    });
  }

  /**
   * Draws a model as {@link Company.thumbnail} does, with some of its faces in orange and all others in grey; from
   * another side where it shows more than twice as much of them. faces: their numbers as `company.faces` counts them, 1
   * to 10 000; unknown ones are left out.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` for files that are no models, or the reason why the file cannot
   * be read; TypeError or RangeError.
   */
  async faces(
    part: string | SearchInput,
    faces: readonly number[],
    options?: Partial<Omit<ThumbnailOptions, 'page'>>,
  ): Promise<Uint8Array> {
    this.#open();
    if (!Array.isArray(faces) || faces.length === 0 || faces.length > MOST_LIT_FACES)
      throw new RangeError(`faces must be a list of 1 to ${MOST_LIT_FACES} numbers of faces`);
    for (const face of faces as readonly number[]) checkInteger('faces', face, 0);
    const { page, ...fit } = checkThumbnailOptions(options);
    if (page !== undefined) throw new TypeError('a picture of faces has no page');
    const { small, large } = THUMBNAIL_SIZES;
    return this.#fitted(await this.#source(checkPart('part', part)), fit, {
      kind: 'faces',
      size: fit.size <= small ? small : large,
      faces,
    });
  }

  /**
   * A page of an indexed drawing, as PNG, with a box around each annotation and its recognised text. The file is read
   * again at each call, in a worker.
   * @throws EngineError `FILE_UNKNOWN`, `NO_GEOMETRY` when there is no such page; RangeError.
   */
  async pmi(uid: string, options?: Partial<PmiOverlayOptions>): Promise<Uint8Array> {
    const { contents } = this.#open();
    const { page: wanted } = withDefaults('pmi picture options', options, PMI_DEFAULTS);
    if (wanted !== undefined) checkInteger('pmi picture options.page', wanted, 1);
    const known = checkUid(uid);
    const pages = (await contents.pmi(known))?.pages ?? [];
    const page =
      wanted === undefined
        ? (pages.find(({ objects }) => objects.length > 0) ?? pages[0])
        : pages.find(({ page: number }) => number === wanted);
    if (page === undefined)
      throw new EngineError(
        'NO_GEOMETRY',
        wanted === undefined
          ? 'the file is not a drawing, so it has no annotations'
          : `the drawing has no page ${wanted}`,
      );
    if (page.widthPx === 0)
      throw new EngineError('NO_GEOMETRY', 'the annotations of a model refer to its faces, not to a page');
    const { pmiOverlay } = await import('../pictures/pmi-overlay.js');
    return pmiOverlay(await this.page(known, { page: page.page, width: page.widthPx }), page);
  }

  /**
   * Draws one PNG with the query (the first input of `like`, or `contains`, if any) and up to 19 hits, with rank,
   * similarity and match class (or, without a query, the kind). Of a search with `contains` the faces that match are
   * lit, see {@link faces}.
   */
  async results(query: SearchQuery['like'] | ContainedInput, result: SearchResult): Promise<Uint8Array> {
    this.#open();
    // Loaded when needed: the image library takes time and memory.
    const { resultPicture } = await import('../pictures/result-pictures.js');
    const [first]: readonly (ContainedInput | undefined)[] = Array.isArray(query)
      ? query
      : [query as ContainedInput | undefined];
    const draw = (part: SearchInput, size: number, faces: readonly number[] = []): Promise<Uint8Array> =>
      faces.length > 0
        ? this.faces(part, faces.slice(0, MOST_LIT_FACES), { size })
        : this.thumbnail(checkPart('part', part), checkThumbnailOptions({ size }));
    const drawContained = ({ faces, ...part }: ContainedInput, size: number): Promise<Uint8Array> =>
      draw(part, size, faces);
    return resultPicture({
      result,
      drawQuery: first === undefined ? undefined : (size) => drawContained(first, size),
      drawHit: ({ uid, faces }, size) => draw({ uid }, size, faces),
    });
  }

  /**
   * See `Company.thumbnail`. Scales the cached thumbnail of the next larger size, or a new one, to the requested size.
   * @internal
   */
  async thumbnail(part: SearchInput, { page, ...fit }: ThumbnailOptions): Promise<Uint8Array> {
    const { small, large } = THUMBNAIL_SIZES;
    const size = fit.size <= small ? small : large;
    return this.#fitted(await this.#source(part), fit, { kind: 'thumbnail', size, page });
  }

  async #fitted(of: FileSource, fit: Omit<ThumbnailOptions, 'page'>, picture: DrawnPicture): Promise<Uint8Array> {
    const png = await this.#kept(of, pictureName(of.name, picture), () => this.#read({ kind: 'picture', of, picture }));
    // Loaded when needed: the image library takes time and memory.
    return (await import('../pictures/png.js')).fitPng(png, fit);
  }

  /** See `Company.pageImage`. @internal */
  async page(uid: string, { page, width }: PageImageOptions): Promise<Uint8Array> {
    const picture = { kind: 'page', width, page } as const;
    const { sources, companyId, seen } = this.#parts;
    const of = await sources.stored(companyId, uid, seen);
    const draw = (): Promise<Uint8Array> => this.#read({ kind: 'picture', of, picture });
    // Only one width is cached, because callers may request any number of widths.
    return width === THUMBNAIL_SIZES.large ? this.#kept(of, pictureName(of.name, picture), draw) : draw();
  }

  #read(request: WorkerRequest<'picture'>): Promise<Uint8Array> {
    const { sources, pool } = this.#parts;
    return sources.read(pool, request);
  }

  #source(part: SearchInput): Promise<FileSource> {
    const { sources, companyId, seen } = this.#parts;
    return sources.of(companyId, part, seen);
  }

  /** Caches pictures of stored files, but not those of given bytes. */
  #kept(of: FileSource, name: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    if (of.kind !== 'stored') return draw();
    return this.#parts.kept.read(keyOf(of, name), draw);
  }

  #open(): PicturesParts {
    this.#parts.lifetime.checkOpen();
    return this.#parts;
  }
}

/**
 * The name under which data of a separately indexed component is cached.
 * @internal
 */
export function keyOf(
  { hash, component }: FileSource & { readonly kind: 'stored' },
  name: string,
): { hash: string; name: string } {
  return { hash, name: component === undefined ? name : `component-${component}-${name}` };
}
