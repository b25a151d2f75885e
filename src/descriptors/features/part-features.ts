import type { TriangleMesh } from '../../core/mesh.js';
import { isTurned } from './turned.js';
import { smoothFaces, type MeshFace } from './smooth-faces.js';
import { findWalls, holesOf } from './walls.js';

/** Holes of one diameter. */
export interface HoleGroup {
  readonly count: number;
  /** mm, four digits; the smallest diameter of a stepped hole. */
  readonly diameterMm: number;
}

/** What a machinist would name of a part besides its sizes. */
export interface PartFeatures {
  /** True: nearly all of its surface, but for holes, is of revolution about one axis. */
  readonly isTurned: boolean;
  /**
   * Round holes and bores, most frequent first, then widest first, at most {@link MOST_GROUPS}; null where they cannot
   * be told from pins, because the surface is open.
   */
  readonly holes: readonly HoleGroup[] | null;
}

/** Most groups of holes that are kept; a part with more diameters keeps the most frequent ones. */
export const MOST_GROUPS = 8;
/** Relative difference of diameters that are the same: that of a drill's wear, and less than between drill sizes. */
const SAME_DIAMETER = 2e-3;

/** The faces of one part, and what is known of its orientation. */
export interface FacedMesh {
  /** The surface; normals outwards where it is closed. */
  readonly mesh: TriangleMesh;
  /** Faces of the exact surface, as ranges of triangles; undefined for a mesh without faces. */
  readonly faces: readonly MeshFace[] | undefined;
  readonly isClosed: boolean;
}

/**
 * Finds the round holes of a part, and whether it is turned. Faces of an exact surface are taken as they are; those of
 * a mesh are bounded by its sharp edges, so a round wall that runs smoothly into another face is not found there.
 */
export function partFeatures({ mesh, faces, isClosed }: FacedMesh): PartFeatures {
  const walls = findWalls(mesh, faces ?? smoothFaces(mesh));
  return {
    isTurned: isTurned(mesh, walls),
    holes: isClosed ? grouped(holesOf(walls)) : null,
  };
}

/** JSON of features, for the catalogue. */
export function storedFeatures(features: PartFeatures): string {
  return JSON.stringify(features);
}

/** diameters: mm, of each hole. */
function grouped(diameters: readonly number[]): HoleGroup[] {
  const groups: { count: number; readonly least: number; readonly members: number[] }[] = [];
  for (const diameter of [...diameters].sort((a, b) => a - b)) {
    const last = groups.at(-1);
    if (last !== undefined && diameter <= last.least * (1 + SAME_DIAMETER)) {
      last.count++;
      last.members.push(diameter);
    } else groups.push({ count: 1, least: diameter, members: [diameter] });
  }
  return groups
    .map(({ count, members }) => ({ count, diameterMm: Number(members[members.length >> 1].toPrecision(4)) }))
    .sort((a, b) => b.count - a.count || b.diameterMm - a.diameterMm)
    .slice(0, MOST_GROUPS);
}
