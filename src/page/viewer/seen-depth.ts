import { MeshDepthMaterial, RGBADepthPacking, Vector3, type Plane } from 'three';
import type { Stage } from './stage.js';

/** By how many pixels a point may be drawn beside its place. */
const REACH = 1;
/** Steeper surfaces are taken for this steep: the tangent of the angle between surface and picture plane. */
const STEEPEST = 12;

/** How deep the picture of a stage is at each pixel, to tell what is seen from what is covered. */
export class SeenDepth {
  readonly #stage: Stage;
  readonly #depths: Float32Array;
  readonly #width: number;
  readonly #height: number;
  readonly #depthMm: number;
  readonly #at = new Vector3();

  constructor(stage: Stage, plane: Plane | undefined) {
    this.#stage = stage;
    this.#width = Math.max(1, stage.canvas.clientWidth);
    this.#height = Math.max(1, stage.canvas.clientHeight);
    this.#depthMm = stage.camera.far - stage.camera.near;
    const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking, side: 2 });
    material.clippingPlanes = plane === undefined ? null : [plane];
    const pixels = stage.readBack({ width: this.#width, height: this.#height }, material);
    material.dispose();
    this.#depths = new Float32Array(this.#width * this.#height);
    for (let i = 0, at = 0; i < this.#depths.length; i++, at += 4) {
      // As three.js packs it (packDepthToRGBA); nothing is drawn where all bytes are 0 or 255.
      const [high, second, third] = [pixels[at], pixels[at + 1], pixels[at + 2]];
      const depth = (high + second / 256 + third / 65_536) / 256;
      this.#depths[i] = depth === 0 ? Infinity : depth;
    }
  }

  /**
   * Whether a point of a surface is seen. facing: how squarely the surface faces the viewer, 0 to 1 (the cosine between
   * its normal and the view).
   */
  shows(point: Vector3, facing: number): boolean {
    const { x, y, z } = this.#at.copy(point).project(this.#stage.camera);
    const column = Math.floor(((x + 1) / 2) * this.#width),
      row = Math.floor(((y + 1) / 2) * this.#height);
    const slope = Math.min(STEEPEST, Math.sqrt(Math.max(0, 1 - facing * facing)) / Math.max(1e-3, facing));
    const toleranceMm = this.#stage.mmPerPixel * (1 + REACH + slope);
    const depth = (z + 1) / 2;
    for (let r = row - REACH; r <= row + REACH; r++)
      for (let c = column - REACH; c <= column + REACH; c++) {
        if (r < 0 || c < 0 || r >= this.#height || c >= this.#width) continue;
        if (Math.abs(this.#depths[r * this.#width + c] - depth) * this.#depthMm <= toleranceMm) return true;
      }
    return false;
  }
}
