import { Command } from 'commander';
import { EXIT } from '../exit.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import type { Finish } from '../program.js';

/** `shapedex verify`: checks that everything stored is whole. */
export function verifyCommand(finish: Finish): Command {
  return withLibraryOptions(new Command('verify'))
    .description('check that everything stored in the library is whole; exit code 1 if not')
    .action(async (options: LibraryOptions) => {
      const output = openOutput(options);
      const report = await inLibrary(options, ({ engine }) => engine.verify());
      output.emit(report);
      output.say(report.problems.length === 0
        ? 'The library is whole.'
        : report.problems.map(({ code, message }) => `${code}: ${message}`).join('\n'));
      finish(report.problems.length === 0 ? EXIT.ok : EXIT.failure);
    });
}
