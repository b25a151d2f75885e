export { EngineError, type ErrorCode, type ErrorDetails, type Warning, type WarningCode } from './errors.js';
export { DEFAULT_LIMITS, type Limits } from './options.js';
