import type { Component, Mesh, Model } from '../../content/model.js';
import { MILLIMETRES, type LengthUnit } from '../../content/units.js';
import { checkLimit, fileMalformed, warning, type Warning } from '../../errors.js';
import type { Limits, ReadOptions } from '../../options.js';
import type { Piece } from './mesh-builder.js';
import { FARTHEST_MM, requireArea, rootOf, weldPieces, withDropped } from './model-of-pieces.js';
import { compose, identity, isIdentity, isUsable, rotation, scaling, translation } from '../geometry/transforms.js';
import { parseVrml, type VrmlNode, type VrmlScene } from './vrml-parser.js';
import { colorOf, nodeOf, numbersOf, pieceOf, UNREAD_SHAPES } from './vrml-shapes.js';

/**
 * Reads VRML 1.0 and 2.0: IndexedFaceSet, Box or Cube, Cylinder, Cone, Sphere, Extrusion and ElevationGrid, with
 * transforms and DEF/USE. Groups become components. Texts, prototypes and inlined files are skipped with a warning. By
 * the standard the unit is the metre, but CAD programs write their own unit, so the default unit is assumed with a
 * warning.
 *
 * three's VRMLLoader (0.187) was tried: it refuses VRML 1 and rounds to single precision.
 * @throws EngineError `FILE_MALFORMED`, `NO_GEOMETRY`, `LIMIT_EXCEEDED`.
 */
export function readVrml(bytes: Uint8Array, options: ReadOptions): Model {
  const scene = parseVrml(bytes, options.limits);
  const builder = new SceneBuilder(scene, options);
  const root = scene.version === 2 ? builder.readScene2() : builder.readScene1();
  requireArea('vrml', builder.meshes, builder.warnings(), builder.wrong);
  return {
    kind: 'model',
    format: 'vrml',
    unit: options.defaultUnit,
    root,
    meshes: builder.meshes,
    warnings: builder.warnings(),
  };
}

/** Fields that hold the children of each grouping node of VRML 2. */
const GROUPS: Readonly<Record<string, string>> = {
  Transform: 'children',
  Group: 'children',
  Anchor: 'children',
  Billboard: 'children',
  Collision: 'children',
  LOD: 'level',
  Switch: 'choice',
};

/** The state that nodes of VRML 1 set for the nodes that follow. */
interface State {
  matrix: Float64Array;
  name: string;
  points?: VrmlNode;
  material?: VrmlNode;
  clockwise: boolean;
}

class SceneBuilder {
  readonly meshes: Mesh[] = [];
  /** The first coordinate for which a triangle was dropped, in words. */
  wrong: string | undefined;
  readonly #scene: VrmlScene;
  readonly #limits: Limits;
  readonly #unit: LengthUnit;
  /** Indices of the meshes of a node, which every USE of it shares. */
  readonly #known = new Map<VrmlNode, number[]>();
  /** Pieces of VRML 1 by the frame that they lie in; the key is the frame's matrix. */
  readonly #frames = new Map<string, { readonly matrix: Float64Array; readonly pieces: Piece[] }>();
  readonly #skipped = new Map<string, number>();
  #inlines = 0;
  #placed = 0;
  #triangles = 0;
  #dropped = 0;

  constructor(scene: VrmlScene, { limits, defaultUnit }: ReadOptions) {
    this.#scene = scene;
    this.#limits = limits;
    this.#unit = defaultUnit;
  }

  readScene2(): Component {
    const root = this.#component({ type: 'Group', name: '', fields: new Map(), children: [] }, this.#scene.nodes, 1);
    const [only] = root.children;
    return root.meshes.length === 0 && root.children.length === 1 && only.transform === undefined ? only : root;
  }

  readScene1(): Component {
    const state: State = { matrix: identity(), name: '', clockwise: false };
    for (const node of this.#scene.nodes) this.#traverse(node, state, 1);
    const children: Component[] = [];
    for (const { matrix, pieces } of this.#frames.values()) {
      for (const index of this.#addMeshes(pieces))
        children.push({ name: this.meshes[index].name, meshes: [index], children: [], ...placed(matrix) });
    }
    return rootOf(children);
  }

  warnings(): readonly Warning[] {
    const warnings: Warning[] = [
      warning('UNIT_ASSUMED', `VRML files have no unit; ${this.#unit} was assumed`),
      ...this.#scene.warnings,
    ];
    if (this.#inlines > 0) warnings.push(warning('REFERENCE_MISSING', `${this.#inlines} inlined files were not given`));
    for (const [type, count] of this.#skipped)
      warnings.push(warning('CONTENT_SKIPPED', `${count} nodes of type ${type} were skipped`));
    return withDropped(warnings, this.#dropped, this.wrong);
  }

  // VRML 2: a tree of self-contained nodes.

  #component(group: VrmlNode, nodes: readonly VrmlNode[], depth: number): Component {
    this.#count(depth);
    const shapes: VrmlNode[] = [];
    const children: Component[] = [];
    for (const node of nodes) {
      const field = Object.hasOwn(GROUPS, node.type) ? GROUPS[node.type] : undefined;
      if (field !== undefined) {
        children.push(this.#component(node, chosen(node, node.fields.get(field)?.nodes ?? []), depth + 1));
      } else if (node.type === 'Shape') {
        this.#count(depth);
        shapes.push(node);
      } else {
        this.#skip(node);
      }
    }
    return { name: group.name, meshes: this.#meshesOf(group, shapes), children, ...placed(this.#matrix2(group)) };
  }

  /**
   * The meshes of a group's shapes. A single shape is shared wherever it is used; several are joined within the group.
   */
  #meshesOf(group: VrmlNode, shapes: readonly VrmlNode[]): number[] {
    if (shapes.length === 0) return [];
    const key = shapes.length === 1 ? shapes[0] : group;
    let indices = this.#known.get(key);
    if (indices === undefined) {
      indices = this.#addMeshes(shapes.map((shape) => this.#piece2(shape)).filter((piece) => piece !== undefined));
      this.#known.set(key, indices);
    }
    return indices;
  }

  #piece2(shape: VrmlNode): Piece | undefined {
    const geometry = nodeOf(shape, 'geometry');
    if (geometry === undefined) return undefined;
    return this.#piece(geometry, {
      name: geometry.name || shape.name,
      points: nodeOf(geometry, 'coord'),
      color: colorOf(nodeOf(nodeOf(shape, 'appearance'), 'material')),
    });
  }

  /** ISO/IEC 14772-1, 6.52: P' = T · C · R · SR · S · −SR · −C · P. */
  #matrix2(node: VrmlNode, scale = 'scale'): Float64Array {
    if (node.type !== 'Transform') return identity();
    const [tx, ty, tz] = numbersOf(node, 'translation', [0, 0, 0]);
    const [cx, cy, cz] = numbersOf(node, 'center', [0, 0, 0]);
    const [rx, ry, rz, angle] = numbersOf(node, 'rotation', [0, 0, 1, 0]);
    const [ox, oy, oz, turn] = numbersOf(node, 'scaleOrientation', [0, 0, 1, 0]);
    const [sx, sy, sz] = numbersOf(node, scale, [1, 1, 1]);
    const mm = MILLIMETRES[this.#unit];
    return this.#checked(
      compose(
        translation((tx + cx) * mm, (ty + cy) * mm, (tz + cz) * mm),
        rotation(rx, ry, rz, angle),
        rotation(ox, oy, oz, turn),
        scaling(sx, sy, sz),
        rotation(ox, oy, oz, -turn),
        translation(-cx * mm, -cy * mm, -cz * mm),
      ),
    );
  }

  // VRML 1: nodes change a state, and shapes are drawn with the current state.

  #traverse(node: VrmlNode, state: State, depth: number): void {
    this.#count(depth, { visit: true });
    const named = node.name === '' ? state.name : node.name;
    switch (node.type) {
      case 'Separator':
      case 'WWWAnchor':
      case 'LOD': {
        const inner = { ...state, name: named };
        const children = node.type === 'LOD' ? node.children.slice(0, 1) : node.children;
        for (const child of children) this.#traverse(child, inner, depth + 1);
        break;
      }
      case 'TransformSeparator': {
        const { matrix } = state;
        for (const child of node.children) this.#traverse(child, state, depth + 1);
        state.matrix = matrix;
        break;
      }
      case 'Group':
        for (const child of node.children) this.#traverse(child, state, depth + 1);
        break;
      case 'Switch': {
        const [which] = numbersOf(node, 'whichChild', [-1]);
        const children = which === -3 ? node.children : node.children.slice(which, which < 0 ? 0 : which + 1);
        for (const child of children) this.#traverse(child, state, depth + 1);
        break;
      }
      case 'Coordinate3':
        state.points = node;
        break;
      case 'Material':
        state.material = node;
        break;
      case 'ShapeHints':
        state.clockwise = node.fields.get('vertexOrdering')?.words[0] === 'CLOCKWISE';
        break;
      case 'Translation':
      case 'Rotation':
      case 'Scale':
      case 'Transform':
      case 'MatrixTransform':
        state.matrix = this.#checked(compose(state.matrix, this.#matrix1(node)));
        break;
      default:
        this.#draw(node, { ...state, name: named });
    }
  }

  #draw(node: VrmlNode, { matrix, name, points, material, clockwise }: State): void {
    const piece = this.#piece(node, { name, points, clockwise, color: colorOf(material) });
    if (piece === undefined) return;
    const key = String(matrix);
    const frame = this.#frames.get(key);
    if (frame === undefined) this.#frames.set(key, { matrix, pieces: [piece] });
    else frame.pieces.push(piece);
  }

  #matrix1(node: VrmlNode): Float64Array {
    const mm = MILLIMETRES[this.#unit];
    switch (node.type) {
      case 'Rotation': {
        const [x, y, z, angle] = numbersOf(node, 'rotation', [0, 0, 1, 0]);
        return rotation(x, y, z, angle);
      }
      case 'Scale': {
        const [x, y, z] = numbersOf(node, 'scaleFactor', [1, 1, 1]);
        return scaling(x, y, z);
      }
      case 'MatrixTransform': {
        // Rows of a matrix for row vectors: the same order as columns of a matrix for column vectors.
        const matrix = Float64Array.from(numbersOf(node, 'matrix', [...identity()]).slice(0, 16));
        for (const i of [12, 13, 14]) matrix[i] *= mm;
        return matrix;
      }
      case 'Translation': {
        const [x, y, z] = numbersOf(node, 'translation', [0, 0, 0]);
        return translation(x * mm, y * mm, z * mm);
      }
      default:
        return this.#matrix2(node, 'scaleFactor');
    }
  }

  // Both versions.

  #piece(geometry: VrmlNode, context: Omit<Parameters<typeof pieceOf>[1], 'limits'>): Piece | undefined {
    const limits = { ...this.#limits, triangles: this.#limits.triangles - this.#triangles };
    const piece = pieceOf(geometry, { ...context, limits });
    if (piece === undefined) this.#skip(geometry);
    else this.#triangles += piece.indices.length / 3;
    return piece;
  }

  #addMeshes(pieces: readonly Piece[]): number[] {
    const { meshes, dropped, wrong } = weldPieces(pieces, this.#unit);
    this.#dropped += dropped;
    this.wrong ??= wrong;
    return meshes.map((mesh) => this.meshes.push(mesh) - 1);
  }

  /** Counts skipped nodes. Lights, cameras, lines and points are skipped without a warning. */
  #skip(node: VrmlNode): void {
    if (node.type === 'Inline' || node.type === 'WWWInline') this.#inlines++;
    else if (UNREAD_SHAPES.includes(node.type)) this.#skipped.set(node.type, (this.#skipped.get(node.type) ?? 0) + 1);
  }

  #checked(matrix: Float64Array): Float64Array {
    if (isUsable(matrix, FARTHEST_MM)) return matrix;
    throw fileMalformed('a transform in the VRML file is not finite or too far away');
  }

  /** Counts a placed node: DEF and USE let a short file make an unlimited number. */
  #count(depth: number, { visit = false }: { visit?: boolean } = {}): void {
    // VRML 1 needs several nodes (coordinates, material, …) per shape, so it may visit more.
    const allowed = this.#limits.components * (visit ? 10 : 1);
    checkLimit('the VRML file', { components: allowed }, 'components', ++this.#placed);
    checkLimit('the VRML file', this.#limits, 'depth', depth);
  }
}

function placed(matrix: Float64Array): { transform?: Float64Array } {
  return isIdentity(matrix) ? {} : { transform: matrix };
}

/** The nodes of a group that are shown: one of a Switch, the finest of a LOD, all of other groups. */
function chosen(node: VrmlNode, nodes: readonly VrmlNode[]): readonly VrmlNode[] {
  if (node.type === 'LOD') return nodes.slice(0, 1);
  if (node.type !== 'Switch') return nodes;
  const [which] = numbersOf(node, 'whichChoice', [-1]);
  return which >= 0 ? nodes.slice(which, which + 1) : [];
}
