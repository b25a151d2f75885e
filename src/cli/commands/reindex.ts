import { Command } from 'commander';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import type { Finish } from '../program.js';
import { EXIT } from '../exit.js';

/** `shapedex reindex`: reads and describes every stored file again. */
export function reindexCommand(finish: Finish): Command {
  return withLibraryOptions(new Command('reindex'))
    .description('read and describe every stored file again, as after a new version')
    .action(async (options: LibraryOptions) => {
      const output = openOutput(options);
      await inLibrary(options, ({ engine }) => engine.reindex());
      output.emit({ reindexed: true });
      output.say('Reindexed.');
      finish(EXIT.ok);
    });
}
