/**
 * Processor time that this process has taken since it began, all its threads together, ms. Work on a file is bounded by
 * it and not by the clock: on a busy machine a good file takes as much of it as on a quiet one.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
