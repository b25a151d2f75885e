import { Command } from 'commander';
import { findRecord } from '../named.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';

/** `shapedex delete <uid|path>`: takes a file out of the library. */
export function deleteCommand(): Command {
  return withLibraryOptions(new Command('delete'))
    .description('take a file out of the library (the file that it was read from stays)')
    .argument('<uid|path>', 'UID or path of a file in the library')
    .action(async (word: string, options: LibraryOptions) => {
      const output = openOutput(options);
      const { uid, path } = await inLibrary(
        options,
        async ({ company }) => {
          const record = await findRecord(company, word);
          await company.delete(record.uid);
          return record;
        },
        (record) => ({ action: 'delete', object: record.path }),
      );
      output.emit({ deleted: { uid, path } });
      output.say(`Deleted ${path} (${uid}).`);
    });
}
