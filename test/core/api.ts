/** The built product, as the tests of the core use it. */
export * from '../../dist/core-entry.js';
export { EngineError } from '../../dist/index.js';
