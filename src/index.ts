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
export type { ConversionFormat, ConvertedModel } from './artifacts/conversion-format.js';
export type { DeviationFigures, DeviationModel, DeviationOptions, ModelDeviations } from './artifacts/deviation-options.js';
export type { ModelOptions } from './artifacts/model-options.js';
export type { PageImageOptions, ThumbnailOptions } from './artifacts/thumbnail-options.js';
export type { Company, OverlayOptions, PmiOverlayOptions, SearchInputRecord, WarmUpOptions } from './company.js';
export type { ConvertedFile, ConvertOptions, NamedBytes } from './company/convert-files.js';
export type { PutInputOptions, PutOptions } from './company/put-options.js';
export type {
  AddCategoryOptions, AttributeValuesOptions, FileStatus, SetAttributesOptions,
} from './company/catalogue.js';
export type { FoundPage, TextOptions } from './company/text-of-file.js';
export type { KeepOptions } from './company/duplicates.js';
export type {
  AssembliesWithOptions, ComponentQuery, ComponentResult, HeldComponent, HoldingAssembly, SharedPart, SharedPartMatrix, SharingAssembly,
} from './company/assemblies.js';
export { CROP_SIDE, type Crop } from './content/crop.js';
export type { CompanyListOptions } from './store/list-options.js';
export type { CompanySummary } from './store/company-summary.js';
export { BASE_UNITS, parseQuantity, type Quantity } from './content/quantity.js';
export { EngineError, type ErrorCode, type ErrorDetails, type Warning, type WarningCode } from './errors.js';
export { WATCH_DEFAULTS, type WatchEvent, type WatchFolderOptions, type WatchMethod } from './indexing/watching/watch-options.js';
export { FILE_EXTENSIONS, type PutFolderOptions, type PutFolderProgress } from './indexing/folder.js';
export {
  ATTRIBUTE_LIMITS, DEFAULT_ACCOUNT_OPTIONS, DEFAULT_COMPANY_SETTINGS, DEFAULT_ENGINE_OPTIONS, DEFAULT_LIMITS,
  type AccountOptions, type CompanySettings, type EngineOptions, type HostAddress, type Limits,
} from './options.js';
export { nameOfPmiType } from './pmi/type-names.js';
export { PMI_TYPE, type Pmi, type PmiGroup, type PmiObject, type PmiPage, type PmiTypeId, type TolerancedText } from './pmi/pmi.js';
export type { MatchClass } from './search/same-part/compare-part.js';
export type { AttributeFilter } from './search/attribute-filter.js';
export { encodeFilter, parseFilter, printFilter, type SearchFilter } from './search/filter-text.js';
export { duplicatesCsv } from './search/duplicates/csv.js';
export {
  DEFAULT_NEAR_SCORE, DUPLICATE_CLASSES,
  type DuplicateClass, type DuplicateGroup, type DuplicateMember, type DuplicatesOptions, type DuplicatesProgress, type DuplicatesReport,
} from './search/duplicates/duplicates.js';
export type { HitComponent, MatchPosition, SearchFacets, SearchHit, SearchInput, SearchInputFigures, SearchQuery, SearchResult, ShapeMatch } from './search/query.js';
export type { AssemblyComponent, IndexedComponent } from './store/assembly-component.js';
export type { AttributeCount, FileAttribute } from './store/attribute-condition.js';
export type { AttributeFacet } from './store/attribute-facet.js';
export type { ByteSource } from './store/blobs.js';
export type { Category } from './store/category.js';
export type { CompanyAccount, CompanyLogo } from './store/companies.js';
export type { CallbackSettings, Delivery } from './store/deliveries.js';
export type { ExtractedFeedback, SearchFeedback, Stored } from './store/feedback.js';
export type { DuplicateDecision } from './store/duplicate-decision.js';
export type { LibraryHolder } from './store/lock.js';
export type { FileError, FileKind, FileRecord, FileState, KindCounts, Priority } from './store/record.js';
export type { Rfq } from './store/rfqs.js';
export type { SavedSearch } from './store/saved-searches.js';
export type { CompanyStats, LibraryStats } from './store/stats.js';
export type { StoredPage, StoredRun } from './store/text-page.js';
export type { Principal } from './store/tokens.js';
export { USAGE_COUNTERS, type FileCounts, type Plan, type UsageCounter } from './store/usage.js';
export type { Client, Role, UserProfile } from './store/users.js';
export type { StoredShapelet } from './store/shapelet.js';
export type { VerifyOptions, VerifyProblem, VerifyProgress, VerifyReport } from './store/verify.js';
