import { Command } from 'commander';
import { backupLibrary, EngineError } from '../../index.js';
import { EXIT, type Finish } from '../exit.js';
import { bytes, plural } from '../format.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { withWholeLibraryOptions, type FolderOptions } from '../library.js';
import { isDatabase, isFolder } from '../named.js';
import { openOutput } from '../output.js';
import { ProgressLine } from '../progress.js';

type BackupReport = Awaited<ReturnType<typeof backupLibrary>>;

/** Damaged byte strings that are listed for people. */
const DAMAGED_LISTED = 20;

/** `shapedex backup <folder>`: copies a library, also one that is open elsewhere. */
export function backupCommand(finish: Finish): Command {
  return withWholeLibraryOptions(new Command('backup'))
    .description('copy the library to an empty folder, also while a program has it open and writes to it')
    .argument('<folder>', 'where the copy goes; it is made when it is missing')
    .option('--link', 'hard links instead of copies of the files’ bytes, where the file system allows it')
    .action(async (folder: string, options: FolderOptions & { readonly link?: boolean }) =>
      finish(await backup(folder, options)),
    );
}

async function backup(
  folder: string,
  { library, link, ...rest }: FolderOptions & { readonly link?: boolean },
): Promise<number> {
  // Of a database, the copying says what to copy instead.
  if (!isDatabase(library) && !(await isFolder(library)))
    throw new EngineError('LIBRARY_UNREADABLE', `there is no library in ${library}`);
  const output = openOutput(rest);
  const line = new ProgressLine('Copying');
  return interruptible(output, async (signal) => {
    let report: BackupReport;
    try {
      report = await backupLibrary(library, folder, { link, signal, onProgress: (progress) => line.show(progress) });
    } catch (cause) {
      if (!signal.aborted) throw cause;
      output.note(STOPPED);
      return EXIT.interrupted;
    } finally {
      line.end();
    }
    output.emit(report);
    output.say(render(report, folder));
    return report.damaged.length === 0 ? EXIT.ok : EXIT.failure;
  });
}

function render({ blobs, linked, bytes: byteLength, damaged }: BackupReport, folder: string): string {
  const links = linked > 0 ? `, ${linked} of them as hard links` : '';
  const lines = [
    `Copied ${plural(blobs, 'stored file')} (${bytes(byteLength)}${links}) and the catalogue to ${folder}.`,
  ];
  if (damaged.length > 0) {
    lines.push(
      `${plural(damaged.length, 'stored file')} of the library could not be copied; "shapedex verify" names them:`,
    );
    for (const { hash, fault } of damaged.slice(0, DAMAGED_LISTED)) lines.push(`  ${hash}: ${fault}`);
  }
  return lines.join('\n');
}
