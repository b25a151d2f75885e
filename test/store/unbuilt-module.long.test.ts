import { expect, test } from 'vitest';
import { printedUnbuilt } from '../fixtures/package-copy.js';

/** Opens a library, and says whether a folder was made where the library could not be. */
const OPEN = `
  import { existsSync } from 'node:fs';
  import { Engine } from './dist/index.js';
  const said = await Engine.open('./unbuilt').then(
    () => 'open',
    ({ code, details, message }) => ({ code, details, message }),
  );
  console.log(JSON.stringify([said, existsSync('./unbuilt/catalog.sqlite')]));
  process.exit();
`;

// npm 12 installs packages without running their install scripts unless the project allows it.
test('a library says what to do where the native module of its catalogue was not built', async () => {
  const [said, isMade] = (await printedUnbuilt('better-sqlite3', OPEN)) as [Record<string, unknown>, boolean];
  expect(said).toMatchObject({ code: 'PACKAGE_MISSING', details: { package: 'better-sqlite3' } });
  expect(said['message']).toMatch(/npm install-scripts approve better-sqlite3, then: npm rebuild better-sqlite3$/);
  expect(isMade).toBe(false);
}, 60_000);
