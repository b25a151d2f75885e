import type { ModelFormat } from '../content/model.js';
import { isStl } from './stl.js';
import { byteOrderMarkLength, latin1, TextScanner } from './text-scanner.js';
import { zipNames } from './zip-names.js';

/** What wraps other files: a zip archive, gzip, or a bare zlib or deflate stream as in some `.ifz` files. */
export type Wrapper = 'zip' | 'gzip' | 'deflate';

/** Everything that {@link sniff} tells apart. */
export type Format = ModelFormat | Wrapper;

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
  zip: ['zip'],
  gzip: ['gz'],
  deflate: ['ifz'],
});

/** Bytes at the start that are looked at. */
const HEAD_BYTES = 4_096;
/** Lines of text that are looked at to tell OBJ. */
const HEAD_LINES = 200;
const OBJ_WORDS = new Set([
  'v', 'vt', 'vn', 'vp', 'f', 'fo', 'o', 'g', 's', 'l', 'p', 'mg', 'usemtl', 'mtllib', 'usemap', 'maplib', 'cstype', 'deg', 'bmat', 'step',
  'curv', 'curv2', 'surf', 'parm', 'trim', 'hole', 'scrv', 'sp', 'end', 'con', 'bevel', 'c_interp', 'd_interp', 'lod', 'shadow_obj', 'trace_obj',
  'ctech', 'stech',
]);

/**
 * The kind of a file by its content; undefined when it is none that the readers know. The extension of `name` counts only
 * where the content leaves the choice open: text without a signature, or a binary STL whose length does not fit its count.
 */
export function sniff(bytes: Uint8Array, name: string): Format | undefined {
  const extension = extensionOf(name);
  return byMagic(bytes) ?? byText(bytes, extension) ?? byExtension(bytes, extension);
}

/** The last extension of a file name, without the dot, in lower case; empty when there is none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '';
}

/** The format that an extension stands for. */
export function formatOfExtension(extension: string): Format | undefined {
  return (Object.keys(EXTENSIONS) as Format[]).find((format) => EXTENSIONS[format].includes(extension));
}

function byMagic(bytes: Uint8Array): Format | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) return zipKind(bytes);
  if (a === 0x1f && b === 0x8b) return 'gzip';
  if (latin1(bytes, 0, Math.min(4, bytes.length)) === 'glTF') return 'glb';
  if (/^ply[\r\n]/.test(latin1(bytes, 0, Math.min(4, bytes.length)))) return 'ply';
  return undefined;
}

/** A package of the Open Packaging Conventions is one document: of these only 3MF is read. */
function zipKind(bytes: Uint8Array): Format | undefined {
  const names = zipNames(bytes).map((name) => name.replace(/^\//, '').toLowerCase());
  if (!names.includes('[content_types].xml')) return 'zip';
  return names.some((name) => name.startsWith('3d/')) ? '3mf' : undefined;
}

function byText(bytes: Uint8Array, extension: string): Format | undefined {
  const text = headText(bytes);
  const trimmed = text.trimStart();
  if (isStl(bytes)) return 'stl';
  if (text.includes('ISO-10303-21')) return 'step';
  if (/^#VRML V[12]\.0/.test(trimmed)) return 'vrml';
  if (/^<(\?xml|!--|amf)/.test(trimmed)) return /<(\w+:)?amf[\s>]/.test(text) ? 'amf' : undefined;
  if (/DBRep_DrawableShape|CASCADE Topology V/.test(text.slice(0, 1_024))) return 'brep';
  if (/^.{72}S[ 0]{0,6}1\s*[\r\n]/m.test(text)) return 'iges';
  if (trimmed.startsWith('{')) return isGltf(bytes) ? 'gltf' : undefined;
  if (/^(\s|#[^\r\n]*[\r\n])*(ST)?C?N?4?n?OFF(\s|\d|$)/.test(text)) return 'off';
  if (isObj(bytes, extension)) return 'obj';
  return undefined;
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
  for (let line = 0; line < HEAD_LINES;) {
    if (scanner.nextInLine()) {
      line++;
      if (!OBJ_WORDS.has(scanner.word())) return false;
      if (scanner.is('v') && scanner.nextInLine() && !Number.isNaN(scanner.number())) vertices++;
    }
    if (!scanner.nextLine()) break;
  }
  return vertices > 0 || (extension === 'obj' && isText(bytes));
}

function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES);
  return head.length > 0 && head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d);
}

/** The start of the file as characters; UTF-16 with a byte order mark is decoded, since XML may come so. */
function headText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head);
  return latin1(head, byteOrderMarkLength(head), head.length);
}
