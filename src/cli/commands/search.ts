import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EngineError, parseFilter, type Company, type FileKind, type SearchInput } from '../../index.js';
import { isFile } from '../disk.js';
import { findRecord } from '../find-record.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { renderHits } from '../hits.js';

interface SearchOptions extends LibraryOptions {
  readonly text: string[];
  readonly attribute: string[];
  readonly kind?: FileKind[];
  readonly category?: (number | null)[];
  readonly filter?: string;
  readonly limit: number;
  readonly offset: number;
  readonly within?: string[];
  readonly volume?: string;
  readonly bboxVolume?: string;
  readonly surfaceArea?: string;
  readonly picture?: string;
}

/** `shapedex search [file|uid]`: the files most like a given one, or with given words and attributes, or both. */
export function searchCommand(): Command {
  return withLibraryOptions(new Command('search'))
    .description('find the files most like a given one, by text, by attributes, or all together')
    .argument('[file|uid]', 'a file on disk, or the UID or path of a file in the library')
    .option('--text <text>', 'only files with these words, "phrase" or prefix* in text, name or attributes; may repeat', collect, [])
    .option('--attribute <expression>', 'only files with this attribute: Material=steel, Part=[B-17], Part=B-*, "Length>20mm"; may repeat', collectAttribute, [])
    .addOption(new Option('--kind <kind...>', 'only files of these kinds').choices(['Image', 'ThreeD', 'TwoD', 'Text']))
    .option('--category <id|none>', 'only files of this category, or none for those without one; may repeat', (text, ids: (number | null)[] = []) => [...ids, categoryId(text)])
    .option('--filter <filterStr>', 'filters as one text: "FT=Material%3Dsteel&resultFileType=ThreeD&v=.1"')
    .option('--within <uid...>', 'search among these files only')
    .option('--limit <n>', 'how many to show', wholeNumber, 20)
    .option('--offset <n>', 'how many to pass over first', wholeNumber, 0)
    .option('--volume <tolerance>', 'only volumes within this share of the query\'s: .1, +.2, -.5, +0.3/-0.4')
    .option('--bbox-volume <tolerance>', 'the same for the volume of the smallest box around the part')
    .option('--surface-area <tolerance>', 'the same for the surface area')
    .option('--picture <file.png>', 'also draw the query and its first hits')
    // A tolerance such as -.5 looks like an option: it is one word with its own, --volume=-.5.
    .addHelpText('after', '\nA tolerance that starts with a minus sign is written with an equals sign: --volume=-.5')
    .action(search);
}

async function search(word: string | undefined, options: SearchOptions, command: Command): Promise<void> {
  const { text: [firstText], attribute: [firstAttribute], kind: kinds, category: categories, filter: filterText } = options;
  if ([word, firstText, firstAttribute, kinds, categories, filterText, options.within].every((given) => given === undefined)) {
    command.error('error: nothing to search for: give a [file|uid], --text, --attribute, --kind, --category, --filter or --within');
  }
  const output = openOutput(options);
  const { text, attribute, kind, category, limit, offset, within, picture } = options;
  await inLibrary(options, async ({ company }) => {
    const filter = parseFilter(options.filter ?? '');
    const given = word === undefined ? undefined : await readQuery(company, word);
    const like: SearchInput[] = [...(filter.like ?? []), ...(given === undefined ? [] : [given.input])];
    const texts = [...(filter.text ?? []), ...text, ...attribute];
    const result = await company.search({
      ...filter,
      like: like.length === 0 ? undefined : like,
      text: texts.length === 0 ? undefined : texts,
      kinds: kind ?? filter.kinds,
      categories: category,
      within,
      volume: options.volume ?? filter.volume,
      bboxVolume: options.bboxVolume ?? filter.bboxVolume,
      surfaceArea: options.surfaceArea ?? filter.surfaceArea,
      facets: true,
      limit,
      offset,
    });
    output.emit(result);
    if (!output.json) output.say(renderHits(result, { name: given?.name ?? filter.like?.[0].uid, offset }));
    if (picture !== undefined) {
      await writeFile(picture, await company.resultPicture(like[0], result));
      output.note(`Picture: ${picture}`);
    }
  });
}

/** What to search with: a file on disk if there is one of that name, else a file of the library. */
async function readQuery(company: Company, word: string): Promise<{ input: SearchInput; name: string }> {
  if (await isFile(word)) {
    return { input: { bytes: await readFile(word), extension: extname(word) }, name: word };
  }
  try {
    const { uid, path } = await findRecord(company, word);
    return { input: { uid }, name: path };
  } catch (cause) {
    if (!(cause instanceof EngineError) || cause.code !== 'FILE_UNKNOWN') throw cause;
    throw new EngineError('FILE_UNKNOWN', `${word} is neither a file on disk nor the path or UID of a file of the library`, { cause });
  }
}

function collect(text: string, texts: string[]): string[] {
  return [...texts, text];
}

function collectAttribute(text: string, texts: string[]): string[] {
  if (!/[=<>]/.test(text)) throw new InvalidArgumentError('It must be an expression with =, <, <=, > or >=, such as Material=steel.');
  return [...texts, text];
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function categoryId(text: string): number | null {
  return text === 'none' ? null : wholeNumber(text);
}
