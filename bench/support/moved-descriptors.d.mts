/** Types of the moved descriptors, for tests written in TypeScript. */
export function movedDescriptors(
  descriptors: Readonly<Record<string, Uint8Array>>,
  seed: number,
): Record<string, Uint8Array>;
