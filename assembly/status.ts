/** Return values of kernels. Keep equal to `src/core/status.ts`. */
export const DONE: i32 = 0;
export const NO_GEOMETRY: i32 = 1;
export const OUT_OF_MEMORY: i32 = 2;
export const BAD_INDEX: i32 = 3;
export const NOT_FINITE: i32 = 4;
export const OPEN_MESH: i32 = 5;
export const OVERLAID: i32 = 6;
