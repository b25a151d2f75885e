import type { DocumentFormat } from '../../content/document.js';
import type { DrawingFormat } from '../../content/drawing.js';
import type { ImageFormat } from '../../content/image.js';
import type { ModelFormat } from '../../content/model.js';
import { bareUtf16 } from '../text/text-encoding.js';
import { byteOrderMarkLength, latin1, TextScanner } from '../text/text-scanner.js';
import { isStl } from './stl-signature.js';
import { zipNames } from './zip-names.js';

/** A format that wraps other files: a zip archive, gzip, or a bare zlib or deflate stream as in some `.ifz` files. */
export type Wrapper = 'zip' | 'gzip' | 'deflate';

/** Every format that {@link sniff} distinguishes. */
export type Format = ModelFormat | DrawingFormat | ImageFormat | DocumentFormat | Wrapper;

/** Extensions of each format, without the dot, in lower case; the first is the usual one. */
export const EXTENSIONS: Readonly<Record<Format, readonly string[]>> = Object.freeze({
  step: ['step', 'stp', 'p21'],
  iges: ['iges', 'igs'],
  brep: ['brep', 'brp'],
  stl: ['stl', 'stla', 'stlb'],
  obj: ['obj'],
  ply: ['ply'],
  off: ['off', 'coff', 'noff'],
  '3mf': ['3mf'],
  gltf: ['gltf'],
  glb: ['glb'],
  amf: ['amf'],
  vrml: ['wrl', 'vrml', 'wrz'],
  dxf: ['dxf'],
  dwg: ['dwg'],
  svg: ['svg'],
  pdf: ['pdf'],
  png: ['png'],
  jpeg: ['jpg', 'jpeg'],
  webp: ['webp'],
  tiff: ['tif', 'tiff'],
  gif: ['gif'],
  bmp: ['bmp'],
  avif: ['avif'],
  txt: ['txt', 'text', 'log'],
  markdown: ['md', 'markdown'],
  csv: ['csv', 'tsv'],
  html: ['html', 'htm', 'xhtml'],
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  odt: ['odt', 'ott'],
  ods: ['ods', 'ots'],
  odp: ['odp', 'otp'],
  rtf: ['rtf'],
  eml: ['eml', 'mht', 'mhtml'],
  zip: ['zip'],
  gzip: ['gz'],
  deflate: ['ifz'],
});

/** Bytes at the start of the file that are examined. */
const HEAD_BYTES = 4_096;
/** Lines that are examined to recognise OBJ. */
const HEAD_LINES = 200;
const OBJ_WORDS = new Set(
  (
    'v vt vn vp f fo o g s l p mg usemtl mtllib usemap maplib cstype deg bmat step curv curv2 surf parm trim ' +
    'hole scrv sp end con bevel c_interp d_interp lod shadow_obj trace_obj ctech stech'
  ).split(' '),
);

/** Formats recognised by their extension, because any text could be one. */
const TEXTS: readonly (Format | undefined)[] = ['txt', 'markdown', 'csv', 'html', 'eml'];

/**
 * The format of a file by its content; undefined when no reader knows it. The extension of `name` counts only where the
 * content is ambiguous: text without a signature, or a binary STL whose length does not match its count.
 */
export function sniff(bytes: Uint8Array, name: string): Format | undefined {
  const extension = extensionOf(name);
  return byMagic(bytes, extension) ?? byText(bytes, extension) ?? byExtension(bytes, extension);
}

/**
 * The usual extension of a file whose name is not known, without the dot; undefined when its content says nothing. Text
 * of no known format is `txt`.
 */
export function extensionOfContent(bytes: Uint8Array): string | undefined {
  const format = sniff(bytes, '') ?? sniff(bytes, 'a.txt');
  return format && EXTENSIONS[format][0];
}

/** The last extension of a file name, without the dot, in lower case; '' when there is none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '';
}

/** The format of an extension; undefined for an unknown one. */
export function formatOfExtension(extension: string): Format | undefined {
  return (Object.keys(EXTENSIONS) as Format[]).find((format) => EXTENSIONS[format].includes(extension));
}

function byMagic(bytes: Uint8Array, extension: string): Format | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) return zipKind(bytes, extension);
  if (a === 0x1f && b === 0x8b) return 'gzip';
  const head = latin1(bytes, 0, Math.min(32, bytes.length));
  if (head.startsWith('glTF')) return 'glb';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^(II[*+]\0|MM\0[*+])/.test(head)) return 'tiff';
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'webp';
  if (/^[^]{4}ftypavi[fs]/.test(head)) return 'avif';
  if (/^BM[^]{8}..\0\0[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0/s.test(head)) return 'bmp';
  if (/^AC(10\d\d|1\.[2-5]0|2\.\d\d)/.test(head)) return 'dwg';
  if (head.startsWith('AutoCAD Binary DXF')) return 'dxf';
  if (head.startsWith('{\\rtf')) return 'rtf';
  // Some writers put a line or header before it; like Acrobat, accept it anywhere in the first kilobyte.
  if (latin1(bytes, 0, Math.min(1_024, bytes.length)).includes('%PDF-')) return 'pdf';
  if (/^ply[\r\n]/.test(latin1(bytes, 0, Math.min(4, bytes.length)))) return 'ply';
  return undefined;
}

/** Distinguishes packages (Open Packaging Conventions, OpenDocument), which are one document, from plain archives. */
function zipKind(bytes: Uint8Array, extension: string): Format | undefined {
  const names = zipNames(bytes).map((name) => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase());
  // OpenDocument: the first entry is not compressed and holds the media type.
  const stated =
    /^PK\x03\x04[^]{26}mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(
      latin1(bytes, 0, Math.min(120, bytes.length)),
    );
  if (stated !== null)
    return ({ text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const)[
      stated[1] as 'text' | 'spreadsheet' | 'presentation'
    ];
  // A repacked file may have lost that order; then the extension counts.
  const named = formatOfExtension(extension);
  if (
    (named === 'odt' || named === 'ods' || named === 'odp') &&
    names.includes('content.xml') &&
    names.includes('meta-inf/manifest.xml')
  )
    return named;
  if (!names.includes('[content_types].xml')) return 'zip';
  const has = (folder: string): boolean => names.some((name) => name.startsWith(folder));
  if (has('3d/')) return '3mf';
  if (has('word/')) return 'docx';
  if (has('xl/')) return 'xlsx';
  return has('ppt/') ? 'pptx' : undefined;
}

function byText(bytes: Uint8Array, extension: string): Format | undefined {
  const text = headText(bytes);
  const trimmed = text.trimStart();
  if (isStl(bytes)) return 'stl';
  if (isStep(text, extension)) return 'step';
  if (/^#VRML V[12]\.0/.test(trimmed)) return 'vrml';
  if (/^<(\?xml|!--|!doctype|amf|svg|html)/i.test(trimmed)) {
    if (/<(\w+:)?amf[\s>]/.test(text)) return 'amf';
    // Long declarations may stand before the first element.
    if (/<(\w+:)?svg[\s>]|<!DOCTYPE\s+svg\s/.test(text) && !/<html[\s>]/i.test(text)) return 'svg';
    return /<!doctype html|<html[\s>]/i.test(text) ? 'html' : undefined;
  }
  if (/DBRep_DrawableShape|CASCADE Topology V/.test(text.slice(0, 1_024))) return 'brep';
  if (/^.{72}S[ 0]{0,6}1\s*[\r\n]/m.test(text)) return 'iges';
  if (/^(\s*999(?:\r\n?|\n)[^\r\n]*[\r\n]+)*\s*0(?:\r\n?|\n)\s*SECTION\s*[\r\n]/.test(text)) return 'dxf';
  if (trimmed.startsWith('{')) return isGltf(bytes) ? 'gltf' : undefined;
  if (/^(\s|#[^\r\n]*[\r\n])*(ST)?C?N?4?n?OFF(\s|\d|$)/.test(text)) return 'off';
  if (isObj(bytes, extension)) return 'obj';
  if (isMail(text)) return 'eml';
  return undefined;
}

/**
 * A text about STEP may name the standard too: a file with a text extension must begin with it, apart from comments.
 */
function isStep(text: string, extension: string): boolean {
  if (!text.includes('ISO-10303-21')) return false;
  return (
    !TEXTS.includes(formatOfExtension(extension)) ||
    /^\s*(\/\*[^*]*\*+([^*/][^*]*\*+)*\/\s*)*ISO-10303-21\s*;/.test(text)
  );
}

/** The format by the extension, where the content does not contradict it. */
function byExtension(bytes: Uint8Array, extension: string): Format | undefined {
  const format = formatOfExtension(extension);
  if (format === 'stl') return bytes.length >= 84 || isText(bytes) ? format : undefined;
  if (format === 'obj' || format === 'off' || format === 'iges') return isText(bytes) ? format : undefined;
  return format === 'deflate' || (TEXTS.includes(format) && isReadableText(bytes)) ? format : undefined;
}

/** glTF is JSON whose top-level object has an "asset", which may be anywhere in the file. */
function isGltf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"asset"');
}

/**
 * Whether all examined lines begin with OBJ keywords and one is a vertex, or a file named .obj has only comments there.
 */
function isObj(bytes: Uint8Array, extension: string): boolean {
  const scanner = new TextScanner(bytes.subarray(0, 16 * HEAD_BYTES), { comments: true, continuations: true });
  let vertices = 0;
  for (let line = 0; line < HEAD_LINES; ) {
    if (scanner.nextInLine()) {
      line++;
      if (!OBJ_WORDS.has(scanner.word())) return false;
      if (scanner.is('v') && scanner.nextInLine() && !Number.isNaN(scanner.number())) vertices++;
    }
    if (!scanner.nextLine()) break;
  }
  return vertices > 0 || (extension === 'obj' && isText(bytes));
}

/** Whether the text begins with header lines of a message (RFC 5322), at least three of them common ones. */
function isMail(text: string): boolean {
  const header = text.split(/\r?\n\r?\n/, 1)[0];
  if (!/^([\w-]+:[^\n]*\r?\n([ \t][^\n]*\r?\n)*)+/.test(`${header}\n`)) return false;
  const known = 'from to subject date message-id mime-version received return-path content-type'.split(' ');
  return known.filter((name) => new RegExp(`^${name}:`, 'im').test(header)).length >= 3;
}

/** Text in any encoding: no zero bytes except in UTF-16, and few other control characters. */
function isReadableText(bytes: Uint8Array): boolean {
  const wide = bareUtf16(bytes);
  const head = wide === undefined ? headText(bytes) : new TextDecoder(wide).decode(bytes.subarray(0, HEAD_BYTES));
  let controls = 0;
  for (let i = 0; i < head.length; i++) {
    const code = head.charCodeAt(i);
    if (code === 0) return false;
    if (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0c && code !== 0x0d && code !== 0x1b) controls++;
  }
  return controls <= head.length / 100;
}

function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES);
  return (
    head.length > 0 &&
    head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d)
  );
}

/** The start of the file as Latin-1; UTF-16 with a byte order mark is decoded, because XML may use it. */
function headText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head);
  return latin1(head, byteOrderMarkLength(head), head.length);
}
