/** A product category. Each company has its own; they can lie in one another. */
export interface Category {
  readonly id: number;
  readonly name: string;
  /** null: it lies in none. */
  readonly parentId: number | null;
  readonly imageUrl: string | null;
  /** Files that have just this category, not one that lies in it. */
  readonly count: number;
}
