import { Command } from 'commander';
import { EXIT, type Finish } from '../exit.js';
import { plural } from '../format.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { jsonOption } from '../library.js';
import { openOutput } from '../output.js';
import { writeSample } from '../write-sample.js';

/** `shapedex sample <folder>`: writes the sample library's files. */
export function sampleCommand(finish: Finish): Command {
  return new Command('sample')
    .description('make a folder of sample parts (STEP and mesh files) to try the engine with')
    .argument('<folder>', 'folder to write to; files that are there already are kept')
    .addOption(jsonOption())
    .action(async (folder: string, options: { json?: boolean }) => {
      const output = openOutput(options);
      const total = await interruptible(output, (signal) => writeSample(folder, signal));
      if (total === undefined) {
        output.note(STOPPED);
        return finish(EXIT.interrupted);
      }
      output.emit({ folder, files: total });
      output.say(`${plural(total, 'sample part')} in ${folder}`);
    });
}
