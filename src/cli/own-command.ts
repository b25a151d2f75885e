import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { relative, sep } from 'node:path';

/**
 * How to call this program again from the current folder, ready to be pasted into a shell: `npx shapedex` when it
 * is installed as a package, else `node` with the path of the built program.
 */
export function ownCommand(): string {
  const main = realpathSync(fileURLToPath(new URL('./main.js', import.meta.url)));
  if (main.split(sep).includes('node_modules')) return 'npx shapedex';
  return `node ${quoted(relative(process.cwd(), main))}`;
}

/** Quotes an argument for a shell if it holds special characters. Double quotes work in sh, cmd and PowerShell. */
export function quoted(word: string): string {
  return /^[\w./\\:@=+-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
