import { COMPONENTS } from './additions/components.js';
import { DOWNLOAD } from './additions/download.js';
import { DUPLICATES } from './additions/duplicates-report.js';
import { ENGINE_SEARCH } from './additions/engine-search.js';
import { FEATURES } from './additions/features.js';
import { MCP } from './additions/mcp.js';
import { INSPECTION } from './additions/inspection.js';
import { MODELS } from './additions/models.js';
import { OPEN_ID } from './additions/open-id.js';
import { PASSWORD } from './additions/password.js';
import { KEYS } from './additions/keys.js';
import { SIGN_INS } from './additions/sign-ins.js';
import { PICTURES } from './additions/pictures.js';
import { FILE_CATEGORIES, FILE_COUNTS, RECORDS } from './additions/records.js';
import { LIBRARY } from './additions/library.js';
import { TEXT } from './additions/text.js';
import { COMPANY_USERS } from './additions/users.js';
import { PRODUCT_CATEGORY } from './resources/product-category.js';
import { COMPANY_LOGO } from './resources/company-logo.js';
import { COMPANY_PROFILE } from './resources/company-profile.js';
import { CONVERT_FILES } from './resources/convert-files.js';
import type { Endpoint } from './server/endpoint.js';
import { FEEDBACK } from './resources/feedback.js';
import { FILE_ATTRIBUTES } from './resources/file-attributes.js';
import { FILES } from './resources/files.js';
import { IMAGE } from './resources/image.js';
import { PMI_DATA } from './resources/pmi-data.js';
import { RFQS } from './resources/rfq.js';
import { SAVED_SEARCHES } from './resources/saved-searches.js';
import { SEARCH } from './resources/search.js';
import { SESSION, TOKEN } from './resources/token.js';
import { UPLOADS } from './resources/uploads.js';
import { USAGE } from './resources/usage.js';
import { USERS } from './resources/users.js';
import { VERSION } from './resources/version.js';

/** Every endpoint of the interface, in its order, then those beyond it, with the engine's own names. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...FILES,
  ...UPLOADS,
  ...IMAGE,
  ...PMI_DATA,
  ...CONVERT_FILES,
  ...FILE_ATTRIBUTES,
  ...SEARCH,
  ...FEEDBACK,
  ...SAVED_SEARCHES,
  ...RFQS,
  ...COMPANY_PROFILE,
  ...COMPANY_LOGO,
  ...PRODUCT_CATEGORY,
  ...USERS,
  ...TOKEN,
  ...VERSION,
  ...USAGE,
  ...ENGINE_SEARCH,
  ...RECORDS,
  ...FILE_COUNTS,
  ...LIBRARY,
  ...TEXT,
  ...PICTURES,
  ...MODELS,
  ...DOWNLOAD,
  ...FILE_CATEGORIES,
  ...DUPLICATES,
  ...FEATURES,
  ...INSPECTION,
  ...COMPONENTS,
  ...COMPANY_USERS,
  ...SESSION,
  ...PASSWORD,
  ...MCP,
  ...SIGN_INS,
  ...KEYS,
  ...OPEN_ID,
];
