export type { Accounts } from './accounts/accounts.js';
export type { FeedbackOrigin } from './accounts/company-accounts.js';
export type { LogPage } from './accounts/log-page.js';
export type { NewCallback } from './accounts/callback-settings.js';
export type { CallbackEvent, PayloadOf } from './accounts/callbacks.js';
export type { CompanyProfile } from './accounts/profile.js';
export { PROFILE_FIELDS, type Currency, type ProfileField } from './accounts/profile-fields.js';
export type { NewRfq } from './accounts/quotes.js';
export type { TokenGrant } from './accounts/sign-in.js';
export type { MonthlyUsage } from './accounts/usage-meter.js';
export type { NewClient, NewUser } from './accounts/user-accounts.js';
export { Engine, type ReindexOptions } from './engine.js';
export type { ConversionFormat, ConvertedModel } from './convert/conversion-format.js';
export type {
  DeviationFigures,
  DeviationModel,
  DeviationOptions,
  ModelDeviations,
} from './convert/deviation-options.js';
export type { ModelOptions } from './convert/model-options.js';
export type { PageImageOptions, ThumbnailOptions } from './pictures/thumbnail-options.js';
export type {
  Company,
  OverlayOptions,
  PmiOverlayOptions,
  SearchInputRecord,
  WarmUpOptions,
} from './company/company.js';
export type { ConvertedFile, ConvertOptions, NamedBytes } from './company/convert-files.js';
export type { PutInputOptions, PutOptions } from './company/put-options.js';
export type {
  AddCategoryOptions,
  AttributeValuesOptions,
  FileStatus,
  SetAttributesOptions,
} from './company/catalogue.js';
export type { FoundPage, TextOptions } from './company/text-of-file.js';
export type { KeepOptions } from './company/duplicates.js';
export type {
  AssembliesWithOptions,
  ComponentQuery,
  ComponentResult,
  HeldComponent,
  HoldingAssembly,
  SharedPart,
  SharedPartMatrix,
  SharingAssembly,
} from './company/assemblies.js';
export { CROP_SIDE, type Crop } from './content/crop.js';
export type { CompanyListOptions } from './store/catalog/list-options.js';
export type { CompanySummary } from './store/catalog/company-summary.js';
export { BASE_UNITS, parseQuantity, type Quantity } from './attributes/quantity.js';
export { EngineError, type ErrorCode, type ErrorDetails, type Warning, type WarningCode } from './errors.js';
export {
  WATCH_DEFAULTS,
  type WatchEvent,
  type WatchFolderOptions,
  type WatchMethod,
} from './folders/watching/watch-options.js';
export { FILE_EXTENSIONS, type PutFolderOptions, type PutFolderProgress } from './folders/folder.js';
export {
  ATTRIBUTE_LIMITS,
  DEFAULT_ACCOUNT_OPTIONS,
  DEFAULT_COMPANY_SETTINGS,
  DEFAULT_ENGINE_OPTIONS,
  DEFAULT_LIMITS,
  type AccountOptions,
  type CompanySettings,
  type EngineOptions,
  type HostAddress,
  type Limits,
} from './options.js';
export { nameOfPmiType } from './pmi/type-names.js';
export {
  PMI_TYPE,
  type Pmi,
  type PmiGroup,
  type PmiObject,
  type PmiPage,
  type PmiTypeId,
  type TolerancedText,
} from './pmi/pmi.js';
export type { MatchClass } from './search/shapes/same-part/compare-part.js';
export type { AttributeFilter } from './search/query/attribute-filter.js';
export { encodeFilter, parseFilter, printFilter, type SearchFilter } from './search/query/filter-text.js';
export { duplicatesCsv } from './search/duplicates/csv.js';
export {
  DEFAULT_NEAR_SCORE,
  DUPLICATE_CLASSES,
  type DuplicateClass,
  type DuplicateGroup,
  type DuplicateMember,
  type DuplicatesOptions,
  type DuplicatesProgress,
  type DuplicatesReport,
} from './search/duplicates/duplicates.js';
export type {
  HitComponent,
  MatchPosition,
  SearchFacets,
  SearchHit,
  SearchInput,
  SearchInputFigures,
  SearchQuery,
  SearchResult,
  ShapeMatch,
} from './search/query/query.js';
export type { AssemblyComponent, IndexedComponent } from './store/catalog/assembly-component.js';
export type { AttributeCount, FileAttribute } from './attributes/attribute-condition.js';
export type { AttributeFacet } from './attributes/attribute-facet.js';
export type { ByteSource } from './store/disk/blobs.js';
export type { Category } from './store/catalog/category.js';
export type { CompanyAccount, CompanyLogo } from './accounts/tables/companies.js';
export type { CallbackSettings, Delivery } from './accounts/tables/deliveries.js';
export type { ExtractedFeedback, SearchFeedback, Stored } from './accounts/tables/feedback.js';
export type { DuplicateDecision } from './store/catalog/duplicate-decision.js';
export type { LibraryHolder } from './store/disk/lock.js';
export type { FileError, FileKind, FileRecord, FileState, KindCounts, Priority } from './store/catalog/record.js';
export type { Rfq } from './accounts/tables/rfqs.js';
export type { SavedSearch } from './accounts/tables/saved-searches.js';
export type { CompanyStats, LibraryStats } from './store/catalog/stats.js';
export type { StoredPage, StoredRun } from './store/catalog/file-text.js';
export type { Principal } from './accounts/tables/tokens.js';
export { USAGE_COUNTERS, type FileCounts, type Plan, type UsageCounter } from './accounts/tables/usage.js';
export type { Client, Role, UserProfile } from './accounts/tables/users.js';
export type { StoredShapelet } from './store/catalog/shapelet.js';
export type { VerifyOptions, VerifyProblem, VerifyProgress, VerifyReport } from './store/verify.js';
