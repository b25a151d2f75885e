import type { Component, Mesh } from '../../../content/model.js';
import type { OcctMesh, OcctNode } from '../occt-kernel.js';
import { inverse, placed } from './placements.js';
import type { StepBody } from './bodies.js';
import type { StepComponent } from './product-structure.js';
import { compose, identity } from '../../geometry/transforms.js';
import { weld } from '../../mesh/weld.js';
import { determinant } from '../../../content/matrix.js';
import { boxOf, diagonalOf, type Box } from '../../../content/boxes.js';

/** The kernel's meshes, placed in the product structure. */
export interface MatchedMeshes {
  readonly root: Component;
  /** Each in its component's frame, mm. */
  readonly meshes: readonly Mesh[];
  /** Number of degenerate triangles left out of these meshes. */
  readonly dropped: number;
  /** Number of visible bodies in the structure without a mesh. */
  readonly missing: number;
  /** Number of bodies left out as construction geometry, see {@link materialOf}. */
  readonly leftOut: number;
  /** Number of meshes without a body; they were added below the root. */
  readonly loose: number;
}

/**
 * Turns a mesh of the kernel with moved positions into a mesh of the model. mirrored: flips the triangles' orientation.
 */
export type ReadMesh = (
  mesh: OcctMesh,
  positions: Float64Array,
  options: { readonly name: string; readonly mirrored: boolean },
) => { readonly mesh: Mesh; readonly dropped: number };

/**
 * Largest distance between a vertex of the text and the mesh's vertex, as a fraction of the mesh's diagonal. The kernel
 * moves vertices when it heals edges.
 */
const VERTEX_TOLERANCE = 1e-4;
/** Least fraction of a body's sampled vertices that must be vertices of the mesh. */
const VERTICES_FOUND = 0.8;
/** Largest distance between corresponding vertices of two instances of one mesh, as a fraction of the diagonal. */
const SAME_TOLERANCE = 1e-7;
/** Most comparisons of a body with a mesh, over all bodies. */
const COMPARISONS = 50_000_000;

/** A body at one place in the structure, and the mesh found for it. */
interface Slot {
  readonly body: StepBody;
  readonly world: Float64Array;
  mesh?: number;
}

/**
 * Places the kernel's meshes in the product structure; the kernel returns them with all placements applied and below
 * wrong parents. Structure and kernel tree are traversed in the same order, in which they usually agree. A mesh matches
 * a body only when the body's vertices, placed, are vertices of the mesh. Meshes of one body that coincide once their
 * placements are undone become one shared mesh. Construction bodies are left out. Undefined when no mesh matches a
 * body.
 */
export function matchMeshes(
  structure: StepComponent,
  kernel: { readonly root: OcctNode; readonly meshes: readonly OcctMesh[] },
  readMesh: ReadMesh,
): MatchedMeshes | undefined {
  const order = meshOrder(kernel.root).filter((index) => kernel.meshes[index].index.array.length > 0);
  const slots = new Map<StepComponent, Slot[]>();
  const all = listSlots(structure, slots);
  const matched = new MeshMatcher(order.map((index) => kernel.meshes[index])).find(all);
  if (matched === 0) return undefined;

  const shared = new SharedMeshes(readMesh);
  const leftOut = new Set<number>();
  const build = (component: StepComponent): Component => {
    const found = (slots.get(component) ?? []).filter(({ mesh }) => mesh !== undefined);
    const here = materialOf(found, ({ mesh }) => isOpen(kernel.meshes[order[mesh!]]));
    for (const slot of found) if (!here.includes(slot)) leftOut.add(slot.body.id);
    const meshes = here.map((slot) =>
      shared.place(
        slot,
        kernel.meshes[order[slot.mesh!]],
        here.length > 1 ? slot.body.name || component.name : component.name,
      ),
    );
    return {
      name: component.name,
      ...(component.occurrence === '' || component.occurrence === component.name
        ? {}
        : { occurrence: component.occurrence }),
      ...(component.transform === undefined ? {} : { transform: component.transform }),
      meshes,
      children: component.children.map(build),
    };
  };
  const root = build(structure);
  const used = new Set(all.map(({ mesh }) => mesh));
  const loose = order
    .filter((_, i) => !used.has(i))
    .map((index): Component => {
      const mesh = kernel.meshes[index];
      return { name: mesh.name, meshes: [shared.add(mesh, identity(), mesh.name)], children: [] };
    });
  return {
    root: loose.length === 0 ? root : { ...root, children: [...root.children, ...loose] },
    meshes: shared.meshes,
    dropped: shared.dropped,
    missing: all.filter(({ body, mesh }) => mesh === undefined && !body.isHidden).length,
    leftOut: leftOut.size,
    loose: loose.length,
  };
}

/**
 * The bodies that a product consists of. Hidden bodies beside a visible one, and open surfaces beside a visible solid,
 * are construction geometry without volume. When there is no visible body, all count.
 */
function materialOf(slots: readonly Slot[], isOpenSurface: (slot: Slot) => boolean): readonly Slot[] {
  const visible = slots.filter(({ body }) => !body.isHidden);
  if (visible.length === 0) return slots;
  return visible.some(({ body }) => body.isSolid)
    ? visible.filter((slot) => slot.body.isSolid || !isOpenSurface(slot))
    : visible;
}

/** Whether any edge of the welded mesh has a number of triangles other than two. */
function isOpen(kernel: OcctMesh): boolean {
  const { indices } = weld(new Float64Array(kernel.attributes.position.array), new Uint32Array(kernel.index.array));
  const edges = new Map<number, number>();
  const vertexCount = kernel.attributes.position.array.length / 3;
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i],
      b = indices[i % 3 === 2 ? i - 2 : i + 1];
    const edge = Math.min(a, b) * vertexCount + Math.max(a, b);
    edges.set(edge, (edges.get(edge) ?? 0) + 1);
  }
  return [...edges.values()].some((count) => count !== 2);
}

/** Indices of the kernel's meshes in the order of its tree. */
function meshOrder(root: OcctNode): number[] {
  const order: number[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const mesh of node.meshes) order.push(mesh);
    for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]);
  }
  return order;
}

/** Every body at every place, in the kernel's order: children before the product's own bodies. */
function listSlots(structure: StepComponent, slots: Map<StepComponent, Slot[]>): Slot[] {
  const all: Slot[] = [];
  const walk = (component: StepComponent, above: Float64Array): void => {
    const world = component.transform === undefined ? above : compose(above, component.transform);
    for (const child of component.children) walk(child, world);
    const own = component.bodies.map((body): Slot => ({ body, world }));
    slots.set(component, own);
    for (const slot of own) all.push(slot);
  };
  walk(structure, identity());
  return all;
}

/** Finds the mesh of every slot; a mesh is assigned once. */
class MeshMatcher {
  readonly #meshes: readonly OcctMesh[];
  readonly #boxes: readonly Box[];
  readonly #free: Set<number>;
  #comparisons = 0;

  constructor(meshes: readonly OcctMesh[]) {
    this.#meshes = meshes;
    this.#boxes = meshes.map((mesh) => boxOf(mesh.attributes.position.array));
    this.#free = new Set(meshes.keys());
  }

  /** Assigns meshes to slots; returns the number of slots that have one. */
  find(slots: readonly Slot[]): number {
    // A small body may share all its vertices with a large one, so meshes with the body's number of faces come first.
    const matched = this.#pass(slots, true) + this.#pass(slots, false);
    // Bodies without vertices, such as a full sphere, take the remaining meshes when the numbers agree.
    const unknown = slots.filter(({ body, mesh }) => mesh === undefined && body.points.length === 0);
    if (matched + unknown.length !== slots.length || unknown.length !== this.#free.size) return matched;
    for (const [i, index] of [...this.#free].entries()) unknown[i].mesh = index;
    return matched + unknown.length;
  }

  #pass(slots: readonly Slot[], sameFaces: boolean): number {
    let next = 0;
    let matched = 0;
    for (const slot of slots) {
      if (slot.mesh !== undefined) next = slot.mesh + 1;
      if (slot.mesh !== undefined || slot.body.points.length === 0) continue;
      const found = this.#search(
        placed(slot.body.points, slot.world),
        next,
        sameFaces ? slot.body.faceCount : undefined,
      );
      if (found === undefined) continue;
      slot.mesh = found;
      this.#free.delete(found);
      next = found + 1;
      matched++;
    }
    return matched;
  }

  /** The expected mesh, or else the first free one that contains the points. */
  #search(points: Float64Array, expected: number, faceCount: number | undefined): number | undefined {
    const box = boxOf(points);
    const hasFaces = (index: number): boolean =>
      faceCount === undefined || this.#meshes[index].brep_faces.length === faceCount;
    if (this.#free.has(expected) && hasFaces(expected) && this.#fits(points, box, expected)) return expected;
    for (const index of this.#free) {
      if (++this.#comparisons > COMPARISONS) return undefined;
      if (index !== expected && hasFaces(index) && this.#fits(points, box, index)) return index;
    }
    return undefined;
  }

  #fits(points: Float64Array, { low, high }: Box, index: number): boolean {
    const box = this.#boxes[index];
    const tolerance = VERTEX_TOLERANCE * diagonalOf(box);
    for (let axis = 0; axis < 3; axis++) {
      if (low[axis] < box.low[axis] - tolerance || high[axis] > box.high[axis] + tolerance) return false;
    }
    const vertices = this.#meshes[index].attributes.position.array;
    const count = points.length / 3;
    let missed = 0;
    for (let i = 0; i < count; i++) {
      this.#comparisons += vertices.length / 300;
      if (
        !hasVertex(vertices, points[3 * i], points[3 * i + 1], points[3 * i + 2], tolerance) &&
        ++missed > (1 - VERTICES_FOUND) * count
      )
        return false;
    }
    return true;
  }
}

function hasVertex(vertices: ArrayLike<number>, x: number, y: number, z: number, tolerance: number): boolean {
  for (let i = 0; i < vertices.length; i += 3) {
    if (
      Math.abs(vertices[i] - x) <= tolerance &&
      Math.abs(vertices[i + 1] - y) <= tolerance &&
      Math.abs(vertices[i + 2] - z) <= tolerance
    )
      return true;
  }
  return false;
}

/** The meshes of the model; a mesh that a body gives at several places is kept once. */
class SharedMeshes {
  readonly meshes: Mesh[] = [];
  dropped = 0;
  readonly #readMesh: ReadMesh;
  readonly #ofBody = new Map<
    number,
    {
      readonly place: number;
      readonly positions: Float64Array;
      readonly kernel: OcctMesh;
      readonly mirrored: boolean;
    }[]
  >();

  constructor(readMesh: ReadMesh) {
    this.#readMesh = readMesh;
  }

  /** Index in `meshes` of a body's mesh in its own frame. */
  place({ body, world }: Slot, kernel: OcctMesh, name: string): number {
    const mirrored = determinant(world) < 0;
    const back = inverse(world) ?? identity();
    const positions = placed(kernel.attributes.position.array, back);
    const known = this.#ofBody.get(body.id) ?? [];
    const same = known.find(
      (other) => other.mirrored === mirrored && isSame(other.positions, positions) && looksSame(other.kernel, kernel),
    );
    if (same !== undefined) return same.place;
    const place = this.#keep(kernel, positions, { name, mirrored });
    this.#ofBody.set(body.id, [...known, { place, positions, kernel, mirrored }]);
    return place;
  }

  /** Adds a mesh without sharing; returns its index in `meshes`. */
  add(kernel: OcctMesh, world: Float64Array, name: string): number {
    return this.#keep(kernel, placed(kernel.attributes.position.array, world), { name, mirrored: false });
  }

  #keep(kernel: OcctMesh, positions: Float64Array, options: { name: string; mirrored: boolean }): number {
    const { mesh, dropped } = this.#readMesh(kernel, positions, options);
    this.dropped += dropped;
    this.meshes.push(mesh);
    return this.meshes.length - 1;
  }
}

function isSame(one: Float64Array, other: Float64Array): boolean {
  if (one.length !== other.length) return false;
  const tolerance = SAME_TOLERANCE * diagonalOf(boxOf(one));
  return one.every((value, i) => Math.abs(value - other[i]) <= tolerance);
}

/** Whether two meshes have the same triangles in the same colours. */
function looksSame(one: OcctMesh, other: OcctMesh): boolean {
  const a = one.index.array,
    b = other.index.array;
  return (
    a.length === b.length &&
    a.every((value, i) => value === b[i]) &&
    String(one.color) === String(other.color) &&
    one.brep_faces.length === other.brep_faces.length &&
    one.brep_faces.every(({ color }, i) => String(color) === String(other.brep_faces[i].color))
  );
}
