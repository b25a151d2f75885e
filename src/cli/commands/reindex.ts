import { Command } from 'commander';
import { EXIT, type Finish } from '../exit.js';
import { plural } from '../format.js';
import { waitForQueue } from '../progress.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { inWholeLibrary, noteWarnings, withWholeLibraryOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { withReadingOptions, type ReadingOptions } from '../options.js';

/** Printed when `reindex` is interrupted: queued files stay queued, while `--all` would queue finished ones again. */
const STOPPED_ALL = 'Stopped. Run the same command again without --all to continue.';

/** `shapedex reindex`: reads and describes stored files again. */
export function reindexCommand(finish: Finish): Command {
  return withReadingOptions(withWholeLibraryOptions(new Command('reindex')))
    .description('describe stored files again whose descriptors are missing or of an older version')
    .option('--all', 'every file, failed ones too')
    .action(async (options: FolderOptions & ReadingOptions & { readonly all?: boolean }) =>
      finish(await reindex(options)),
    );
}

async function reindex(options: FolderOptions & ReadingOptions & { readonly all?: boolean }): Promise<number> {
  const output = openOutput(options);
  return interruptible(output, (signal) =>
    inWholeLibrary(options, async (engine) => {
      noteWarnings(engine);
      const queued = await engine.reindex({ only: options.all ? 'all' : 'stale' });
      if (!(await waitForQueue(engine, 'Reindexing', signal))) {
        output.note(options.all ? STOPPED_ALL : STOPPED);
        return EXIT.interrupted;
      }
      output.emit({ reindexed: queued });
      output.say(`${plural(queued, 'file')} read again.`);
      return EXIT.ok;
    }),
  );
}
