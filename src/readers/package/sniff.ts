import type { DocumentFormat } from '../../content/document.js';
import type { DrawingFormat } from '../../content/drawing.js';
import type { ImageFormat } from '../../content/image.js';
import type { ModelFormat } from '../../content/model.js';
import { isStl } from '../mesh/stl.js';
import { bareUtf16 } from '../text/text-encoding.js';
import { byteOrderMarkLength, latin1, TextScanner } from '../text/text-scanner.js';
import { zipNames } from './zip-names.js';

/** What wraps other files: a zip archive, gzip, or a bare zlib or deflate stream as in some `.ifz` files. */
export type Wrapper = 'zip' | 'gzip' | 'deflate';

/** Everything that {@link sniff} tells apart. */
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

/** Bytes at the start that are looked at. */
const HEAD_BYTES = 4_096;
/** Lines of text that are looked at to tell OBJ. */
const HEAD_LINES = 200;
const OBJ_WORDS = new Set([
  'v',
  'vt',
  'vn',
  'vp',
  'f',
  'fo',
  'o',
  'g',
  's',
  'l',
  'p',
  'mg',
  'usemtl',
  'mtllib',
  'usemap',
  'maplib',
  'cstype',
  'deg',
  'bmat',
  'step',
  'curv',
  'curv2',
  'surf',
  'parm',
  'trim',
  'hole',
  'scrv',
  'sp',
  'end',
  'con',
  'bevel',
  'c_interp',
  'd_interp',
  'lod',
  'shadow_obj',
  'trace_obj',
  'ctech',
  'stech',
]);

/** Formats that are told by their extension, because any text could be one. */
const TEXTS: readonly (Format | undefined)[] = ['txt', 'markdown', 'csv', 'html', 'eml'];

/**
 * The kind of a file by its content; undefined when it is none that the readers know. The extension of `name` counts only
 * where the content leaves the choice open: text without a signature, or a binary STL whose length does not fit its count.
 */
export function sniff(bytes: Uint8Array, name: string): Format | undefined {
  const extension = extensionOf(name);
  return byMagic(bytes, extension) ?? byText(bytes, extension) ?? byExtension(bytes, extension);
}

/** The last extension of a file name, without the dot, in lower case; empty when there is none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '';
}

/** The format that an extension stands for. */
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
  // Some writers put a line or a header of their own before it; Acrobat forgives a kilobyte.
  if (latin1(bytes, 0, Math.min(1_024, bytes.length)).includes('%PDF-')) return 'pdf';
  if (/^ply[\r\n]/.test(latin1(bytes, 0, Math.min(4, bytes.length)))) return 'ply';
  return undefined;
}

/** A package of the Open Packaging Conventions or of OpenDocument is one document and no archive of files. */
function zipKind(bytes: Uint8Array, extension: string): Format | undefined {
  const names = zipNames(bytes).map((name) => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase());
  // OpenDocument: the kind is the text of the first entry, which is stored as it is.
  const stated =
    /^PK\x03\x04[^]{26}mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(
      latin1(bytes, 0, Math.min(120, bytes.length)),
    );
  if (stated !== null)
    return ({ text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const)[
      stated[1] as 'text' | 'spreadsheet' | 'presentation'
    ];
  // One that was packed anew may have lost that order; its name then has to tell.
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
    if (/<(\w+:)?svg[\s>]/.test(text) && !/<html[\s>]/i.test(text)) return 'svg';
    return /<!doctype html|<html[\s>]/i.test(text) ? 'html' : undefined;
  }
  if (/DBRep_DrawableShape|CASCADE Topology V/.test(text.slice(0, 1_024))) return 'brep';
  if (/^.{72}S[ 0]{0,6}1\s*[\r\n]/m.test(text)) return 'iges';
  if (/^(\s*999\r?\n[^\n]*\n)*\s*0\r?\nSECTION\s*[\r\n]/.test(text)) return 'dxf';
  if (trimmed.startsWith('{')) return isGltf(bytes) ? 'gltf' : undefined;
  if (/^(\s|#[^\r\n]*[\r\n])*(ST)?C?N?4?n?OFF(\s|\d|$)/.test(text)) return 'off';
  if (isObj(bytes, extension)) return 'obj';
  if (isMail(text)) return 'eml';
  return undefined;
}

/** A letter about STEP names the standard, too: text that is called so must begin with it, but for comments. */
function isStep(text: string, extension: string): boolean {
  if (!text.includes('ISO-10303-21')) return false;
  return (
    !TEXTS.includes(formatOfExtension(extension)) ||
    /^\s*(\/\*[^*]*\*+([^*/][^*]*\*+)*\/\s*)*ISO-10303-21\s*;/.test(text)
  );
}

/** What neither a signature nor the text's words tell. */
function byExtension(bytes: Uint8Array, extension: string): Format | undefined {
  const format = formatOfExtension(extension);
  switch (format) {
    case 'stl':
      return bytes.length >= 84 || isText(bytes) ? 'stl' : undefined;
    case 'obj':
    case 'off':
    case 'iges':
      return isText(bytes) ? format : undefined;
    case 'deflate':
      return 'deflate';
    case 'txt':
    case 'markdown':
    case 'csv':
    case 'html':
    case 'eml':
      return isReadableText(bytes) ? format : undefined;
    default:
      return undefined;
  }
}

/** glTF is JSON whose outermost object has an "asset", which may stand anywhere. */
function isGltf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"asset"');
}

/** Lines of OBJ's words only, with at least one vertex among them, or a file that is called so and begins with comments. */
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

/** A message begins with header lines (RFC 5322), a few of which every message has. */
function isMail(text: string): boolean {
  const header = text.split(/\r?\n\r?\n/, 1)[0];
  if (!/^([\w-]+:[^\n]*\r?\n([ \t][^\n]*\r?\n)*)+/.test(`${header}\n`)) return false;
  const known = [
    'from',
    'to',
    'subject',
    'date',
    'message-id',
    'mime-version',
    'received',
    'return-path',
    'content-type',
  ];
  return known.filter((name) => new RegExp(`^${name}:`, 'im').test(header)).length >= 3;
}

/** Text in any encoding: no zero bytes, unless it is UTF-16, and few other control characters. */
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

/** The start of the file as characters; UTF-16 with a byte order mark is decoded, since XML may come so. */
function headText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head);
  return latin1(head, byteOrderMarkLength(head), head.length);
}
