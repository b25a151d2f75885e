import { z } from '@hono/zod-openapi';
import { becauseText, EngineError, type ServedCompany } from '../../index.js';
import type { Call } from '../server/call.js';
import { FILE_TYPES, Shapelet, shapeletsOf } from './file-map.js';
import { allPictureLinks, pictureLinks, type PictureLinks } from './picture-links.js';

type ServedResult = Awaited<ReturnType<ServedCompany['search']>>;
type ServedHit = ServedResult['hits'][number];

/** Most characters of a result's `FullText`. */
const FULL_TEXT_LENGTH = 4_000;

const text = z.string().nullable();
const number = z.number().nullable();

const Reason = z.object({ Code: z.string(), Text: z.string(), Figures: z.looseObject({}) }).openapi('Reason', {
  description: 'A code, a phrase in English, and in `Figures` the numbers and words of the phrase.',
});

const ShapeResult = z
  .object({
    UID: z.string(),
    Score: z.number().openapi({ description: 'Lower is more similar; 0 is an exact match.' }),
    Volume: number,
    SurfaceArea: number,
    ViewerUrl: text.openapi({ description: 'The page that shows the file; null where none is served.' }),
    DetailsUrl: text.openapi({ description: 'The page that shows the file; where none is served, its record.' }),
    LargeFileUrl: text.openapi({ description: 'Its large picture.' }),
    FileHash: text.openapi({ description: 'SHA-256 of the bytes.' }),
    Attributes: z.array(z.string()),
    FileHasThumbnail: z.boolean(),
    Shapelets: z.array(Shapelet).nullable(),
    FirstShapeMatchIndex: text.openapi({
      description: 'Index of the shape of the result that is most like the input; null where models are compared.',
    }),
    FirstShapeMatchPageNum: text.openapi({ description: 'Its page, from 1.' }),
    MatchPosition: text.openapi({
      description:
        '`x,y,rotation,scale` between pages: the page of the result is scaled and turned (degrees, clockwise) about ' +
        'its upper left corner, then moved, so that its shape lies on that of the input. Lengths in units of the ' +
        'longer side of a page.',
    }),
    Name: text,
    Similarity: number.openapi({ description: '0 to 100, for people.' }),
    MatchClass: z.enum(['identical', 'mirrored', 'scaled', 'similar']).nullable(),
    Because: z.array(Reason).openapi({ description: 'Why it was found, the most telling first, at most four.' }),
    IsDuplicate: z
      .boolean()
      .nullable()
      .openapi({
        description:
          'Of an input, by shapeOnlyDups, attrsOnlyDups and shapePlusAttrsDups of the profile; null when none of ' +
          'these is set.',
      }),
    MatchTransform: z
      .array(z.number())
      .nullable()
      .openapi({ description: '4 × 4, column-major, mm: carries the input onto the hit.' }),
  })
  .openapi('ShapeResult');

const Location = z
  .object({
    Field: z.enum(['text', 'name', 'attribute']),
    Page: z.int().nullable(),
    Ranges: z.array(z.object({ Start: z.int(), End: z.int() })),
    Boxes: z.array(z.object({ X: z.number(), Y: z.number(), Width: z.number(), Height: z.number() })),
  })
  .openapi('TextHighlightLocation', {
    description:
      'Of the highlight at the same place of TextHighlights: offsets in it, and boxes as shares of the page.',
  });

const ResultEntry = z
  .object({
    ShapeResult,
    CompanyName: text,
    PublicURL: text.openapi({
      description: 'The address that the company publishes, else the page that shows the file.',
    }),
    CompanySpaceID: text,
    UserSpaceID: text,
    LocationID: text,
    FullText: text.openapi({
      description: `Of a search with FT: the text of the file, at most ${FULL_TEXT_LENGTH} characters of it.`,
    }),
    FileType: z.int().openapi({ description: '0 Text, 1 Image, 2 TwoD, 3 ThreeD.' }),
    ThumbnailURL: text,
    ComponentFID: text.openapi({
      description: 'With searchAssemblyComponents: UID of the component of the input that found this.',
    }),
    ComponentName: text,
    MatchedComponent: z
      .object({ UID: z.string(), Name: z.string(), Place: z.array(z.string()), Count: z.int() })
      .nullable()
      .openapi({
        description:
          'With searchAssemblyComponents or includeComponents: what was found is this component of the file; Volume, ' +
          'SurfaceArea and pictures are its own.',
      }),
    TextHighlights: z.array(z.string()).nullable(),
    TextHighlightLocations: z.array(Location).nullable(),
    FileName: z.string(),
    FileUID: z.string(),
    DateAdded: z.string().openapi({ format: 'date-time' }),
    ViewURL: text.openapi({ description: 'The page that shows the file; null where none is served.' }),
    Attributes: z.array(z.string()),
    CategoryID: z.int(),
    Name: text,
  })
  .openapi('SearchResultEntry');

const CategorySearchResult = z
  .object({
    name: text,
    imageURL: text,
    count: z.int(),
    searchURL: text,
    searchFilterValue: text,
    shortName: text,
  })
  .openapi('CategorySearchResult');

/** What a search answers. */
export const SearchResultSummary = z
  .object({
    ResultsList: z.array(ResultEntry),
    RFQLines: z.array(z.string()).nullable(),
    TotalResults: z.int().openapi({ description: '-1: an assembly input is still being indexed.' }),
    CurrentCategory: z.union([CategorySearchResult, z.null()]).openapi({
      description:
        'Category of the input, if it is one stored file that has one; else that of all results, if they share it.',
    }),
    AdditionalCategories: z
      .array(CategorySearchResult)
      .nullable()
      .openapi({ description: 'Beside CurrentCategory: the other categories of the results.' }),
    Categories: z.array(CategorySearchResult).nullable().openapi({ description: 'All categories of the results.' }),
    SearchTime: z.string().openapi({ description: 'hh:mm:ss.fffffff' }),
    InputFileUID: text.openapi({ description: 'Of several inputs separated by commas.' }),
    InputVolume: number,
    InputBBVolume: number,
    InputSurfaceArea: number,
    InputShapeSizes: text,
    InputUnits: text,
    InputThumbnail: text,
    CustomReply: text,
    SearchFilters: text,
    Message: text,
  })
  .openapi('SearchResultSummary');

type WireCategory = z.output<typeof CategorySearchResult>;

function wireCategory({ id, name, imageUrl, count }: ServedResult['categories'][number]): WireCategory {
  return { name, imageURL: imageUrl, count, searchURL: null, searchFilterValue: String(id), shortName: name };
}

/** Parts of an answer that are not in the engine's result. */
export interface SummaryFacts {
  readonly inputUids: readonly string[];
  readonly filterText: string | null;
  /** True: the search asked for words, so results have their text. */
  readonly hasWords: boolean;
  /** Value of `TotalResults`. */
  readonly total: number;
}

/** The wire form of a search result. */
export async function summaryOf<Query extends { readonly includeShapelets: boolean }>(
  call: Call<Query>,
  result: ServedResult,
  { inputUids, filterText, hasWords, total }: SummaryFacts,
): Promise<z.output<typeof SearchResultSummary>> {
  const account = await call.engine.accounts.companyNamed(call.companyName);
  const {
    hits,
    categories,
    notes,
    currentCategory: current,
    inputs: [input],
  } = result;
  const others = current === null ? [] : categories.filter(({ id }) => id !== current.id);
  const links = await allPictureLinks(
    call,
    hits.map(({ uid, component }) => component?.uid ?? uid),
  );
  return {
    ResultsList: await Promise.all(
      hits.map(async (hit, i) => {
        const fullText = hasWords ? await fullTextOf(call, hit.uid) : null;
        return entryOf(call, hit, { result, spaceId: account?.uid ?? null, links: links[i], fullText });
      }),
    ),
    RFQLines: null,
    TotalResults: total,
    CurrentCategory: current === null ? null : wireCategory(current),
    AdditionalCategories: others.length === 0 ? null : others.map(wireCategory),
    Categories: categories.length === 0 ? null : categories.map(wireCategory),
    SearchTime: duration(result.elapsedMs),
    InputFileUID: inputUids.length === 0 ? null : inputUids.join(','),
    InputVolume: input?.volumeMm3 ?? null,
    InputBBVolume: input?.bboxVolumeMm3 ?? null,
    InputSurfaceArea: input?.surfaceAreaMm2 ?? null,
    InputShapeSizes: input?.bboxSizeMm?.join(',') ?? null,
    InputUnits: input?.bboxSizeMm == null ? null : 'mm',
    InputThumbnail: input?.uid === undefined ? null : (await pictureLinks(call, input.uid)).small,
    CustomReply: null,
    SearchFilters: filterText,
    Message: notes.length === 0 ? null : notes.join(' '),
  };
}

/** Values of an entry that are not in the hit. */
interface EntryParts {
  readonly result: ServedResult;
  /** UID of the company. */
  readonly spaceId: string | null;
  readonly links: PictureLinks;
  readonly fullText: string | null;
}

/** The first text of a file; null where it has none, or was deleted meanwhile. */
async function fullTextOf<Query>(call: Call<Query>, uid: string): Promise<string | null> {
  const company = await call.company();
  const pages = await company.text(uid, { characters: FULL_TEXT_LENGTH }).catch((cause: unknown) => {
    if (cause instanceof EngineError && cause.code === 'FILE_UNKNOWN') return [];
    throw cause;
  });
  const text = pages
    .map((page) => page.text)
    .join('\n\n')
    .slice(0, FULL_TEXT_LENGTH);
  return text === '' ? null : text;
}

async function entryOf<Query extends { readonly includeShapelets: boolean }>(
  call: Call<Query>,
  hit: ServedHit,
  { result, spaceId, links: known, fullText }: EntryParts,
): Promise<z.output<typeof ResultEntry>> {
  const part = hit.component;
  const links = hit.hasPicture ? known : undefined;
  const page = call.pageLink(hit.uid);
  const highlights = hit.textHighlights;
  return {
    ShapeResult: {
      UID: hit.uid,
      Score: hit.score,
      Volume: hit.volumeMm3,
      SurfaceArea: hit.surfaceAreaMm2,
      ViewerUrl: page,
      DetailsUrl: page ?? call.link('File', { fileUID: hit.uid }),
      LargeFileUrl: links?.large ?? null,
      FileHash: hit.sha256,
      Attributes: [...hit.attributes],
      FileHasThumbnail: hit.hasPicture,
      Shapelets: hit.shapelets === undefined ? null : await shapeletsOf(call, part?.uid ?? hit.uid, hit.shapelets),
      FirstShapeMatchIndex: hit.shapeMatch === undefined ? null : String(hit.shapeMatch.shapelet),
      FirstShapeMatchPageNum:
        hit.shapeMatch === undefined || hit.shapeMatch.page === null ? null : String(hit.shapeMatch.page),
      MatchPosition: positionText(hit.position),
      Name: hit.displayName,
      Similarity: hit.similarity,
      // Its searches do not look for shapes inside others.
      MatchClass: hit.matchClass === 'contains' ? null : hit.matchClass,
      Because: hit.because.map(wireReason),
      IsDuplicate: hit.isDuplicate,
      MatchTransform: hit.transform === undefined ? null : [...hit.transform],
    },
    CompanyName: result.companyName,
    PublicURL: result.publicUrl ?? page,
    CompanySpaceID: spaceId,
    UserSpaceID: null,
    LocationID: null,
    FullText: fullText,
    FileType: FILE_TYPES[hit.kind],
    ThumbnailURL: links?.small ?? null,
    ComponentFID: hit.asked?.uid ?? null,
    ComponentName: hit.asked?.name ?? null,
    MatchedComponent:
      part === undefined ? null : { UID: part.uid, Name: part.name, Place: [...part.place], Count: part.occurrences },
    TextHighlights: highlights.length === 0 ? null : highlights.map(({ snippet }) => snippet),
    TextHighlightLocations:
      highlights.length === 0
        ? null
        : highlights.map(({ field, page, ranges, boxes }) => ({
            Field: field,
            Page: page,
            Ranges: ranges.map(({ start, end }) => ({ Start: start, End: end })),
            Boxes: boxes.map(({ x, y, width, height }) => ({ X: x, Y: y, Width: width, Height: height })),
          })),
    FileName: hit.path,
    FileUID: hit.uid,
    DateAdded: hit.addedAt.toISOString(),
    ViewURL: page,
    Attributes: [...hit.attributes],
    CategoryID: hit.categoryId ?? -1,
    Name: hit.displayName,
  };
}

function wireReason(reason: ServedHit['because'][number]): z.output<typeof Reason> {
  const { code, ...figures } = reason;
  return { Code: code, Text: becauseText(reason), Figures: figures };
}

/** Rounds to six decimals: a millionth of the page. */
function positionText(position: ServedHit['position']): string | null {
  if (position === undefined) return null;
  const { x, y, rotationRad, scale } = position;
  return [x, y, (rotationRad * 180) / Math.PI, scale].map((value) => Number(value.toFixed(6))).join(',');
}

/** `hh:mm:ss.fffffff` */
function duration(ms: number): string {
  const ticks = Math.round(ms * 10_000);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const seconds = Math.floor(ticks / 10_000_000);
  const fraction = String(ticks % 10_000_000).padStart(7, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${fraction}`;
}
