import {
  Box3,
  BufferAttribute,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  type BufferGeometry,
  type Object3D,
} from 'three';
import { readGlbRoot } from '../viewer/shown-model.js';
import type { Up } from '../viewer/standard-views.js';
import { deviationColors } from './deviation-colors.js';

/** The surface that is colored by its distance from the other one; 'both': neither, each has one color of its own. */
export type ShownSurface = 'first' | 'second' | 'both';

/** The two aligned surfaces. */
export class DeviationSurfaces {
  readonly root: Object3D;
  readonly up: Up;
  readonly box: Box3;
  readonly #meshes: Readonly<Record<'first' | 'second', Mesh<BufferGeometry, MeshLambertMaterial>>>;
  readonly #painted = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide });
  readonly #glass = {
    first: new MeshLambertMaterial({ color: '#c93a2b', side: DoubleSide, transparent: true, opacity: 0.55 }),
    second: new MeshLambertMaterial({ color: '#2b6fc9', side: DoubleSide, transparent: true, opacity: 0.55 }),
    other: new MeshLambertMaterial({
      color: '#8a94a3',
      side: DoubleSide,
      transparent: true,
      opacity: 0.18,
      depthWrite: false,
    }),
  };

  constructor(root: Object3D, up: Up) {
    this.root = root;
    this.up = up;
    const of = (name: string): Mesh<BufferGeometry, MeshLambertMaterial> => {
      const found = root.getObjectByName(name);
      if (!(found instanceof Mesh)) throw new Error(`The server sent no surface called ${name}.`);
      return found as Mesh<BufferGeometry, MeshLambertMaterial>;
    };
    this.#meshes = { first: of('first'), second: of('second') };
    root.updateMatrixWorld(true);
    this.box = new Box3().setFromObject(root);
  }

  /**
   * Colors the surfaces; distances from `fullMm` on get the last color. withOther: the other surface is shown
   * transparent.
   */
  show(shown: ShownSurface, fullMm: number, withOther: boolean): void {
    for (const name of ['first', 'second'] as const) {
      const mesh = this.#meshes[name];
      const isPainted = name === shown;
      mesh.visible = isPainted || shown === 'both' || withOther;
      mesh.material = isPainted ? this.#painted : shown === 'both' ? this.#glass[name] : this.#glass.other;
      mesh.renderOrder = isPainted ? 0 : 1;
      if (isPainted)
        mesh.geometry.setAttribute(
          'color',
          new BufferAttribute(deviationColors(mesh.geometry.getAttribute('_deviation'), fullMm), 3),
        );
    }
  }

  dispose(): void {
    for (const { geometry } of Object.values(this.#meshes)) geometry.dispose();
    for (const material of [this.#painted, ...Object.values(this.#glass)]) material.dispose();
  }
}

/** Loads the surfaces from the GLB of the deviations. */
export async function readDeviationSurfaces(glb: ArrayBuffer): Promise<DeviationSurfaces> {
  const { root, up } = await readGlbRoot(glb);
  return new DeviationSurfaces(root, up);
}
