import type { Drawing } from '../../content/drawing.js';
import { checkLimit, fileMalformed, warning, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import type { Affine } from '../geometry/affine.js';
import { PropertyList } from '../metadata/property-list.js';
import { SheetBudget, SheetWriter } from '../sheet/sheet-writer.js';
import { isWhite, withoutWhiteTexts } from './pale-texts.js';
import { SvgSheet, type SvgNode } from './sheet.js';
import { SvgStyles } from './style.js';
import { lengthOf, millimetresOf, paintOf, USUAL_SIZE, viewBoxOf, type Attributes } from './values.js';
import { TextBudget } from '../text/text-budget.js';
import { layOut } from '../text/text-layout.js';
import { walkXml } from '../text/xml.js';

/** Dublin Core elements of an SVG's metadata and the property names they get. */
const METADATA: Readonly<Record<string, string>> = {
  'dc:title': 'Title',
  'dc:creator': 'Author',
  'dc:description': 'Description',
  'dc:subject': 'Keywords',
  'dc:rights': 'Copyright',
  'dc:date': 'Created',
  'dc:publisher': 'Publisher',
  'dc:identifier': 'Identifier',
  'dc:language': 'Language',
};

/**
 * Reads an SVG drawing: its lines and its text with places in the view box (transforms applied), its title, description
 * and metadata. Nothing outside the file is loaded; of the entities that it declares those that are text are expanded.
 * @throws EngineError `FILE_MALFORMED`; `LIMIT_EXCEEDED` for nesting beyond `limits.depth` or more than
 * `limits.entities` elements, where each repetition by `use` counts.
 */
export function readSvg(bytes: Uint8Array, { limits }: ReadOptions): Drawing {
  const list = new PropertyList();
  const styles = new SvgStyles();
  const { root, ids, complete } = treeOf(bytes, limits, list, styles);
  const warnings: Warning[] = complete
    ? []
    : [warning('FILE_TRUNCATED', 'the SVG ends before its last element; what came before was kept')];
  const writer = new SheetWriter(new SheetBudget('SVG', limits));
  const sheet = new SvgSheet(writer, styles, ids, limits);
  const box = root === undefined ? { x: 0, y: 0, width: 0, height: 0 } : boxOf(root.attributes);
  const map: Affine = [1, 0, 0, 1, -box.x, -box.y];
  if (root !== undefined) sheet.draw(root, map);
  // Without a view box or size, the picture is as large as what is drawn.
  const drawn = box.width > 0 && box.height > 0 ? null : writer.bounds();
  const width = box.width > 0 ? box.width : Math.max(1, drawn?.maxX ?? 0),
    height = box.height > 0 ? box.height : Math.max(1, drawn?.maxY ?? 0);
  const budget = new TextBudget(limits);
  const page = budget.keep(layOut(sheet.pieces, { number: 1, name: '', width, height }));
  const unitMm = unitOf(root?.attributes, width, height);
  const all = writer.count === 0 ? [] : [writer.finish({ number: 1, width, height, unitMm, space: 'paper' })];
  const inked = all.map((each) => withoutWhiteTexts(each, hasGround(root, styles) ? [] : sheet.white, sheet.pictures));
  return {
    kind: 'drawing',
    format: 'svg',
    pages: [page],
    sheets: inked.map((each) => each.sheet),
    properties: list.properties,
    warnings: [...warnings, ...unseen(sheet, { width, height, white: inked[0]?.unseen ?? 0 }), ...budget.warnings()],
  };
}

/** Whether the picture says that it stands on a colour, as those for dark screens do. */
function hasGround(root: SvgNode | undefined, styles: SvgStyles): boolean {
  const ask = root && styles.lookup(root.name, root.attributes);
  const ground = ask?.('background-color') ?? ask?.('background');
  return ground !== undefined && !isWhite(paintOf(ground.split(' ')[0], 0) ?? 0xffffff);
}

/** What of the texts is not seen: on layers that are off, outside of the picture, white on white. */
function unseen(
  { hidden, pieces }: SvgSheet,
  { width, height, white }: { readonly width: number; readonly height: number; readonly white: number },
): Warning[] {
  const { texts, shapes } = hidden;
  const outside = pieces.filter(({ x, y }) => !(x >= 0 && x <= width && y >= 0 && y <= height)).length;
  return [
    ...(texts === 0
      ? []
      : [`${texts} texts and ${shapes} shapes that are hidden are not drawn and are no part of the PMI`]),
    ...(white === 0 ? [] : [`${white} texts that are not seen, because they are white, are no part of the PMI`]),
    ...(outside === 0 ? [] : [`${outside} texts outside of the picture are no part of the PMI`]),
  ].map((message) => warning('CONTENT_SKIPPED', message));
}

interface SvgTree {
  /** Undefined when the file ends before its first element. */
  readonly root: SvgNode | undefined;
  readonly ids: ReadonlyMap<string, SvgNode>;
  readonly complete: boolean;
}

function treeOf(bytes: Uint8Array, limits: Limits, list: PropertyList, styles: SvgStyles): SvgTree {
  const open: SvgNode[] = [];
  const ids = new Map<string, SvgNode>();
  let root: SvgNode | undefined;
  let elements = 0;
  const complete = walkXml(
    'SVG',
    bytes,
    limits,
    {
      open(name, attributes) {
        checkLimit('the SVG', limits, 'entities', ++elements);
        const node: SvgNode = { name: localName(name), attributes, children: [] };
        if (open.length === 0 && node.name !== 'svg')
          throw fileMalformed(`an SVG's outermost element is svg, found ${name}`);
        root ??= node;
        open.at(-1)?.children.push(node);
        open.push(node);
        const id = attributes.get('id');
        if (id !== undefined && !ids.has(id)) ids.set(id, node);
      },
      text(run, names) {
        const node = open.at(-1);
        if (node === undefined || run.trim() === '') return;
        if (node.name === 'style') styles.add(run);
        else if (node.name === 'title' && open.length === 2) list.add('Title', run);
        else if (node.name === 'desc' && open.length === 2) list.add('Description', run);
        else if (names.some((name) => localName(name) === 'metadata')) {
          const element = names.find((name) => name in METADATA);
          if (element !== undefined) list.add(METADATA[element], run);
        } else node.children.push(run);
      },
      close: () => void open.pop(),
    },
    { prefixes: true, entities: true },
  );
  return { root, ids, complete };
}

function boxOf(attributes: Attributes): {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
} {
  return (
    viewBoxOf(attributes) ?? {
      x: 0,
      y: 0,
      width: lengthOf(attributes.get('width'), USUAL_SIZE) ?? 0,
      height: lengthOf(attributes.get('height'), USUAL_SIZE) ?? 0,
    }
  );
}

/** Millimetres per user unit; null when the picture's size has no absolute unit. */
function unitOf(attributes: Attributes | undefined, width: number, height: number): number | null {
  const widthMm = millimetresOf(attributes?.get('width')),
    heightMm = millimetresOf(attributes?.get('height'));
  if (widthMm === undefined && heightMm === undefined) return null;
  // The aspect ratio is preserved, so the smaller scale applies.
  return Math.min(
    widthMm === undefined ? Infinity : widthMm / width,
    heightMm === undefined ? Infinity : heightMm / height,
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
