import type { Shape3D } from 'replicad';

/** How finely a curved surface becomes triangles. */
export interface MeshQuality {
  /** Largest distance between surface and triangles, mm. */
  readonly toleranceMm: number;
  /** Largest angle between neighbouring triangles of one face, rad. */
  readonly angleRad: number;
}

/** One file of the sample library: where it goes and how its solid is made. */
export interface SamplePart {
  /** Path inside the library with `/` between folders; the extension chooses the format. */
  readonly path: string;
  /** Makes the solid, mm, Z up. Called once per written file, after the kernel is loaded. */
  readonly build: () => Shape3D;
  /** Unit of the numbers in a STEP file; the size of the part does not change. Default mm. */
  readonly unit?: 'MM' | 'INCH';
  /** For mesh formats; default {@link FINE}. */
  readonly quality?: MeshQuality;
  /** An STL as text instead of bytes. Default false. */
  readonly ascii?: boolean;
}

/** What a careful CAM export uses. */
export const FINE: MeshQuality = Object.freeze({ toleranceMm: 0.02, angleRad: 0.2 });
/** What a web shop's preview looks like. */
export const COARSE: MeshQuality = Object.freeze({ toleranceMm: 0.3, angleRad: 0.6 });
