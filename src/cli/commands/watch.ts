import { Command, InvalidArgumentError } from 'commander';
import { isFolder } from '../disk.js';
import { EXIT, UsageError, type Finish } from '../exit.js';
import { renderFailures } from '../failures.js';
import { follow } from '../follow.js';
import { interruptible } from '../interrupt.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { withPuttingOptions, type PuttingOptions } from '../putting-options.js';
import { withReadingOptions, type ReadingOptions } from '../reading-options.js';

interface WatchCommandOptions extends LibraryOptions, ReadingOptions, PuttingOptions {
  readonly delete?: boolean;
  readonly poll?: number | true;
  readonly settle?: number;
}

const SECOND_MS = 1_000;

/** `shapedex watch <folder>`: the library follows a folder, until Ctrl-C. */
export function watchCommand(finish: Finish): Command {
  return withPuttingOptions(withReadingOptions(withLibraryOptions(new Command('watch'))))
    .description(
      'follow a folder until Ctrl-C: files that come, change, move or go are indexed, indexed again, renamed or noted as gone. A second call catches up first',
    )
    .argument('<folder>', 'folder whose files the library shall hold')
    .option('--delete', 'take files that are gone out of the library, too; without it the library keeps them')
    .option(
      '--poll [seconds]',
      'look every so many seconds (default: 5) instead of asking the system to tell; for network folders',
      seconds,
    )
    .option('--settle <seconds>', 'take a file when it has not changed for so long (default: 2)', seconds)
    .action(async (folder: string, options: WatchCommandOptions) => finish(await watch(folder, options)));
}

async function watch(folder: string, options: WatchCommandOptions): Promise<number> {
  const output = openOutput(options);
  if (!(await isFolder(folder))) throw new UsageError(`${folder} is not a folder`);
  const { prefix, attribute: attributes, poll, settle, delete: deletes } = options;
  return interruptible(output, (signal) =>
    inLibrary({ ...options, create: true }, async ({ company }) => {
      output.say(`Watching ${folder}. Ctrl-C stops.`);
      const failing = await follow(
        company,
        folder,
        {
          prefix,
          attributes,
          signal,
          delete: deletes,
          poll: poll !== undefined,
          pollMs: typeof poll === 'number' ? Math.round(poll * SECOND_MS) : undefined,
          settleMs: settle === undefined ? undefined : Math.round(settle * SECOND_MS),
        },
        output,
      );
      if (failing.length > 0) output.say(renderFailures(failing));
      return EXIT.ok;
    }),
  );
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0.1 && value <= 86_400))
    throw new InvalidArgumentError('It must be a number of seconds from 0.1 to 86400.');
  return value;
}
