import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { EngineError, type Company, type SearchQuery } from '../../index.js';
import { isFile } from '../disk.js';
import { findRecord } from '../find-record.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderHits } from '../hits.js';

interface SearchOptions extends LibraryOptions {
  readonly limit: number;
  readonly offset: number;
  readonly within?: string[];
  readonly volume?: string;
  readonly bboxVolume?: string;
  readonly surfaceArea?: string;
  readonly picture?: string;
}

/** `shapedex search <file|uid>`: the files most like a given one. */
export function searchCommand(): Command {
  return withLibraryOptions(new Command('search'))
    .description('find the files most like a given one')
    .argument('<file|uid>', 'a file on disk, or the UID or path of a file in the library')
    .option('--limit <n>', 'how many to show', wholeNumber, 20)
    .option('--offset <n>', 'how many to pass over first', wholeNumber, 0)
    .option('--within <uid...>', 'search among these files only')
    .option('--volume <tolerance>', 'only volumes within this share of the query\'s: .1, +.2, -.5, +0.3/-0.4')
    .option('--bbox-volume <tolerance>', 'the same for the volume of the smallest box around the part')
    .option('--surface-area <tolerance>', 'the same for the surface area')
    .option('--picture <file.png>', 'also draw the query and its first hits')
    // A tolerance such as -.5 looks like an option: it is one word with its own, --volume=-.5.
    .addHelpText('after', '\nA tolerance that starts with a minus sign is written with an equals sign: --volume=-.5')
    .action(search);
}

async function search(word: string, options: SearchOptions): Promise<void> {
  const output = openOutput(options);
  const { limit, offset, within, volume, bboxVolume, surfaceArea, picture } = options;
  await inLibrary(options, async ({ company }) => {
    const { like, name } = await readQuery(company, word);
    const result = await company.search({ like, limit, offset, within, volume, bboxVolume, surfaceArea });
    output.emit(result);
    if (!output.json) output.say(renderHits(result, { name, offset }));
    if (picture !== undefined) {
      await writeFile(picture, await company.resultPicture(like, result));
      output.note(`Picture: ${picture}`);
    }
  });
}

/** What to search with: a file on disk if there is one of that name, else a file of the library. */
async function readQuery(company: Company, word: string): Promise<{ like: SearchQuery['like']; name: string }> {
  if (await isFile(word)) {
    return { like: { bytes: await readFile(word), extension: extname(word) }, name: word };
  }
  try {
    const { uid, path } = await findRecord(company, word);
    return { like: { uid }, name: path };
  } catch (cause) {
    if (!(cause instanceof EngineError) || cause.code !== 'FILE_UNKNOWN') throw cause;
    throw new EngineError('FILE_UNKNOWN', `${word} is neither a file on disk nor the path or UID of a file of the library`, { cause });
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
