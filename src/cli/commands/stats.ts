import { Command } from 'commander';
import { bytes, count, plural } from '../format.js';
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
      output.say(
        renderFacts([
          ['files', count(stats.files)],
          ...Object.entries(stats.states).map(([state, number]): [string, string] => [`  ${state}`, count(number)]),
          ['files as given', bytes(stats.blobBytes)],
          ['catalogue', bytes(stats.catalogBytes)],
          ['caches', bytes(stats.cacheBytes)],
          ['jobs waiting', count(stats.queueLength)],
          ...(stats.warnings ?? []).map((warning): [string, string] => ['warning', warning]),
          ...stats.companies.map(({ name, files, byteLength }): [string, string] => [
            `company ${name}`,
            `${plural(files, 'file')}, ${bytes(byteLength)}`,
          ]),
        ]),
      );
    });
}
