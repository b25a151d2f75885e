import { createRequire } from 'node:module';

/** Version of this program. */
export function programVersion(): string {
  return (createRequire(import.meta.url)('../../../package.json') as { version: string }).version;
}
