import { Command } from 'commander';
import {
  DEFAULT_NEAR_SCORE,
  DUPLICATE_CLASSES,
  duplicatesCsv,
  type Company,
  type DuplicateClass,
  type DuplicateDecision,
  type DuplicatesReport,
} from '../../index.js';
import { EXIT, UsageError, type Finish } from '../exit.js';
import { findRecord } from '../named.js';
import { plural } from '../format.js';
import { interruptible } from '../interrupt.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput, type Output } from '../output.js';
import { writeOutput } from '../output-files.js';
import { ProgressLine } from '../progress.js';
import { renderDecisions, renderGroups } from '../render-duplicates.js';
import { numberFrom, repeatedChoice } from '../options.js';

interface DuplicatesCommandOptions extends LibraryOptions {
  readonly class?: DuplicateClass[];
  readonly near?: number | true;
  readonly open?: boolean;
  readonly csv?: string;
  readonly sheet?: string;
  readonly different?: string[];
  readonly keep?: string;
  readonly decisions?: boolean;
  readonly undo?: readonly number[];
}

const STOPPED = 'Stopped. The comparisons are stored: run the same command again to continue.';

/** `shapedex duplicates`: files that are the same, and what was decided about them. */
export function duplicatesCommand(finish: Finish): Command {
  return withLibraryOptions(new Command('duplicates'))
    .description(
      'show groups of files that are the same: byte for byte, identical parts, mirrored, scaled or near ones. ' +
        'Deletes nothing',
    )
    .option(
      '--class <class>',
      `only groups of this class (${DUPLICATE_CLASSES.join(', ')}); may repeat`,
      repeatedChoice(DUPLICATE_CLASSES),
    )
    .option(
      '--near [score]',
      `also similar parts, up to this score of a search (default: ${DEFAULT_NEAR_SCORE})`,
      numberFrom(0, 1, 'score'),
    )
    .option('--open', 'leave out groups for which the file to keep is decided')
    .option('--csv <file>', 'also write the groups to a CSV file')
    .option('--sheet <file.png>', 'also draw the groups')
    .option('--different <uid...>', 'decide that these files (UIDs or paths) are different, each from every other')
    .option(
      '--keep <uid>',
      'decide that of its group this file (UID or path) is the one to keep; with --class for groups of that class',
    )
    .option('--decisions', 'show the decisions')
    .option('--undo <id...>', 'undo decisions, by their ids')
    .action(
      async ({ undo, ...options }: Omit<DuplicatesCommandOptions, 'undo'> & { readonly undo?: readonly string[] }) =>
        finish(await duplicates({ ...options, undo: undo?.map(decisionId) })),
    );
}

async function duplicates(options: DuplicatesCommandOptions): Promise<number> {
  const output = openOutput(options);
  const { different, keep, undo, decisions } = options;
  if ([different, keep, undo, decisions].filter((given) => given !== undefined).length > 1) {
    throw new UsageError('--different, --keep, --undo and --decisions are given one at a time');
  }
  if (different?.length === 1) throw new UsageError('--different needs two files or more');
  if (keep !== undefined && options.class !== undefined && options.class.length > 1)
    throw new UsageError('--keep takes one --class at most');
  checkDeciding(options);
  return interruptible(output, (signal) =>
    inLibrary(options, async ({ company }) => {
      if (undo !== undefined) {
        const undone = await company.duplicates.undo(undo);
        output.emit({ undone });
        output.say(`${plural(undone, 'decision')} undone.`);
        return undone === undo.length ? EXIT.ok : EXIT.failure;
      }
      if (decisions === true) return tellDecisions(company, await company.duplicates.decisions(), output);
      if (different !== undefined || keep !== undefined)
        return tellDecisions(company, await decide(company, options), output);
      return report(company, options, { output, signal });
    }),
  );
}

/** Who decides, or looks at decisions, gets no groups. @throws UsageError */
function checkDeciding(options: DuplicatesCommandOptions): void {
  const { different, keep, undo, decisions, class: classes, near, open, csv, sheet } = options;
  const deciding = Object.entries({ different, keep, undo, decisions }).find(([, given]) => given !== undefined)?.[0];
  const ofGroups = { class: keep === undefined ? classes : undefined, near, open, csv, sheet };
  const beside = Object.entries(ofGroups).find(([, given]) => given !== undefined)?.[0];
  if (deciding !== undefined && beside !== undefined)
    throw new UsageError(`--${deciding} shows no groups, so it cannot be used with --${beside}`);
}

async function decide(
  company: Company,
  { different, keep, class: classes }: DuplicatesCommandOptions,
): Promise<DuplicateDecision[]> {
  if (keep !== undefined)
    return [await company.duplicates.keep((await findRecord(company, keep)).uid, { matchClass: classes?.[0] })];
  const records = await Promise.all(different!.map((word) => findRecord(company, word)));
  return company.duplicates.markDifferent(records.map(({ uid }) => uid));
}

async function tellDecisions(
  company: Company,
  decisions: readonly DuplicateDecision[],
  output: Output,
): Promise<number> {
  output.emit(decisions);
  if (!output.json) output.say(await renderDecisions(company, decisions));
  return EXIT.ok;
}

async function report(
  company: Company,
  options: DuplicatesCommandOptions,
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
): Promise<number> {
  const { csv, sheet } = options;
  const near = options.near === true ? DEFAULT_NEAR_SCORE : options.near;
  // --near beside --class asks for near parts, too.
  const classes = options.class && [...new Set([...options.class, ...(near === undefined ? [] : ['near' as const])])];
  const lines = { compare: new ProgressLine('Comparing'), near: new ProgressLine('Looking for near parts') };
  let found: DuplicatesReport;
  try {
    found = await company.duplicates.find({
      classes,
      near,
      settled: options.open !== true,
      signal,
      onProgress: (progress) => lines[progress.phase].show(progress),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    output.note(STOPPED);
    return EXIT.interrupted;
  } finally {
    lines.compare.end();
    lines.near.end();
  }
  output.emit(found);
  if (!output.json) output.say(renderGroups(found));
  if (csv !== undefined) await writeOutput(output, 'CSV', csv, duplicatesCsv(found.groups));
  if (sheet !== undefined) await writeOutput(output, 'Picture', sheet, await company.duplicates.picture(found.groups));
  return EXIT.ok;
}

function decisionId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`--undo takes ids of decisions, as --decisions shows them, received ${JSON.stringify(text)}`);
  return Number(text);
}
