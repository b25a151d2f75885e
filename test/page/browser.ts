import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createHandler, toNodeListener, type HttpOptions } from '../../dist/http/index.js';
import { Engine, type Company } from '../../dist/index.js';
import { CHROMIUM, CHROMIUM_FLAGS } from '../fixtures/chromium.js';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { bossedPlate, dozen, handedBracket, mirrored, screw, washer } from '../fixtures/parts.js';
import { pdf, textAt } from '../fixtures/pdf-writer.js';
import { stepFile } from '../fixtures/step-writer.js';

const PASSWORD = 'secret';
const folder = temporaryFolder();

/** How a page is opened. */
export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** False: nobody is signed in. Default true: signed in as an operator, as with the key of `shapedex start`. */
  readonly signedIn?: boolean;
  /** True: errors that the browser reports are expected (the test requests something that does not exist). */
  readonly expectsErrors?: boolean;
}

/** An engine with a small library, a server over it and a browser. */
export interface Site {
  readonly engine: Engine;
  readonly company: Company;
  readonly url: string;
  /** Hash of an address that signs in as an operator. */
  readonly keyHash: string;
  /** UIDs of the library's files by their paths. */
  readonly uids: ReadonlyMap<string, string>;
  /** A user with a password. */
  readonly user: { readonly email: string; readonly password: string };
  /** Opens a screen by its hash (`#/library`) in a new browser context. */
  open(hash: string, options?: OpenOptions): Promise<Page>;
  /** All errors that browsers have reported so far. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** The default library: models of several families, drawings, a document, a file that cannot be read. */
export const LIBRARY: Readonly<
  Record<string, { readonly bytes: () => Uint8Array; readonly attributes?: readonly string[] }>
> = {
  ...Object.fromEntries(
    dozen().map((body, i) => [
      `parts/${body.name}.stl`,
      {
        bytes: () => writeStlBinary(body),
        attributes: [`Material=${i % 3 === 0 ? 'Steel' : 'Aluminium'}`, `Mass(g)=${10 * (i + 1)}`],
      },
    ]),
  ),
  'fasteners/screw-M5x16.stl': {
    bytes: () => writeStlBinary(screw(5, 16)),
    attributes: ['Material=Steel', 'Supplier=Bolt & Co'],
  },
  'fasteners/screw-M5x40.stl': {
    bytes: () => writeStlBinary(screw(5, 40)),
    attributes: ['Material=Steel', 'Supplier=Bolt & Co'],
  },
  'fasteners/washer-M10.stl': { bytes: () => writeStlBinary(washer(10)), attributes: ['Material=Brass'] },
  'brackets/left.stl': { bytes: () => writeStlBinary(handedBracket()) },
  'brackets/right.stl': { bytes: () => writeStlBinary(mirrored(handedBracket())) },
  'assemblies/plate-with-pins.step': {
    bytes: () =>
      stepFile({
        parts: [
          { name: 'plate', shape: { kind: 'box', x: 60, y: 40, z: 5 } },
          { name: 'pin', shape: { kind: 'cylinder', radius: 4, height: 30 } },
        ],
        assembly: {
          name: 'plate with pins',
          placements: [
            { part: 0, at: [0, 0, 0] },
            { part: 1, at: [15, 20, 5] },
            { part: 1, at: [45, 20, 5] },
          ],
        },
      }),
  },
  'drawings/plate.dxf': { bytes: () => dxfOf(bossedPlate(60, 20, 3)), attributes: ['Material=Steel'] },
  'drawings/order.pdf': {
    bytes: () =>
      pdf([
        {
          content:
            textAt('Order 4711: twenty flanges of stainless steel', 60, 760, 14) +
            textAt('Delivery before the end of the month.', 60, 730),
        },
        { content: textAt('Second page: packing list for flanges', 60, 760, 14) },
      ]),
  },
  'notes/flange.txt': {
    bytes: () =>
      new TextEncoder().encode('The flange AB-123 is turned from stainless steel and inspected before delivery.\n'),
  },
  'broken/cut-off.step': {
    bytes: () => new TextEncoder().encode("ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('cut off"),
  },
};

let libraries = 0;

/** A folder for a library that {@link openSite} opens. */
export const newLibrary = (): string => join(folder, `library-${libraries++}`);

/**
 * Starts engine, server and browser. files: instead of {@link LIBRARY}. library: one that is there. http: options of
 * the handler.
 */
export async function openSite({
  files = LIBRARY,
  library = newLibrary(),
  http = {},
}: {
  readonly files?: typeof LIBRARY;
  readonly library?: string;
  readonly http?: Partial<HttpOptions>;
} = {}): Promise<Site> {
  const engine = await Engine.open(library, {
    workers: 2,
    accounts: { scryptCost: 1024 },
  });
  const company = await engine.company('acme');
  const uids = new Map<string, string>();
  await Promise.all(
    Object.entries(files).map(async ([path, { bytes, attributes }]) =>
      uids.set(path, (await company.put(path, bytes(), { attributes })).uid),
    ),
  );
  const user = { email: 'ada@acme.example', password: PASSWORD };
  const passwordDigest = createHash('sha1').update(PASSWORD).digest();
  const { uid } = await engine.accounts.addUser({
    email: user.email,
    firstName: 'Ada',
    lastName: 'L',
    passwordDigest,
    company: 'acme',
    role: 'operator',
  });
  const key = 'a-key-of-the-tests-only';
  const authenticate = async ({ headers }: Request) =>
    headers.get('authorization') === `Bearer ${key}`
      ? {
          kind: 'user' as const,
          userUid: uid,
          email: user.email,
          companyName: 'acme',
          role: 'operator' as const,
          tokenId: 'test',
        }
      : undefined;
  const server = createServer(toNodeListener(createHandler(engine, { authenticate, ...http })));
  const url = await listening(server);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
  const errors: string[] = [];
  return {
    engine,
    company,
    url,
    keyHash: `#key=${key}`,
    uids,
    user,
    errors,
    open: (hash, options = {}) => openPage(browser, { url, hash, key, errors }, options),
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.close();
    },
  };
}

async function openPage(
  browser: Browser,
  { url, hash, key, errors }: { url: string; hash: string; key: string; errors: string[] },
  options: OpenOptions,
): Promise<Page> {
  const { width = 1440, height = 900, theme = 'light', signedIn = true, expectsErrors = false } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  // A page that stays open goes on asking the server and drawing, beside all later tests.
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  if (!expectsErrors) {
    page.on('console', (message) => {
      const isFault = message.type() === 'error' || message.type() === 'warning';
      // The software renderer warns of its own slowness when pixels are read; no page can mend that.
      if (isFault && !message.text().includes('GL Driver Message (OpenGL, Performance'))
        errors.push(`${hash}: ${message.text()} ${message.location().url}`);
    });
  }
  page.on('pageerror', (error) => errors.push(`${hash}: ${String(error)}`));
  await page.goto(`${url}/${signedIn ? `#key=${key}&${hash.replace(/^#/, '')}` : hash}`);
  return page;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails if axe-core finds a serious or critical violation on the page, and lists the elements. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const faults = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
      );
  });
  expect(faults).toEqual([]);
}

/** Takes a screenshot if the environment variable SHAPEDEX_SHOTS names a folder. */
export async function shot(page: Page, name: string): Promise<void> {
  const shots = process.env['SHAPEDEX_SHOTS'];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) });
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
}
