export type { ClientFacts } from './server/call.js';
export { encodeFilter, parseFilter, printFilter, type SearchFilter } from './wire/filter-text.js';
export { FILE_TYPES } from './wire/file-map.js';
export { createHandler, type Handler } from './handler.js';
export { toNodeListener, type ListenerOptions, type NodeListener } from './node-listener.js';
export { checkOpenId, type CheckedOpenId, type OpenIdOptions } from './openid/open-id-options.js';
export { DEFAULT_HTTP_OPTIONS, type HttpOptions, type LogEntry } from './server/http-options.js';
