import type { Edge, EdgeUse, ExactShape, Face, Solid, Vertex } from '../../content/exact-shape.js';
import { limitExceeded } from '../../errors.js';
import { curveOnSurface, sidesOf } from './bounds.js';
import { curvesOf, notSupported, PartBudget, curveOf } from './curves.js';
import { countAt, IgesFile, malformed, numberAt, numbersAt, pointAt, type IgesEntity } from './entities.js';
import { FaceLoops, isPlace, type LoopCurve } from './loops.js';
import { composed, PLACED_AS_WRITTEN, placedBy, pointIn, scaledPlacement, type Placement } from './placement.js';
import { surfaceOf, type PlacedSurface } from './surfaces.js';

/**
 * Largest file whose exact shape is read, bytes: its text and the shape together take about twenty times as much
 * memory.
 */
const MOST_BYTES = 64 * 1024 ** 2;
/** Surface types that count as faces when no other entity uses them. */
const SURFACES = new Set([118, 120, 122, 128]);
/** Types of faces and bodies. */
const BODIES = new Set([108, 143, 144, 186, 408, 514]);
/**
 * Types of faces or bodies that are not supported: parametric and offset surfaces, primitives and their boolean
 * combinations, arrays, external files.
 */
const OTHER_SHAPES = new Set([
  114, 140, 150, 152, 154, 156, 158, 160, 162, 164, 168, 180, 182, 184, 412, 414, 416, 430,
]);

/**
 * Reads the bodies and faces of an IGES file (IGES 5.3, fixed ASCII format) with their exact curves and surfaces, mm:
 * B-rep solids (186), shells (514), trimmed and bounded surfaces (144, 143), bounded planes, free-standing surfaces,
 * placed instances (408). Free-standing curves, points and notes are left out.
 * @throws EngineError `FORMAT_UNSUPPORTED` when part of the shape is not supported, `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export function readIgesShape(bytes: Uint8Array, mostEntities: number): ExactShape {
  if (bytes.length > MOST_BYTES) throw limitExceeded('the IGES file', 'exactBytes', MOST_BYTES, bytes.length);
  return new ShapeReader(new IgesFile(bytes, mostEntities)).read();
}

class ShapeReader {
  readonly #file: IgesFile;
  readonly #budget = new PartBudget();
  readonly #solids: Solid[] = [];
  readonly #sheets = new Map<string, Face[]>();
  /** The group (type 402) that holds an entity. */
  readonly #groups = new Map<number, number>();
  /** Number of instances so far, and the one being read (0: none). The faces of each instance form their own groups. */
  #instances = 0;
  #instance = 0;

  constructor(file: IgesFile) {
    this.#file = file;
  }

  read(): ExactShape {
    const file = this.#file;
    const used = new Set<number>(),
      instanced = new Set<number>();
    for (const sequence of file.sequences) {
      const type = file.typeOf(sequence)!;
      if (OTHER_SHAPES.has(type)) throw notSupported(`an entity of type ${type}`);
      if (type === 402) this.#noteGroup(file.entity(sequence));
      else if (type === 308) membersOf(file.entity(sequence)).forEach((member) => instanced.add(member));
      else if ((type >= 140 && type <= 144) || type === 186 || type === 510 || type === 514)
        partsOf(file.entity(sequence)).forEach((part) => used.add(part));
    }
    const placement = scaledPlacement(file.unitMm);
    for (const sequence of file.sequences) {
      if (!used.has(sequence) && !instanced.has(sequence)) this.#add(sequence, placement, used, 0);
    }
    if (this.#solids.length === 0 && this.#sheets.size === 0) throw notSupported('no faces');
    return { solids: this.#solids, sheets: [...this.#sheets.values()], resolutionMm: file.resolutionMm };
  }

  /**
   * Type 402, forms 1, 7, 14 and 15: writers put the faces of one body into a group. The first group of an entity
   * counts.
   */
  #noteGroup(entity: IgesEntity): void {
    if (![1, 7, 14, 15].includes(entity.form)) return;
    for (let i = countAt(entity, 0); i > 0; i--) {
      const member = numberAt(entity, i);
      if (!this.#groups.has(member)) this.#groups.set(member, entity.sequence);
    }
  }

  #addFaces(sequence: number, faces: readonly Face[]): void {
    const key = `${this.#instance} ${this.#groups.get(sequence) ?? 0}`;
    const sheet = this.#sheets.get(key);
    if (sheet === undefined) this.#sheets.set(key, [...faces]);
    else sheet.push(...faces);
  }

  #add(sequence: number, outer: Placement, used: ReadonlySet<number>, depth: number): void {
    const file = this.#file;
    const type = file.typeOf(sequence);
    if (type === undefined) throw malformed(`there is no directory entry ${sequence}`);
    if (!SURFACES.has(type) && !BODIES.has(type)) return;
    this.#budget.take();
    const entity = file.entity(sequence);
    const placement = placedBy(file, entity.transform, outer);
    if (type === 408) this.#addInstance(entity, outer, used, depth);
    else if (type === 186) this.#solids.push(this.#solid(entity, placement));
    else if (type === 514)
      this.#addFaces(sequence, this.#shell(entity, placement, new BodyEdges(file, this.#budget), true));
    else if (type === 144) this.#addFaces(sequence, [this.#trimmed(entity, placement)]);
    else if (type === 143) this.#addFaces(sequence, [this.#bounded(entity, placement)]);
    // Planes without a boundary are construction geometry without area.
    else if (type === 108) this.#addPlane(entity, outer);
    else this.#addSurface(sequence, outer);
  }

  /**
   * Type 408: definition, translation, scale. The translation is in the outer frame: the instance's own matrix is
   * applied before it.
   */
  #addInstance(entity: IgesEntity, outer: Placement, used: ReadonlySet<number>, depth: number): void {
    this.#budget.enter(depth);
    const definition = this.#file.expect(
      numberAt(entity, 0),
      308,
      `the instance at ${entity.sequence} points to an entity`,
    );
    const scale = numberAt(entity, 4, 1);
    if (!(scale > 0)) throw malformed(`the instance at ${entity.sequence} has a scale of ${scale}`);
    const moved = composed(
      outer,
      scaledPlacement(1, { x: numberAt(entity, 1, 0), y: numberAt(entity, 2, 0), z: numberAt(entity, 3, 0) }),
    );
    const placed = placedBy(
      this.#file,
      definition.transform,
      composed(placedBy(this.#file, entity.transform, moved), scaledPlacement(scale)),
    );
    const around = this.#instance;
    this.#instance = ++this.#instances;
    for (const member of membersOf(definition)) {
      if (!used.has(member)) this.#add(member, placed, used, depth + 1);
    }
    this.#instance = around;
  }

  #addPlane(entity: IgesEntity, outer: Placement): void {
    const boundary = numberAt(entity, 4, 0);
    if (boundary === 0 || entity.form === 0) return;
    if (entity.form !== 1) throw notSupported(`a plane (type 108) of form ${entity.form}`);
    const placed = surfaceOf(this.#file, entity.sequence, outer, this.#budget);
    const curves = curvesOf(this.#file, boundary, placedBy(this.#file, entity.transform, outer), this.#budget);
    this.#addFaces(entity.sequence, [this.#face(placed, [curves.map((curve) => ({ curve }))])]);
  }

  #addSurface(sequence: number, outer: Placement): void {
    const placed = surfaceOf(this.#file, sequence, outer, this.#budget);
    this.#addFaces(sequence, [this.#face(placed, [sidesOf(placed)])]);
  }

  /**
   * Type 144: surface; flag, 0 when the outer boundary is the surface's own; number of inner boundaries; the outer
   * boundary; the inner ones. Boundaries are of type 142.
   */
  #trimmed(entity: IgesEntity, placement: Placement): Face {
    const placed = surfaceOf(this.#file, numberAt(entity, 0), placement, this.#budget);
    const hasOuter = numberAt(entity, 1) !== 0;
    const inner = numbersAt(entity, 4, countAt(entity, 2));
    const boundary = (sequence: number): LoopCurve[] => this.#curveOnSurface(placed, sequence, placement);
    return this.#face(placed, [hasOuter ? boundary(numberAt(entity, 3)) : sidesOf(placed), ...inner.map(boundary)]);
  }

  /**
   * Type 142: how it was made, surface, curve in parameter space, curve in space, preference. The curve in space is
   * used when there is one.
   */
  #curveOnSurface(placed: PlacedSurface, sequence: number, outer: Placement): LoopCurve[] {
    const file = this.#file;
    const entity = file.expect(sequence, 142, 'a trimmed surface has a boundary');
    const inSpace = numberAt(entity, 3, 0);
    if (inSpace !== 0)
      return curvesOf(file, inSpace, placedBy(file, entity.transform, outer), this.#budget).map((curve) => ({ curve }));
    return this.#fromParameters(placed, numberAt(entity, 2));
  }

  #fromParameters(placed: PlacedSurface, sequence: number): LoopCurve[] {
    return curvesOf(this.#file, sequence, PLACED_AS_WRITTEN, this.#budget).map((curve) => ({
      curve: curveOnSurface(placed, curve),
      forward: true,
    }));
  }

  /** Type 143: whether parameter-space curves are given; surface; boundaries of type 141. */
  #bounded(entity: IgesEntity, placement: Placement): Face {
    const placed = surfaceOf(this.#file, numberAt(entity, 1), placement, this.#budget);
    const loops = Array.from({ length: countAt(entity, 2) }, (_, i) => {
      const boundary = this.#file.expect(numberAt(entity, 3 + i), 141, 'a bounded surface has a boundary');
      const place = placedBy(this.#file, boundary.transform, placement);
      const curves: LoopCurve[] = [];
      let at = 4;
      for (let left = countAt(boundary, 3); left > 0; left--) {
        const isReversed = numberAt(boundary, at + 1) === 2;
        const own = curvesOf(this.#file, numberAt(boundary, at), place, this.#budget).map((curve) => ({
          curve,
          forward: !isReversed,
        }));
        for (const curve of isReversed ? own.toReversed() : own) curves.push(curve);
        at += 3 + countAt(boundary, at + 2);
      }
      return curves;
    });
    return this.#face(placed, loops.length === 0 ? [sidesOf(placed)] : loops);
  }

  #face({ surface, sameSense }: PlacedSurface, boundaries: readonly (readonly LoopCurve[])[]): Face {
    this.#budget.take();
    const builder = new FaceLoops(this.#file.resolutionMm);
    const loops = boundaries.map((boundary) => builder.loop(boundary)).filter((loop) => loop.length > 0);
    if (loops.length === 0) throw notSupported('a face whose boundary is a single point');
    return { surface, sameSense, loops };
  }

  /** Type 186: outer shell and its orientation flag, then the same for the shell of each cavity. */
  #solid(entity: IgesEntity, placement: Placement): Solid {
    const edges = new BodyEdges(this.#file, this.#budget);
    const voids = countAt(entity, 2);
    const shells = [0, ...Array.from({ length: voids }, (_, i) => 3 + 2 * i)].map((at) => {
      const shell = this.#file.expect(numberAt(entity, at), 514, 'a solid has a shell');
      return this.#shell(
        shell,
        placedBy(this.#file, shell.transform, placement),
        edges,
        numberAt(entity, at + 1) !== 0,
      );
    });
    return { shells };
  }

  /** Type 514: faces, each with an orientation flag. */
  #shell(entity: IgesEntity, placement: Placement, edges: BodyEdges, isForward: boolean): Face[] {
    return Array.from({ length: countAt(entity, 0) }, (_, i) => {
      const face = this.#file.expect(numberAt(entity, 1 + 2 * i), 510, 'a shell has a face');
      return this.#shellFace(
        face,
        placedBy(this.#file, face.transform, placement),
        edges,
        (numberAt(entity, 2 + 2 * i) !== 0) === isForward,
      );
    });
  }

  /** Type 510: surface, loops, whether the first loop is the outer one. Reversing a face reverses its loops. */
  #shellFace(entity: IgesEntity, placement: Placement, edges: BodyEdges, isForward: boolean): Face {
    this.#budget.take();
    const { surface, sameSense } = surfaceOf(this.#file, numberAt(entity, 0), placement, this.#budget);
    const loops = Array.from({ length: countAt(entity, 1) }, (_, i) =>
      edges.loop(numberAt(entity, 3 + i), placement),
    ).filter((loop) => loop.length > 0);
    if (loops.length === 0) throw notSupported('a face (type 510) without edges');
    const turned = isForward
      ? loops
      : loops.map((loop) => loop.map(({ edge, forward }) => ({ edge, forward: !forward })).reverse());
    return { surface, sameSense: sameSense === isForward, loops: turned };
  }
}

/** The edges (504) and vertices (502) of one body, each made once. */
class BodyEdges {
  readonly #file: IgesFile;
  readonly #budget: PartBudget;
  readonly #edges = new Map<string, Edge | undefined>();
  readonly #vertices = new Map<string, Vertex>();

  constructor(file: IgesFile, budget: PartBudget) {
    this.#file = file;
    this.#budget = budget;
  }

  /**
   * Type 508: for each edge its kind (1: a vertex, where a surface ends in a tip), list, index in the list,
   * orientation, and parameter-space curves.
   */
  loop(sequence: number, placement: Placement): EdgeUse[] {
    const loop = this.#file.expect(sequence, 508, 'a face has a loop');
    const uses: EdgeUse[] = [];
    let at = 1;
    for (let left = countAt(loop, 0); left > 0; left--) {
      if (numberAt(loop, at) === 0) {
        const edge = this.#edge(numberAt(loop, at + 1), numberAt(loop, at + 2), placement);
        if (edge !== undefined) uses.push({ edge, forward: numberAt(loop, at + 3) !== 0 });
      }
      at += 5 + 2 * countAt(loop, at + 4);
    }
    return uses;
  }

  #edge(list: number, index: number, placement: Placement): Edge | undefined {
    const key = `${list} ${index}`;
    if (this.#edges.has(key)) return this.#edges.get(key);
    const entity = this.#list(list, 504, index, 'edge');
    const from = 1 + 5 * (index - 1);
    const place = placedBy(this.#file, entity.transform, placement);
    const curve = curveOf(this.#file, numberAt(entity, from), place, this.#budget);
    const vertex = (at: number): Vertex => this.#vertex(numberAt(entity, at), numberAt(entity, at + 1), placement);
    const edge = isPlace(curve) ? undefined : { curve, start: vertex(from + 1), end: vertex(from + 3) };
    this.#edges.set(key, edge);
    return edge;
  }

  /** A list of edges or vertices that has one of this index. */
  #list(sequence: number, type: number, index: number, what: string): IgesEntity {
    const entity = this.#file.expect(sequence, type, `a list of ${what} is an entity`);
    if (!Number.isInteger(index) || index < 1 || index > countAt(entity, 0))
      throw malformed(`there is no ${what} ${index} at ${sequence}`);
    return entity;
  }

  #vertex(list: number, index: number, placement: Placement): Vertex {
    const key = `${list} ${index}`;
    let vertex = this.#vertices.get(key);
    if (vertex !== undefined) return vertex;
    const entity = this.#list(list, 502, index, 'vertex');
    vertex = { point: pointIn(placedBy(this.#file, entity.transform, placement), pointAt(entity, 3 * index - 2)) };
    this.#vertices.set(key, vertex);
    return vertex;
  }
}

/** Type 308: depth, name, members. */
function membersOf(definition: IgesEntity): number[] {
  return numbersAt(definition, 3, countAt(definition, 2));
}

/** The entities that faces and bodies consist of, which therefore do not count by themselves. */
function partsOf(entity: IgesEntity): number[] {
  const at = (index: number): number => numberAt(entity, index, 0);
  const every = (count: number, from: number, step: number): number[] =>
    Array.from({ length: count }, (_, i) => at(from + step * i));
  switch (entity.type) {
    case 186:
      return [at(0), ...every(countAt(entity, 2), 3, 2)];
    case 514:
      return every(countAt(entity, 0), 1, 2);
    case 510:
      return [at(0), ...every(countAt(entity, 1), 3, 1)];
    case 144:
      return [at(0)];
    case 143:
    case 142:
      return [at(1)];
    case 141:
      return [at(2)];
    default:
      return [];
  }
}
