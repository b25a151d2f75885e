import type { AttributeDoor } from '../../attributes/attribute-door.js';
import type { SearchableDoor } from '../../store/catalogue.js';
import type { SearchFacets } from '../query/query.js';
import type { FileTable } from './file-table.js';
import { intersection } from './id-set.js';

/** The files that a search found. */
export interface FoundFiles {
  /** Rising. */
  readonly fileIds: Uint32Array;
  /** The assemblies of the components that were found, once for each component. */
  readonly assemblies: readonly number[];
}

/** Where the counted facts of one company's files are read. */
export interface FacetSource {
  readonly companyId: number;
  readonly table: FileTable;
  readonly searchable: SearchableDoor;
  /** Absent: values of attributes are not counted. */
  readonly attributes: AttributeDoor | undefined;
}

/** Counts found files by kind, category and attribute. A component counts as a model of its assembly's category. */
export async function countFacets(
  { companyId, table, searchable, attributes }: FacetSource,
  { fileIds, assemblies }: FoundFiles,
): Promise<SearchFacets> {
  const times = new Map<number, number>();
  for (const id of assemblies) times.set(id, (times.get(id) ?? 0) + 1);
  const assemblyIds = Uint32Array.from(times.keys()).sort();
  const countIn = (own: Uint32Array): number =>
    intersection(own, assemblyIds).reduce((sum, id) => sum + times.get(id)!, intersection(own, fileIds).length);
  const kinds = table.countKinds(fileIds);
  const [files, values] = await Promise.all([
    searchable.ofCategories(companyId),
    attributes?.facets(companyId, fileIds),
  ]);
  const categories: { categoryId: number | null; count: number }[] = files.map(({ categoryId, fileIds: own }) => ({
    categoryId,
    count: countIn(own),
  }));
  const rest = fileIds.length + assemblies.length - categories.reduce((sum, { count }) => sum + count, 0);
  return {
    kinds: { ...kinds, ThreeD: kinds.ThreeD + assemblies.length },
    categories: [...categories, { categoryId: null, count: rest }].filter(({ count }) => count > 0),
    ...(values === undefined ? {} : { attributes: values }),
  };
}
