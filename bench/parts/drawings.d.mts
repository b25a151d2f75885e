/** Types of the drawings made by code, for tests written in TypeScript. */
import type { ReferencePart } from './reference.mjs';

export function drawSheet(
  parts: readonly ReferencePart[],
  seed: number,
  fixed?: Readonly<Record<string, string | number | boolean>>,
): Promise<{ readonly bytes: Uint8Array; readonly extension: string }>;
