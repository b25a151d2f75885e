import type {
  AssemblyComponent,
  Category,
  Company,
  CompanyListOptions,
  CompanySummary,
  Crop,
  DeviationModel,
  DuplicateClass,
  DuplicateDecision,
  DuplicateGroup,
  DuplicatesProgress,
  FileFeatures,
  FileRecord,
  FoundPage,
  InspectionRow,
  LibraryWarning,
  Pmi,
  PmiComparison,
  PmiObject,
  SearchInputRecord,
  SearchQuery,
  SearchResult,
  SharedPartMatrix,
  StoredShapelet,
} from '../../index.js';
import { sha1Hex } from './sha1.js';
import { ask, sendBytes, type Query, type SendBytesOptions } from './request.js';

/** A type of the engine as it is after JSON: dates as ISO 8601 strings, typed arrays as arrays. */
type Wire<T> = T extends Date
  ? string
  : T extends Float64Array | Float32Array | Uint32Array
    ? readonly number[]
    : T extends string | number | boolean | null | undefined
      ? T
      : { readonly [Key in keyof T]: Wire<T[Key]> };

export type WireRecord = Wire<FileRecord>;
/** A record of what was put only to search with. */
export type WireInput = Wire<SearchInputRecord>;
export type WireResult = Omit<Wire<SearchResult>, 'hits'> & { readonly hits: readonly WireHit[] };
type EngineHit = Wire<SearchResult>['hits'][number];
/** A hit; the server puts the reasons into words. */
export type WireHit = Omit<EngineHit, 'because'> & {
  readonly because: readonly (EngineHit['because'][number] & { readonly text: string })[];
};
export type WireComponent = Wire<AssemblyComponent>;
export type WireFace = NonNullable<Wire<Awaited<ReturnType<Company['faces']>>>>[number];
export type WireFeatures = Wire<FileFeatures>;
export type WireFeature = NonNullable<WireFeatures['features']>[number];
export type WireBillLine = NonNullable<Wire<Awaited<ReturnType<Company['assemblies']['billOfMaterials']>>>>[number];
export type WireGroup = Wire<DuplicateGroup>;
export type WireMember = WireGroup['members'][number];
export type WireDecision = Wire<DuplicateDecision>;
/** A search query as sent to the server: inputs are given by UID. */
export type WireQuery = Omit<SearchQuery, 'signal' | 'like' | 'contains'> & {
  readonly like?: readonly { readonly uid: string; readonly crop?: Crop }[];
  readonly contains?: { readonly uid: string; readonly faces?: readonly number[] };
};

// Every function throws ApiError with the server's message, and AbortError when its signal aborts.

/** Runs a search. query: as `company.search` takes it. */
export const find = (query: WireQuery, signal?: AbortSignal) =>
  ask<WireResult>('Find', { query: JSON.stringify(query) }, { signal });

/** How a file matches one that is searched with; undefined: the search does not find it. */
export async function findMatch(likeUid: string, uid: string, signal: AbortSignal): Promise<WireHit | undefined> {
  return (await find({ like: [{ uid: likeUid }], within: [uid], limit: 1, highlights: false }, signal)).hits[0];
}

/** How a file holds the shape that a query `contains`; undefined: it does not. */
export async function findContained(query: WireQuery, uid: string, signal: AbortSignal): Promise<WireHit | undefined> {
  return (await find({ ...query, within: [uid], limit: 1, highlights: false }, signal)).hits[0];
}

/** The faces of a model; null without a shape. */
export const readFaces = (uid: string, signal?: AbortSignal) =>
  ask<readonly WireFace[] | null>('Faces', { fileUID: uid }, { signal });

/** What a machinist would name of a part; null of other files. */
export const readFeatures = (uid: string, signal?: AbortSignal) =>
  ask<WireFeatures | null>('Features', { fileUID: uid }, { signal });

/** The record of a file or a search input. */
export const readRecord = (uid: string, signal?: AbortSignal) =>
  ask<WireRecord>('Record', { fileUID: uid }, { signal });

/** One page of records. after: path of the last record of the previous page, or its `arrival` when ordered by date. */
export const listRecords = ({ category, ...query }: CompanyListOptions, signal?: AbortSignal) =>
  ask<readonly WireRecord[]>('Records', { ...query, category: category ?? undefined }, { signal });

/** What the owner of the library should know: codes of its warnings. */
export const readWarnings = async (signal?: AbortSignal): Promise<readonly LibraryWarning['code'][]> =>
  (await ask<{ readonly warnings?: readonly LibraryWarning['code'][] }>('health', {}, { signal })).warnings ?? [];

/** The number of files by kind and state. */
export const readSummary = (signal?: AbortSignal) => ask<CompanySummary>('Status', {}, { signal });

/** Stores a file under a path. Resolves when it is stored; it is indexed later (state 'queued'). */
export const putRecord = (path: string, bytes: Blob, options?: SendBytesOptions) =>
  sendBytes<WireRecord>('Record', { path }, bytes, options);

/** Stores a search input. Resolves when it has been read: its `state` is 'indexed' or 'failed'. */
export const putInput = (name: string, bytes: Blob, options?: SendBytesOptions) =>
  sendBytes<Wire<SearchInputRecord>>('Input', { name }, bytes, options);

/** Queues a failed file, or without `uid` all of them, to be read again. Returns how many. */
export const retry = (uid?: string) => ask<number>('Retry', { fileUID: uid }, { method: 'POST' });

/** Removes a file of the company, or a search input. Fails with 403 without the permission. */
export const removeRecord = (uid: string) => ask<boolean>('File', { fileUID: uid }, { method: 'DELETE' });

/** File name extensions that the engine reads, with their dots. */
export const readExtensions = (signal?: AbortSignal) => ask<readonly string[]>('ValidUploadFileTypes', {}, { signal });

/** The attributes that files of the company have, for suggestions. */
export const listAttributes = (signal?: AbortSignal) =>
  ask<readonly { readonly Name: string }[]>('FileAttributes', {}, { signal });

/** The values of an attribute, the most frequent first. name: `Length` or `Length(mm)`. */
export async function listValues(name: string, signal?: AbortSignal): Promise<readonly string[]> {
  const counts = await ask<readonly { readonly name: string | null }[]>(
    'AttributeValues',
    { attribute: name },
    { signal },
  );
  return counts.flatMap((count) => count.name ?? []);
}

/** Replaces all attributes of a file. Fails with 400 that names the invalid one. */
export const setAttributes = (uid: string, attributes: readonly string[]) =>
  ask<boolean>('FileAttributes', { fileUID: uid }, { method: 'PUT', json: attributes });

/** The product categories of the company, by name. */
export const listCategories = (signal?: AbortSignal) => ask<readonly Category[]>('Categories', {}, { signal });

/** Sets the category of a file; null: none. */
export const setCategory = (uid: string, id: number | null) =>
  ask<boolean>('FileCategory', { fileUID: uid, categoryId: id ?? -1 }, { method: 'PUT' });

/** Adds a category and returns its id; an existing category of this name is reused. */
export const addCategory = async (name: string) => (await ask<{ ID: number }>('CustomProductCategory', { name })).ID;

/** Changes the password of the user and ends the other sign-ins. Fails with 400 that says which password is wrong. */
export const changePassword = async (current: string, next: string) =>
  ask<true>('Password', {}, { method: 'PUT', form: { current: await sha1Hex(current), next: await sha1Hex(next) } });

/** How people sign in. openId: name of the identity provider; null: there is none. */
export const askSignInWays = (signal?: AbortSignal) =>
  ask<{ readonly password: boolean; readonly openId: string | null }>('SignInWays', {}, { signal });

/** Where a browser goes to sign in by the identity provider, and what it keeps until it comes back. */
export const beginProviderSignIn = () =>
  ask<{ readonly url: string; readonly state: string; readonly nonce: string; readonly verifier: string }>(
    'OpenId',
    {},
  );

/** A key that a program of the user sends instead of a token. */
export interface WireKey {
  readonly id: string;
  readonly name: string;
  readonly addedAt: string;
  readonly expiresAt: string | null;
  readonly usedAt: string | null;
}

/** The keys of the user, newest first. */
export const listKeys = (signal?: AbortSignal) => ask<readonly WireKey[]>('Keys', {}, { signal });

/**
 * Makes a key, which is told once. days: until it ends; '' for no end. password: undefined for who signed in by the
 * identity provider just now. Fails with 400 where that is too long ago, or the password is wrong.
 */
export const addKey = async (name: string, days: string, password: string | undefined) =>
  ask<WireKey & { readonly key: string }>(
    'Keys',
    {},
    {
      method: 'PUT',
      form: {
        name,
        ...(password === undefined ? {} : { current: await sha1Hex(password) }),
        ...(days === '' ? {} : { days }),
      },
    },
  );

export const removeKey = (id: string) => ask<boolean>('Keys', { id }, { method: 'DELETE' });

/** The sign-ins of the user that have not ended, newest first. isCurrent: the one of this page. */
export const listSignIns = (signal?: AbortSignal) =>
  ask<
    readonly { readonly id: string; readonly startedAt: string; readonly endsAt: string; readonly isCurrent: boolean }[]
  >('SignIns', {}, { signal });

/** Ends all sign-ins of the user but this one, and tells how many. password: as of {@link addKey}. */
export const endSignIns = async (password: string | undefined) =>
  ask<number>(
    'SignIns',
    {},
    { method: 'PUT', form: password === undefined ? {} : { current: await sha1Hex(password) } },
  );

/** A search that a user saved under a name. */
export interface SavedSearch {
  readonly ID: string;
  readonly Name: string;
  /** The query part of the search screen's address. */
  readonly QueryStr: string;
  readonly DateAdded: string;
}

export const listSavedSearches = (signal?: AbortSignal) => ask<readonly SavedSearch[]>('SavedSearches', {}, { signal });

/** Saves a search, replacing one of the same name. */
export const saveSearch = (name: string, queryStr: string) =>
  ask<unknown>('SavedSearches', { name, queryStr }, { method: 'PUT' });

export const removeSavedSearch = (id: string) => ask<boolean>('SavedSearches', { id }, { method: 'DELETE' });

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

/** The text of a file, starting at a page. words: occurrences of these are reported, 400 without a letter or digit. */
export const readText = (uid: string, words: string, page: number, signal?: AbortSignal) =>
  ask<TextPart>('Text', { fileUID: uid, words: words || undefined, page }, { signal });

/** PMI in the names of the PMIData endpoint. */
interface WirePmi {
  readonly BEVersion: string;
  readonly pages: readonly {
    readonly page: number;
    readonly ImageSize: readonly [width: number, height: number];
    readonly objects: readonly WirePmiObject[];
  }[];
  readonly fields?: Pmi['fields'];
}

interface WirePmiObject extends Pick<PmiObject, 'group' | 'box' | 'orientedBox' | 'confidence' | 'faces'> {
  readonly type_id: PmiObject['typeId'];
  readonly _id: number;
  readonly text?: string | readonly string[];
  readonly tol?: readonly string[];
  readonly mtext?: readonly { readonly text: string; readonly tol?: readonly string[] }[];
}

/** What is read of a drawing or model: pages with dimensions and tolerances, and fields of title blocks. */
export type ReadPmi = Required<Pick<Pmi, 'pages' | 'fields'>>;

/** Dimensions, tolerances and title blocks of a drawing or model; no pages and fields for other files. */
export async function readPmi(uid: string, signal?: AbortSignal): Promise<ReadPmi> {
  const { PMI } = await ask<{ PMI: string }>('PMIData', { fileUID: uid }, { signal });
  if (PMI === '') return { pages: [], fields: [] };
  const { pages, fields = [] } = JSON.parse(PMI) as WirePmi;
  return { pages: pages.map(pmiPageOf), fields };
}

function pmiPageOf({ page, ImageSize: [widthPx, heightPx], objects }: WirePmi['pages'][number]): Pmi['pages'][number] {
  return {
    page,
    widthPx,
    heightPx,
    objects: objects.map(({ type_id: typeId, _id: id, text = [], tol, mtext, ...rest }) => ({
      ...rest,
      typeId,
      id,
      parts: (mtext ?? [text].flat().map((each) => ({ text: each, tol }))).map((each) => ({
        text: each.text,
        tolerance: each.tol,
      })),
    })),
  };
}

/** The inspector's list of a file; null where it carries no annotations. */
export const readInspection = (uid: string, signal?: AbortSignal) =>
  ask<readonly InspectionRow[] | null>('Inspection', { fileUID: uid }, { signal });

/** What the annotations of two files say about a part; undefined where one of them has none. */
export async function readPmiComparison(
  uid: string,
  otherUid: string,
  signal?: AbortSignal,
): Promise<PmiComparison | undefined> {
  // Asking for a comparison that there is none of would be an error in the browser's console.
  const both = await Promise.all([readPmi(uid, signal), readPmi(otherUid, signal)]);
  if (both.some(({ pages }) => pages.every(({ objects }) => objects.length === 0))) return undefined;
  return ask<PmiComparison>('PMIComparison', { fileUID: uid, otherUID: otherUid }, { signal });
}

/** A view on a page of a file. */
export interface PageView {
  /** Index among the shapelets of the file. */
  readonly index: number;
  readonly page: number;
  /** As shares of the page's width and height. */
  readonly box: Extract<StoredShapelet['place'], { kind: 'page' }>['box'];
}

/** What GET /File answers, as far as the page uses it. */
interface WireFile {
  readonly AssemblyParents: readonly { readonly uid: string | null; readonly fileName: string | null }[] | null;
  readonly Shapelets?:
    | readonly {
        readonly Index: number;
        readonly Page?: number;
        readonly Box?: { readonly X: number; readonly Y: number; readonly Width: number; readonly Height: number };
      }[]
    | null;
}

/** The views on the pages of a file; none of a model. */
export async function readViews(uid: string, signal?: AbortSignal): Promise<readonly PageView[]> {
  const { Shapelets } = await ask<WireFile>('File', { fileUID: uid, includeShapelets: true }, { signal });
  return (Shapelets ?? []).flatMap(({ Index, Page, Box }) =>
    Page === undefined || Box === undefined
      ? []
      : [{ index: Index, page: Page, box: { x: Box.X, y: Box.Y, width: Box.Width, height: Box.Height } }],
  );
}

/** The assemblies that contain a model as one of their components. name: the path, or the UID if it is unknown. */
export async function readHolders(uid: string, signal?: AbortSignal) {
  const { AssemblyParents } = await ask<WireFile>('File', { fileUID: uid }, { signal });
  return (AssemblyParents ?? []).flatMap((parent) =>
    parent.uid === null ? [] : [{ uid: parent.uid, name: parent.fileName ?? parent.uid }],
  );
}

/** The product structure of a model; null for a single part. */
export const readAssembly = (uid: string, signal?: AbortSignal) =>
  ask<WireComponent | null>('Assembly', { fileUID: uid }, { signal });

/** The bill of materials of an assembly; null for a single part. */
export const readBill = (uid: string, signal?: AbortSignal) =>
  ask<readonly WireBillLine[] | null>('BillOfMaterials', { fileUID: uid }, { signal });

/** Whether the components of an assembly are indexed as files of their own; without that, shared parts are unknown. */
export const hasIndexedComponents = async (uid: string, signal?: AbortSignal) =>
  (await ask<readonly unknown[]>('Components', { fileUID: uid }, { signal })).length > 0;

/** The parts that an assembly shares with other assemblies. */
export const readSharedParts = (uid: string, signal?: AbortSignal) =>
  ask<SharedPartMatrix>('SharedParts', { fileUID: uid }, { signal });

/** The deviations between two models, with both surfaces as binary glTF. */
export interface FoundDeviations extends Omit<DeviationModel, 'glb'> {
  readonly glb: ArrayBuffer;
}

/** Aligns a model to another and measures the deviations between them. Fails with 422 if one is not a model. */
export async function readDeviations(uid: string, otherUid: string, signal?: AbortSignal): Promise<FoundDeviations> {
  const { glb, ...found } = await ask<Omit<DeviationModel, 'glb'> & { readonly glb: string }>(
    'Deviations',
    { fileUID: uid, otherUID: otherUid, model: true },
    { signal },
  );
  return { ...found, glb: Uint8Array.from(atob(glb), (letter) => letter.charCodeAt(0)).buffer };
}

/** Groups of duplicate files, or the progress of finding them. */
export interface FoundDuplicates {
  /** Null: finished, `groups` holds all groups. */
  readonly progress: Pick<DuplicatesProgress, 'phase' | 'done' | 'total'> | null;
  readonly groups: readonly WireGroup[];
  readonly files: number;
  readonly parts: number;
}

/** Time limit of the first request, ms; if it ends before the search, the answer is the progress. */
const STEP_MS = 2_000;

/**
 * Groups of duplicate files. Repeats the request with growing time limits until all files are compared. near: score up
 * to which parts count as near duplicates; undefined: these are not searched. onProgress: called after each unfinished
 * request.
 */
export async function findDuplicates(
  near: number | undefined,
  onProgress: (progress: NonNullable<FoundDuplicates['progress']>) => void,
  signal: AbortSignal,
): Promise<FoundDuplicates> {
  for (let withinMs = STEP_MS; ; withinMs = Math.min(2 * withinMs, 30_000)) {
    const found = await ask<FoundDuplicates>('Duplicates', { near, withinMs }, { signal });
    if (found.progress === null) return found;
    onProgress(found.progress);
  }
}

const decide = (query: Query) => ask<readonly WireDecision[]>('DuplicateDecisions', query, { method: 'PUT' });

/** Records that files are different: each from every other, or with `from` that one from each of the others. */
export const markDifferent = (uids: readonly string[], from?: string) =>
  decide({ kind: 'different', uids: uids.join(), from });

/** Records which file of a group to keep. of: class of the group. */
export const keepDuplicate = (uid: string, of: DuplicateClass) => decide({ kind: 'keep', uids: uid, of });

export const listDecisions = (signal?: AbortSignal) =>
  ask<readonly WireDecision[]>('DuplicateDecisions', {}, { signal });

/** Deletes decisions. Returns how many there were. */
export const undoDecisions = (ids: readonly number[]) =>
  ask<number>('DuplicateDecisions', { ids: ids.join() }, { method: 'DELETE' });
