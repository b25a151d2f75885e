import { Command } from 'commander';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderFacts } from '../table.js';

/** `shapedex stats`: what the library holds. */
export function statsCommand(): Command {
  return withLibraryOptions(new Command('stats'))
    .description('show what the library holds and how large it is')
    .action(async (options: LibraryOptions) => {
      const output = openOutput(options);
      const stats = await inLibrary(options, ({ engine }) => engine.stats());
      output.emit(stats);
      output.say(renderFacts(Object.entries(stats).map(([name, value]) => [name, String(value)])));
    });
}
