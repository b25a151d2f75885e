import type { Database } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import type { Category } from './category.js';
import { onRowsChanged } from '../database/caches.js';
import { prepared } from '../database/prepared.js';

/** A category to be added. */
export interface NewCategory {
  readonly companyId: number;
  readonly name: string;
  readonly parentId: number | null;
  readonly imageUrl: string | null;
  /** Who adds it; null: the host itself. */
  readonly owner: string | null;
  /** How many the company may have. Default: no limit. */
  readonly most?: number;
  /** How many of them the owner may have added. Default: no limit. */
  readonly mostOfOwner?: number;
}

interface CategoryRow {
  id: number;
  name: string;
  parent_id: number | null;
  image_url: string | null;
  count: number;
}

const COUNTED = `
  SELECT category.id, name, parent_id, image_url, (SELECT count(*) FROM file
    WHERE category_id = category.id) AS count FROM category`;

/** The categories of companies. Writing methods run inside a transaction of the caller. */
export class Categories {
  readonly #database: Database;
  readonly #lists = new Map<number, readonly Category[]>();
  #listedAt: number | undefined;

  constructor(database: Database) {
    this.#database = database;
    onRowsChanged(database, () => this.#lists.clear());
  }

  /**
   * All categories of a company, by name. Counting many files is slow, so the list is cached until the catalogue
   * changes.
   */
  list(companyId: number): Category[] {
    // SQLite counts the rows that this connection changes; what another one changes is told.
    const changes = prepared<[], { changes: number }>(this.#database, 'SELECT total_changes() AS changes').get()
      ?.changes;
    if (changes !== this.#listedAt) this.#lists.clear();
    this.#listedAt = changes;
    let list = this.#lists.get(companyId);
    if (list === undefined) {
      list = prepared<[number], CategoryRow>(this.#database, `${COUNTED} WHERE company_id = ? ORDER BY name, id`)
        .all(companyId)
        .map(categoryOf);
      this.#lists.set(companyId, list);
    }
    return list.map((category) => ({ ...category }));
  }

  /** @throws EngineError `CATEGORY_UNKNOWN`. */
  get(companyId: number, id: number): Category {
    const row = this.#database
      .prepare<[number, number], CategoryRow>(`${COUNTED} WHERE company_id = ? AND id = ?`)
      .get(companyId, id);
    if (row === undefined)
      throw new EngineError('CATEGORY_UNKNOWN', `no category has the id ${id}`, { details: { id } });
    return categoryOf(row);
  }

  /**
   * Adds a category; one of the same name and parent is kept, with the new image if one is given.
   * @throws EngineError `CATEGORY_UNKNOWN`; `NOT_ALLOWED` where a bound would be passed.
   */
  add(category: NewCategory): Category {
    const { companyId, name, parentId, imageUrl, owner } = category;
    if (parentId !== null) this.get(companyId, parentId);
    const known = this.#database
      .prepare<[number, number | null, string], number>(
        'SELECT id FROM category WHERE company_id = ? AND parent_id IS ? AND name = ? ORDER BY id',
      )
      .pluck()
      .get(companyId, parentId, name);
    if (known !== undefined && imageUrl !== null)
      this.#database.prepare('UPDATE category SET image_url = ? WHERE id = ?').run(imageUrl, known);
    if (known === undefined) this.#checkRoom(category);
    const id =
      known ??
      Number(
        this.#database
          .prepare('INSERT INTO category (company_id, parent_id, name, image_url, made_by) VALUES (?, ?, ?, ?, ?)')
          .run(companyId, parentId, name, imageUrl, owner).lastInsertRowid,
      );
    return this.get(companyId, id);
  }

  /**
   * Removes a category; its files and subcategories move to its parent, or to none.
   * @throws EngineError `CATEGORY_UNKNOWN`.
   */
  remove(companyId: number, id: number): void {
    const { parentId } = this.get(companyId, id);
    this.#database.prepare('UPDATE file SET category_id = ? WHERE category_id = ?').run(parentId, id);
    this.#database.prepare('UPDATE category SET parent_id = ? WHERE parent_id = ?').run(parentId, id);
    this.#database.prepare('DELETE FROM category WHERE id = ?').run(id);
  }

  /** Gives a file a category, or none. @throws EngineError `CATEGORY_UNKNOWN`. */
  assign(companyId: number, fileId: number, id: number | null): void {
    if (id !== null) this.get(companyId, id);
    this.#database.prepare('UPDATE file SET category_id = ? WHERE id = ?').run(id, fileId);
  }

  /** In the transaction that adds one, so that those who add at once share the room. */
  #checkRoom({ companyId, owner, most = Infinity, mostOfOwner = Infinity }: NewCategory): void {
    const { all, own } = this.#database
      .prepare<[string | null, number], { all: number; own: number }>(
        'SELECT count(*) AS "all", count(*) FILTER (WHERE made_by = ?) AS own FROM category WHERE company_id = ?',
      )
      .get(owner, companyId)!;
    if (owner !== null && own >= mostOfOwner)
      throw categoriesFull(`${own} categories of the user`, {
        limit: 'categoriesPerUser',
        allowed: mostOfOwner,
        found: own,
      });
    if (all >= most) throw categoriesFull(`${all} categories`, { limit: 'categories', allowed: most, found: all });
  }
}

function categoriesFull(
  what: string,
  details: { readonly limit: string; readonly allowed: number; readonly found: number },
): EngineError {
  return new EngineError(
    'NOT_ALLOWED',
    `${what} are there: whoever serves removes some (shapedex category remove) ` +
      `(allowed are ${details.allowed}, accounts.${details.limit})`,
    { details },
  );
}

function categoryOf({ id, name, parent_id, image_url, count }: CategoryRow): Category {
  return { id, name, parentId: parent_id, imageUrl: image_url, count };
}
