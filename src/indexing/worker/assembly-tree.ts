import { determinant } from '../../content/matrix.js';
import type { Component, Mesh, Model } from '../../content/model.js';
import type { AssemblyComponent } from '../../store/catalog/assembly-component.js';
import { distinctComponents } from './distinct-components.js';

/** The stored product structure of a model; undefined when the model is a single part. */
export function assemblyTree(model: Model): AssemblyComponent | undefined {
  const { root, meshes } = model;
  if (root.children.length === 0) return undefined;
  return componentTree(root, { volumes: meshes.map(signedVolume), numbers: distinctComponents(model).numbers });
}

/** The tree with the component numbers replaced as `numbers` says; other numbers stay. */
export function renumbered(tree: AssemblyComponent, numbers: ReadonlyMap<number, number>): AssemblyComponent {
  const component = tree.component === null ? null : (numbers.get(tree.component) ?? tree.component);
  return { ...tree, component, children: tree.children.map((child) => renumbered(child, numbers)) };
}

interface Known {
  /** Volumes of the meshes, mm³. */
  readonly volumes: readonly number[];
  readonly numbers: ReadonlyMap<Component, number>;
}

function componentTree(component: Component, known: Known): AssemblyComponent {
  const { name, occurrence, transform, meshes, children } = component;
  const { volumes, numbers } = known;
  const below = children.map((child) => componentTree(child, known));
  const own = meshes.reduce((sum, index) => sum + Math.abs(volumes[index]), 0);
  const volume = below.reduce((sum, { volumeMm3 }) => sum + volumeMm3, own);
  return {
    name,
    occurrence: occurrence ?? null,
    transform: transform === undefined ? null : [...transform],
    bodies: [...meshes],
    component: numbers.get(component) ?? null,
    volumeMm3: transform === undefined ? volume : volume * scaleOf(transform),
    children: below,
  };
}

/** The factor by which a placement scales volumes: 1 for almost all placements. */
function scaleOf(m: Float64Array): number {
  const scale = Math.abs(determinant(m));
  return Math.abs(scale - 1) < 1e-9 ? 1 : scale;
}

/**
 * The signed volume by the divergence theorem, computed relative to the first vertex, so that a part far from its
 * origin loses no precision; with the bulge of curved faces.
 */
function signedVolume({ positions: p, indices, curved }: Mesh): number {
  const [ox, oy, oz] = p;
  let six = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i],
      b = 3 * indices[i + 1],
      c = 3 * indices[i + 2];
    const ax = p[a] - ox,
      ay = p[a + 1] - oy,
      az = p[a + 2] - oz;
    const bx = p[b] - ox,
      by = p[b + 1] - oy,
      bz = p[b + 2] - oz;
    const cx = p[c] - ox,
      cy = p[c + 1] - oy,
      cz = p[c + 2] - oz;
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6 + (curved?.volumeMm3 ?? 0);
}
