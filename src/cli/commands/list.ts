import { Command, Option } from 'commander';
import type { CompanyListOptions, FileKind, FileState } from '../../index.js';
import { UsageError } from '../exit.js';
import { findCategory } from '../named.js';
import { bytes, count } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { kindOption, numberFrom } from '../options.js';
import { openOutput } from '../output.js';
import { renderTable } from '../table.js';

interface ListOptions extends LibraryOptions {
  readonly prefix?: string;
  readonly kind?: FileKind;
  readonly state?: FileState;
  readonly category?: string;
  readonly order: 'path' | 'addedAt';
  readonly falling?: boolean;
  readonly limit: number;
  readonly after?: string;
}

/** `shapedex list`: the files of a company, page by page. */
export function listCommand(): Command {
  return withLibraryOptions(new Command('list'))
    .description('list the files of the library')
    .option('--prefix <path>', 'only paths that begin so')
    .addOption(kindOption())
    .addOption(new Option('--state <state>', 'only files in this state').choices(['queued', 'indexed', 'failed']))
    .option('--category <name|id>', 'only files of this category; "none": those without one')
    .addOption(
      new Option('--order <order>', 'by path, or in the order in which they were added')
        .choices(['path', 'addedAt'])
        .default('path'),
    )
    .option('--falling', 'in falling order: the last (or newest) first')
    .option('--limit <n>', 'how many to show', numberFrom(0), 100)
    .option('--after <cursor>', 'continue after this path (with --order addedAt: this arrival number)')
    .action(list);
}

async function list(options: ListOptions): Promise<void> {
  const { prefix, kind, state, order, falling = false, limit, after } = options;
  const output = openOutput(options);
  const records = await inLibrary(options, async ({ company }) => {
    const category = options.category === undefined ? undefined : await findCategory(company, options.category);
    return company.list({
      prefix,
      kind,
      state,
      category,
      order,
      limit,
      direction: falling ? 'falling' : 'rising',
      after: after === undefined ? undefined : cursor(after, order),
    });
  });
  output.emit(records);
  const last = records.at(-1);
  if (last === undefined) return output.say('No such files.');
  if (!output.json) {
    output.say(
      renderTable(
        [
          { title: 'Path', keep: 'end', least: 24 },
          { title: 'Kind', spare: 1 },
          { title: 'State' },
          { title: 'Size', align: 'right', spare: 2 },
          { title: 'Added', spare: 3 },
        ],
        records.map((record) => [
          record.path,
          record.kind,
          record.state,
          bytes(record.byteLength),
          record.addedAt.toISOString().slice(0, 19).replace('T', ' '),
        ]),
      ),
    );
  }
  if (records.length === limit)
    output.note(
      `The first ${count(limit)}; go on with --after ${order === 'path' ? JSON.stringify(last.path) : last.arrival}`,
    );
}

function cursor(text: string, order: CompanyListOptions['order']): string | number {
  if (order === 'path') return text;
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`--after must be an arrival number, received ${JSON.stringify(text)}`);
  return Number(text);
}
