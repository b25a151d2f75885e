import { EngineError } from '../errors.js';

/** Return values of kernels: 0 is success, the others are reasons for failure. Keep equal to `assembly/status.ts`. */
export const Status = Object.freeze({
  DONE: 0,
  NO_GEOMETRY: 1,
  OUT_OF_MEMORY: 2,
  BAD_INDEX: 3,
  NOT_FINITE: 4,
  OPEN_MESH: 5,
  OVERLAID: 6,
});

/** Throws the coded error for a kernel's status; returns on 0. */
export function checkStatus(kernel: string, status: number): void {
  switch (status) {
    case Status.DONE:
      return;
    case Status.NO_GEOMETRY:
      throw new EngineError('NO_GEOMETRY', `${kernel}: the mesh has no triangle of positive area`);
    case Status.OUT_OF_MEMORY:
      throw new EngineError('CORE_FAILED', `${kernel}: the core's memory cannot grow any further`);
    case Status.BAD_INDEX:
      throw new EngineError('FILE_MALFORMED', `${kernel}: a triangle names a vertex that does not exist`);
    case Status.NOT_FINITE:
      throw new EngineError('FILE_MALFORMED', `${kernel}: a coordinate is not a finite number`);
    case Status.OVERLAID:
      throw new EngineError('LIMIT_EXCEEDED', `${kernel}: the surface lies over itself more than 5000 times`);
    default:
      throw new EngineError('CORE_FAILED', `${kernel}: unknown status ${status}`);
  }
}
