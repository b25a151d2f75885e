import { join } from 'node:path';
import { Command, Option } from 'commander';
import { EngineError, rescueFiles, verifyClosed, type VerifyReport } from '../../index.js';
import { EXIT, UsageError, type Finish } from '../exit.js';
import { bytes, oneLine, plural } from '../format.js';
import { waitForQueue, ProgressLine } from '../progress.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { isDatabase, isFolder } from '../named.js';
import { inWholeLibrary, withFolderOptions, type FolderOptions } from '../library.js';
import { openOutput, type Output } from '../output.js';
import { withReadingOptions, type ReadingOptions } from '../options.js';

type RescueReport = Awaited<ReturnType<typeof rescueFiles>>;

interface VerifyCommandOptions extends FolderOptions, ReadingOptions {
  /** False with `--no-repair`. */
  readonly repair: boolean;
  readonly purge?: boolean;
  readonly rescue?: string;
}

/** `shapedex verify`: checks everything that is stored. */
export function verifyCommand(finish: Finish): Command {
  return (
    withReadingOptions(withFolderOptions(new Command('verify')))
      .description('check everything stored, and repair what can be derived again')
      // Earlier versions had it; a check is of all companies.
      .addOption(new Option('--company <name>').hideHelp())
      .option('--no-repair', 'only report')
      .addOption(new Option('--purge', 'remove what lost+found in the library holds').conflicts('repair'))
      .addOption(
        new Option(
          '--rescue <folder>',
          'only copy all whole files there, also from a library that does not open',
        ).conflicts(['repair', 'purge', 'unit', 'ocr', 'pdfDrawings', 'workers']),
      )
      .action(async (options: VerifyCommandOptions) => finish(await verify(options)))
  );
}

async function verify(options: VerifyCommandOptions): Promise<number> {
  const { rescue: target } = options;
  if (target !== undefined) return rescue(options, target);
  const output = openOutput(options);
  const line = new ProgressLine('Checking');
  let isOpen = false;
  const opened = (): void => {
    isOpen = true;
  };
  try {
    return await verifyOpened(options, { output, line, opened });
  } catch (cause) {
    // A library that does not open has a report all the same.
    if (isOpen || !(cause instanceof EngineError && DOES_NOT_OPEN.has(cause.code))) throw cause;
    const report = await verifyClosed(options.library, cause);
    output.emit(report);
    output.say(renderReport(report));
    return EXIT.failure;
  }
}

const DOES_NOT_OPEN: ReadonlySet<string> = new Set(['LIBRARY_DAMAGED', 'LIBRARY_UNREADABLE', 'STORAGE_FAILED']);

function verifyOpened(
  options: VerifyCommandOptions,
  { output, line, opened }: { readonly output: Output; readonly line: ProgressLine; readonly opened: () => void },
): Promise<number> {
  const { repair, purge = false } = options;
  return interruptible(output, (signal) =>
    inWholeLibrary(options, async (engine) => {
      opened();
      let report: VerifyReport;
      try {
        report = await engine.verify({ repair, purge, signal, onProgress: (progress) => line.show(progress) });
      } catch (error) {
        if (!signal.aborted) throw error;
        output.note(STOPPED);
        return EXIT.interrupted;
      } finally {
        line.end();
      }
      // Before the wait: it may take long, be ended, or fail on what is damaged.
      output.emit(report);
      output.say(renderReport(report));
      if (report.requeued.length > 0 && !(await waitForQueue(engine, 'Repairing', signal))) return EXIT.interrupted;
      return report.problems.every(({ repaired }) => repaired) ? EXIT.ok : EXIT.failure;
    }),
  );
}

async function rescue(options: VerifyCommandOptions, target: string): Promise<number> {
  if (isDatabase(options.library)) throw new UsageError('--rescue reads a library in a folder, not in PostgreSQL');
  if (!(await isFolder(options.library))) throw new UsageError(`there is no library in ${options.library}`);
  const output = openOutput(options);
  const report = await rescueFiles(options.library, target);
  output.emit(report);
  output.say(renderRescue(report, target));
  return report.damaged.length + report.unreadable.length === 0 ? EXIT.ok : EXIT.failure;
}

/** Most damaged files that are listed for people. */
const DAMAGED_LISTED = 100;

function renderRescue(
  { named, inputs, unnamed, catalogue, damaged, unreadable }: RescueReport,
  target: string,
): string {
  const lines = [`Copied ${plural(named, 'file')} to ${target}.`];
  if (inputs > 0) lines.push(`Copied ${plural(inputs, 'search input')} to ${join(target, 'search-inputs')}.`);
  if (unnamed > 0)
    lines.push(
      `Copied ${plural(unnamed, 'file')} whose name is not known to ${join(target, 'unnamed')}, named by their SHA-256.`,
    );
  if (catalogue !== undefined) lines.push(`Names are missing: ${oneLine(catalogue)}`);
  for (const { folder, errno } of unreadable) lines.push(`${folder} cannot be listed: ${errno}`);
  if (damaged.length > 0) lines.push(`${plural(damaged.length, 'file')} could not be copied:`);
  for (const { hash, file, fault, files } of damaged.slice(0, DAMAGED_LISTED)) {
    const what = files.length === 0 ? hash : files.map(({ company, path }) => `${path} (${company})`).join(', ');
    lines.push(`  ${oneLine(what)}: ${RESCUE_FAULTS[fault]}${file === undefined ? '' : ` (${file})`}`);
  }
  if (damaged.length > DAMAGED_LISTED) lines.push(`  … ${damaged.length - DAMAGED_LISTED} more; --json lists all.`);
  return lines.join('\n');
}

const RESCUE_FAULTS: Readonly<Record<RescueReport['damaged'][number]['fault'], string>> = {
  missing: 'its bytes are missing',
  changed: 'its bytes are not those that were put: they do not match their SHA-256',
  unreadable: 'the system refuses to read its bytes',
};

const BYTES_LOST: ReadonlySet<string> = new Set(['BLOB_MISSING', 'BLOB_CHANGED']);

function renderReport({ problems, blobsChecked, bytesChecked, catalogueIsOlder, lostAndFound }: VerifyReport): string {
  const lines = problems.map(
    ({ code, message, company, repaired }) =>
      `${code}: ${message}${company === undefined ? '' : ` (company ${company})`}${repaired ? ' (repaired)' : ''}`,
  );
  if (catalogueIsOlder)
    lines.push('CATALOG_OLDER: the catalogue is older than the last changes; what it does not know is in lost+found.');
  const { count, byteLength, moved, takenBack, removed } = lostAndFound;
  if (moved + takenBack + removed > 0)
    lines.push(`lost+found: ${moved} moved there, ${takenBack} taken back, ${removed} removed.`);
  if (count > 0)
    lines.push(
      `lost+found holds ${plural(count, 'stored file')} (${bytes(byteLength)}) that no file of the catalogue has. Ways on:`,
      '  1. Put the newer catalog.sqlite back, if you have it (stop the server first): they are taken back at opening.',
      '  2. "shapedex verify --rescue <folder>" copies them, with all others; put again what you miss.',
      '  3. Only when you need none of them: "shapedex verify --purge" removes them for good.',
    );
  if (problems.some(({ code, repaired }) => BYTES_LOST.has(code) && !repaired))
    lines.push(
      'Of files whose bytes are missing or changed, put those again that you have: "touch" them, then "shapedex index",',
      'which passes over files of the same size and date. Others are in a backup; "shapedex verify --rescue <folder>"',
      'copies all whole files.',
    );
  const left = problems.filter(({ repaired }) => !repaired);
  const verdict = verdictOn(left.map(({ code }) => code));
  return [...lines, `${verdict} (${plural(blobsChecked, 'stored file')}, ${bytes(bytesChecked)} checked).`].join('\n');
}

/** What a check that could not be done says is no damage. */
const NOT_CHECKED: ReadonlySet<string> = new Set(['CHECK_FAILED', 'LIBRARY_UNREADABLE']);

function verdictOn(left: readonly string[]): string {
  if (left.length === 0) return 'The library is sound';
  if (left.every((code) => NOT_CHECKED.has(code))) return 'No damage was found, but not all could be checked';
  return `${plural(left.length, 'problem')} left`;
}
