import { idOf, idsOf, isList, textOf, type Part21Instances, type Part21Value } from './part21-instances.js';
import { vector } from './placements.js';

/** A solid or shell of a STEP file, with points that its tessellation must contain. */
export interface StepBody {
  /** Its instance number. */
  readonly id: number;
  /** Its own name; '' when it has none. */
  readonly name: string;
  /** f64[3 * n], mm: vertices of its edges, sampled evenly; empty when it has none or they cannot be read. */
  readonly points: Float64Array;
  /** Number of its faces. The kernel may split a face in two. */
  readonly faceCount: number;
  /**
   * Whether it is a solid bounded by surfaces; open shells beside such a solid are construction geometry. False for
   * shells, and for faceted solids, whose meshes may be partly open.
   */
  readonly isSolid: boolean;
  /** Whether the file hides it. */
  readonly isHidden: boolean;
}

/** Most vertices that are kept per body. */
const POINTS_KEPT = 48;
/** Most instances that are visited to find the vertices of all bodies of a file. */
const VISITS = 20_000_000;
/** Keywords between a body and its vertices. Curves and surfaces are not followed. */
const TOPOLOGY = /SHELL|FACE|BOUND|LOOP|EDGE|VERTEX|BREP|SUBEDGE|PATH/;
const FACE = /^(ADVANCED_FACE|FACE_SURFACE|FACE|SUBFACE)$/;
const SOLID = /_BREP$|^BREP_WITH_VOIDS$/;

/** A representation's items and its context. */
interface Representation {
  readonly items: readonly number[];
  readonly context: number | undefined;
}

/** Finds the bodies of representations; each item is read once. */
export class StepBodies {
  readonly #instances: Part21Instances;
  readonly #hidden: ReadonlySet<number>;
  readonly #representations = new Map<number, Representation>();
  readonly #ofItem = new Map<number, readonly StepBody[]>();
  #visits = 0;

  /** @param hidden instance numbers of hidden items. */
  constructor(instances: Part21Instances, hidden: ReadonlySet<number>) {
    this.#instances = instances;
    this.#hidden = hidden;
  }

  /** Instance numbers of a representation's items. */
  items(representation: number): readonly number[] {
    return this.#representation(representation).items;
  }

  /** Instance number of a representation's context. */
  context(representation: number): number | undefined {
    return this.#representation(representation).context;
  }

  /** The bodies among a representation's items. millimetres: per unit of its coordinates. */
  of(items: readonly number[], millimetres: number): readonly StepBody[] {
    return items.flatMap((item) => {
      let bodies = this.#ofItem.get(item);
      if (bodies === undefined) this.#ofItem.set(item, (bodies = this.#read(item, millimetres)));
      return bodies;
    });
  }

  #representation(id: number): Representation {
    let known = this.#representations.get(id);
    if (known === undefined) {
      const instance = this.#instances.read(id);
      // Every kind of representation has the arguments name, items, context.
      const values =
        instance?.get('REPRESENTATION') ??
        [...(instance?.values() ?? [])].find((list) => list.length >= 3 && isList(list[1]));
      this.#representations.set(id, (known = { items: idsOf(values?.[1]), context: idOf(values?.[2]) }));
    }
    return known;
  }

  #read(item: number, millimetres: number): StepBody[] {
    const instance = this.#instances.read(item);
    if (instance === undefined) return [];
    const keywords = [...instance.keys()];
    const name = textOf((instance.get('REPRESENTATION_ITEM') ?? [...instance.values()][0])[0]);
    const isHidden = this.#hidden.has(item);
    if (keywords.some((keyword) => SOLID.test(keyword))) {
      const { isFaceted, ...boundary } = this.#boundary(item, millimetres);
      return [{ id: item, name, isSolid: !isFaceted, isHidden, ...boundary }];
    }
    // The kernel makes a mesh of each shell.
    const shells = instance.get('SHELL_BASED_SURFACE_MODEL') ?? instance.get('FACE_BASED_SURFACE_MODEL');
    if (shells !== undefined) {
      return idsOf(shells.at(-1)).map((shell) => ({
        id: shell,
        name,
        isSolid: false,
        isHidden: isHidden || this.#hidden.has(shell),
        ...this.#pointsOf(shell, millimetres),
      }));
    }
    if (keywords.some((keyword) => /^TESSELLATED_(SOLID|SHELL)$/.test(keyword))) {
      return [
        {
          id: item,
          name,
          isSolid: keywords.includes('TESSELLATED_SOLID'),
          isHidden,
          points: this.#coordinates(item, millimetres),
          faceCount: 0,
        },
      ];
    }
    return [];
  }

  #pointsOf(shell: number, millimetres: number): Pick<StepBody, 'points' | 'faceCount'> {
    const { points, faceCount } = this.#boundary(shell, millimetres);
    return { points, faceCount };
  }

  /** Sampled vertices of a body, its number of faces, and whether it is faceted. */
  #boundary(
    body: number,
    millimetres: number,
  ): Pick<StepBody, 'points' | 'faceCount'> & { readonly isFaceted: boolean } {
    let faceCount = 0,
      isFaceted = false;
    const seen = new Set<number>([body]);
    const found = new Set<number>();
    const pending = [body];
    for (let id = pending.pop(); id !== undefined && this.#visits < VISITS; id = pending.pop()) {
      this.#visits++;
      const node = this.#instances.links(id);
      if (node === undefined) continue;
      if (FACE.test(node.keyword)) faceCount++;
      if (node.keyword === 'POLY_LOOP') isFaceted = true;
      const atPoints = node.keyword === 'VERTEX_POINT' || node.keyword === 'POLY_LOOP';
      // A complex instance on the way down is a curve or a surface, unless it is the body itself.
      if (!atPoints && id !== body && !TOPOLOGY.test(node.keyword)) continue;
      for (const next of node.ids) {
        if (atPoints) found.add(next);
        else if (!seen.has(next)) {
          seen.add(next);
          pending.push(next);
        }
      }
    }
    const points = [...found].map((id) => vector(this.#instances, { id })).filter((point) => point !== undefined);
    return { points: this.#spread(points, millimetres), faceCount, isFaceted };
  }

  /** Sampled points of a tessellated body, from its coordinate lists. */
  #coordinates(body: number, millimetres: number): Float64Array {
    const points: (readonly [number, number, number])[] = [];
    const seen = new Set<number>([body]);
    for (const id of seen) {
      if (++this.#visits > VISITS) break;
      const list = this.#instances.read(id)?.get('COORDINATES_LIST')?.at(-1);
      if (list !== undefined) for (const point of triples(list)) points.push(point);
      else for (const next of this.#instances.links(id)?.ids ?? []) seen.add(next);
    }
    return this.#spread(points, millimetres);
  }

  #spread(points: readonly (readonly [number, number, number])[], millimetres: number): Float64Array {
    const count = Math.min(POINTS_KEPT, points.length);
    const kept = new Float64Array(3 * count);
    for (let i = 0; i < count; i++)
      kept.set(
        points[Math.floor((i * points.length) / count)].map((value) => value * millimetres),
        3 * i,
      );
    return kept;
  }
}

function triples(list: Part21Value): (readonly [number, number, number])[] {
  return (isList(list) ? list : []).flatMap((point) => {
    const [x, y, z] = isList(point) ? point : [];
    return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' ? [[x, y, z] as const] : [];
  });
}
