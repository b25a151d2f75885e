import { Command } from 'commander';
import { EXIT } from '../exit.js';
import { bytes, plural } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import type { Finish } from '../program.js';

/** `shapedex verify`: checks that everything stored is whole. */
export function verifyCommand(finish: Finish): Command {
  return withLibraryOptions(new Command('verify'))
    .description('check that everything stored in the library is whole; what is derived is mended; exit code 1 if damage is left')
    .action(async (options: LibraryOptions) => {
      const output = openOutput(options);
      const report = await inLibrary(options, ({ engine }) => engine.verify());
      output.emit(report);
      for (const { code, message, repaired } of report.problems) output.say(`${code}: ${message}${repaired ? ' (mended)' : ''}`);
      const left = report.problems.filter(({ repaired }) => !repaired).length;
      const checked = `${plural(report.blobsChecked, 'stored file')}, ${bytes(report.bytesChecked)}`;
      output.say(left === 0 ? `The library is whole (${checked} checked).` : `${plural(left, 'problem')} left (${checked} checked).`);
      finish(left === 0 ? EXIT.ok : EXIT.failure);
    });
}
