import { Command, InvalidArgumentError } from 'commander';
import type { Company, WatchEvent, WatchFolderOptions } from '../../index.js';
import { isFolder } from '../disk.js';
import { withExamples } from '../examples.js';
import { EXIT, UsageError } from '../exit.js';
import { renderFailures, type Failure } from '../failures.js';
import { count, oneLine, plural } from '../format.js';
import { interruptible } from '../interrupt.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput, paintFor, type Output } from '../output.js';
import type { Finish } from '../program.js';
import { withReadingOptions, type ReadingOptions } from '../reading-options.js';
import { repeatedAttribute } from '../repeated.js';

interface WatchCommandOptions extends LibraryOptions, ReadingOptions {
  readonly prefix: string;
  readonly attribute?: readonly string[];
  readonly delete?: boolean;
  readonly poll?: number | true;
  readonly settle?: number;
}

const SECOND_MS = 1_000;

/** `shapedex watch <folder>`: the library follows a folder, until Ctrl-C. */
export function watchCommand(finish: Finish): Command {
  const command = withReadingOptions(withLibraryOptions(new Command('watch')))
    .description('follow a folder until Ctrl-C: files that come, change, move or go are indexed, indexed again, renamed or noted as gone. A second call catches up first')
    .argument('<folder>', 'folder whose files the library shall hold')
    .option('--prefix <path>', 'put before every path in the library, as a folder', '')
    .option('--attribute <name=value>', 'give every file this attribute; may repeat', repeatedAttribute)
    .option('--delete', 'take files that are gone out of the library, too; without it the library keeps them')
    .option('--poll [seconds]', 'look every so many seconds (default: 5) instead of asking the system to tell; for network folders', seconds)
    .option('--settle <seconds>', 'take a file when it has not changed for so long (default: 2)', seconds)
    .action(async (folder: string, options: WatchCommandOptions) => finish(await watch(folder, options)));
  return withExamples(command, ['watch cad', 'watch cad --delete --attribute Source=cad', 'watch /mnt/share/cad --poll 30 --json']);
}

async function watch(folder: string, options: WatchCommandOptions): Promise<number> {
  const output = openOutput(options);
  if (!(await isFolder(folder))) throw new UsageError(`${folder} is not a folder`);
  const { prefix, attribute: attributes, poll, settle, delete: deletes } = options;
  return interruptible(output, (signal) => inLibrary({ ...options, create: true }, async ({ company }) => {
    output.say(`Watching ${folder}. Ctrl-C stops.`);
    const failing = await follow(company, folder, {
      prefix, attributes, signal, delete: deletes, poll: poll !== undefined, pollMs: typeof poll === 'number' ? Math.round(poll * SECOND_MS) : undefined,
      settleMs: settle === undefined ? undefined : Math.round(settle * SECOND_MS),
    }, output);
    if (failing.length > 0) output.say(renderFailures(failing));
    return EXIT.ok;
  }));
}

/** Follows a folder, tells every event, and returns what could not be indexed when it ends. */
async function follow(company: Company, folder: string, options: WatchFolderOptions, output: Output): Promise<Failure[]> {
  const failing = new Map<string, Failure>();
  for await (const event of company.watchFolder(folder, options)) {
    if (event.event === 'failed') failing.set(event.path, { path: event.path || folder, ...event.error });
    else if ('path' in event) failing.delete(event.path);
    output.emit(event);
    output.say(lineOf(event, folder));
  }
  return [...failing.values()];
}

/** One event in a line. */
function lineOf(event: WatchEvent, folder: string): string {
  const paint = paintFor(process.stdout);
  switch (event.event) {
    case 'ready':
      return `${plural(event.files, 'file')}, ${count(event.unchanged)} unchanged${event.failing > 0 ? `, ${count(event.failing)} to be tried again` : ''}; waiting for changes${event.method === 'polling' ? ' by looking' : ''}.`;
    case 'added': return `${paint.green('added')}    ${oneLine(event.path)}`;
    case 'changed': return `${paint.green('changed')}  ${oneLine(event.path)}`;
    case 'moved': return `${paint.green('moved')}    ${oneLine(event.from)} -> ${oneLine(event.path)}`;
    case 'removed': return `${paint.yellow('removed')}  ${oneLine(event.path)}${event.deleted ? '' : ' (the library keeps it)'}`;
    case 'polling': return `${paint.yellow('polling')}  the system tells no more of changes: ${oneLine(event.reason)}`;
    case 'failed': {
      const again = event.retryAt === null ? '' : ` (attempt ${event.attempt}, again at ${event.retryAt.toTimeString().slice(0, 8)})`;
      return `${paint.red('failed')}   ${oneLine(event.path || folder)}  ${event.error.code}: ${oneLine(event.error.message)}${again}`;
    }
  }
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0.1 && value <= 86_400)) throw new InvalidArgumentError('It must be a number of seconds from 0.1 to 86400.');
  return value;
}
