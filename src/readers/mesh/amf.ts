import type { Component, Mesh, Model } from '../../content/model.js';
import { MILLIMETRES, type LengthUnit } from '../../content/units.js';
import { checkLimit, fileMalformed, warning, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import { MeshBuilder } from './mesh-builder.js';
import { FARTHEST_MM, requireArea, rootOf, weldPieces, withDropped } from './model-of-pieces.js';
import { PropertyList } from '../metadata/property-list.js';
import { compose, isIdentity, isUsable, rotation, translation } from '../geometry/transforms.js';
import { walkXml } from '../text/xml.js';

/** Units of ISO/ASTM 52915, table 1. A file without a unit is in millimetres. */
const UNITS: Readonly<Record<string, LengthUnit>> = {
  millimeter: 'mm',
  inch: 'in',
  feet: 'ft',
  meter: 'm',
  micron: 'um',
};

const DEGREE = Math.PI / 180;

/** An `<object>`: volumes over its own vertices. */
interface AmfObject {
  readonly id: string;
  readonly builder: MeshBuilder;
  name: string;
}

/** An `<instance>` in a constellation; angles in degrees, lengths in the file's unit. */
interface Instance {
  readonly target: string;
  readonly values: Record<string, number>;
}

interface Constellation {
  readonly id: string;
  readonly instances: Instance[];
  name: string;
}

/** The content of a file before it becomes a model. */
interface Document {
  /** Metadata of the whole file. */
  readonly list: PropertyList;
  unit: LengthUnit;
  readonly objects: Map<string, AmfObject>;
  readonly constellations: Map<string, Constellation>;
  readonly warnings: Warning[];
}

/**
 * Reads the Additive Manufacturing File Format (ISO/ASTM 52915) as plain XML; `readContent` unzips a compressed one.
 * Objects become components, their volumes meshes, constellations sub-assemblies. Curved triangles are read as flat
 * ones; lattices are not read.
 * @throws EngineError `FILE_MALFORMED`, `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export function readAmf(bytes: Uint8Array, options: ReadOptions): Model {
  const document = readDocument(bytes, options);
  const meshes: Mesh[] = [];
  const parts = new Map<string, Component>();
  let dropped = 0;
  let wrong: string | undefined;
  for (const object of document.objects.values()) {
    const welded = weldPieces(object.builder.pieces(), document.unit);
    dropped += welded.dropped;
    wrong ??= welded.wrong;
    if (welded.meshes.length === 0) continue;
    const name = object.name;
    parts.set(object.id, { name, meshes: welded.meshes.map((_, i) => meshes.length + i), children: [] });
    meshes.push(...welded.meshes.map((mesh) => ({ ...mesh, name: mesh.name || name })));
  }
  requireArea('amf', meshes, document.warnings, wrong);
  const roots = rootsOf(document, parts, options.limits);
  return {
    kind: 'model',
    format: 'amf',
    unit: document.unit,
    root: rootOf(roots),
    meshes,
    properties: document.list.properties,
    warnings: withDropped(document.warnings, dropped, wrong),
  };
}

function readDocument(bytes: Uint8Array, { limits, defaultUnit }: ReadOptions): Document {
  const document: Document = {
    unit: 'mm',
    objects: new Map(),
    constellations: new Map(),
    list: new PropertyList(),
    warnings: [],
  };
  let text = '';
  let object: AmfObject | undefined;
  let constellation: Constellation | undefined;
  let instance: Instance | undefined;
  let metadata = '';
  let numbers: Record<string, number> = {};
  let trianglesBefore = 0;

  const complete = walkXml('AMF', bytes, limits, {
    open(name, attributes, path) {
      const parent = path.at(-2);
      text = '';
      if (parent === undefined) {
        if (name !== 'amf') throw fileMalformed(`an AMF file's outermost element is amf, found ${name}`);
        document.unit = unitOf(attributes.get('unit'), defaultUnit, document.warnings);
      } else if (name === 'object') {
        const id = attributes.get('id') ?? '';
        object = { id, name: '', builder: new MeshBuilder(limitedBy(limits, trianglesBefore)) };
        checkLimit('the AMF file', limits, 'components', document.objects.size + document.constellations.size + 1);
        document.objects.set(id, object);
      } else if (name === 'volume') {
        object?.builder.startPiece('');
      } else if (name === 'vertex' || name === 'triangle') {
        numbers = {};
      } else if (name === 'constellation') {
        constellation = { id: attributes.get('id') ?? '', name: '', instances: [] };
        checkLimit('the AMF file', limits, 'components', document.objects.size + document.constellations.size + 1);
        document.constellations.set(constellation.id, constellation);
      } else if (name === 'instance') {
        instance = { target: attributes.get('objectid') ?? '', values: {} };
      } else if (name === 'metadata') {
        metadata = attributes.get('type')?.toLowerCase() ?? '';
      }
    },
    text(run) {
      text += run;
    },
    close(name, path) {
      const parent = path.at(-2);
      if (parent === 'coordinates' || parent === 'triangle') numbers[name] = numberOf(text);
      else if (parent === 'instance' && instance !== undefined) instance.values[name] = numberOf(text);
      if (name === 'vertex') {
        object?.builder.vertex(numbers['x'] ?? NaN, numbers['y'] ?? NaN, numbers['z'] ?? NaN);
      } else if (name === 'triangle') {
        object?.builder.triangle(numbers['v1'] ?? -1, numbers['v2'] ?? -1, numbers['v3'] ?? -1);
      } else if (name === 'metadata' && parent === 'amf') {
        document.list.add(metadata === '' ? '' : `${metadata[0].toUpperCase()}${metadata.slice(1)}`, text);
      } else if (name === 'metadata' && metadata === 'name') {
        if (parent === 'object' && object !== undefined) object.name = text.trim();
        else if (parent === 'constellation' && constellation !== undefined) constellation.name = text.trim();
        else if (parent === 'volume') object?.builder.startPiece(text.trim());
      } else if (name === 'instance' && instance !== undefined) {
        constellation?.instances.push(instance);
        checkLimit('the AMF file', limits, 'components', constellation?.instances.length ?? 0);
        instance = undefined;
      } else if (name === 'object' && object !== undefined) {
        trianglesBefore += object.builder.triangleCount;
        object = undefined;
      } else if (name === 'constellation') {
        constellation = undefined;
      }
      text = '';
    },
  });
  if (!complete)
    document.warnings.push(
      warning('FILE_TRUNCATED', 'the AMF file ends before its last element; what came before was kept'),
    );
  return document;
}

/**
 * The constellations and objects that no constellation places. Objects and constellations may refer to each other in
 * any order.
 */
function rootsOf(document: Document, parts: ReadonlyMap<string, Component>, limits: Limits): Component[] {
  const { constellations, objects, unit, warnings } = document;
  let count = 0;
  const assemble = (constellation: Constellation, depth: number): Component => {
    checkLimit('the AMF file', limits, 'depth', depth);
    const children: Component[] = [];
    for (const instance of constellation.instances) {
      checkLimit('the AMF file', limits, 'components', ++count);
      const transform = matrixOf(instance, MILLIMETRES[unit]);
      const { target } = instance;
      const inner = constellations.get(target);
      const child = parts.get(target) ?? (inner === undefined ? undefined : assemble(inner, depth + 1));
      if (child !== undefined) children.push(transform === undefined ? child : { ...child, transform });
      else if (!objects.has(target))
        warnings.push(
          warning(
            'CONTENT_SKIPPED',
            `an instance refers to object ${JSON.stringify(target)}, which is not in the file`,
          ),
        );
    }
    return { name: constellation.name, meshes: [], children };
  };
  const placed = new Set(
    [...constellations.values()].flatMap(({ instances }) => instances.map(({ target }) => target)),
  );
  const roots = [
    ...[...constellations.values()].filter(({ id }) => !placed.has(id)).map((one) => assemble(one, 1)),
    ...[...parts].filter(([id]) => !placed.has(id)).map(([, part]) => part),
  ];
  if (roots.length > 0) return roots;
  // Constellations that place each other in a circle have no root; their objects can still be read.
  warnings.push(
    warning('CONTENT_SKIPPED', 'the constellations place each other in a circle; only their objects were read'),
  );
  return [...parts.values()];
}

function matrixOf({ target, values }: Instance, scale: number): Float64Array | undefined {
  const value = (name: string): number => values[name] ?? 0;
  // ISO/ASTM 52915, 9.1: rotated about x, then y, then z, then translated.
  const matrix = compose(
    translation(value('deltax') * scale, value('deltay') * scale, value('deltaz') * scale),
    rotation(0, 0, 1, value('rz') * DEGREE),
    rotation(0, 1, 0, value('ry') * DEGREE),
    rotation(1, 0, 0, value('rx') * DEGREE),
  );
  if (!isUsable(matrix, FARTHEST_MM)) {
    throw fileMalformed(
      `the placement of object ${JSON.stringify(target)} in the AMF file is not finite or too far away`,
    );
  }
  return isIdentity(matrix) ? undefined : matrix;
}

function unitOf(word: string | undefined, defaultUnit: LengthUnit, warnings: Warning[]): LengthUnit {
  if (word === undefined) return 'mm';
  const unit = Object.hasOwn(UNITS, word.toLowerCase()) ? UNITS[word.toLowerCase()] : undefined;
  if (unit !== undefined) return unit;
  warnings.push(
    warning(
      'UNIT_ASSUMED',
      `the AMF file's unit, ${JSON.stringify(word.slice(0, 40))}, is unknown; ${defaultUnit} was assumed`,
    ),
  );
  return defaultUnit;
}

/** A number in XML text; NaN for anything else. */
function numberOf(text: string): number {
  const trimmed = text.trim();
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : NaN;
}

/** The limits for the rest of the file. */
function limitedBy(limits: Limits, triangles: number): Limits {
  return { ...limits, triangles: Math.max(0, limits.triangles - triangles) };
}
