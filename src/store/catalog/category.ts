/** A product category of a company. Categories form a tree. */
export interface Category {
  readonly id: number;
  readonly name: string;
  /** null: a top-level category. */
  readonly parentId: number | null;
  readonly imageUrl: string | null;
  /** Number of files that have this category itself, not one of its subcategories. */
  readonly count: number;
}
