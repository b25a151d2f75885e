/**
 * The interface as a table: every endpoint, its parameters with defaults, the fields of its answer. Written from the
 * interface document by hand, so that neither code nor document changes without this.
 */
export interface Row {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  /** Name, with `*` when it is required and ` = default` where the interface names one. `~` first: deprecated. */
  readonly query: readonly string[];
  readonly body?: 'json' | 'bytes' | 'form';
  /** Schema of the answer, or its type. */
  readonly answer: string;
  /** Who may, at least. */
  readonly access: 'none' | 'app' | 'user' | 'operator';
}

const UPLOAD = [
  'file *', '~isGZipCompressed = false', 'isSearchInput = true', 'indexPriority', 'attributes', 'QRCodeId', 'categoryId = -1', 'textOnly', 'attrTemplate', 'uid',
  '~rmIfDup = false', '~isPriority = false', 'overwriteFile', 'indexAssemblyComponents = false', 'callbackParam', 'accountName',
];
const SHAPELETS = ['includeShapelets = false', 'lgFileNumber', 'includeShapes = false'];

export const ROWS: readonly Row[] = [
  { method: 'GET', path: '/File', query: ['fileUID', 'fileName', ...SHAPELETS, 'accountName'], answer: 'FileMap', access: 'user' },
  { method: 'PUT', path: '/File', query: [...UPLOAD, 'indexAsync = false'], body: 'json', answer: 'string', access: 'user' },
  { method: 'PUT', path: '/FileBinary', query: [...UPLOAD, 'indexAsync = false'], body: 'bytes', answer: 'string', access: 'user' },
  { method: 'PUT', path: '/FileBinaryDirect', query: [...UPLOAD, ...SHAPELETS], body: 'bytes', answer: 'FileMap', access: 'user' },
  { method: 'DELETE', path: '/File', query: ['fileUID *', 'accountName'], answer: 'boolean', access: 'user' },
  { method: 'GET', path: '/FileStatus', query: ['fileUID *'], answer: 'string', access: 'user' },
  { method: 'GET', path: '/Image', query: ['fid *', 'token *', 'type = 0', 'shapeIndex = 0', 'lgFileNumber'], answer: 'string', access: 'user' },
  { method: 'GET', path: '/PMIData', query: ['fileUID *'], answer: 'PMIData', access: 'user' },
  { method: 'GET', path: '/ValidUploadFileTypes', query: [], answer: 'string[]', access: 'app' },
  { method: 'PUT', path: '/ConvertFiles', query: ['fileNames *', 'conversionExtension *', 'useCompanyFolder = false'], body: 'json', answer: 'string', access: 'user' },
  { method: 'GET', path: '/FileAttributes', query: [], answer: 'FileAttribute[]', access: 'user' },
  { method: 'PUT', path: '/FileAttributes', query: ['fileUID', 'fileName', 'deleteExisting = true'], body: 'json', answer: 'boolean', access: 'user' },
  { method: 'DELETE', path: '/FileAttributes', query: ['fileUID *'], answer: 'boolean', access: 'user' },
  { method: 'GET', path: '/AttributeValues', query: ['attribute *'], answer: 'AttributeCount[]', access: 'user' },
  {
    method: 'PUT', path: '/Search', body: 'json', answer: 'SearchResultSummary', access: 'user',
    query: ['fileExtension', 'filterStr', '~isGZipCompressed = false', '~cropX = -1', '~cropY = -1', '~cropW = -1', '~cropH = -1', 'includeShapelets = false', '~customAPI = -1', '~crawl_parameter', 'accountName', 'targetFids', 'offset = 0', 'includeComponents = false', 'limit'],
  },
  {
    method: 'GET', path: '/Search', answer: 'SearchResultSummary', access: 'user',
    query: ['filterStr *', 'includeShapelets = false', '~customAPI = -1', 'searchAssemblyComponents = false', 'accountName', 'offset = 0', 'includeComponents = false', 'limit'],
  },
  {
    method: 'PUT', path: '/SearchFeedback', body: 'json', answer: 'string', access: 'user',
    query: ['found', 'rank', 'expectation', 'helpfulness', 'user', 'inputFileUID', 'inputFileName', 'otherInput', 'feedbackId'],
  },
  { method: 'PUT', path: '/ExtractedAttributeFeedback', query: ['fileUID *', 'feedback *', 'user', 'feedbackId'], body: 'json', answer: 'string', access: 'user' },
  { method: 'PUT', path: '/SavedSearches', query: ['name *', 'queryStr *'], answer: 'SavedSearch[]', access: 'user' },
  { method: 'GET', path: '/SavedSearches', query: [], answer: 'SavedSearch[]', access: 'user' },
  { method: 'DELETE', path: '/SavedSearches', query: ['id *'], answer: 'boolean', access: 'user' },
  { method: 'PUT', path: '/RFQ', query: ['fileName *', 'customQuoteId', 'rfqId', 'chunkNum', 'totalChunks'], body: 'json', answer: 'string', access: 'user' },
  { method: 'GET', path: '/RFQ', query: ['rfqId *'], answer: 'RFQ', access: 'user' },
  { method: 'DELETE', path: '/RFQ', query: ['rfqId *'], answer: 'boolean', access: 'user' },
  { method: 'GET', path: '/CompanyProfile', query: ['companyID *'], answer: 'CompanyProfile', access: 'user' },
  { method: 'PUT', path: '/CompanyProfile', query: ['accountName *'], answer: 'string', access: 'operator' },
  { method: 'PUT', path: '/CompanyLogo', query: [], body: 'json', answer: 'boolean', access: 'user' },
  { method: 'DELETE', path: '/CompanyLogo', query: [], answer: 'boolean', access: 'user' },
  { method: 'GET', path: '/IsEmployee', query: ['companyID *'], answer: 'boolean', access: 'user' },
  { method: 'GET', path: '/CustomProductCategory', query: ['name *'], answer: 'ProductCategory', access: 'user' },
  { method: 'GET', path: '/User', query: ['emailID *', 'password *'], answer: 'UserProfile', access: 'none' },
  { method: 'PUT', path: '/User', query: ['emailID *', 'firstName *', 'lastName *', 'password *', 'companyId'], answer: 'UserProfile', access: 'none' },
  { method: 'POST', path: '/Token', query: ['grant_type', 'client_id', 'username', 'password', 'refresh_token'], body: 'form', answer: 'Token', access: 'none' },
  { method: 'GET', path: '/Version', query: [], answer: 'Version', access: 'none' },
  { method: 'GET', path: '/ServiceFileCount', query: [], answer: 'integer', access: 'user' },
  { method: 'GET', path: '/MonthlyUsage', query: ['year', 'month'], answer: 'MonthlyUsageResponse', access: 'user' },
];

const PROFILE = {
  boolean: 'publiclyAccessible hasFileCategories usesDeepLearning usesAutoClassify usesPngThumbnails hideFileExtNum isPayingForDuplicates usesFileTextForSearch textOnly hideBranding isRFQThreeD overwriteFiles useNumericTextSearch combineVariations useSketchInput shapeOnlyDups attrsOnlyDups shapePlusAttrsDups addCompareFilesToDB overlayCompareOn useTextHighlighting useOldESTextQuery showMatchingShapes useInputSummary customFeature1 useRAG usePublicURL isPublished',
  'string?': 'publicURL companyURL name iCode logo folderURL tagLogo logoHTML beSetting volTolerance bbVolTolerance priorityAttrs listAttrs dependentDdlAttrs preferredUnits feedbackExpectationMappedAttribute trialStartDate',
  string: 'registrationDate',
  integer: 'webSearchType rasterSearchMethod vectorSearchMethod maxVisualSearchResults maxRFQSearchResults threeDImageIndex threeDDrawingIndex filePriority decimalPlaces',
  'integer?': 'overallDeficitThreshold perViewDeficitThreshold',
  number: 'viewScoreThreshold44 viewScoreThreshold43 viewScoreThreshold22 viewScoreThreshold23 viewScoreThreshold2b2b viewScoreThreshold2b3 viewScoreThreshold34 viewScoreThreshold32 viewScoreThreshold33 viewScoreThreshold6',
  'number?': 'scoreThreshold exactScoreTolerance exactVolTolerance exactBBVolTolerance',
  'Currency?': 'currency',
};

/** Types of fields: JSON types, names of schemas, `[]` for arrays, `?` for null as well. */
export const SCHEMAS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  FileMap: {
    UID: 'string', SpaceID: 'string', FileName: 'string', DisplayName: 'string', Attributes: 'string[]', ExtractedAttributes: 'string[]', ThumbNailURLFromID: 'string?',
    PNGURLFromID: 'string?', PDFUrl: 'string?', HasThumbnail: 'boolean', IndexingFinished: 'boolean', AssemblyParents: 'AssemblyItem[]?', AssemblyChildren: 'AssemblyItem[]?',
  },
  AssemblyItem: { uid: 'string?', fileName: 'string?', thumbnailURL: 'string?', viewerURL: 'string?' },
  SearchResultSummary: {
    ResultsList: 'SearchResultEntry[]', RFQLines: 'string[]?', TotalResults: 'integer', CurrentCategory: 'CategorySearchResult?', AdditionalCategories: 'CategorySearchResult[]?',
    Categories: 'CategorySearchResult[]?', SearchTime: 'string', InputFileUID: 'string?', InputVolume: 'number?', InputBBVolume: 'number?', InputSurfaceArea: 'number?',
    InputShapeSizes: 'string?', InputUnits: 'string?', InputThumbnail: 'string?', CustomReply: 'string?', SearchFilters: 'string?', Message: 'string?',
  },
  SearchResultEntry: {
    ShapeResult: 'ShapeResult', CompanyName: 'string?', PublicURL: 'string?', CompanySpaceID: 'string?', UserSpaceID: 'string?', LocationID: 'string?', FullText: 'string?',
    FileType: 'integer', ThumbnailURL: 'string?', ComponentFID: 'string?', ComponentName: 'string?', TextHighlights: 'string[]?', TextHighlightLocations: 'TextHighlightLocation[]?',
    FileName: 'string', FileUID: 'string', DateAdded: 'string', ViewURL: 'string?', Attributes: 'string[]', CategoryID: 'integer', Name: 'string?',
  },
  ShapeResult: {
    UID: 'string', Score: 'number', Volume: 'number?', SurfaceArea: 'number?', ViewerUrl: 'string?', DetailsUrl: 'string?', LargeFileUrl: 'string?', FileHash: 'string?',
    Attributes: 'string[]', FileHasThumbnail: 'boolean', Shapelets: 'Shapelet[]?', FirstShapeMatchIndex: 'string?', FirstShapeMatchPageNum: 'string?', MatchPosition: 'string?', Name: 'string?',
    Similarity: 'number?', MatchTransform: 'number[]?',
  },
  PMIData: { ExtractedAttributes: 'string[]', PMI: 'string' },
  MonthlyUsageResponse: {
    BillingPeriod: 'string', FilePlanLimit: 'integer?', RemainingFiles: 'integer?', FileCount: 'object', TokenPlanLimit: 'number?', RemainingTokens: 'number?', TokenUsage: 'object',
  },
  AttributeCount: { name: 'string?', count: 'integer' },
  CategorySearchResult: { name: 'string?', imageURL: 'string?', count: 'integer', searchURL: 'string?', searchFilterValue: 'string?', shortName: 'string?' },
  CompanyProfile: Object.fromEntries(Object.entries(PROFILE).flatMap(([type, names]) => names.split(' ').map((name) => [name, type]))),
  Currency: { Code: 'string', Symbol: 'string', Name: 'string' },
  UserProfile: { UID: 'string', EmailID: 'string', FirstName: 'string', LastName: 'string', CompanyID: 'string?', CompanyName: 'string?', IsAdmin: 'boolean', DateAdded: 'string' },
  ProductCategory: { ID: 'integer', Name: 'string', ParentID: 'integer?', ImageURL: 'string?', Count: 'integer' },
  SavedSearch: { ID: 'string', Name: 'string', QueryStr: 'string', DateAdded: 'string' },
  RFQ: {
    RFQID: 'string', CustomQuoteID: 'string?', FileName: 'string', Status: 'string', ReceivedChunks: 'integer', TotalChunks: 'integer', FileUID: 'string?', DateAdded: 'string', Lines: 'string[]?',
  },
  FileAttribute: { Name: 'string', Unit: 'string', Type: 'string', Count: 'integer', Values: 'string[]' },
  Token: { access_token: 'string', token_type: 'string', expires_in: 'integer', scope: 'string' },
  Version: { apiVersion: 'string', engineVersion: 'string' },
};

/** Keys of the objects in MonthlyUsageResponse. */
export const FILE_COUNT = ['CountDoc', 'Count2D', 'Count3D', 'CountPhoto', 'Total', 'Doc', '2D', '3D', 'Photo'];
export const TOKEN_USAGE = [
  'TokenFileIndex', 'TokenTableIndex', 'TokenStorage', 'TokenVSearch', 'TokenTSearch', 'TokenRAG', 'TokenCompare', 'Token2DPMI', 'Token3DConvert', 'Total',
];
