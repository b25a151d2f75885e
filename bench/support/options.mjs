/** Options that benches share. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Parses `--data DIR --json` and further options of a bench.
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

/** A line that describes the machine of a measurement. */
export async function machine() {
  const { cpus } = await import('node:os');
  const processors = cpus();
  return (
    `${processors[0]?.model.trim() ?? 'unknown processor'}, ${processors.length} cores, Node ` +
    `${process.version}, ${new Date().toISOString().slice(0, 10)}`
  );
}

/** The quantile `share` (0 to 1) of ascending numbers. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
