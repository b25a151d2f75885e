import { checkLimit } from '../../../errors.js';
import type { Limits } from '../../../options.js';
import { FARTHEST_MM } from '../../mesh/model-of-pieces.js';
import { idOf, idsOf, nameOf, Part21Instances, textOf } from './part21-instances.js';
import { StepBodies, type StepBody } from './bodies.js';
import { inverse, millimetresOf, readFrame } from './placements.js';
import { compose, isIdentity, isUsable } from '../../geometry/transforms.js';

/** A product as it is placed in another one, according to the text of a STEP file. */
export interface StepComponent {
  /** The product's name, or its id when it has no name. */
  readonly name: string;
  /** The file's name for this placement of the product; '' when it has none. */
  readonly occurrence: string;
  /** f64[16], column-major, to the parent's frame, mm; undefined for the identity. */
  readonly transform: Float64Array | undefined;
  /** The product's own solids and shells, in its frame. */
  readonly bodies: readonly StepBody[];
  readonly children: readonly StepComponent[];
}

/** Types of instances that make up the product structure. */
const KEYWORDS = [
  'PRODUCT_DEFINITION',
  'PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS',
  'NEXT_ASSEMBLY_USAGE_OCCURRENCE',
  'SHAPE_DEFINITION_REPRESENTATION',
  'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION',
  'SHAPE_REPRESENTATION_RELATIONSHIP',
  'INVISIBILITY',
];

/** A file without any of these words holds one part of solids or of surfaces. */
const SIGNS = ['NEXT_ASSEMBLY_USAGE_OCCURRENCE', 'MAPPED_ITEM', 'INVISIBILITY', 'SURFACE_MODEL'];

/**
 * Reads the product structure of a STEP file (ISO 10303-41, -43, -44; CAx-IF recommended practices): products and their
 * use in each other, by NEXT_ASSEMBLY_USAGE_OCCURRENCE with CONTEXT_DEPENDENT_SHAPE_REPRESENTATION, or by MAPPED_ITEM.
 * Of the geometry only the vertices of bodies are read. Uses that would make a product contain itself are left out.
 * Undefined when no product is used in another, unless a product has construction bodies, see {@link hasConstruction}.
 * @throws EngineError `LIMIT_EXCEEDED` for more components or levels than allowed.
 */
export function readStepStructure(bytes: Uint8Array, limits: Limits): StepComponent | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!SIGNS.some((sign) => text.includes(sign))) return undefined;
  return new StructureReader(new Part21Instances(bytes, KEYWORDS), limits).read();
}

/** Whether the product has hidden bodies or open surfaces beside its visible solids: construction geometry. */
function hasConstruction({ bodies }: StepComponent): boolean {
  return (
    bodies.some(({ isSolid, isHidden }) => isSolid && !isHidden) &&
    bodies.some(({ isSolid, isHidden }) => !isSolid || isHidden)
  );
}

/** A product definition: a version of a product that has a shape or consists of other products. */
interface Definition {
  readonly id: number;
  readonly name: string;
  /** The representations of its shape: first those that the file assigns to it, then those related to them. */
  readonly representations: readonly number[];
  readonly usages: Usage[];
}

/** One product used in another. */
interface Usage {
  readonly child: number;
  readonly occurrence: string;
  readonly transform: Float64Array | undefined;
}

class StructureReader {
  readonly #instances: Part21Instances;
  readonly #bodies: StepBodies;
  readonly #limits: Limits;
  readonly #definitions = new Map<number, Definition>();
  /** The definition whose shape a representation is. */
  readonly #owners = new Map<number, number>();
  readonly #scales = new Map<number, number>();
  #components = 0;

  constructor(instances: Part21Instances, limits: Limits) {
    this.#instances = instances;
    this.#bodies = new StepBodies(instances, readHiddenItems(instances));
    this.#limits = limits;
  }

  read(): StepComponent | undefined {
    this.#readDefinitions();
    const placed = this.#readOccurrences();
    for (const definition of this.#definitions.values()) this.#readMappedItems(definition, placed);
    const used = new Set([...this.#definitions.values()].flatMap(({ usages }) => usages.map(({ child }) => child)));
    const roots = [...this.#definitions.values()].filter(
      ({ id, usages, representations }) => !used.has(id) && (usages.length > 0 || representations.length > 0),
    );
    const components = roots
      .map(({ id }) => this.#component({ child: id, occurrence: '', transform: undefined }, []))
      .filter((component) => component !== undefined);
    const shaped = components.filter(({ bodies, children }) => bodies.length + children.length > 0);
    if (used.size === 0 && !shaped.some(hasConstruction)) return undefined;
    return shaped.length <= 1
      ? shaped[0]
      : { name: '', occurrence: '', transform: undefined, bodies: [], children: shaped };
  }

  #readDefinitions(): void {
    const ownShapes = new Map<number, number[]>();
    for (const id of this.#instances.listed('SHAPE_DEFINITION_REPRESENTATION')) {
      const [property, representation] = this.#instances.arguments(id, 'SHAPE_DEFINITION_REPRESENTATION');
      const definition = idOf(this.#instances.arguments(idOf(property), 'PRODUCT_DEFINITION_SHAPE')[2]);
      const shape = idOf(representation);
      if (definition === undefined || shape === undefined) continue;
      ownShapes.set(definition, [...(ownShapes.get(definition) ?? []), shape]);
      if (!this.#owners.has(shape)) this.#owners.set(shape, definition);
    }
    const related = this.#related();
    for (const keyword of KEYWORDS.slice(0, 2)) {
      for (const id of this.#instances.listed(keyword)) {
        const formation = this.#instances.read(idOf(this.#instances.arguments(id, keyword)[2]) ?? -1);
        const product = idOf(formation === undefined ? undefined : [...formation.values()][0]?.[2]);
        const [productId, name] = this.#instances.arguments(product, 'PRODUCT');
        this.#definitions.set(id, {
          id,
          name: nameOf(name) || nameOf(productId),
          representations: this.#closure(id, ownShapes.get(id) ?? [], related),
          usages: [],
        });
      }
    }
  }

  /** Pairs of representations of the same shape in the same frame. */
  #related(): Map<number, number[]> {
    const related = new Map<number, number[]>();
    for (const id of this.#instances.listed('SHAPE_REPRESENTATION_RELATIONSHIP')) {
      const [, , one, other] = this.#instances.arguments(id, 'SHAPE_REPRESENTATION_RELATIONSHIP').map(idOf);
      if (one === undefined || other === undefined) continue;
      related.set(one, [...(related.get(one) ?? []), other]);
      related.set(other, [...(related.get(other) ?? []), one]);
    }
    return related;
  }

  #closure(definition: number, first: readonly number[], related: ReadonlyMap<number, readonly number[]>): number[] {
    const found = new Set(first);
    for (const representation of found) {
      for (const next of related.get(representation) ?? []) {
        // A representation that is another product's shape does not belong to this one.
        if ((this.#owners.get(next) ?? definition) === definition) found.add(next);
      }
    }
    for (const representation of found) this.#owners.set(representation, definition);
    return [...found];
  }

  /** Reads uses by NEXT_ASSEMBLY_USAGE_OCCURRENCE; returns those that have a placement, as `parent child`. */
  #readOccurrences(): ReadonlySet<string> {
    const relations = new Map<number, number>();
    for (const id of this.#instances.listed('CONTEXT_DEPENDENT_SHAPE_REPRESENTATION')) {
      const [relation, property] = this.#instances.arguments(id, 'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION').map(idOf);
      const occurrence = idOf(this.#instances.arguments(property, 'PRODUCT_DEFINITION_SHAPE')[2]);
      if (relation !== undefined && occurrence !== undefined && !relations.has(occurrence))
        relations.set(occurrence, relation);
    }
    const placed = new Set<string>();
    const loose: { parent: Definition; usage: Usage }[] = [];
    for (const id of this.#instances.listed('NEXT_ASSEMBLY_USAGE_OCCURRENCE')) {
      const [, name, , relating, relatedTo, designator] = this.#instances.arguments(
        id,
        'NEXT_ASSEMBLY_USAGE_OCCURRENCE',
      );
      const parent = this.#definitions.get(idOf(relating) ?? -1);
      const child = this.#definitions.get(idOf(relatedTo) ?? -1);
      if (parent === undefined || child === undefined) continue;
      const relation = relations.get(id);
      const occurrence = textOf(name) || textOf(designator);
      if (relation === undefined) loose.push({ parent, usage: { child: child.id, occurrence, transform: undefined } });
      else {
        placed.add(`${parent.id} ${child.id}`);
        parent.usages.push({
          child: child.id,
          occurrence,
          transform: this.#relationTransform(relation, parent, child),
        });
      }
    }
    // A use without a placement puts the child's origin on the parent's, unless a mapped item places it.
    for (const { parent, usage } of loose) {
      if (!placed.has(`${parent.id} ${usage.child}`) && !this.#maps(parent, usage.child)) parent.usages.push(usage);
    }
    return placed;
  }

  /** The child's placement in the parent, from a relation of representations. */
  #relationTransform(relation: number, parent: Definition, child: Definition): Float64Array | undefined {
    const types = this.#instances.read(relation);
    const [, , first, second] = (
      types?.get('REPRESENTATION_RELATIONSHIP') ??
      types?.get('SHAPE_REPRESENTATION_RELATIONSHIP') ??
      []
    ).map(idOf);
    const transformation = idOf(types?.get('REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION')?.at(-1));
    const items = this.#instances.arguments(transformation, 'ITEM_DEFINED_TRANSFORMATION');
    let [from, to] = [idOf(items[2]), idOf(items[3])];
    if (from === undefined || to === undefined) return undefined;
    // By the standard, the child's representation and its item come first. Some writers swap both pairs, some only one.
    const turned =
      first !== undefined &&
      parent.representations.includes(first) &&
      second !== undefined &&
      child.representations.includes(second);
    const [inChild, inParent] = turned ? [second, first] : [first, second];
    if (turned) [from, to] = [to, from];
    const isItem = (item: number | undefined, representation: number | undefined): boolean =>
      item !== undefined && this.#items(representation).includes(item);
    if (!(isItem(from, inChild) && isItem(to, inParent)) && isItem(to, inChild) && isItem(from, inParent))
      [from, to] = [to, from];
    return this.#between(from!, this.#scaleOf(inChild), to!, this.#scaleOf(inParent));
  }

  /** The transform that puts the frame `from` onto the frame `to`. */
  #between(from: number, fromScale: number, to: number, toScale: number): Float64Array | undefined {
    const origin = readFrame(this.#instances, from, fromScale);
    const target = readFrame(this.#instances, to, toScale);
    const back = origin && inverse(origin);
    if (target === undefined || back === undefined) return undefined;
    const transform = compose(target, back);
    return isUsable(transform, FARTHEST_MM) && !isIdentity(transform) ? transform : undefined;
  }

  #maps(parent: Definition, child: number): boolean {
    return this.#mappedItems(parent).some(({ owner }) => owner === child);
  }

  /** Adds uses by MAPPED_ITEM, where no occurrence already places the same product in the same parent. */
  #readMappedItems(parent: Definition, placed: ReadonlySet<string>): void {
    for (const { owner, transform } of this.#mappedItems(parent)) {
      if (owner !== parent.id && !placed.has(`${parent.id} ${owner}`))
        parent.usages.push({ child: owner, occurrence: '', transform });
    }
  }

  /** The products whose shapes are mapped into the parent's shape. */
  #mappedItems(parent: Definition): { owner: number; transform: Float64Array | undefined }[] {
    return parent.representations.flatMap((representation) =>
      this.#items(representation).flatMap((item) => {
        const [, source, target] = this.#instances.arguments(item, 'MAPPED_ITEM').map(idOf);
        const [origin, mapped] = this.#instances.arguments(source, 'REPRESENTATION_MAP').map(idOf);
        const owner = mapped === undefined ? undefined : this.#owners.get(mapped);
        if (owner === undefined || !this.#definitions.has(owner) || origin === undefined || target === undefined)
          return [];
        return [
          { owner, transform: this.#between(origin, this.#scaleOf(mapped), target, this.#scaleOf(representation)) },
        ];
      }),
    );
  }

  /** A use with everything below it; undefined when it would contain itself. */
  #component({ child, occurrence, transform }: Usage, above: readonly number[]): StepComponent | undefined {
    const definition = this.#definitions.get(child);
    if (definition === undefined || above.includes(child)) return undefined;
    checkLimit('the product structure', this.#limits, 'depth', above.length);
    checkLimit('the product structure', this.#limits, 'components', ++this.#components);
    const path = [...above, child];
    const bodies = definition.representations.flatMap((representation) =>
      this.#bodies.of(this.#items(representation), this.#scaleOf(representation)),
    );
    const children = definition.usages
      .map((usage) => this.#component(usage, path))
      .filter((component) => component !== undefined);
    return { name: definition.name, occurrence, transform, bodies, children };
  }

  /** Millimetres per unit of a representation's coordinates. */
  #scaleOf(representation: number | undefined): number {
    if (representation === undefined) return 1;
    let scale = this.#scales.get(representation);
    if (scale === undefined) {
      this.#scales.set(representation, (scale = millimetresOf(this.#instances, this.#bodies.context(representation))));
    }
    return scale;
  }

  #items(representation: number | undefined): readonly number[] {
    return representation === undefined ? [] : this.#bodies.items(representation);
  }
}

/** Most items that are examined. */
const ITEMS = 1_000_000;

/**
 * Instance numbers of the geometric items that a STEP file hides (ISO 10303-46, INVISIBILITY): through a styled item, a
 * layer, or a whole representation. CAD programs hide construction geometry this way: tool bodies, extracted surfaces,
 * reference planes.
 */
function readHiddenItems(instances: Part21Instances): ReadonlySet<number> {
  const hidden = new Set<number>();
  let visits = 0;
  const hide = (id: number, isInLayer: boolean): void => {
    if (++visits > ITEMS) return;
    const instance = instances.read(id);
    if (instance === undefined) return;
    const layer = instance.get('PRESENTATION_LAYER_ASSIGNMENT');
    const style = instance.get('STYLED_ITEM') ?? instance.get('OVER_RIDING_STYLED_ITEM');
    // In a complex instance, an over-riding styled item names its item at the end of its part STYLED_ITEM.
    if (layer !== undefined && !isInLayer) for (const item of idsOf(layer[2])) hide(item, true);
    else if (style !== undefined) add(idOf(style.length > 2 ? style[2] : style.at(-1)));
    else if (isInLayer) add(id);
    else for (const item of idsOf([...instance.values()].find((list) => list.length === 3)?.[1])) add(item);
  };
  const add = (id: number | undefined): void => {
    if (id !== undefined) hidden.add(id);
  };
  for (const id of instances.listed('INVISIBILITY')) {
    for (const item of idsOf(instances.read(id)?.get('INVISIBILITY')?.[0])) hide(item, false);
  }
  return hidden;
}
