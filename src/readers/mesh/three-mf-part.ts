import type { Color } from '../../content/model.js';
import { MILLIMETRES, type LengthUnit } from '../../content/units.js';
import type { Property as FileProperty } from '../../content/text.js';
import { fileMalformed, checkLimit, type Warning } from '../../errors.js';
import type { Limits } from '../../options.js';
import { colorOfHex } from '../geometry/colors.js';
import { GrowableF64, GrowableU32 } from '../geometry/growable.js';
import { FARTHEST_MM } from './model-of-pieces.js';
import { PropertyList } from '../metadata/property-list.js';
import { isUsable, ofColumns } from '../geometry/transforms.js';
import { times } from '../geometry/vectors.js';
import { walkXml } from '../text/xml.js';

/** A reference to an object, from a build item or from a component of another object. */
export interface Reference {
  readonly objectId: string;
  /** Path of the model part that holds the object, as written; undefined for the same part. */
  readonly path: string | undefined;
  /** f64[16], column-major, translation in mm; undefined for the identity. */
  readonly transform: Float64Array | undefined;
}

/** An `<object>`: a mesh, or components, which are placed objects. */
export interface ThreeMfObject {
  readonly id: string;
  readonly name: string;
  readonly color?: Color;
  /** f64[3 * n], mm, not welded; may hold NaN. */
  readonly positions: Float64Array;
  /** u32[3 * m]; may be n or more; 0xffffffff where the file has no whole number. */
  readonly indices: Uint32Array;
  readonly components: readonly Reference[];
}

/** One model part (`.model`) of a 3MF package. */
export interface ModelPart {
  readonly unit: LengthUnit;
  readonly objects: ReadonlyMap<string, ThreeMfObject>;
  readonly build: readonly Reference[];
  /** Metadata of the whole part. */
  readonly properties: readonly FileProperty[];
  readonly warnings: readonly Warning[];
}

/** Units of the 3MF core specification 1.3, 3.4. A part without a unit is in millimetres. */
const UNITS: Readonly<Record<string, LengthUnit>> = {
  micron: 'um',
  millimeter: 'mm',
  centimeter: 'cm',
  inch: 'in',
  foot: 'ft',
  meter: 'm',
};

/** Metadata names of the core specification, 3.4.1, mapped to the property names used for other formats. */
const METADATA: Readonly<Record<string, string>> = {
  Designer: 'Author',
  CreationDate: 'Created',
  ModificationDate: 'Modified',
  LicenseTerms: 'Licence',
  Application: 'Originating system',
};

/** Replaces an attribute that is not a whole number; welding drops its triangle. */
const NO_VERTEX = 0xffffffff;

/**
 * Reads a model part: objects, build items, base materials and colour groups (materials extension). Skipped with a
 * warning: beam lattices and slices. Not read: textures, composites, metadata of single objects.
 * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export function readModelPart(bytes: Uint8Array, limits: Limits): ModelPart {
  const reader = new PartReader(limits);
  const complete = walkXml('3MF', bytes, limits, reader);
  if (!complete)
    reader.warn(
      'FILE_TRUNCATED',
      'a model part of the 3MF file ends before its last element; what came before was kept',
    );
  return reader.part();
}

/** An object while it is being read. */
interface OpenObject {
  readonly id: string;
  readonly name: string;
  readonly property: Property | undefined;
  readonly positions: GrowableF64;
  readonly indices: GrowableU32;
  readonly components: Reference[];
  /** The property that all triangles so far share; null when they differ. */
  shared: Property | null | undefined;
}

/** A reference to a colour: its group, and its index there. */
interface Property {
  readonly group: string;
  readonly index: number;
}

type Attributes = ReadonlyMap<string, string>;

class PartReader {
  readonly #limits: Limits;
  readonly #objects = new Map<string, OpenObject>();
  readonly #build: Reference[] = [];
  readonly #colors = new Map<string, (Color | undefined)[]>();
  readonly #warnings = new Map<string, Warning>();
  #unit: LengthUnit = 'mm';
  #rooted = false;
  readonly #properties = new PropertyList();
  #metadata: string | undefined;
  #object: OpenObject | undefined;
  #group: (Color | undefined)[] | undefined;
  #triangles = 0;
  #references = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  open(name: string, attributes: Attributes): void {
    if (!this.#rooted) {
      this.#openRoot(name, attributes);
      return;
    }
    if (name === 'vertex') this.#vertex(attributes);
    else if (name === 'triangle') this.#triangle(attributes);
    else if (name === 'object') this.#openObject(attributes);
    else if (name === 'component') this.#object?.components.push(this.#reference(attributes));
    else if (name === 'item') this.#build.push(this.#reference(attributes));
    else if (name === 'base') this.#group?.push(colorOfHex(attributes.get('displaycolor') ?? ''));
    else if (name === 'color') this.#group?.push(colorOfHex(attributes.get('color') ?? ''));
    else if (name === 'metadata' && this.#object === undefined) this.#metadata = attributes.get('name') ?? '';
    else if (name === 'basematerials' || name === 'colorgroup')
      this.#colors.set(attributes.get('id') ?? '', (this.#group = []));
    else if (name === 'beamlattice' || name === 'slicestack')
      this.warn('CONTENT_SKIPPED', `the 3MF file holds a ${name}, which is not supported`);
  }

  text(run: string): void {
    // A namespace prefix is dropped.
    if (this.#metadata !== undefined)
      this.#properties.add(METADATA[this.#metadata] ?? this.#metadata.replace(/^\w+:/, ''), run);
  }

  close(name: string): void {
    if (name === 'metadata') this.#metadata = undefined;
    else if (name === 'object') this.#object = undefined;
    else if (name === 'basematerials' || name === 'colorgroup') this.#group = undefined;
  }

  warn(code: Warning['code'], message: string): void {
    this.#warnings.set(message, { code, message });
  }

  part(): ModelPart {
    const objects = new Map<string, ThreeMfObject>();
    for (const object of this.#objects.values()) {
      const { id, name, components } = object;
      const color = this.#colorOf(object.property ?? object.shared ?? undefined);
      objects.set(id, {
        id,
        name,
        positions: object.positions.view(),
        indices: object.indices.view(),
        components,
        ...(color && { color }),
      });
    }
    return {
      unit: this.#unit,
      objects,
      build: this.#build,
      properties: this.#properties.properties,
      warnings: [...this.#warnings.values()],
    };
  }

  #openRoot(name: string, attributes: Attributes): void {
    if (name !== 'model') throw fileMalformed(`a 3MF model part's outermost element is model, found ${name}`);
    const unit = attributes.get('unit') ?? 'millimeter';
    if (UNITS[unit] === undefined) {
      throw fileMalformed(`a 3MF unit is one of ${Object.keys(UNITS).join(', ')}; found ${JSON.stringify(unit)}`);
    }
    this.#unit = UNITS[unit];
    this.#rooted = true;
  }

  #openObject(attributes: Attributes): void {
    const id = attributes.get('id') ?? '';
    if (this.#objects.has(id)) throw fileMalformed(`two objects of the 3MF file have the id ${JSON.stringify(id)}`);
    this.#object = {
      id,
      name: attributes.get('name') ?? '',
      property: property(attributes.get('pid'), attributes.get('pindex')),
      positions: new GrowableF64(),
      indices: new GrowableU32(),
      components: [],
      shared: undefined,
    };
    this.#objects.set(id, this.#object);
    this.#count('components', this.#objects.size);
  }

  #vertex(attributes: Attributes): void {
    if (this.#object === undefined) return;
    if (this.#object.positions.length >= 9 * this.#limits.triangles)
      this.#count('triangles', this.#limits.triangles + 1);
    const scale = MILLIMETRES[this.#unit];
    this.#object.positions.push3(
      place(attributes.get('x'), scale),
      place(attributes.get('y'), scale),
      place(attributes.get('z'), scale),
    );
  }

  #triangle(attributes: Attributes): void {
    const object = this.#object;
    if (object === undefined) return;
    this.#count('triangles', ++this.#triangles);
    object.indices.push3(whole(attributes.get('v1')), whole(attributes.get('v2')), whole(attributes.get('v3')));
    if (object.shared === null) return;
    const own = property(attributes.get('pid') ?? object.property?.group, attributes.get('p1'));
    if (object.indices.length === 3) object.shared = own ?? null;
    else if (own?.group !== object.shared?.group || own?.index !== object.shared?.index) object.shared = null;
  }

  #reference(attributes: Attributes): Reference {
    this.#count('components', ++this.#references);
    // The production extension's attribute may have any prefix; core attributes have none.
    const path = [...attributes].find(([key]) => key.endsWith(':path'))?.[1];
    return {
      objectId: attributes.get('objectid') ?? '',
      path,
      transform: transformOf(attributes.get('transform'), MILLIMETRES[this.#unit]),
    };
  }

  #colorOf(found: Property | undefined): Color | undefined {
    return found === undefined ? undefined : this.#colors.get(found.group)?.[found.index];
  }

  #count(limit: 'triangles' | 'components', found: number): void {
    checkLimit('the 3MF file', this.#limits, limit, found);
  }
}

function property(group: string | undefined, index: string | undefined): Property | undefined {
  return group === undefined || index === undefined ? undefined : { group, index: whole(index) };
}

/** Twelve numbers: the rows of a matrix for row vectors, which are the columns of the result. */
function transformOf(text: string | undefined, scale: number): Float64Array | undefined {
  if (text === undefined) return undefined;
  const m = text.trim().split(/\s+/, 13).map(decimal);
  const matrix = ofColumns(
    [m[0], m[1], m[2]],
    [m[3], m[4], m[5]],
    [m[6], m[7], m[8]],
    times([m[9], m[10], m[11]], scale),
  );
  if (m.length !== 12 || !isUsable(matrix, FARTHEST_MM)) {
    throw fileMalformed(`a 3MF transform has 12 numbers; found ${JSON.stringify(text.slice(0, 100))}`);
  }
  return matrix;
}

/** A coordinate, mm; NaN for an invalid or too large one, whose triangles welding drops. */
function place(text: string | undefined, scale: number): number {
  const value = scale * decimal(text);
  return Math.abs(value) <= FARTHEST_MM ? value : NaN;
}

function decimal(text: string | undefined): number {
  return text === undefined || text.trim() === '' ? NaN : Number(text);
}

function whole(text: string | undefined): number {
  const value = decimal(text);
  return value >>> 0 === value ? value : NO_VERTEX;
}
