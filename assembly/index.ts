/**
 * The ABI: every function that `src/core` may call. Plain numbers in and out; addresses are byte offsets into the
 * exported memory. A kernel that can fail returns a status (see `src/core/status.ts`); 0 is success.
 */

/** Raised whenever an export changes its meaning; `src/core` refuses another version. */
export const ABI_VERSION: i32 = 20;

export { reserve, mark, reset } from './arena';
export { arrangementTables } from './describe/arrangement';
export { describeShape } from './describe/shape';
export { orbitMoments } from './describe/orbits';
export { describeViews } from './describe/view';
export { compareFine, comparePairs } from './distance/fine';
export { scanLayouts } from './distance/layouts';
export { codeRows, scanTop, hashVectors } from './distance/scan';
export {
  addLogs, centreProducts, gatherRows, narrowViews, nearestCentres, probeLists, scanNarrowFiles, scanNarrowRows,
} from './distance/view-lists';
export { projectViews, scanFiles, scanRows } from './distance/view-scan';
export { compareViews, turnViews } from './distance/views';
export { addVolumeArea, volumeArea, volumeAreaOf, massProperties } from './mesh/mass';
export { axisAlignedBox, orientedBox } from './mesh/box';
export { meshTopology } from './mesh/topology';
export { sampleSurface } from './mesh/samples';
export { pointMeshDistances, surfaceDeviations } from './mesh/deviation';
export { convolve } from './network/convolve';
export { prepareLaid } from './raster/blurred-pictures';
export { halveInk, prepareInk } from './raster/ink-cells';
export { layInk, promiseOfInk } from './raster/laid-inks';
export { layLines } from './raster/laid-lines';
export { layPicture } from './raster/laid-pictures';
export { renderModelViews } from './raster/model-views';
export { objectOdds } from './raster/object-net';
export { photoFits } from './raster/photo-fits';
export { followPoses } from './raster/followed-poses';
export { fullestSide, renderShaded } from './raster/shaded';
export { renderView } from './raster/view';
export { meshTree, nearestTriangles } from './mesh/nearest';
