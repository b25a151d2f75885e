/** Options that benches share. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * `--data DIR --json` and what else a bench takes.
 * @param {import('node:util').ParseArgsConfig['options']} [more]
 */
export function benchOptions(more = {}) {
  const { values } = parseArgs({
    options: { data: { type: 'string' }, json: { type: 'boolean', default: false }, ...more },
  });
  if (values.data !== undefined && !existsSync(values.data)) {
    console.error(`--data ${values.data}: no such folder`);
    process.exit(2);
  }
  return values;
}

/** The line that says on what a figure was measured. */
export async function machine() {
  const { cpus } = await import('node:os');
  const processors = cpus();
  return `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
}

/** Value below which `share` of the sorted-up numbers lie. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
