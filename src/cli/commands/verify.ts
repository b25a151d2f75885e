import { Command } from 'commander';
import type { VerifyReport } from '../../index.js';
import { EXIT, type Finish } from '../exit.js';
import { bytes, plural } from '../format.js';
import { waitForQueue } from '../idle.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { withReadingOptions, type ReadingOptions } from '../reading-options.js';
import { ProgressLine } from '../progress.js';

interface VerifyCommandOptions extends LibraryOptions, ReadingOptions {
  /** False with `--no-repair`. */
  readonly repair: boolean;
}

/** `shapedex verify`: checks everything that is stored. */
export function verifyCommand(finish: Finish): Command {
  return withReadingOptions(withLibraryOptions(new Command('verify')))
    .description('check that everything stored is whole, and mend what can be derived again')
    .option('--no-repair', 'only report')
    .action(async (options: VerifyCommandOptions) => finish(await verify(options)));
}

async function verify(options: VerifyCommandOptions): Promise<number> {
  const output = openOutput(options);
  const line = new ProgressLine('Checking');
  return interruptible(output, (signal) =>
    inLibrary(options, async ({ engine }) => {
      let report: VerifyReport;
      try {
        report = await engine.verify({ repair: options.repair, signal, onProgress: (progress) => line.show(progress) });
      } catch (error) {
        if (!signal.aborted) throw error;
        output.note(STOPPED);
        return EXIT.interrupted;
      } finally {
        line.end();
      }
      if (report.requeued.length > 0 && !(await waitForQueue(engine, 'Mending', signal))) return EXIT.interrupted;
      output.emit(report);
      output.say(renderReport(report));
      return report.problems.every(({ repaired }) => repaired) ? EXIT.ok : EXIT.failure;
    }),
  );
}

function renderReport({ problems, blobsChecked, bytesChecked }: VerifyReport): string {
  const lines = problems.map(({ code, message, repaired }) => `${code}: ${message}${repaired ? ' (mended)' : ''}`);
  const left = problems.filter(({ repaired }) => !repaired).length;
  const verdict = left === 0 ? 'The library is whole' : `${plural(left, 'problem')} left`;
  return [...lines, `${verdict} (${plural(blobsChecked, 'stored file')}, ${bytes(bytesChecked)} checked).`].join('\n');
}
