import { Command } from 'commander';
import { checkFolder } from '../named.js';
import { EXIT, type Finish } from '../exit.js';
import { renderFailures } from '../failures.js';
import { follow } from '../follow.js';
import { interruptible } from '../interrupt.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import {
  numberFrom,
  withPuttingOptions,
  type PuttingOptions,
  withReadingOptions,
  type ReadingOptions,
} from '../options.js';

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
      'follow a folder until Ctrl-C: files that come, change, move or go are indexed, indexed again, ' +
        'renamed or noted as gone. A second call catches up first',
    )
    .argument('<folder>', 'folder whose files the library shall hold')
    .option('--delete', 'take files that are gone out of the library, too; without it the library keeps them')
    .option(
      '--poll [seconds]',
      'check the folder every so many seconds (default: 5) instead of using notices of the system; for network folders',
      numberFrom(0.1, 86_400, 'number of seconds'),
    )
    .option(
      '--settle <seconds>',
      'take a file when it has not changed for so long (default: 2)',
      numberFrom(0.1, 86_400, 'number of seconds'),
    )
    .action(async (folder: string, options: WatchCommandOptions) => finish(await watch(folder, options)));
}

async function watch(folder: string, options: WatchCommandOptions): Promise<number> {
  const output = openOutput(options);
  await checkFolder(folder);
  const { prefix, attribute: attributes, poll, settle, followLinks, delete: deletes } = options;
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
          followLinks,
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
