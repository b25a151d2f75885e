import type { AttributeDoor } from '../../attributes/attribute-door.js';
import type { Core } from '../../core/core.js';
import type { IndexedComponent } from '../../store/catalog/assembly-component.js';
import type { HitRecord } from '../../store/catalogue.js';
import type { StoredShapelet } from '../../store/catalog/shapelet.js';
import type { Store } from '../../store/store.js';
import type { HighlightsRead } from '../../words/text-highlights.js';
import type { WordDoor } from '../../words/word-door.js';
import type { TextHighlight, TextQuery } from '../../words/text-query.js';
import type { PartFeatures } from '../../descriptors/features/part-features.js';
import type { Because } from '../query/because.js';
import type { DrawnSizes } from '../../content/drawn-size.js';
import type { CheckedQuery } from '../query/check-query.js';
import { featuresOf, type PreparedInput, type ViewsInput } from '../query/inputs.js';
import type { SearchHit } from '../query/query.js';
import { findPosition, placedPicture, type PlacedPicture } from '../views/match-position.js';
import type { MatchedViews } from './merge-hits.js';
import { drawnFactor } from './drawn-factor.js';
import { heldMouths, type MeantFaces } from './held-mouths.js';
import { MOST_SIZED } from './less-like.js';
import { ALIKE, reasonsOf } from './reasons.js';
import type { StatedSizes } from './stated-sizes.js';

/** A found file at its place in the order. */
export type RankedFile = Pick<
  SearchHit,
  | 'score'
  | 'similarity'
  | 'matchClass'
  | 'input'
  | 'transform'
  | 'maxDeviationMm'
  | 'scale'
  | 'coverage'
  | 'faces'
  | 'occurrences'
  | 'occurrenceFaces'
  | 'mirrored'
> & {
  readonly fileId: number;
  /** The row of the component of this file that was found. */
  readonly componentId?: number;
  /** The pair of views that matched, when the file was found by its views. */
  readonly match?: MatchedViews;
};

/** What {@link HitBuilder} needs. */
export interface HitSource {
  readonly core: Core;
  readonly store: Store;
  readonly companyId: number;
  readonly texts: WordDoor;
  readonly attributes: Pick<AttributeDoor, 'those'>;
  readonly stated: StatedSizes;
  readonly inputs: readonly PreparedInput[];
  /** The shape that is looked for inside others, instead of inputs. */
  readonly contained?: MeantFaces;
  readonly query: Pick<CheckedQuery, 'attributes' | 'highlights' | 'shapelets'>;
  /** Words to highlight. */
  readonly words: TextQuery;
  /** The state of the catalogue in which the files were found, or an older one. */
  readonly mark: number;
  /** Those of these files (rising) that meet all conditions of the query now. */
  readonly stillFound: (fileIds: Uint32Array) => Promise<Uint32Array>;
  /** Lets the event loop run; rejects to end the search. */
  readonly turn: () => Promise<void>;
}

/**
 * UTF-16 units of text and attributes read for the highlights of one result, about 30 ns each; later hits show only
 * matches in the name.
 */
const HIGHLIGHTED_LENGTH = 3_000_000;
/** UTF-16 units read between two turns of the event loop; a hit itself counts as {@link HIT_LENGTH}. */
const TURN_LENGTH = 100_000;
const HIT_LENGTH = 500;

/** A file that changes again each time its record is read is left out after so many times. */
const MOST_READINGS = 3;

const NO_HIGHLIGHTS: HighlightsRead = Object.freeze({ highlights: [], read: 0 });

/** Reads the records of found files and makes the hits of a result from them. */
export class HitBuilder {
  readonly #source: HitSource;
  /** Pictures of the query's shapelets, by input and index, prepared for finding positions. */
  readonly #queryPictures = new Map<string, PlacedPicture | undefined>();
  readonly #warnings = new Set<string>();

  constructor(source: HitSource) {
    this.#source = source;
  }

  /** The hits, in the given order; files that were deleted, or ceased to match, during the search are left out. */
  async build(ranked: readonly RankedFile[]): Promise<SearchHit[]> {
    const { store, companyId, texts, query, words, turn } = this.#source;
    const conditions = query.attributes.flat();
    const hits: SearchHit[] = [];
    let unread = HIGHLIGHTED_LENGTH;
    let sinceTurn = 0;
    const ids = ranked.map(({ fileId, componentId }) => componentId ?? fileId);
    const [records, components, features, lengths, stated, shapeletsOf] = await Promise.all([
      this.#records([...new Set(ranked.map(({ fileId }) => fileId))]),
      store.components.some(ranked.flatMap(({ componentId }) => componentId ?? [])),
      this.#isFeatured ? store.shapes.features(ids) : [],
      this.#lengthsOf(ranked),
      this.#statedBy(ranked),
      store.views.shapeletsOf(
        ranked.flatMap(({ fileId, componentId, match }) =>
          match?.isOfModel === false || query.shapelets ? [componentId ?? fileId] : [],
        ),
      ),
    ]);
    for (const [i, { fileId, componentId, match, ...place }] of ranked.entries()) {
      if (sinceTurn > TURN_LENGTH) {
        sinceTurn = 0;
        await turn();
      }
      const record = records.get(fileId);
      const component = componentId === undefined ? undefined : components.get(componentId);
      if (record === undefined || (component === undefined && componentId !== undefined)) continue;
      const { highlights, read } = query.highlights
        ? await texts.highlights(companyId, fileId, words, { characters: unread, conditions })
        : NO_HIGHLIGHTS;
      unread -= read;
      sinceTurn += read + HIT_LENGTH;
      const shapelets = shapeletsOf.get(componentId ?? fileId) ?? [];
      const hit = {
        ...hitOf(record, place, highlights),
        ...(component === undefined ? {} : componentFields(component)),
        ...(match === undefined ? {} : await this.#matchFields(componentId ?? fileId, match, shapelets)),
        ...(query.shapelets ? { shapelets } : {}),
      };
      const because = await this.#because(hit, featuresOf(features[i]), {
        input: place.input ?? match?.input ?? 0,
        lengths: lengths.get(fileId),
        stated: stated.get(fileId),
        shapelets,
      });
      hits.push({ ...hit, because });
      this.#warnOf(hit.path, this.#source.stated.damageOf(fileId));
    }
    this.#warnOf('the query', this.#source.stated.inputDamage);
    return hits;
  }

  #warnOf(name: string, why: string | undefined): void {
    if (why !== undefined) this.#warnings.add(`the sizes that ${name} states were not compared: ${why}`);
  }

  /** Sentences about what of the hits could not be read, once they are built. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** Whether features of models are held against something: of models, or of what a drawing states. */
  get #isFeatured(): boolean {
    const { inputs, contained } = this.#source;
    return (
      contained !== undefined || inputs.some(({ shape, figures }) => shape !== undefined || figures.kind === 'TwoD')
    );
  }

  /** Lengths that drawings state and extents of models, by file: of those that were found by their views. */
  async #lengthsOf(ranked: readonly RankedFile[]): Promise<ReadonlyMap<number, Lengths>> {
    const seen = ranked.flatMap(({ fileId, componentId, match }) =>
      match !== undefined && componentId === undefined ? [fileId] : [],
    );
    const lengths = seen.length === 0 ? [] : await this.#source.store.views.lengths(seen);
    return new Map(seen.map((fileId, i) => [fileId, lengths[i]]));
  }

  /** What the first hits that are drawings state, where an input is to be held against it. */
  async #statedBy(ranked: readonly RankedFile[]): Promise<ReadonlyMap<number, DrawnSizes | undefined>> {
    const isAlike = ({ matchClass, similarity, match }: RankedFile): boolean =>
      matchClass === 'similar' && (similarity ?? 0) >= ALIKE && match?.isOfModel === false;
    const hits = ranked.filter((file) => isAlike(file) && file.componentId === undefined).slice(0, MOST_SIZED);
    const isHeld = this.#source.inputs.some(({ figures, isPart }) => figures.kind !== 'Image' && isPart !== true);
    return this.#source.stated.ofFiles(isHeld ? hits.map(({ fileId }) => fileId) : []);
  }

  /** features, lengths: of the hit. input: index of the nearest one. */
  async #because(
    hit: Omit<SearchHit, 'because'>,
    features: PartFeatures | undefined,
    {
      input,
      lengths,
      stated,
      shapelets,
    }: {
      readonly input: number;
      readonly lengths: Lengths | undefined;
      readonly stated: DrawnSizes | undefined;
      readonly shapelets: readonly StoredShapelet[];
    },
  ): Promise<Because[]> {
    const { contained } = this.#source;
    const query = this.#source.inputs.at(input);
    const { bboxSizeMm, volumeMm3, component, textHighlights: highlights } = hit;
    const views = lengths === undefined ? undefined : await query?.views();
    const isAlike = hit.matchClass === 'similar' && (hit.similarity ?? 0) >= ALIKE;
    const isStated = isAlike && query?.shape === undefined && (stated !== undefined || features !== undefined);
    const askedSizes = isStated ? await this.#source.stated.ofInput(input) : undefined;
    const isDrawn = hit.matchClass === 'identical' && hit.shapeMatch !== undefined && views !== undefined;
    return reasonsOf({
      hit,
      ...(isDrawn && { drawnFactor: drawnFactor(views.shapelets, shapelets) }),
      hasSameBytes: query?.sha256 === hit.sha256 && component === undefined && query.isPart !== true,
      asked: query?.shape && { ...query.shape, extentsMm: extentsAlong(views) },
      found:
        bboxSizeMm === null || volumeMm3 === null
          ? undefined
          : { bboxSizeMm, volumeMm3, features, extentsMm: extentsAlong(lengths) },
      ...(askedSizes && { askedSizes }),
      ...(stated && hit.kind === 'TwoD' && { foundSizes: stated }),
      statedMm: (query?.shape === undefined ? views : lengths)?.numbersMm ?? [],
      ...(contained && { held: heldMouths(contained, { features, faces: hit.faces }) }),
      highlights,
    });
  }

  /** The records of found files. Those that changed since they were found are tested and read again. */
  async #records(fileIds: readonly number[]): Promise<ReadonlyMap<number, HitRecord>> {
    const { store, stillFound } = this.#source;
    const known = new Map<number, HitRecord>();
    let { mark } = this.#source;
    for (let unread = fileIds, i = 0; unread.length > 0 && i < MOST_READINGS; i++) {
      const read = await store.files.hits(unread, mark);
      const changed = new Set(read.changed);
      for (const [fileId, record] of read.records) if (!changed.has(fileId)) known.set(fileId, record);
      unread = changed.size === 0 ? [] : [...(await stillFound(Uint32Array.from(changed).sort()))];
      mark = read.mark;
    }
    return known;
  }

  /** The matching shapelets of query and hit, and how one lies on the other where both lie on pages. */
  async #matchFields(
    fileId: number,
    match: MatchedViews,
    shapelets: readonly StoredShapelet[],
  ): Promise<Pick<SearchHit, 'shapeMatch' | 'position'>> {
    const { store, inputs } = this.#source;
    const { position: laid, isOfModel, ...pair } = match;
    const query = await inputs[match.input].views();
    const asked = query?.shapelets.at(match.queryShapelet);
    if (query === undefined || asked === undefined) return {};
    if (isOfModel) return { shapeMatch: { ...pair, page: null } };
    const found = shapelets.at(match.shapelet);
    if (found === undefined) return {};
    const page = found.place.kind === 'page' ? found.place.page : null;
    const shapeMatch = { ...pair, page, ...(found.place.kind === 'page' ? { box: found.place.box } : {}) };
    if (laid !== undefined) return { shapeMatch, position: laid };
    const pictures = page === null || query.pictures === null ? undefined : await store.views.pictures(fileId);
    if (pictures === undefined) return { shapeMatch };
    const key = `${match.input} ${match.queryShapelet}`;
    if (!this.#queryPictures.has(key))
      this.#queryPictures.set(key, placedPicture(this.#source.core, asked, query.pictures!, match.queryShapelet));
    const below = this.#queryPictures.get(key),
      above = below && placedPicture(this.#source.core, found, pictures, match.shapelet);
    const position =
      below === undefined || above === undefined ? undefined : findPosition(this.#source.core, below, above);
    return { shapeMatch, ...(position === undefined ? {} : { position }) };
  }
}

type Lengths = Pick<ViewsInput, 'numbersMm' | 'extentsMm'>;

/** The extents of a model along the axes of its file, which follow the sides of its smallest box. */
function extentsAlong(lengths: Lengths | undefined): readonly number[] {
  return lengths?.extentsMm.slice(-3) ?? [];
}

function hitOf(
  record: HitRecord,
  place: Omit<RankedFile, 'fileId'>,
  textHighlights: readonly TextHighlight[],
): Omit<SearchHit, 'because'> {
  const {
    uid,
    path,
    displayName,
    sha256,
    addedAt,
    kind,
    categoryId,
    attributes,
    volumeMm3,
    bboxVolumeMm3,
    bboxSizeMm,
    surfaceAreaMm2,
  } = record;
  return {
    uid,
    path,
    displayName,
    sha256,
    addedAt,
    kind,
    categoryId,
    attributes,
    ...place,
    volumeMm3,
    bboxVolumeMm3,
    bboxSizeMm,
    surfaceAreaMm2,
    textHighlights,
  };
}

/** Fields of a hit that describe the component instead of its file. */
function componentFields({
  uid,
  number,
  name,
  place,
  occurrences,
  isAssembly,
  ...sizes
}: IndexedComponent): Pick<SearchHit, 'component' | 'volumeMm3' | 'bboxVolumeMm3' | 'bboxSizeMm' | 'surfaceAreaMm2'> {
  const { volumeMm3, bboxVolumeMm3, bboxSizeMm, surfaceAreaMm2 } = sizes;
  return {
    component: { uid, number, name, place, occurrences, isAssembly },
    volumeMm3,
    bboxVolumeMm3,
    bboxSizeMm,
    surfaceAreaMm2,
  };
}
