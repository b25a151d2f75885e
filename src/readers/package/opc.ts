import { EngineError, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { unzip, type UnpackBudget } from './archive.js';
import { PropertyList } from '../metadata/property-list.js';
import { attributeOf, walkXml, type XmlHandler } from '../text/xml.js';

/** The key of a part name, which is an absolute path with `%` escapes and ignores case (OPC, ISO/IEC 29500-2). */
export function entryPath(name: string): string {
  let path = name.replace(/^\/+/, '');
  try {
    path = decodeURIComponent(path);
  } catch (error) {
    // A stray % is a literal character.
    if (!(error instanceof URIError)) throw error;
  }
  return path.toLowerCase();
}

/** Most warnings of one package, which can have ten thousand bad parts. */
const MOST_WARNINGS = 100;

/** A relationship from one part to another. */
interface Relation {
  /** Last segment of the type's URI in lower case, which is the same in transitional and strict files. */
  readonly type: string;
  /** Path of the target part. */
  readonly target: string;
}

/**
 * A package of the Open Packaging Conventions (ISO/IEC 29500-2): docx, xlsx, pptx. Holds the parts that may contain
 * text.
 */
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

  /**
   * Unpacks the XML parts except those without text, such as themes.
   * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
   */
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

  /**
   * Path of the main part: as the package's relationships state, else the usual path.
   * @throws EngineError `FILE_MALFORMED` when it is missing, `FORMAT_UNSUPPORTED` for a binary workbook.
   */
  mainPart(usual: string): string {
    const stated = this.related('', 'officedocument')[0];
    const path = [stated, usual].find((candidate) => candidate !== undefined && this.#parts.has(candidate));
    this.#main = path ?? '';
    if (path !== undefined) return path;
    const found = stated ?? usual;
    const binary = found.endsWith('.bin') ? '; a workbook in binary form (.xlsb) is not read: save it as .xlsx' : '';
    throw new EngineError(
      binary === '' ? 'FILE_MALFORMED' : 'FORMAT_UNSUPPORTED',
      `the ${this.#format} file has its content at ${JSON.stringify(found.slice(0, 200))}, ` +
        `which it does not hold${binary}`,
    );
  }

  /**
   * Paths of the parts to which `from` has relationships of a type, in order, each once; '' stands for the package
   * itself.
   */
  related(from: string, type: string): string[] {
    return [
      ...new Set(
        [...this.#relationsOf(from).values()].filter((relation) => relation.type === type).map(({ target }) => target),
      ),
    ];
  }

  /** Target of a relationship of `from` by its id. */
  relatedById(from: string, id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#relationsOf(from).get(id)?.target;
  }

  /**
   * Walks through a part's XML; does nothing when the part is missing. Malformed XML in a part other than the main one
   * gives a warning, and what was read before the error is kept.
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

  /** Like {@link walk}, but reads each part only once, because a file may refer to one a million times. */
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

  /** Adds a warning once, even if the part is walked through again. */
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
    });
    return relations;
  }
}

/** Decodes `_x000D_`, by which office files write characters that XML cannot hold (ISO/IEC 29500-1, 22.9.2.19). */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}

/** Elements of the property parts and the property names they get. */
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

/** Resolves a target, which is relative to its source's folder unless it begins with a slash. */
function resolved(folder: string, target: string): string {
  if (target.startsWith('/')) return entryPath(target);
  const parts = folder.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return entryPath(parts.join('/'));
}
