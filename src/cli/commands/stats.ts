import { Command } from 'commander';
import type { LibraryStats } from '../../index.js';
import { bytes, count, plural } from '../format.js';
import { inWholeLibrary, withWholeLibraryOptions, type FolderOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderFacts } from '../table.js';

/** `shapedex stats`: what the library holds. */
export function statsCommand(): Command {
  return withWholeLibraryOptions(new Command('stats'))
    .description('show what the library holds and how large it is')
    .action(async (options: FolderOptions) => {
      const output = openOutput(options);
      const stats = await inWholeLibrary(options, (engine) => engine.stats());
      output.emit(stats);
      output.say(
        renderFacts([
          ['files', count(stats.files)],
          ...Object.entries(stats.states).map(([state, number]): [string, string] => [`  ${state}`, count(number)]),
          ['files as given', bytes(stats.blobBytes)],
          ['catalogue', bytes(stats.catalogBytes)],
          ['caches', bytes(stats.cacheBytes)],
          ['jobs waiting', count(stats.queueLength)],
          ...(stats.reading === undefined ? [] : [readingFact(stats.reading)]),
          ...(stats.warnings ?? []).map((warning): [string, string] => ['warning', warning]),
          ...stats.companies.map(({ name, files, byteLength }): [string, string] => [
            `company ${name}`,
            `${plural(files, 'file')}, ${bytes(byteLength)}`,
          ]),
        ]),
      );
    });
}

/** What a hostile file could not do if it took over the process that reads it. */
function readingFact({ confinement, holds }: NonNullable<LibraryStats['reading']>): [string, string] {
  return ['reading processes', `${confinement}: ${holds.join(', ')}`];
}
