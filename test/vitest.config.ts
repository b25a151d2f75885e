import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Long tests (crash, fuzz, browser, real data, many seconds of work): `npm run test:long`. */
export const LONG = 'test/**/*.long.test.ts';

/** What both configurations share. */
export const BOTH = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Tests go through the built product, as its users do; workers and WASM files lie in dist.
  // Times are bounds on a hang, for a busy machine; tests that measure time say so themselves.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000 } },
  pool: 'forks' as const,
  maxWorkers: 2,
  // Node loads what is built; vitest would read and rewrite all of it in each test file's process.
  server: { deps: { external: [/\/dist\//] } },
};

export default defineConfig({
  test: { ...BOTH, include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, LONG] },
});
