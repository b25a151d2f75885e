import type { Content } from '../../content/content.js';
import type { Drawing } from '../../content/drawing.js';
import type { Image } from '../../content/image.js';
import type { Component, Model } from '../../content/model.js';
import type { Property, TextPage } from '../../content/text.js';
import type { ShapeDescriber } from '../../descriptors/describe.js';
import type { ShapeDescription } from '../../descriptors/description.js';
import type { Feature } from '../../descriptors/features/feature.js';
import { boltCircles, holeGroups, type PartFeatures } from '../../descriptors/features/part-features.js';
import type { Warning } from '../../errors.js';
import { textTermsOf, type CutTerms } from '../../words/file-terms.js';
import { encodePlaces } from '../../words/text-places.js';
import { modelPmi } from '../../pmi/model-pmi.js';
import { readPmi, withPmiText } from '../../pmi/read-pmi.js';
import { PMI_VERSION, sentenceOf, type DrawingPmi, type Pmi } from '../../pmi/pmi.js';
import { storedPmi } from '../../pmi/stored-pmi.js';
import type { Limits } from '../../options.js';
import { splitSheet } from '../../shapelets/sheet/split-sheet.js';
import type { DescribedPage } from '../../store/catalog/file-text.js';
import type { FileKind } from '../../store/catalog/record.js';
import { assemblyTree } from './assembly-tree.js';
import type { FileDescription } from './file-description.js';

const KINDS: Readonly<Record<Content['kind'], FileKind>> = Object.freeze({
  model: 'ThreeD',
  drawing: 'TwoD',
  image: 'Image',
  document: 'Text',
});

/**
 * Turns the content that a reader found into the description that is stored.
 * @throws EngineError `NO_GEOMETRY` for a model without a surface.
 */
export function describeFile(
  content: Content,
  describer: ShapeDescriber,
  { textOnly, limits }: { textOnly: boolean; limits: Limits },
): FileDescription {
  const kind = KINDS[content.kind];
  if (content.kind !== 'model') {
    const found = content.kind === 'document' ? undefined : pmiOf(content);
    const pages = found?.pages ?? content.pages;
    const textTerms = textTermsOf(pages, limits);
    const warnings = [...content.warnings, ...(found?.warnings ?? []), ...cutOf(textTerms, limits)];
    const properties = statedProperties(content.properties, found?.attributes ?? []);
    return {
      kind,
      warnings,
      pageCount: pages.length,
      faceCount: null,
      pages: pages.map(describedPage),
      textTerms,
      properties,
      ...(found?.json !== undefined && { pmi: { version: PMI_VERSION, json: found.json } }),
    };
  }
  const { pmi: annotated, warnings: untold } = annotatedOf(content);
  const pages = [{ number: 1, name: '', text: [...namesOf(content), ...sentencesOf(annotated)].join('\n') }];
  const textTerms = textTermsOf(pages, limits);
  const shape = textOnly ? undefined : describer.describe(content);
  const faceCount = faceCountOf(content);
  return {
    kind,
    warnings: [...(shape?.warnings ?? content.warnings), ...untold, ...cutOf(textTerms, limits)],
    pageCount: null,
    faceCount,
    pages,
    textTerms,
    properties: [
      ...(content.properties ?? []),
      ...(annotated?.attributes ?? []),
      ...measuredOf(shape, faceCount),
      ...featureFacts(shape?.features),
    ],
    ...(annotated !== undefined && {
      pmi: { version: PMI_VERSION, json: storedPmi(annotated) },
    }),
    assembly: assemblyTree(content),
    shape,
  };
}

/** Those of the file and of its annotations; the unit that a sheet states holds, and not that of a template. */
function statedProperties(ofFile: readonly Property[], ofSheets: readonly Property[]): readonly Property[] {
  const hasUnits = ofSheets.some(({ name }) => name === 'Units');
  return [...ofFile.filter(({ name }) => !hasUnits || name !== 'Units'), ...ofSheets];
}

function describedPage({ runs, ...page }: TextPage): DescribedPage {
  return runs === undefined ? page : { ...page, places: encodePlaces(runs) };
}

interface FoundPmi {
  readonly pages?: readonly TextPage[];
  readonly attributes: readonly Property[];
  /** Undefined for images that are not drawings. */
  readonly json?: string;
  readonly warnings: readonly Warning[];
}

/** Most pages that a warning names. */
const MOST_NAMED = 5;

/**
 * Extracts the dimensions of a drawing. Where that fails, a page keeps its text and its views, and the file those of
 * all pages.
 */
function pmiOf(content: Drawing | Image): FoundPmi {
  const faults = new Map<string, Set<number>>();
  const onFault = (page: number, cause: unknown): void => {
    const why = whyOf(cause);
    faults.set(why, (faults.get(why) ?? new Set()).add(page));
  };
  try {
    const { attributes, leftOut, ...pmi } = readPmi(content, splitSheet, onFault);
    const warnings = [...leftOut, ...[...faults].map(saidOfFault)].map(skipped);
    if (content.kind === 'image' && pmi.pages.length === 0) return { attributes: [], warnings };
    const pages =
      content.pages.length > 0 ? content.pages : pmi.pages.map(({ page }) => ({ number: page, name: '', text: '' }));
    return { pages: withPmiText(pages, pmi), attributes, json: storedPmi(pmi), warnings };
  } catch (cause) {
    return {
      attributes: [],
      json: storedPmi({ version: PMI_VERSION, pages: [] }),
      warnings: [skipped(`the drawing's dimensions could not be read: ${whyOf(cause)}`)],
    };
  }
}

function skipped(message: string): Warning {
  return { code: 'CONTENT_SKIPPED', message };
}

function whyOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function saidOfFault([why, numbers]: readonly [why: string, numbers: ReadonlySet<number>]): string {
  const pages = [...numbers];
  const named = pages.slice(0, MOST_NAMED).join(', ');
  const more = pages.length > MOST_NAMED ? ` and ${pages.length - MOST_NAMED} more` : '';
  return `the dimensions or views of page${pages.length > 1 ? 's' : ''} ${named}${more} could not be read: ${why}`;
}

/** The annotations of a model. If they cannot be read, it keeps its shape and its names. */
function annotatedOf({ annotations }: Model): { readonly pmi?: DrawingPmi; readonly warnings: readonly Warning[] } {
  if (annotations === undefined) return { warnings: [] };
  try {
    return { pmi: modelPmi(annotations), warnings: [] };
  } catch (cause) {
    return { warnings: [skipped(`the model's annotations could not be read: ${whyOf(cause)}`)] };
  }
}

/** The distinct texts of a model's annotations. */
function sentencesOf(pmi: Pmi | undefined): string[] {
  return [...new Set((pmi?.pages ?? []).flatMap(({ objects }) => objects.map(sentenceOf)))];
}

function cutOf({ isCut }: CutTerms, { terms }: Limits): Warning[] {
  if (!isCut) return [];
  return [
    {
      code: 'CONTENT_SKIPPED',
      message: `the text has more words than limits.terms, ${terms}; those after them are not found by a search`,
    },
  ];
}

/**
 * Number of significant digits of measured values: measuring is hardly more accurate, and equal parts then have equal
 * values.
 */
const DIGITS = 6;

/**
 * Measured and counted values, as attributes. Length, width and height are those of the smallest box, in descending
 * order.
 */
function measuredOf(shape: ShapeDescription | undefined, faceCount: number | null): Property[] {
  const facts: Property[] = [];
  const measure = (name: string, unit: string, value: number): void =>
    void facts.push({ name, unit, value: String(Number(value.toPrecision(DIGITS))) });
  const tally = (name: string, value: number): void => void facts.push({ name, unit: '', value: String(value) });
  if (shape !== undefined) {
    const [length, width, height] = shape.bboxSizeMm;
    measure('Length', 'mm', length);
    measure('Width', 'mm', width);
    measure('Height', 'mm', height);
    measure('Volume', 'mm3', shape.volumeMm3);
    measure('Bounding box volume', 'mm3', shape.bboxVolumeMm3);
    measure('Surface area', 'mm2', shape.surfaceAreaMm2);
    tally('Triangles', shape.triangleCount);
    tally('Components', shape.componentCount);
  }
  if (faceCount !== null) tally('Faces', faceCount);
  return facts;
}

/** What a machinist filters by. Several diameters are several values of one attribute, most frequent first. */
function featureFacts(features: PartFeatures | null | undefined): Property[] {
  if (features === null || features === undefined) return [];
  const of = (wanted: Feature['kind']): Feature[] => (features.features ?? []).filter(({ kind }) => kind === wanted);
  const total = (name: string, found: readonly Feature[]): Property[] => {
    const count = found.reduce((sum, each) => sum + each.count, 0);
    return count === 0 ? [] : [{ name, unit: '', value: String(count) }];
  };
  // The numbers of teeth of two gears on one part are two values.
  const counts = (name: string, found: readonly Feature[]): Property[] =>
    [...new Set(found.map(({ count }) => count))].map((count) => ({ name, unit: '', value: String(count) }));
  const listed = (found: readonly Feature[], name: 'moduleMm' | 'diameterMm' | 'pitchMm'): number[] =>
    found.flatMap((each) => each[name] ?? []);
  const lengths = (name: string, values: readonly number[]): Property[] =>
    [...new Set(values)].map((value) => ({ name, unit: 'mm', value: String(value) }));
  return [
    ...(features.shape === null ? [] : [{ name: 'Shape', unit: '', value: features.shape }]),
    ...(features.wallMm === null ? [] : lengths('Wall', [features.wallMm])),
    ...total('Holes', of('hole')),
    ...lengths(
      'Hole diameter',
      holeGroups(features).map(({ diameterMm }) => diameterMm),
    ),
    ...lengths(
      'Bolt circle',
      boltCircles(features).map(({ circleMm }) => circleMm),
    ),
    ...counts('Teeth', of('teeth')),
    ...lengths('Module', listed(of('teeth'), 'moduleMm')),
    ...lengths('Thread diameter', listed(of('thread'), 'diameterMm')),
    ...lengths('Thread pitch', listed(of('thread'), 'pitchMm')),
    ...total('Ribs', of('rib')),
    ...total('Bends', of('bend')),
  ];
}

/** Text properties of a model that describe the part, not the file. */
const WORDS = new Set(['Product id', 'Product name', 'Product description', 'Title']);

/** The distinct names in the product structure, the root's first, and the file's texts about the part. */
function namesOf({ root, meshes, properties = [] }: Model): string[] {
  const names = new Set<string>();
  for (const component of componentsOf(root)) {
    names.add(component.name);
    for (const index of component.meshes) names.add(meshes[index].name);
  }
  for (const { name, value } of properties) if (WORDS.has(name)) names.add(value);
  names.delete('');
  return [...names];
}

/** Number of faces of all placed meshes; null when no mesh has faces. */
function faceCountOf({ root, meshes }: Model): number | null {
  const counts = [...componentsOf(root)].flatMap((component) =>
    component.meshes.flatMap((index) => meshes[index].faces?.length ?? []),
  );
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

/** A component and all below it, depth first. */
function* componentsOf(root: Component): Iterable<Component> {
  const pending = [root];
  for (let component = pending.pop(); component !== undefined; component = pending.pop()) {
    yield component;
    pending.push(...component.children.toReversed());
  }
}
