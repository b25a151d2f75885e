export { Engine } from './engine.js';
export { EngineError, type ErrorCode, type Warning } from './errors.js';
export {
  ATTRIBUTE_LIMITS,
  DEFAULT_COMPANY_SETTINGS,
  DEFAULT_ENGINE_OPTIONS,
  DEFAULT_LIMITS,
  type CompanySettings,
  type EngineOptions,
  type Limits,
} from './options.js';
export type { Company } from './company/company.js';
export type { SeenInputs } from './store/catalog/seen-inputs.js';
export type { FileStatus, SearchInputRecord } from './company/files.js';
export type { ServedCompany } from './company/served/served-company.js';
export type { PutInputOptions, PutOptions } from './company/put-options.js';
export type { CompanyListOptions } from './store/catalog/list-options.js';
export type { CompanySummary } from './store/catalog/company-summary.js';
export type { FileKind, FileRecord, FileState } from './store/catalog/record.js';
export type { LibraryStats } from './store/catalog/stats.js';
export { FILE_EXTENSIONS, type PutFolderOptions, type PutFolderProgress } from './folders/folder.js';
export { WATCH_DEFAULTS, type WatchEvent, type WatchFolderOptions } from './folders/watching/watch-options.js';
export { BASE_UNITS, parseQuantity } from './attributes/quantity.js';
export type { Category } from './store/catalog/category.js';
export { CROP_SIDE, type Crop } from './content/crop.js';
export type { AttributeFilter } from './search/query/attribute-filter.js';
export { parseTolerance } from './search/query/tolerance.js';
export {
  SEARCH_LIMITS,
  type SearchHit,
  type SearchInput,
  type SearchInputFigures,
  type SearchQuery,
  type SearchResult,
} from './search/query/query.js';
export type { Because } from './search/query/because.js';
export { becauseText } from './search/query/because-text.js';
export type { MatchClass } from './search/query/match-class.js';
export type { HoldingAssembly, SharedPartMatrix } from './company/assemblies.js';
export type { AssemblyComponent, IndexedComponent } from './store/catalog/assembly-component.js';
export { duplicatesCsv } from './search/duplicates/report-csv.js';
export {
  DEFAULT_NEAR_SCORE,
  DUPLICATE_CLASSES,
  type DuplicateClass,
  type DuplicateGroup,
  type DuplicateMember,
  type DuplicatesOptions,
  type DuplicatesProgress,
  type DuplicatesReport,
} from './search/duplicates/duplicates-report.js';
export type { DuplicateDecision } from './store/catalog/duplicate-decision.js';
export type { ConvertedFile, ConvertOptions } from './company/convert-options.js';
export type { ConversionFormat } from './convert/conversion-format.js';
export type { DeviationModel } from './convert/deviation-options.js';
export type { ThumbnailOptions } from './pictures/thumbnail-options.js';
export type { FileFeatures } from './search/query/file-features.js';
export type { FoundPage } from './company/text-of-file.js';
export type { StoredShapelet } from './store/catalog/shapelet.js';
export { comparePmi, type PmiComparison } from './pmi/lists/compare-pmi.js';
export { attributesOfTexts } from './pmi/lists/compared-items.js';
export { inspectionCsv, inspectionXlsx, pmiComparisonCsv } from './pmi/lists/list-tables.js';
export { inspectionList, type InspectionRow } from './pmi/inspection.js';
export { nameOfPmiType, PMI_TYPE, type Pmi, type PmiGroup, type PmiObject } from './pmi/pmi.js';
export type { LibraryWarning } from './store/library-warning.js';
export { backupLibrary } from './store/backup.js';
export { rescueFiles } from './folders/rescue-files.js';
export { verifyClosed } from './store/verify-closed.js';
export type { VerifyReport } from './store/verify-report.js';
