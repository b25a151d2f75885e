import { EngineError } from '../errors.js';
import { inspectionList, type InspectionRow } from '../pmi/inspection.js';
import { attributesOfTexts, type ComparedSide } from '../pmi/lists/compared-items.js';
import type { Pmi } from '../pmi/pmi.js';
import { parsePmi } from '../pmi/stored-pmi.js';
import type { AssemblyComponent, IndexedComponent } from '../store/catalog/assembly-component.js';
import type { FileRecord, FileRow } from '../store/catalog/record.js';
import { storedJson } from '../store/database/stored-json.js';
import type { StoredShapelet } from '../store/catalog/shapelet.js';
import type { Library } from '../library.js';
import { fileFeatures, type FileFeatures } from '../search/query/file-features.js';
import type { DrawnLines } from '../search/views/drawn-lines.js';
import { areLined, drawnLines } from '../search/views/same-drawing.js';
import type { CompanyContext } from './context.js';
import { facesOfModel, type ModelFace } from '../search/contains/model-faces.js';
import { textOfFile, type FoundPage, type TextOptions } from './text-of-file.js';

/**
 * Reads the stored contents of a company's files: text, annotations, features, shapelets, product structure.
 * @internal
 */
export class FileContents {
  readonly #store: Library;
  readonly #companyId: number;
  readonly #seen: CompanyContext['seen'];

  constructor({ store, companyId, seen }: CompanyContext) {
    this.#seen = seen;
    this.#store = store;
    this.#companyId = companyId;
  }

  async text(uid: string, options: Partial<TextOptions> | undefined): Promise<FoundPage[]> {
    const { id } = await this.#row(uid);
    const { useNumericTextSearch } = await this.#store.settings(this.#companyId);
    return textOfFile((part) => this.#store.rooms.words.door.pages(id, part), options, useNumericTextSearch);
  }

  async pmi(uid: string): Promise<Pmi | undefined> {
    const json = await this.#store.pmi.one((await this.#row(uid)).id);
    return json === undefined ? undefined : parsePmi(storedJson(json, 'the PMI of a file'));
  }

  async inspection(record: FileRecord): Promise<InspectionRow[] | undefined> {
    const pmi = await this.pmi(record.uid);
    return pmi && inspectionList(pmi, attributesOfTexts(record.extractedAttributes));
  }

  /** @throws EngineError `NO_GEOMETRY` for a file without annotations. */
  async comparedSide({ uid, kind, path, extractedAttributes }: FileRecord): Promise<ComparedSide> {
    const pmi = await this.pmi(uid);
    if (pmi !== undefined) {
      const attributes = attributesOfTexts(extractedAttributes);
      const features = kind === 'ThreeD' ? (await this.features(uid))?.features : undefined;
      const holes = features?.filter((feature) => feature.kind === 'hole');
      return { pmi, attributes, ...(holes !== undefined && holes.length > 0 && { holes }) };
    }
    if (kind === 'Text' && /\.pdf$/i.test(path))
      throw new EngineError(
        'NO_GEOMETRY',
        `${path} was taken for a document, by its lines and words; the option pdfsAreDrawings reads it as a drawing`,
      );
    throw new EngineError(
      'NO_GEOMETRY',
      `${path} carries no dimensions: it is no drawing, and no model with annotations as data (AP242)`,
    );
  }

  async lines(uid: string): Promise<DrawnLines | undefined> {
    const { id } = await this.#row(uid);
    const lines = drawnLines((await this.#store.views.inks([id])).get(id));
    return areLined(lines) ? lines : undefined;
  }

  async features(uid: string): Promise<FileFeatures | undefined> {
    const [stored] = await this.#store.shapes.features([await this.#shapeOf(uid)]);
    return fileFeatures(stored);
  }

  async faces(uid: string): Promise<ModelFace[] | undefined> {
    const [stored] = await this.#store.shapes.descriptors('faces', [await this.#shapeOf(uid)]);
    return stored && facesOfModel(stored);
  }

  async shapelets(uid: string): Promise<StoredShapelet[]> {
    return this.#store.views.shapelets((await this.#row(uid)).id);
  }

  async assembly(uid: string): Promise<AssemblyComponent | undefined> {
    return this.#store.assemblies.tree((await this.#row(uid)).id);
  }

  async components(uid: string): Promise<IndexedComponent[]> {
    return this.#store.components.of((await this.#row(uid)).id);
  }

  /** The row of a file, or of a component of an assembly, which has a shape of its own. */
  async #shapeOf(uid: string): Promise<number> {
    const component = await this.#store.componentWith(this.#companyId, uid, this.#seen);
    return component?.fileId ?? (await this.#row(uid)).id;
  }

  async #row(uid: string): Promise<FileRow> {
    return this.#store.fileOrInput(this.#companyId, uid, this.#seen);
  }
}
