import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Long tests (crash, fuzz, browser, real data, many seconds of work): `npm run test:long`. */
export const LONG = 'test/**/*.long.test.ts';

/** Tests that take longer than CI has time for, as before a release: `npm run test:slow`. */
export const SLOW = 'test/**/*.slow.test.ts';

/** What both configurations share. */
export const BOTH = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Tests go through the built product, as its users do; workers and WASM files lie in dist.
  // Times are bounds on a hang, for a busy machine; tests that measure time say so themselves.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000 } },
  pool: 'forks' as const,
  // They wait a part of their time, for a disk or a process: two workers leave two cores without work.
  maxWorkers: 3,
  // Node loads what is built; vitest would read and rewrite all of it in each test file's process.
  server: { deps: { external: [/\/dist\//] } },
};

/**
 * Rooms of functions without state, whose test files share a process one after the other: a fifth less work than a
 * process for each file.
 */
const TOGETHER = ['attributes', 'bitmap', 'core', 'descriptors', 'pmi', 'shapelets', 'vectors', 'words'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    ...BOTH,
    projects: [
      {
        test: {
          ...BOTH,
          name: 'together',
          isolate: false,
          include: TOGETHER,
          exclude: [...configDefaults.exclude, LONG, SLOW],
        },
      },
      {
        test: {
          ...BOTH,
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, LONG, SLOW, ...TOGETHER],
        },
      },
    ],
  },
});
