import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { tagOf, clientHas } from './cached-answer.js';
import { wholeResponse } from './whole-body.js';

/** One file of the page, as it is sent. */
interface PageFile {
  readonly bytes: Uint8Array;
  /** The same, compressed. */
  readonly gzipped: Uint8Array;
  readonly type: string;
  /** With its quotes. */
  readonly tag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  png: 'image/png',
  otf: 'font/otf',
};

/**
 * Files of the page by their request paths, `/` and `/assets/…`. No other file can be reached. The files are read once,
 * at the first call.
 */
function pageFiles(): ReadonlyMap<string, PageFile> {
  return (files ??= readAll());
}

let files: ReadonlyMap<string, PageFile> | undefined;

function readAll(): ReadonlyMap<string, PageFile> {
  const folder = new URL('../../page/', import.meta.url);
  const found = new Map([['/', read(new URL('index.html', folder), 'html')]]);
  for (const name of readdirSync(fileURLToPath(new URL('assets/', folder)))) {
    found.set(
      `/assets/${name}`,
      read(new URL(`assets/${encodeURIComponent(name)}`, folder), name.slice(name.lastIndexOf('.') + 1)),
    );
  }
  return found;
}

function read(file: URL, extension: string): PageFile {
  const bytes = new Uint8Array(readFileSync(file));
  return {
    bytes,
    gzipped: new Uint8Array(gzipSync(bytes)),
    type: TYPES[extension] ?? 'application/octet-stream',
    tag: tagOf(bytes),
  };
}

/** The page may run its own code and call its own server. Pictures and models are shown from `blob:` URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self' blob:",
  "worker-src 'self' blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * The page or one of its files; undefined for every other path.
 * @param path without the base path; `/` for the page itself.
 * @param pathname of the request: the page's URLs are relative, so its own path must end with a slash.
 */
export function pageResponse(request: Request, path: string, pathname: string): Response | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  if (path !== '/' && !path.startsWith('/assets/')) return undefined;
  const file = pageFiles().get(path);
  if (file === undefined) return undefined;
  if (path === '/' && !pathname.endsWith('/'))
    return new Response(null, { status: 308, headers: { Location: `${pathname}/` } });
  return responseOf(request, file, path !== '/');
}

/** hashed: the file's name changes with its content, so it may be cached for ever. */
function responseOf(request: Request, { bytes, gzipped, type, tag }: PageFile, hashed: boolean): Response {
  const common = {
    ETag: tag,
    Vary: 'Accept-Encoding',
    'Cache-Control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  };
  if (clientHas(request, tag)) return new Response(null, { status: 304, headers: common });
  const zipped =
    gzipped.length < bytes.length &&
    /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers.get('accept-encoding') ?? '');
  return wholeResponse(zipped ? gzipped : bytes, {
    status: 200,
    headers: { ...common, 'Content-Type': type, ...(zipped ? { 'Content-Encoding': 'gzip' } : {}) },
  });
}
