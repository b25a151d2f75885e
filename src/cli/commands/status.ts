import { Command } from 'commander';
import type { FileRecord } from '../../index.js';
import { findRecord } from '../named.js';
import { renderFailures } from '../failures.js';
import { boxSize, bytes, count, decimal, volume } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderFacts } from '../table.js';

/** Most failed files that are listed. */
const FAILURES_LISTED = 1000;

/** `shapedex status [uid|path]`: one file's state, or how many files are in which state. */
export function statusCommand(): Command {
  return withLibraryOptions(new Command('status'))
    .description('show the state of one file, or how many files are indexed, waiting and failed')
    .argument('[uid|path]', 'UID or path of a file in the library')
    .action((word: string | undefined, options: LibraryOptions) =>
      word === undefined ? overview(options) : status(word, options),
    );
}

async function status(word: string, options: LibraryOptions): Promise<void> {
  const output = openOutput(options);
  const record = await inLibrary(options, ({ company }) => findRecord(company, word));
  output.emit(record);
  if (!output.json) output.say(renderRecord(record));
}

async function overview(options: LibraryOptions): Promise<void> {
  const output = openOutput(options);
  const { files, states, describedAgain, failed, warnings } = await inLibrary(options, async ({ engine, company }) => {
    const own = (await engine.stats()).companies.find(({ name }) => name === company.name);
    const { describedAgain } = await company.summary();
    return {
      describedAgain,
      files: own?.files ?? 0,
      states: own?.states ?? { queued: 0, indexed: 0, failed: 0 },
      warnings: engine.warnings,
      failed: await company.list({ state: 'failed', limit: FAILURES_LISTED }),
    };
  });
  const failures = failed.map(({ path, error }) => ({ path, code: error?.code ?? '', message: error?.message ?? '' }));
  output.emit({ files, states, describedAgain, failures, ...(warnings.length > 0 && { warnings }) });
  output.say(
    renderFacts([
      ['files', count(files)],
      ...Object.entries(states).map(([state, number]): [string, string] => [state, count(number)]),
      ...(describedAgain === 0 ? [] : [['being described again', count(describedAgain)] as const]),
    ]),
  );
  if (failures.length > 0) output.say(`\n${renderFailures(failures)}`);
}

function renderRecord(record: FileRecord): string {
  const facts: [string, string][] = [
    ['path', record.path],
    ['UID', record.uid],
    ['state', record.state],
  ];
  facts.push(['added', record.addedAt.toISOString()]);
  if (record.indexedAt) facts.push(['indexed', record.indexedAt.toISOString()]);
  facts.push(['file', bytes(record.byteLength)]);
  if (record.bboxSizeMm) facts.push(['smallest box', `${boxSize(record.bboxSizeMm)} mm, turned as it is smallest`]);
  if (record.volumeMm3 !== null) facts.push(['volume', volume(record.volumeMm3)]);
  if (record.surfaceAreaMm2 !== null) facts.push(['surface', `${decimal(record.surfaceAreaMm2)} mm²`]);
  if (record.triangleCount !== null) facts.push(['triangles', count(record.triangleCount)]);
  for (const attribute of record.attributes) facts.push(['attribute', attribute]);
  for (const warning of record.warnings) facts.push(['warning', `${warning.code}: ${warning.message}`]);
  if (record.error) facts.push(['error', `${record.error.code}: ${record.error.message}`]);
  return renderFacts(facts);
}
