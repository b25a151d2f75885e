import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A copy of the built package, whose node_modules links to the installed packages. */
const folder = mkdtempSync(join(tmpdir(), 'shapedex-without-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  // Neither the page nor the source maps are needed to run it.
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => path !== join(ROOT, 'dist', 'page') && !/\.(map|d\.ts)$/.test(path),
  });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('@'))
      readdirSync(join(ROOT, 'node_modules', name)).forEach((inner) => link(`${name}/${inner}`));
    else if (!name.startsWith('.')) link(name);
  }
}, 60_000);

function link(name: string): void {
  const to = join(folder, 'node_modules', name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', name), to, 'junction');
}

/** What a module prints, as JSON, when it runs in the copy while the named packages are not installed there. */
async function printedWithout(hidden: readonly string[], module: string): Promise<unknown> {
  hidden.forEach((name) => rmSync(join(folder, 'node_modules', name)));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', module], {
      cwd: folder,
    });
    return JSON.parse(stdout) as unknown;
  } finally {
    hidden.forEach(link);
  }
}

/** Reads a white picture, with and without recognising text. */
const READ_PICTURE = `
  import sharp from 'sharp';
  import { DEFAULT_LIMITS } from './dist/options.js';
  import { readContent } from './dist/readers/read.js';
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } }).png().toBuffer();
  const options = { limits: DEFAULT_LIMITS, defaultUnit: 'mm' };
  const { kind } = await readContent(png, 'a.png', options);
  const withOcr = () => readContent(png, 'a.png', { ...options, ocr: true }).then(
    () => 'read',
    ({ code, details, message }) => ({ code, details, message }),
  );
  const first = await withOcr();
  console.log(JSON.stringify([kind, first, await withOcr()]));
  process.exit();
`;

describe('without an optional package', () => {
  test.each(['tesseract.js', '@tesseract.js-data/eng'])(
    'an image is read, and recognising its text names the package: %s',
    async (name) => {
      const failure = {
        code: 'PACKAGE_MISSING',
        details: { package: name },
        message: expect.stringContaining(`npm install ${name}`),
      };
      // Twice: a failed start is not remembered as a success.
      expect(await printedWithout([name], READ_PICTURE)).toEqual(['image', failure, failure]);
    },
  );

  test('nothing is missing when all packages are there: the copy is complete', async () => {
    expect(await printedWithout([], READ_PICTURE)).toEqual(['image', 'read', 'read']);
  });

  test('the front is imported and a library opened without any package that reads files', async () => {
    const readers = [
      'tesseract.js',
      '@tesseract.js-data/eng',
      'sharp',
      'pdfjs-dist',
      'postal-mime',
      'occt-import-js',
      '@node-projects/acad-ts',
    ];
    const open = `
      import { Engine } from './dist/index.js';
      const engine = await Engine.open('./library');
      await engine.company('acme');
      await engine.close();
      console.log(JSON.stringify('closed'));
    `;
    expect(await printedWithout(readers, open)).toBe('closed');
  });
});
