import { checkInteger, withDefaults, type Defaults } from '../options.js';
import type { Category } from '../store/catalog/category.js';
import type { FileRecord } from '../store/catalog/record.js';
import { checkLabel, checkUid } from './checks.js';
import type { CompanyContext } from './context.js';

/** Options of adding a category. */
export interface AddCategoryOptions {
  /** Id of the parent category. Default: none. */
  readonly parentId?: number | null;
  /** URL of its picture. Default: none. */
  readonly imageUrl?: string | null;
  /** Who adds it, as the caller names them. Default: the host itself. */
  readonly owner?: string | null;
  /** How many the company may have; another one is refused. Default: no limit. */
  readonly most?: number;
  /** How many of them the owner may have added. Default: no limit. */
  readonly mostOfOwner?: number;
}

const ADD_DEFAULTS = Object.freeze({
  parentId: null,
  imageUrl: null,
  owner: null,
  most: undefined,
  mostOfOwner: undefined,
} satisfies Defaults<AddCategoryOptions>);

/** Largest length of a category's name and of its picture's URL, UTF-16 units. */
const NAME_LIMIT = 200;
const URL_LIMIT = 2_048;

/** The categories of a company: `company.categories`. Writes are as durable as a put. */
export class CompanyCategories {
  readonly #context: CompanyContext;

  /** @internal */
  constructor(context: CompanyContext) {
    this.#context = context;
  }

  /** All categories, sorted by name, each with the number of its files (without those of sub-categories). */
  async list(): Promise<Category[]> {
    const { store, companyId } = this.#open();
    return store.categories.list(companyId);
  }

  /**
   * Adds a category and returns it with its id. If the parent already has a category with this name, that one is
   * returned (with the new picture, if one is given).
   * @throws EngineError `CATEGORY_UNKNOWN` for `parentId`; `NOT_ALLOWED` with `details.limit` 'categories' or
   * 'categoriesPerUser' where there are too many.
   */
  async add(name: string, options?: AddCategoryOptions): Promise<Category> {
    const { store, companyId, lifetime } = this.#open();
    const { parentId, imageUrl, owner, ...bounds } = withDefaults('category options', options, ADD_DEFAULTS);
    if (parentId !== null) checkInteger('category options.parentId', parentId, 1);
    for (const bound of ['most', 'mostOfOwner'] as const)
      if (bounds[bound] !== undefined) checkInteger(`category options.${bound}`, bounds[bound], 0);
    const category = {
      companyId,
      parentId,
      name: checkLabel('category name', name, NAME_LIMIT),
      imageUrl: imageUrl === null ? null : checkLabel('category options.imageUrl', imageUrl, URL_LIMIT),
      owner: owner === null ? null : checkLabel('category options.owner', owner, NAME_LIMIT),
      ...bounds,
    };
    return lifetime.write(() => store.categories.add(category));
  }

  /**
   * Removes a category. Its files and sub-categories move to its parent, or to none.
   * @throws EngineError `CATEGORY_UNKNOWN`.
   */
  async remove(id: number): Promise<void> {
    const { store, companyId, lifetime } = this.#open();
    checkInteger('category id', id, 1);
    await lifetime.write(() => store.categories.remove(companyId, id));
  }

  /**
   * Sets the category of a file, or none (null or -1), and returns its new record.
   * @throws EngineError `FILE_UNKNOWN`, `CATEGORY_UNKNOWN`.
   */
  async assign(uid: string, id: number | null): Promise<FileRecord> {
    const { store, companyId, lifetime } = this.#open();
    const known = checkUid(uid);
    const category = id === -1 ? null : id;
    if (category !== null) checkInteger('category id', category, 1);
    return lifetime.write(() => store.categories.assign(companyId, known, category));
  }

  #open(): CompanyContext {
    this.#context.lifetime.checkOpen();
    return this.#context;
  }
}
