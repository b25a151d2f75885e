import type { AttributeDoor } from '../../attributes/attribute-door.js';
import { compactOf } from '../../descriptors/describe.js';
import type { ShapeDescription } from '../../descriptors/description.js';
import type { PartFeatures } from '../../descriptors/features/part-features.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { VIEW_BYTES } from '../../descriptors/views.js';
import { EngineError, type Warning } from '../../errors.js';
import { recordOf, type FileKind, type FileRecord, type FileRow } from '../../store/catalog/record.js';
import type { SeenInputs } from '../../store/catalog/seen-inputs.js';
import { storedJson } from '../../store/database/stored-json.js';
import type { Store } from '../../store/store.js';
import type { DescribedPage } from '../../store/catalog/file-text.js';
import { decodePlaces } from '../../words/text-places.js';
import type { WordDoor } from '../../words/word-door.js';
import type { SearchInput, SearchInputFigures } from './query.js';
import { storedPmi, type DrawnPmi } from './drawn-pmi.js';
import { isReadIn, readLengths } from './read-lengths.js';
import { MOST_TEXT, storedDrawing, type WholeDrawing } from './whole-drawing.js';

/** The description of an input that was read for a search. */
export interface DescribedInput {
  readonly kind: FileKind;
  /** For a model. */
  readonly shape?: ShapeDescription;
  readonly views?: FileViews;
  readonly warnings?: readonly Warning[];
  /** Its text. */
  readonly pages?: readonly DescribedPage[];
  /** What is annotated, as the catalogue keeps it. */
  readonly pmi?: { readonly json: string };
  /** Attributes that were found in it. */
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** A model to search with by its surface. */
export interface ShapeQuery {
  readonly sha256: string;
  readonly volumeMm3: number;
  readonly bboxVolumeMm3: number;
  readonly bboxSizeMm: readonly [number, number, number];
  readonly surfaceAreaMm2: number;
  readonly features: PartFeatures | undefined;
  readonly compact: Float32Array;
  readonly fine: Uint8Array;
  readonly surface: Uint8Array;
}

/** An input to search with by its views. */
export type ViewsInput = Pick<FileViews, 'bytes' | 'shapelets' | 'numbersMm' | 'extentsMm' | 'pictures' | 'layouts'> & {
  /** Of a picture, or of a part of a page: where its ink is; see `packInks`. */
  readonly inks?: Uint8Array;
  /** Of a whole picture or scan: lengths in the texts that were read in it, mm, descending. Absent: none was read. */
  readonly readMm?: readonly number[];
};

/** For a model without stored views. */
export const NO_VIEWS: ViewsInput = Object.freeze({
  bytes: new Uint8Array(),
  shapelets: [],
  numbersMm: [],
  extentsMm: [],
  pictures: null,
});

/** An input that is ready to be compared. It has a shape, views or both. */
export interface PreparedInput {
  readonly figures: SearchInputFigures;
  /** Hash of the bytes; for a component a value that no bytes have. */
  readonly sha256: string;
  /** True: a part of what the bytes show, so a file with the same bytes is not identical. */
  readonly isPart?: boolean;
  readonly shape: ShapeQuery | undefined;
  /** Its views; read when they are first asked for. */
  readonly views: () => Promise<ViewsInput | undefined>;
  /** Of a whole drawing: what tells whether another one is the same. Read when it is asked for. */
  readonly drawing: () => Promise<WholeDrawing | undefined>;
  /** Its annotations. Read when they are asked for. */
  readonly pmi: () => Promise<DrawnPmi | undefined>;
  /** Its faces, of a model; see `encodeFaces`. Read when they are asked for. */
  readonly faces: () => Promise<Uint8Array | undefined>;
}

/** What preparing inputs needs. */
export interface InputParts {
  readonly store: Store;
  readonly companyId: number;
  readonly texts: Pick<WordDoor, 'pages'>;
  readonly attributes: Pick<AttributeDoor, 'those'>;
  /** Whose search inputs the caller sees. Default all. */
  readonly seen?: SeenInputs;
  /** Reads and describes a file or bytes in a worker, without storing anything. */
  readonly describe: (input: SearchInput, signal?: AbortSignal) => Promise<DescribedInput>;
}

/**
 * Prepares inputs. @throws EngineError `FILE_UNKNOWN`, `FILE_NOT_INDEXED`, `NO_GEOMETRY`, or the reason why an input
 * cannot be read.
 */
export function prepareInputs(
  parts: InputParts,
  inputs: readonly SearchInput[],
  signal: AbortSignal | undefined,
): Promise<PreparedInput[]> {
  return Promise.all(
    inputs.map((input) => ('uid' in input ? storedInput(parts, input, signal) : givenInput(parts, input, signal))),
  );
}

async function storedInput(
  parts: InputParts,
  input: SearchInput & { readonly uid: string },
  signal: AbortSignal | undefined,
): Promise<PreparedInput> {
  const { store, companyId, seen } = parts;
  const uid = input.uid.toLowerCase();
  const known = await store.componentWith(companyId, uid, seen);
  const row = known === undefined ? await store.fileOrInput(companyId, uid, seen) : undefined;
  const component =
    known ??
    (row === undefined || input.component === undefined
      ? undefined
      : await store.components.byNumber(row.id, input.component));
  if (component !== undefined) return storedComponent(parts, component.fileId);
  return storedFile(parts, input, row!, signal);
}

/** A component that was indexed by itself. */
async function storedComponent(parts: InputParts, fileId: number): Promise<PreparedInput> {
  const { store } = parts;
  const { uid, ...sizes } = (await store.components.one(fileId))!;
  // Its UID stands for the hash, because no file has the bytes of a component alone.
  return storedInputOf(parts, fileId, {
    figures: figuresOf('ThreeD', sizes, uid),
    sha256: uid,
    shape: await storedShape(store, fileId, { ...sizes, sha256: uid }),
  });
}

async function storedFile(
  parts: InputParts,
  input: SearchInput & { readonly uid: string },
  row: FileRow,
  signal: AbortSignal | undefined,
): Promise<PreparedInput> {
  const { store } = parts;
  const record = recordOf(row, [], []);
  if (row.state !== 'indexed') {
    throw new EngineError('FILE_NOT_INDEXED', `${record.displayName} is ${row.state}, so it cannot be searched with`, {
      details: { uid: input.uid, state: row.state },
    });
  }
  // For a part of the file: the stored description is of the whole.
  if (input.component !== undefined || (input.crop !== undefined && record.kind !== 'ThreeD')) {
    const key = input.component === undefined ? record.sha256 : `${record.sha256} ${input.component}`;
    return prepared(
      await parts.describe({ ...input, uid: record.uid }, signal),
      key,
      `${record.displayName} has no shape in this part of it`,
      record.uid,
    );
  }
  const ready = storedInputOf(parts, row.id, {
    figures: figuresOf(record.kind, record, record.uid),
    sha256: record.sha256,
    shape: await storedShape(store, row.id, record),
  });
  if (ready.shape === undefined && (await ready.views()) === undefined) {
    throw new EngineError('NO_GEOMETRY', `${record.displayName} has no shape that could be searched with`, {
      details: { uid: input.uid },
    });
  }
  return ready;
}

/**
 * Views are read on first use: a search among models does not need them, and they are as large as all other data of a
 * model.
 */
function storedInputOf(
  { store, texts, attributes }: InputParts,
  fileId: number,
  input: Omit<PreparedInput, 'views' | 'drawing' | 'pmi' | 'faces'>,
): PreparedInput {
  let read: Promise<ViewsInput | undefined> | undefined;
  return {
    ...input,
    views: () => (read ??= storedViews({ store, texts }, fileId, input.figures.kind)),
    drawing: async () => (input.figures.kind === 'TwoD' ? storedDrawing(store, texts, fileId) : undefined),
    pmi: async () => (await storedPmi({ store, attributes }, [fileId])).get(fileId),
    faces: async () => (await store.shapes.descriptors('faces', [fileId]))[0],
  };
}

async function storedViews(
  { store, texts }: Pick<InputParts, 'store' | 'texts'>,
  fileId: number,
  kind: FileKind,
): Promise<ViewsInput | undefined> {
  const views = await store.views.one(fileId);
  if (views === undefined || views.count === 0 || views.bytes.length !== VIEW_BYTES * views.count) return undefined;
  const [shapelets, pictures, inks, pages] = await Promise.all([
    store.views.shapelets(fileId),
    store.views.pictures(fileId),
    kind === 'Image' ? store.views.inks([fileId]) : undefined,
    isReadIn(kind, views) ? texts.pages(fileId, { from: 1, characters: MOST_TEXT }) : [],
  ]);
  const ink = inks?.get(fileId);
  return {
    ...views,
    shapelets,
    pictures: pictures ?? null,
    ...(ink === undefined ? {} : { inks: ink }),
    ...readLengths(pages),
  };
}

type Measures = Pick<FileRecord, 'sha256' | 'volumeMm3' | 'bboxVolumeMm3' | 'bboxSizeMm' | 'surfaceAreaMm2'>;

async function storedShape(
  store: Store,
  fileId: number,
  { sha256, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 }: Measures,
): Promise<ShapeQuery | undefined> {
  const [[features], [compact], [fine], [surface]] = await Promise.all([
    store.shapes.features([fileId]),
    ...(['compact', 'fine', 'surface'] as const).map((name) => store.shapes.descriptors(name, [fileId])),
  ]);
  if (compact === undefined || fine === undefined || surface === undefined) return undefined;
  return {
    sha256,
    volumeMm3: volumeMm3!,
    bboxVolumeMm3: bboxVolumeMm3!,
    bboxSizeMm: bboxSizeMm!,
    surfaceAreaMm2: surfaceAreaMm2!,
    features: featuresOf(features),
    compact: compactOf(compact),
    fine,
    surface,
  };
}

/** Of stored features; undefined for those of an older form, until the file is read again. */
export function featuresOf(stored: string | undefined): PartFeatures | undefined {
  if (stored === undefined) return undefined;
  const features = storedJson<PartFeatures>(stored, 'the features of a model');
  return 'faceCount' in features ? features : undefined;
}

async function givenInput(
  { describe }: InputParts,
  input: SearchInput & { readonly bytes: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<PreparedInput> {
  const found = await describe(input, signal);
  const sha256 = await sha256Of(input.bytes);
  return prepared(
    found,
    input.component === undefined ? sha256 : `${sha256} ${input.component}`,
    `the input is ${found.kind === 'Text' ? 'a document' : `of kind ${found.kind}`} ` +
      'and has no shape that could be searched with',
  );
}

function prepared(
  { kind, shape, views, warnings = [], pages = [], pmi, properties = [] }: DescribedInput,
  sha256: string,
  nothing: string,
  uid?: string,
): PreparedInput {
  const seen =
    views === undefined || views.shapelets.length === 0
      ? undefined
      : {
          ...views,
          ...(kind === 'Image' || views.isPart === true ? {} : { inks: undefined }),
          // A crop leaves some of what was read in the whole.
          ...(views.isPart !== true && isReadIn(kind, views) ? readLengths(pages) : {}),
        };
  if (shape === undefined && seen === undefined)
    throw new EngineError('NO_GEOMETRY', nothing, uid === undefined ? {} : { details: { uid } });
  return {
    figures: {
      ...figuresOf(kind, shape, uid),
      ...(uid === undefined && warnings.length > 0 && { warnings }),
    },
    sha256,
    ...(views?.isPart === true ? { isPart: true } : {}),
    shape: shape && {
      ...shape,
      ...shape.descriptors,
      features: shape.features ?? undefined,
      compact: compactOf(shape.descriptors.compact),
      sha256,
    },
    views: async () => seen,
    drawing: async () =>
      kind !== 'TwoD' || views?.isPart === true || views?.inks === undefined || views.pictures === null
        ? undefined
        : { inks: views.inks, pictures: views.pictures, pages: pages.map(pageOf), pageCount: pages.length },
    pmi: async () => pmi && { json: pmi.json, attributes: properties.filter(({ name }) => name === 'Units') },
    faces: async () => shape?.descriptors.faces,
  };
}

function pageOf({ places, ...page }: DescribedPage): WholeDrawing['pages'][number] {
  return places === undefined ? page : { ...page, runs: decodePlaces(places) };
}

function figuresOf(
  kind: FileKind,
  sizes: Partial<Omit<SearchInputFigures, 'kind' | 'uid'>> | undefined,
  uid?: string,
): SearchInputFigures {
  const { volumeMm3 = null, bboxVolumeMm3 = null, bboxSizeMm = null, surfaceAreaMm2 = null } = sizes ?? {};
  return { ...(uid === undefined ? {} : { uid }), kind, volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 };
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Buffer.from(digest).toString('hex');
}
