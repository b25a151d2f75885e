import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Core, MeshDescriber } from '../../dist/core-entry.js';
import { ShapeDescriber } from '../../dist/descriptors/describe.js';
import { modelOf } from '../descriptors/describing.js';
import { CHROMIUM, CHROMIUM_FLAGS } from '../fixtures/chromium.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { dozen } from '../fixtures/parts.js';
import { triangulated } from '../fixtures/shapes.js';

// `shapedex/core` as a browser gets it: packed by npm, unpacked, served by a plain file server and imported by a page.
// No bundler stands between, so an import of Node or of another package would fail here.

const ROOT = new URL('../..', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};
const run = promisify(execFile);

/** Twelve parts far from the origin, and one of them with its normals inwards. */
const meshes = [...dozen(), dozen()[0]].map((part, i) => {
  const { vertices, faces } = triangulated(part);
  return {
    positions: vertices.flatMap(([x, y, z]) => [x + 1234.5, y - 77.25, z + 0.125]),
    indices: faces.flatMap(([a, b, c]) => (i === 12 ? [a, c, b] : [a, b, c])),
  };
});
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe.skipIf(CHROMIUM === undefined)('shapedex/core in a browser', () => {
  let server: Server;
  let browser: Browser;
  let url: string;
  let root: string;
  let exported: Readonly<Record<string, string | { readonly default: string }>>;

  beforeAll(async () => {
    const folder = temporaryFolder();
    const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', packing, { cwd: ROOT, shell: process.platform === 'win32' });
    await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', folder]);
    root = join(folder, 'package');
    exported = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: typeof exported }).exports;
    const entry = join('/', (exported['./core'] as { default: string }).default);
    const html = `<!doctype html><script type="module">globalThis.api = await import('${entry}');</script>`;
    server = createServer((request, response) => {
      const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
      if (path === '/') return void response.setHeader('content-type', 'text/html').end(html);
      try {
        const bytes = readFileSync(join(root, path));
        response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('describes meshes with the bits of Node and of what the engine stores', async () => {
    const core = await Core.load();
    const [describer, stored] = [await MeshDescriber.load(core), await ShapeDescriber.load(core)];
    const inNode = meshes.map(({ positions, indices }) => {
      const described = describer.describe({
        positions: Float64Array.from(positions),
        indices: Uint32Array.from(indices),
      });
      return [hex(new Uint8Array(described.compact.buffer)), hex(described.fine)];
    });
    const inEngine = meshes.map(({ positions, indices }) => {
      const { descriptors } = stored.describe(modelOf(positions, indices));
      return [hex(descriptors.compact), hex(descriptors.fine)];
    });
    expect(inNode).toEqual(inEngine);
    expect(new Set(inNode.map(String)).size).toBe(12);
    const page = await browser.newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(url);
    await page.waitForFunction('globalThis.api');
    const tables = new URL(exported['./reference.bin'] as string, `${url}/`).href;
    const inBrowser = await page.evaluate(
      async ({ tables, meshes }) => {
        const { api } = globalThis as unknown as { api: typeof import('../../dist/core-entry.js') };
        const core = await api.Core.load();
        const text = (bytes: Uint8Array): string =>
          Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
        const given = new Uint8Array(await (await fetch(tables)).arrayBuffer());
        const results: string[][][] = [];
        for (const source of [undefined, new URL(tables), given]) {
          const describer = await api.MeshDescriber.load(core, source);
          results.push(
            meshes.map(({ positions, indices }) => {
              const mesh = { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
              const { compact, fine } = describer.describe(mesh);
              return [text(new Uint8Array(compact.buffer)), text(fine)];
            }),
          );
        }
        return results;
      },
      { tables, meshes },
    );
    expect(inBrowser).toEqual([inNode, inNode, inNode]);
    // A browser loads this module without what belongs to the engine.
    const others = /^\/(dist\/(core|tables)\/|dist\/chunks\/[\w-]+\.js$|dist\/core-entry\.js$|$)/;
    expect(requested.filter((path) => !others.test(path))).toEqual([]);
    const scripts = requested
      .filter((path) => path.endsWith('.js'))
      .map((path) => readFileSync(join(root, path), 'utf8'));
    expect(scripts.join('').length).toBeLessThan(200_000);
    expect(scripts.filter((code) => /class (Engine|Store|Company) /.test(code))).toEqual([]);
  });

  test('says what is missing', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction('globalThis.api');
    const found = await page.evaluate(
      async ({ missing }) => {
        const { Core, MeshDescriber } = (globalThis as unknown as { api: typeof import('../../dist/core-entry.js') })
          .api;
        const caught: unknown[] = [];
        const note = ({ code, message }: { code: string; message: string }): void => void caught.push([code, message]);
        await Core.load(new URL(`${missing}.wasm`)).catch(note);
        await MeshDescriber.load(await Core.load(), new URL(missing)).catch(note);
        await MeshDescriber.load(await Core.load(), new Uint8Array(100)).catch(note);
        return caught;
      },
      { missing: `${url}/missing` },
    );
    expect(found).toEqual([
      ['CORE_FAILED', `the WebAssembly core could not be loaded from ${url}/missing.wasm`],
      ['CORE_FAILED', `the tables of descriptors could not be loaded from ${url}/missing`],
      ['CORE_FAILED', expect.stringMatching(/^reference\.bin is not of this version: 100 bytes/)],
    ]);
  });
});
