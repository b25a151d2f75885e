export { Engine, type ReindexOptions } from './engine.js';
export type { ThumbnailOptions } from './artifacts/thumbnail-options.js';
export type { Company, PutOptions } from './company.js';
export type {
  AddCategoryOptions, AttributeValuesOptions, CompanyListOptions, FileStatus, SetAttributesOptions,
} from './company/catalogue.js';
export { BASE_UNITS, parseQuantity, type Quantity } from './content/quantity.js';
export { EngineError, type ErrorCode, type ErrorDetails, type Warning, type WarningCode } from './errors.js';
export { FILE_EXTENSIONS, type PutFolderOptions, type PutFolderProgress } from './indexing/folder.js';
export { ATTRIBUTE_LIMITS, DEFAULT_COMPANY_SETTINGS, DEFAULT_ENGINE_OPTIONS, DEFAULT_LIMITS, type CompanySettings, type EngineOptions, type Limits } from './options.js';
export type { MatchClass } from './search/same-part/compare-part.js';
export type { AttributeFilter } from './search/attribute-filter.js';
export { encodeFilter, parseFilter, printFilter, type SearchFilter } from './search/filter-text.js';
export type { SearchFacets, SearchHit, SearchInput, SearchInputFigures, SearchQuery, SearchResult } from './search/query.js';
export type { AttributeCount, FileAttribute } from './store/attribute-condition.js';
export type { ByteSource } from './store/blobs.js';
export type { Category } from './store/category.js';
export type { LibraryHolder } from './store/lock.js';
export type { FileError, FileKind, FileRecord, FileState, KindCounts, Priority } from './store/record.js';
export type { CompanyStats, LibraryStats } from './store/stats.js';
export type { StoredPage, StoredRun } from './store/text-page.js';
export type { VerifyOptions, VerifyProblem, VerifyProgress, VerifyReport } from './store/verify.js';
