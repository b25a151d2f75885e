import { Command } from 'commander';
import type { FileRecord } from '../../index.js';
import { findRecord } from '../find-record.js';
import { renderFailures } from '../failures.js';
import { boxSize, count, decimal, volume } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderFacts } from '../table.js';

/** `shapedex status [uid|path]`: one file's state, or how many files are in which state. */
export function statusCommand(): Command {
  return withLibraryOptions(new Command('status'))
    .description('show the state of one file, or how many files are indexed, waiting and failed')
    .argument('[uid|path]', 'UID or path of a file in the library')
    .action((word: string | undefined, options: LibraryOptions) => (word === undefined ? overview(options) : status(word, options)));
}

async function status(word: string, options: LibraryOptions): Promise<void> {
  const output = openOutput(options);
  const record = await inLibrary(options, ({ company }) => findRecord(company, word));
  output.emit(record);
  if (!output.json) output.say(renderRecord(record));
}

async function overview(options: LibraryOptions): Promise<void> {
  const output = openOutput(options);
  const records = await inLibrary(options, ({ company }) => company.list());
  const states: Record<string, number> = {};
  for (const { state } of records) states[state] = (states[state] ?? 0) + 1;
  const failures = records.flatMap(({ path, error }) => (error ? [{ path, code: error.code, message: error.message }] : []));
  output.emit({ files: records.length, states, failures });
  output.say(renderFacts([
    ['files', count(records.length)],
    ...Object.entries(states).map(([state, number]): [string, string] => [state, count(number)]),
  ]));
  if (failures.length > 0) output.say(`\n${renderFailures(failures)}`);
}

function renderRecord(record: FileRecord): string {
  const facts: [string, string][] = [['path', record.path], ['UID', record.uid], ['state', record.state]];
  if (record.bboxSizeMm) facts.push(['size', `${boxSize(record.bboxSizeMm)} mm`]);
  if (record.volumeMm3 !== undefined) facts.push(['volume', volume(record.volumeMm3)]);
  if (record.surfaceAreaMm2 !== undefined) facts.push(['surface', `${decimal(record.surfaceAreaMm2)} mm²`]);
  for (const warning of record.warnings ?? []) facts.push(['warning', `${warning.code}: ${warning.message}`]);
  if (record.error) facts.push(['error', `${record.error.code}: ${record.error.message}`]);
  return renderFacts(facts);
}
