import { ADDITIONS } from '../additions/additions.js';
import { PRODUCT_CATEGORY } from './product-category.js';
import { COMPANY_LOGO } from './company-logo.js';
import { COMPANY_PROFILE } from './company-profile.js';
import { CONVERT_FILES } from './convert-files.js';
import type { Endpoint } from '../server/endpoint.js';
import { FEEDBACK } from './feedback.js';
import { FILE_ATTRIBUTES } from './file-attributes.js';
import { FILES } from './files.js';
import { IMAGE } from './image.js';
import { PMI_DATA } from './pmi-data.js';
import { RFQS } from './rfq.js';
import { SAVED_SEARCHES } from './saved-searches.js';
import { SEARCH } from './search.js';
import { TOKEN } from './token.js';
import { UPLOADS } from './uploads.js';
import { USAGE } from './usage.js';
import { USERS } from './users.js';
import { VERSION } from './version.js';

/** Every endpoint of the interface, in its order, then the additions. */
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
  ...ADDITIONS,
];
