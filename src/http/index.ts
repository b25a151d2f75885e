export type { ClientFacts } from './call.js';
export { FILE_TYPES } from './file-map.js';
export { createHandler, type Handler } from './handler.js';
export { toNodeListener, type NodeListener } from './node-listener.js';
export { DEFAULT_HTTP_OPTIONS, type HttpOptions, type LogEntry } from './options.js';
