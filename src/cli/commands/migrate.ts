import { Command } from 'commander';
import { Engine } from '../../index.js';
import { EXIT, UsageError, type Finish } from '../exit.js';
import { bytes, plural } from '../format.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { blobsOption, jsonOption } from '../library.js';
import { isDatabase } from '../named.js';
import { openOutput } from '../output.js';
import { ProgressLine } from '../progress.js';

type MigrationReport = Awaited<ReturnType<typeof Engine.migrate>>;

interface MigrateOptions {
  readonly blobs?: string;
  readonly json?: boolean;
}

/** Damaged byte strings that are listed for people. */
const DAMAGED_LISTED = 20;

const LABELS = { bytes: 'Copying bytes', rows: 'Copying tables', check: 'Comparing tables' } as const;

/** `shapedex migrate <from> <to>`: copies a library from a folder into PostgreSQL, or back. */
export function migrateCommand(finish: Finish): Command {
  return new Command('migrate')
    .description('copy a closed library from a folder into an empty PostgreSQL database, or from there into a folder')
    .argument('<from>', 'folder of the library, or postgres:// URL')
    .argument('<to>', 'the other of the two')
    .addOption(blobsOption())
    .addOption(jsonOption())
    .action(async (from: string, to: string, options: MigrateOptions) => finish(await migrate(from, to, options)));
}

async function migrate(from: string, to: string, { blobs, ...rest }: MigrateOptions): Promise<number> {
  if (blobs === undefined) throw new UsageError('a library in PostgreSQL needs --blobs (or SHAPEDEX_BLOBS)');
  const isFromServer = isDatabase(from);
  if (isFromServer === isDatabase(to))
    throw new UsageError('one of the two must be a folder, the other a postgres:// URL');
  const output = openOutput(rest);
  return interruptible(output, async (signal) => {
    let line: ProgressLine | undefined;
    let label = '';
    let report: MigrationReport;
    try {
      report = await Engine.migrate(from, to, {
        blobs,
        signal,
        onProgress: ({ what, done, total }) => {
          if (label !== LABELS[what]) {
            line?.end();
            label = LABELS[what];
            line = new ProgressLine(label);
          }
          line?.show({ done, total });
        },
      });
    } catch (cause) {
      if (!signal.aborted) throw cause;
      output.note(STOPPED);
      return EXIT.interrupted;
    } finally {
      line?.end();
    }
    output.emit(report);
    output.say(render(report, isFromServer ? to : 'the database'));
    return report.damaged.length === 0 ? EXIT.ok : EXIT.failure;
  });
}

function render({ tables, blobs, bytes: byteLength, kept, damaged }: MigrationReport, to: string): string {
  const rows = Object.values(tables).reduce((sum, one) => sum + one, 0);
  const before = kept > 0 ? `, ${kept} of them by an earlier run` : '';
  const lines = [
    `Copied ${plural(blobs, 'stored file')} (${bytes(byteLength)}${before}) and ${plural(rows, 'row')} to ${to}; both libraries hold the same.`,
  ];
  if (damaged.length > 0) {
    lines.push(`${plural(damaged.length, 'stored file')} of the library could not be copied:`);
    for (const { hash, fault } of damaged.slice(0, DAMAGED_LISTED)) lines.push(`  ${hash}: ${fault}`);
  }
  return lines.join('\n');
}
