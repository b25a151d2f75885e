import type { Content } from '../content/content.js';
import type { Document } from '../content/document.js';
import type { ImageFormat } from '../content/image.js';
import type { Component, Mesh, Model } from '../content/model.js';
import type { Property } from '../content/text.js';
import { checkLimit, EngineError, fileMalformed, warning, type Warning } from '../errors.js';
import type { Limits, ReadOptions } from '../options.js';
import { processorTimeMs } from '../processor-time.js';
import { unpack, UnpackBudget } from './package/archive.js';
import type { ReadInner } from './document/eml.js';
import { oleRefusal } from './document/ole.js';
import type { OcctFormat } from './brep/occt-kernel.js';
import type { PageSource } from './pixels/page-pixels.js';
import { joinPages } from './text/page-writer.js';
import { PropertyList } from './metadata/property-list.js';
import { EXTENSIONS, extensionOf, formatOfExtension, sniff, type Format, type Wrapper } from './package/sniff.js';

/** What readers of packages and messages share with the file around them: limits apply to both together. */
interface Inside {
  readonly budget: UnpackBudget;
  readonly read: ReadInner;
  /** End of text recognition, by `processorTimeMs`. */
  readonly ocrEndMs: number;
}

/** Reads the bytes of one format. */
type Reader = (bytes: Uint8Array, options: ReadOptions, inside: Inside) => Content | Promise<Content>;

const imageReader =
  (format: ImageFormat): Reader =>
  async (bytes, options, { ocrEndMs }) =>
    (await import('./image/image.js')).readImage(bytes, format, options, ocrEndMs);
const cadDrawingReader =
  (format: 'dxf' | 'dwg'): Reader =>
  async (bytes, options) =>
    (await import('./cad-drawing/cad-drawing.js')).readCadDrawing(bytes, format, options);
const occtReader =
  (format: OcctFormat): Reader =>
  async (bytes, options) =>
    (await import('./brep/occt-model.js')).readOcctModel(bytes, format, options);
const odfReader =
  (format: 'odt' | 'ods' | 'odp'): Reader =>
  async (bytes, options, { budget }) =>
    (await import('./document/odf.js')).readOdf(bytes, format, options, budget);

/** One reader per format, loaded on first use: the CAD kernel alone has several megabytes. */
const READERS: Readonly<Partial<Record<Exclude<Format, Wrapper>, Reader>>> = {
  pdf: async (bytes, options, { ocrEndMs }) => (await import('./pdf/pdf.js')).readPdf(bytes, options, ocrEndMs),
  png: imageReader('png'),
  jpeg: imageReader('jpeg'),
  webp: imageReader('webp'),
  tiff: imageReader('tiff'),
  gif: imageReader('gif'),
  bmp: imageReader('bmp'),
  avif: imageReader('avif'),
  dxf: cadDrawingReader('dxf'),
  dwg: cadDrawingReader('dwg'),
  svg: async (bytes, options) => (await import('./svg/svg.js')).readSvg(bytes, options),
  step: occtReader('step'),
  iges: occtReader('iges'),
  brep: occtReader('brep'),
  stl: async (bytes, options) => (await import('./mesh/stl.js')).readStl(bytes, options),
  obj: async (bytes, options) => (await import('./mesh/obj.js')).readObj(bytes, options),
  ply: async (bytes, options) => (await import('./mesh/ply.js')).readPly(bytes, options),
  off: async (bytes, options) => (await import('./mesh/off.js')).readOff(bytes, options),
  '3mf': async (bytes, options) => (await import('./mesh/three-mf.js')).read3mf(bytes, options),
  gltf: async (bytes, options) => (await import('./mesh/gltf.js')).readGltf(bytes, 'gltf', options),
  glb: async (bytes, options) => (await import('./mesh/gltf.js')).readGltf(bytes, 'glb', options),
  amf: async (bytes, options) => (await import('./mesh/amf.js')).readAmf(bytes, options),
  vrml: async (bytes, options) => (await import('./mesh/vrml.js')).readVrml(bytes, options),
  txt: async (bytes, options) => (await import('./document/txt.js')).readTxt(bytes, options),
  markdown: async (bytes, options) => (await import('./document/txt.js')).readMarkdown(bytes, options),
  csv: async (bytes, options) => (await import('./document/csv.js')).readCsv(bytes, options),
  html: async (bytes, options) => (await import('./document/html.js')).readHtml(bytes, options),
  docx: async (bytes, options, { budget }) => (await import('./document/docx.js')).readDocx(bytes, options, budget),
  xlsx: async (bytes, options, { budget }) => (await import('./document/xlsx.js')).readXlsx(bytes, options, budget),
  pptx: async (bytes, options, { budget }) => (await import('./document/pptx.js')).readPptx(bytes, options, budget),
  odt: odfReader('odt'),
  ods: odfReader('ods'),
  odp: odfReader('odp'),
  rtf: async (bytes, options) => (await import('./document/rtf.js')).readRtf(bytes, options),
  eml: async (bytes, options, inside) => (await import('./document/eml.js')).readEml(bytes, options, inside),
};

/**
 * Reads a file of any known format, wrapped or not. The content decides the format; a name with another format's
 * extension gives a warning. An archive with several models becomes one model with a component for each.
 *
 * @param name file name or path; its last part names the root when the file does not.
 * @throws EngineError `FORMAT_UNSUPPORTED` for an unknown format, `FILE_MALFORMED` when the bytes are empty or break
 * the format's rules, `PACKAGE_MISSING` when an optional package is needed and not installed, `NO_GEOMETRY`,
 * `LIMIT_EXCEEDED`.
 */
export async function readContent(bytes: Uint8Array, name: string, options: ReadOptions): Promise<Content> {
  return (await readFile(bytes, name, options)).content;
}

/** A file that was read. */
export interface ReadFile {
  readonly content: Content;
  /**
   * The unpacked file to render its pages from; absent for formats without pages, or when several files were joined.
   */
  readonly pages?: PageSource;
  /** The unpacked boundary representation; absent for other formats, or when several files were joined. */
  readonly solids?: SolidSource;
}

/** The bytes of a boundary representation. */
export interface SolidSource {
  readonly format: OcctFormat;
  readonly bytes: Uint8Array;
}

/** {@link readContent}, with the bytes to render its pages and export its solids from. */
export async function readFile(bytes: Uint8Array, name: string, options: ReadOptions): Promise<ReadFile> {
  checkLimit('the file', options.limits, 'fileBytes', bytes.length);
  const reader = new ContentReader(options);
  const content = await reader.read(bytes, name, 1);
  const only = <Source extends { readonly format: string }>(sources: readonly Source[]): Source | undefined =>
    sources.length === 1 && sources[0].format === content.format ? sources[0] : undefined;
  const pages = only(reader.pages),
    solids = only(reader.solids);
  return { content, ...(pages && { pages }), ...(solids && { solids }) };
}

/** Share of `limits.timeoutMs` after which no further picture is recognised; the rest is left for the last one. */
const OCR_SHARE = 0.6;

class ContentReader {
  readonly #options: ReadOptions;
  readonly #budget: UnpackBudget;
  readonly #ocrEndMs: number;
  /** All sources that were read, including those inside other files. */
  readonly pages: PageSource[] = [];
  readonly solids: SolidSource[] = [];

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#budget = new UnpackBudget(options.limits);
    this.#ocrEndMs = processorTimeMs() + OCR_SHARE * options.limits.timeoutMs;
  }

  async read(bytes: Uint8Array, name: string, depth: number): Promise<Content> {
    const { limits } = this.#options;
    checkLimit('the file', limits, 'depth', depth);
    if (bytes.length === 0) throw fileMalformed(`${quoted(name)} is empty`);
    const format = sniff(bytes, name);
    if (format === undefined) throw oleRefusal(bytes, name) ?? unsupported(bytes, name);
    if (isWrapper(format)) return this.#readWrapped(format, bytes, name, depth);
    const reader = READERS[format];
    if (reader === undefined) throw unsupported(bytes, name);
    const content = await reader(bytes, this.#options, {
      budget: this.#budget,
      ocrEndMs: this.#ocrEndMs,
      read: (inner, innerName) => this.read(inner, innerName, depth + 1),
    });
    if (content.kind === 'image' || format === 'pdf')
      this.pages.push({ format: format as PageSource['format'], bytes });
    if (content.kind !== 'model') return withWarnings(content, mismatchOf(format, name));
    if (format === 'step' || format === 'iges' || format === 'brep') this.solids.push({ format, bytes });
    checkTriangles(content, limits);
    return withWarnings(withName(content, stemOf(name)), [...mismatchOf(format, name), ...sizeOf(content)]);
  }

  /**
   * Reads the files in a wrapper. When any is a model, the others are left out; without a model, their texts are
   * joined.
   */
  async #readWrapped(wrapper: Wrapper, bytes: Uint8Array, name: string, depth: number): Promise<Content> {
    const warnings: Warning[] = [];
    const contents: { name: string; content: Content }[] = [];
    const failures: EngineError[] = [];
    const skipped: string[] = [];
    for await (const file of unpack(wrapper, bytes, name, this.#budget, warnings)) {
      try {
        contents.push({ name: file.name, content: await this.read(file.bytes, file.name, depth + 1) });
      } catch (failure) {
        // A bad file does not fail the others, but a limit applies to the whole.
        if (!(failure instanceof EngineError) || failure.code === 'LIMIT_EXCEEDED') throw failure;
        if (failure.code === 'FORMAT_UNSUPPORTED' && wrapper === 'zip') skipped.push(file.name);
        else failures.push(failure);
      }
    }
    if (contents.length === 0) throw failures[0] ?? nothingInside(wrapper, name, skipped);
    const models = contents.map(({ content }) => content).filter((content) => content.kind === 'model');
    if (models.length > 0)
      skipped.push(...contents.filter(({ content }) => content.kind !== 'model').map((other) => other.name));
    for (const failure of failures)
      warnings.push(warning('CONTENT_SKIPPED', `a file in ${quoted(name)} could not be read: ${failure.message}`));
    if (skipped.length > 0) {
      warnings.push(
        warning(
          'CONTENT_SKIPPED',
          `${skipped.length} files in ${quoted(name)} were left out, ${quoted(skipped[0])} among them`,
        ),
      );
    }
    if (models.length === 0)
      return withWarnings(
        contents.length === 1 ? contents[0].content : joinTexts(contents, this.#options.limits),
        warnings,
      );
    const model = models.length === 1 ? models[0] : joinModels(models, stemOf(name));
    checkTriangles(model, this.#options.limits);
    return withWarnings(model, warnings);
  }
}

/** Joins files into one document: the pages of all, each named after its file, and their properties. */
function joinTexts(files: readonly { readonly name: string; readonly content: Content }[], limits: Limits): Document {
  const named = files.flatMap(({ name, content }) =>
    (content.kind === 'model' ? [] : content.pages).map((page) => ({
      ...page,
      name: page.name === '' ? name : `${name}: ${page.name}`,
    })),
  );
  const { pages, warnings } = joinPages(named, limits);
  return {
    kind: 'document',
    format: 'txt',
    pages,
    properties: joinProperties(files.map(({ content }) => content)),
    warnings: [...files.flatMap(({ content }) => content.warnings), ...warnings],
  };
}

function isWrapper(format: Format): format is Wrapper {
  return format === 'zip' || format === 'gzip' || format === 'deflate';
}

/** Joins models into one with a component for each. Format and unit are those of the first. */
function joinModels(models: readonly Model[], name: string): Model {
  const meshes: Mesh[] = [];
  const children: Component[] = [];
  for (const model of models) {
    children.push(renumber(model.root, meshes.length));
    meshes.push(...model.meshes);
  }
  const [{ format, unit }] = models;
  const warnings = models.flatMap((model) => model.warnings);
  return {
    kind: 'model',
    format,
    unit,
    root: { name, meshes: [], children },
    meshes,
    properties: joinProperties(models),
    warnings,
  };
}

/** The properties of all, each pair of name and value once. */
function joinProperties(contents: readonly Content[]): readonly Property[] {
  const list = new PropertyList();
  for (const { properties } of contents) list.addAll(properties ?? []);
  return list.properties;
}

function renumber(component: Component, first: number): Component {
  return {
    ...component,
    meshes: component.meshes.map((index) => first + index),
    children: component.children.map((child) => renumber(child, first)),
  };
}

/**
 * Counts triangles, those of shared meshes at each placement.
 * @throws EngineError `LIMIT_EXCEEDED`.
 */
function checkTriangles({ root, meshes }: Model, limits: Limits): void {
  let triangles = 0;
  const pending = [root];
  for (let component = pending.pop(); component !== undefined; component = pending.pop()) {
    for (const index of component.meshes) triangles += meshes[index].indices.length / 3;
    checkLimit('the file', limits, 'triangles', triangles);
    for (const child of component.children) pending.push(child);
  }
}

/** A mesh longer than this has a warning, mm: 10 km, longer than any machine, bridge or plant in one piece. */
const LONGEST_MM = 1e7;

/** Warns of a mesh that is larger than {@link LONGEST_MM}: the file is kept, because often only its unit is wrong. */
function sizeOf({ meshes }: Model): Warning[] {
  let longest = 0;
  for (const { positions } of meshes) {
    for (let axis = 0; axis < 3; axis++) {
      let least = Infinity,
        most = -Infinity;
      for (let i = axis; i < positions.length; i += 3) {
        if (positions[i] < least) least = positions[i];
        if (positions[i] > most) most = positions[i];
      }
      longest = Math.max(longest, most - least);
    }
  }
  if (longest <= LONGEST_MM) return [];
  const found = `${(longest / 1e6).toPrecision(3)} km long, expected at most ${LONGEST_MM / 1e6} km`;
  return [warning('SIZE_UNLIKELY', `the model is ${found}: its unit may be wrong, or the file is damaged`)];
}

/** Names the root, and its only mesh, after the file when the content has no names. */
function withName(model: Model, name: string): Model {
  const root = model.root.name === '' ? { ...model.root, name } : model.root;
  const meshes =
    model.meshes.length === 1 && model.meshes[0].name === '' ? [{ ...model.meshes[0], name: root.name }] : model.meshes;
  return { ...model, root, meshes };
}

function withWarnings<T extends Content>(content: T, warnings: readonly Warning[]): T {
  return warnings.length === 0 ? content : { ...content, warnings: [...content.warnings, ...warnings] };
}

function mismatchOf(format: Format, name: string): Warning[] {
  const extension = extensionOf(name);
  const expected = formatOfExtension(extension);
  if (expected === undefined || expected === format) return [];
  return [
    warning(
      'EXTENSION_MISMATCH',
      `${quoted(name)} has the extension .${extension}, but its content is ${format.toUpperCase()}`,
    ),
  ];
}

function unsupported(bytes: Uint8Array, name: string): EngineError {
  const start = bytes.subarray(0, 8);
  const isText = start.every((byte) => byte >= 0x20 && byte < 0x7f);
  const shown = isText
    ? quoted(String.fromCharCode(...start))
    : `the bytes ${Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
  const extension = extensionOf(name);
  const promised = formatOfExtension(extension);
  const what =
    promised === undefined
      ? `the format of ${quoted(name)} is not supported`
      : `${quoted(name)} has the extension .${extension}, but its content is neither ${promised.toUpperCase()} ` +
        'nor another format that is read';
  const known = Object.keys(EXTENSIONS).join(', ');
  return new EngineError('FORMAT_UNSUPPORTED', `${what}; it begins with ${shown}; supported are ${known}`);
}

function nothingInside(wrapper: Wrapper, name: string, skipped: readonly string[]): EngineError {
  const found = skipped.length === 0 ? 'no file' : `${skipped.length} files, ${quoted(skipped[0])} among them`;
  return new EngineError('NO_GEOMETRY', `${quoted(name)} is a ${wrapper} file without a readable file; found ${found}`);
}

/** The last part of a path without its extensions: `bolt` of `a/bolt.step.ifz`. */
function stemOf(name: string): string {
  let stem = name.replace(/^.*[/\\]/, '');
  while (formatOfExtension(extensionOf(stem)) !== undefined) stem = stem.slice(0, stem.lastIndexOf('.'));
  return stem;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(-200));
}
