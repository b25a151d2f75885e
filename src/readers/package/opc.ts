import { EngineError, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { unzip, type UnpackBudget } from './archive.js';
import { PropertyList } from '../metadata/property-list.js';
import { attributeOf, walkXml, type XmlHandler } from '../text/xml.js';

/** Part names are absolute paths with `%` escapes, matched without regard to case (OPC, ISO/IEC 29500-2). */
export function entryPath(name: string): string {
  let path = name.replace(/^\/+/, '');
  try {
    path = decodeURIComponent(path);
  } catch (error) {
    // A stray % stands for itself.
    if (!(error instanceof URIError)) throw error;
  }
  return path.toLowerCase();
}

/** A package can have ten thousand bad parts; a hundred tell enough. */
const MOST_WARNINGS = 100;

/** How one part leads to another. */
interface Relation {
  /** Last part of the type's address, lower case: the same in transitional and strict files. */
  readonly type: string;
  /** Path of the part that it leads to. */
  readonly target: string;
}

/** A package of the Open Packaging Conventions (ISO/IEC 29500-2): docx, xlsx, pptx. Holds the parts that may hold text. */
export class OpcPackage {
  readonly warnings: Warning[] = [];
  readonly #format: string;
  readonly #limits: Limits;
  readonly #parts = new Map<string, Uint8Array>();
  readonly #relations = new Map<string, ReadonlyMap<string, Relation>>();
  readonly #walked = new Set<string>();
  #main = '';

  private constructor(format: string, limits: Limits) {
    this.#format = format;
    this.#limits = limits;
  }

  /** Unpacks the XML parts, all but those that hold no text (themes, for one). @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`. */
  static async open(format: string, bytes: Uint8Array, limits: Limits, budget: UnpackBudget): Promise<OpcPackage> {
    const opened = new OpcPackage(format, limits);
    const wants = (path: string): boolean =>
      /\.(xml|rels)$/i.test(path) &&
      !/(^|[/\\])(theme|media|customxml|printersettings|slidelayouts|slidemasters)[/\\]/i.test(path);
    for await (const entry of unzip(bytes, budget, opened.warnings, wants))
      opened.#parts.set(entryPath(entry.name), entry.bytes);
    return opened;
  }

  /** The bytes of a part; undefined when the package has none of that path. */
  part(path: string): Uint8Array | undefined {
    return this.#parts.get(path);
  }

  /** Path of the main part: where the package's relations say, else where writers put it. @throws EngineError `FILE_MALFORMED` when it is missing. */
  mainPart(usual: string): string {
    const stated = this.related('', 'officedocument')[0];
    const path = [stated, usual].find((candidate) => candidate !== undefined && this.#parts.has(candidate));
    this.#main = path ?? '';
    if (path !== undefined) return path;
    const found = stated ?? usual;
    const binary = found.endsWith('.bin') ? '; a workbook in binary form (.xlsb) is not read: save it as .xlsx' : '';
    throw new EngineError(
      binary === '' ? 'FILE_MALFORMED' : 'FORMAT_UNSUPPORTED',
      `the ${this.#format} file has its content at ${JSON.stringify(found.slice(0, 200))}, which it does not hold${binary}`,
    );
  }

  /** Paths of the parts to which `from` has relations of a type ('' stands for the package), in their order, each once. */
  related(from: string, type: string): string[] {
    return [
      ...new Set(
        [...this.#relationsOf(from).values()].filter((relation) => relation.type === type).map(({ target }) => target),
      ),
    ];
  }

  /** Path of the part that a relation of `from` leads to. */
  relatedById(from: string, id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#relationsOf(from).get(id)?.target;
  }

  /**
   * Walks through a part's XML; nothing happens when the part is missing. A part beside the main one that breaks XML's rules costs a
   * warning: what was read of it before stays.
   */
  walk(path: string | undefined, handler: XmlHandler): void {
    const bytes = path === undefined ? undefined : this.#parts.get(path);
    if (path === undefined || bytes === undefined) return;
    try {
      if (!walkXml(this.#format, bytes, this.#limits, handler)) {
        this.#warn(
          'FILE_TRUNCATED',
          `the part ${JSON.stringify(path)} of the ${this.#format} file ends early; what came before was kept`,
        );
      }
    } catch (failure) {
      if (!(failure instanceof EngineError) || failure.code !== 'FILE_MALFORMED' || path === this.#main) throw failure;
      this.#warn(
        'CONTENT_SKIPPED',
        `the part ${JSON.stringify(path)} of the ${this.#format} file could not be read: ${failure.message}`,
      );
    }
  }

  /** As {@link walk}, but a part that was walked through so before is passed over: a file may refer to one a million times. */
  walkOnce(path: string | undefined, handler: XmlHandler): void {
    if (path === undefined || this.#walked.has(path)) return;
    this.#walked.add(path);
    this.walk(path, handler);
  }

  /** Core, extended and custom properties (ISO/IEC 29500-1, 22.2 and 22.3, 29500-2, 11). */
  properties(): PropertyList {
    const list = new PropertyList();
    const paths = [
      this.related('', 'core-properties')[0] ?? 'docprops/core.xml',
      this.related('', 'extended-properties')[0] ?? this.related('', 'extendedproperties')[0] ?? 'docprops/app.xml',
    ];
    for (const path of paths) {
      let text = '';
      this.walk(path, {
        open: () => void (text = ''),
        text: (run) => void (text += run),
        close(name) {
          if (Object.hasOwn(PROPERTY_NAMES, name)) list.add(PROPERTY_NAMES[name], unescaped(text));
          text = '';
        },
      });
    }
    const custom =
      this.related('', 'custom-properties')[0] ?? this.related('', 'customproperties')[0] ?? 'docprops/custom.xml';
    let propertyName = '';
    let values: string[] = [];
    this.walk(custom, {
      open(name, attributes) {
        if (name === 'property') {
          propertyName = attributeOf(attributes, 'name') ?? '';
          values = [];
        }
      },
      text: (run) => void (values.length < 1_000 && values.push(unescaped(run).trim())),
      close: (name) =>
        void (name === 'property' && list.add(propertyName, values.filter((value) => value !== '').join('; '))),
    });
    return list;
  }

  /** A part may be walked through more than once; its defect is told of once. */
  #warn(code: 'FILE_TRUNCATED' | 'CONTENT_SKIPPED', message: string): void {
    if (!this.warnings.some((warning) => warning.message === message) && this.warnings.length < MOST_WARNINGS)
      this.warnings.push({ code, message });
  }

  #relationsOf(from: string): ReadonlyMap<string, Relation> {
    let relations = this.#relations.get(from);
    if (relations === undefined) {
      relations = this.#readRelations(from);
      this.#relations.set(from, relations);
    }
    return relations;
  }

  #readRelations(from: string): Map<string, Relation> {
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const relations = new Map<string, Relation>();
    this.walk(`${folder}_rels/${from.slice(folder.length)}.rels`, {
      open(name, attributes) {
        if (name !== 'Relationship' || attributeOf(attributes, 'TargetMode') === 'External') return;
        const type = (attributeOf(attributes, 'Type') ?? '').replace(/^.*\//s, '').toLowerCase();
        const target = attributeOf(attributes, 'Target') ?? '';
        relations.set(attributeOf(attributes, 'Id') ?? '', { type, target: resolved(folder, target) });
      },
      close() {
        // Nothing to do: the relation is in the attributes.
      },
    });
    return relations;
  }
}

/** Characters that XML cannot hold stand as `_x000D_` in texts of office files (ISO/IEC 29500-1, 22.9.2.19). */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}

/** Elements of the properties' parts, by what people call them. */
const PROPERTY_NAMES: Readonly<Record<string, string>> = {
  title: 'Title',
  creator: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  description: 'Description',
  category: 'Category',
  lastModifiedBy: 'Last modified by',
  created: 'Created',
  modified: 'Modified',
  contentStatus: 'Status',
  version: 'Version',
  Company: 'Company',
  Manager: 'Manager',
  Application: 'Application',
};

/** A target is relative to its source's folder, unless it begins with a slash. */
function resolved(folder: string, target: string): string {
  if (target.startsWith('/')) return entryPath(target);
  const parts = folder.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return entryPath(parts.join('/'));
}
