export type { ClientFacts } from './server/call.js';
export { encodeFilter, parseFilter, printFilter, type SearchFilter } from './wire/filter-text.js';
export { FILE_TYPES } from './wire/file-map.js';
export { createHandler, type Handler } from './server/handler.js';
export { toNodeListener, type NodeListener } from './server/node-listener.js';
export { DEFAULT_HTTP_OPTIONS, type HttpOptions, type LogEntry } from './server/http-options.js';
