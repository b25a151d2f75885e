import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { tagOf } from './cached-answer.js';

/** One file of the page, as it is sent. */
export interface PageFile {
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
};

/**
 * Files of the page by their request paths, `/` and `/assets/…`. No other file can be reached. The files are read once,
 * at the first call.
 */
export function pageFiles(): ReadonlyMap<string, PageFile> {
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
