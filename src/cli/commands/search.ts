import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  EngineError,
  type Company,
  type ErrorCode,
  type FileKind,
  type FileRecord,
  type SearchInput,
  type SearchQuery,
} from '../../index.js';
import { parseFilter } from '../../http/wire/filter-text.js';
import { isFile, findCategory, checkNamed, checkUnit, findRecord, hasShape } from '../named.js';
import { UsageError } from '../exit.js';
import { withName } from '../file-on-disk.js';
import { readFaceNumbers } from '../face-numbers.js';
import { oneLine, plural } from '../format.js';
import { filesQueued, inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { noteOddities, openOutput, TOLD_OF_INPUTS } from '../output.js';
import { writeOutput } from '../output-files.js';
import { HITS_LEGEND, renderHits } from '../hits.js';
import { whileRunning } from '../progress.js';
import { KINDS, numberFrom, unitOption, type ReadingOptions, repeated, repeatedChoice } from '../options.js';

interface SearchOptions extends LibraryOptions, Pick<ReadingOptions, 'unit'> {
  readonly text: string[];
  readonly attribute: string[];
  readonly kind?: FileKind[];
  readonly category?: string[];
  readonly filter?: string;
  readonly limit: number;
  readonly offset: number;
  readonly within?: string[];
  readonly components?: boolean;
  readonly contains?: boolean;
  readonly faces?: number[];
  readonly sizes?: 'exact' | 'any';
  readonly volume?: string;
  readonly bboxVolume?: string;
  readonly surfaceArea?: string;
  readonly sheet?: string;
  readonly picture?: string;
  readonly overlay?: string;
  readonly export?: string;
}

/** Error codes of a search that do not concern the query file. */
const NOT_OF_THE_FILE: ReadonlySet<ErrorCode> = new Set([
  'QUERY_INVALID',
  'ABORTED',
  'ENGINE_CLOSED',
  'STORAGE_FAILED',
  'LIBRARY_DAMAGED',
  'CORE_FAILED',
]);

/** `shapedex search [file|uid…]`: the files most like given ones, or with given words and attributes, or both. */
export function searchCommand(): Command {
  return withLibraryOptions(new Command('search'))
    .description('find the files most like given ones, by text, by attributes, or all together')
    .argument(
      '[file|uid...]',
      'files on disk, or UIDs or paths of files in the library; several: views or versions of one part',
    )
    .option(
      '--text <text>',
      'only files with these words, "phrase" or prefix* in text, name or attributes; may repeat',
      repeated,
      [],
    )
    .option(
      '--attribute <expression>',
      'only files with this attribute: Material=steel, Part=[B-17], Part=B-*, "Length>20mm"; may repeat',
      collectAttribute,
      [],
    )
    .option('--kind <kind>', `only files of this kind (${KINDS.join(', ')}); may repeat`, repeatedChoice(KINDS))
    .option('--category <name|id>', 'only files of this category; "none": those without one; may repeat', repeated)
    .option('--filter <filterStr>', 'filters as one text: "FT=Material%3Dsteel&resultFileType=ThreeD&v=.1"')
    .option('--within <uid>', 'search among these files only; may repeat', repeated)
    .addOption(unitOption())
    .option('--limit <n>', 'how many to show', numberFrom(1, 10_000), 20)
    .option('--offset <n>', 'how many to skip first', numberFrom(0), 0)
    .option('--components', 'also the parts of assemblies whose components are indexed, each by itself')
    .option('--contains', 'the models that hold the shape of the given file, or a part of it')
    .option(
      '--faces <numbers>',
      'with --contains: only these faces of it, such as 3-7,12; see: shapedex features',
      readFaceNumbers,
    )
    .addOption(
      new Option('--sizes <sizes>', 'with --contains: the same size, or the same kind of feature in any size').choices([
        'exact',
        'any',
      ]),
    )
    .option('--volume <tolerance>', "only volumes within this share of the query's: .1, +.2, -.5, +0.3/-0.4")
    .option('--bbox-volume <tolerance>', 'the same for the volume of the smallest box around the part')
    .option('--surface-area <tolerance>', 'the same for the surface area')
    .option('--sheet <file.png>', 'also draw the query and its first hits')
    .addOption(new Option('--picture <file.png>', 'the same as --sheet, by its old name').conflicts('sheet').hideHelp())
    .option('--overlay <file.png>', 'also lay the nearest hit that views found over the query: query red, hit blue')
    .addOption(
      new Option('--export <file>', 'also write the hits to a .csv, .xlsx or .pdf file, the last two with pictures'),
    )
    .addHelpText('after', `\n${HITS_LEGEND.replaceAll('. ', '.\n')}`)
    .action(search);
}

async function search(words: readonly string[], options: SearchOptions, command: Command): Promise<void> {
  const {
    text: [firstText],
    attribute: [firstAttribute],
    kind: kinds,
    category: categories,
    filter: filterText,
  } = options;
  if (
    [words[0], firstText, firstAttribute, kinds, categories, filterText, options.within].every(
      (given) => given === undefined,
    )
  ) {
    command.error(
      'error: nothing to search for: give a [file|uid], --text, --attribute, --kind, --category, --filter or --within',
    );
  }
  for (const word of words) await checkNamed(word, options.library);
  await checkUnit(words, options.unit);
  const output = openOutput(options);
  const { text, attribute, kind, limit, offset, within, overlay } = options;
  const sheet = options.sheet ?? options.picture;
  const format = formatOf(options.export);
  await inLibrary(options, async ({ company, isServed }) => {
    const filter = parseFilter(options.filter ?? '');
    const wanted = categories && (await Promise.all(categories.map((category) => findCategory(company, category))));
    const given: Query[] = (filter.like ?? []).map((input) => ({ input, name: input.uid }));
    for (const word of words) given.push(await readQuery(company, word));
    const like = given.map(({ input }) => input);
    const texts = [...(filter.text ?? []), ...text, ...attribute];
    if (
      like.length === 0 &&
      texts.length === 0 &&
      [kind, wanted, within, filter.kinds].every((one) => one === undefined)
    ) {
      throw new UsageError(
        '--filter names nothing to search for; sizes are compared with those of a file: give a [file|uid], too',
      );
    }
    if (like.length === 0) refuseComparisons(options);
    const contains = containedIn(options, like);
    const query: SearchQuery = {
      ...filter,
      like: like.length === 0 || contains !== undefined ? undefined : like,
      contains,
      sizes: options.sizes,
      text: texts.length === 0 ? undefined : texts,
      kinds: kind ?? filter.kinds,
      categories: wanted,
      within,
      components: options.components,
      volume: options.volume ?? filter.volume,
      bboxVolume: options.bboxVolume ?? filter.bboxVolume,
      surfaceArea: options.surfaceArea ?? filter.surfaceArea,
      limit,
      offset,
    };
    const read = given.flatMap(({ input, name }) => ('bytes' in input ? name : [])).map(oneLine);
    const what = read.length === 0 ? 'Searching' : `Reading ${read.join(', ')} and searching`;
    // A file that takes long to read, such as an archive, is given up at the limits of the engine that reads it.
    const result = await named(given, () => whileRunning(what, () => company.search({ ...query, facets: true })));
    output.emit(result);
    const waiting = await filesQueued(company);
    if (waiting > 0) {
      // A server goes on by itself; without one nobody does until a command puts or describes files.
      const who = isServed ? 'the server that has the library open indexes them' : '`shapedex index` goes on';
      output.note(`warning: ${plural(waiting, 'file')} not searched: not indexed yet (${who})`);
    }
    noteOddities(
      output,
      result.inputs.flatMap(({ warnings = [] }) => warnings.filter(({ code }) => TOLD_OF_INPUTS.has(code))),
    );
    if (result.total > 0) for (const warning of result.warnings ?? []) output.note(`warning: ${warning}`);
    if (!output.json) output.say(renderHits(result, { names: given.map(({ name }) => name), offset }));
    if (sheet !== undefined) {
      if (like.length + result.hits.length === 0) output.note('Picture: none, because nothing was found.');
      else await writeOutput(output, 'Picture', sheet, await company.pictures.results(contains ?? like[0], result));
    }
    if (options.export !== undefined) {
      const list = await company.searchFile(query, { format, pictures: format !== 'csv' });
      await writeOutput(output, 'Export', options.export, list);
    }
    if (overlay !== undefined) {
      const found =
        result.hits.find(({ shapeMatch, score }) => shapeMatch !== undefined && score > 0) ??
        result.hits.find(({ shapeMatch }) => shapeMatch !== undefined);
      if (found === undefined) output.note('Overlay: none, because no hit was found by its views.');
      else {
        await writeOutput(output, 'Overlay', overlay, await company.pictures.overlay(like, found));
        output.note(`The overlay shows ${found.path}.`);
      }
    }
  });
}

const FORMATS = Object.freeze(['csv', 'xlsx', 'pdf'] as const);

/** @throws UsageError for a file of another kind. */
function formatOf(file: string | undefined): (typeof FORMATS)[number] | undefined {
  if (file === undefined) return undefined;
  const format = FORMATS.find((one) => extname(file).toLowerCase() === `.${one}`);
  if (format === undefined) throw new UsageError('--export writes .csv, .xlsx or .pdf');
  return format;
}

/** The query and its name in the table. */
interface Query {
  readonly input: SearchInput;
  readonly name: string;
}

/** The query: a file on disk if one has that name, else a file of the library. */
async function readQuery(company: Company, word: string): Promise<Query> {
  if (await isFile(word)) {
    return { input: { bytes: await readFile(word), extension: extname(word) }, name: word };
  }
  try {
    const record = await findRecord(company, word);
    checkSearchable(record);
    return { input: { uid: record.uid }, name: record.path };
  } catch (cause) {
    if (!(cause instanceof EngineError) || cause.code !== 'FILE_UNKNOWN') throw cause;
    throw new EngineError(
      'FILE_UNKNOWN',
      `${word} is neither a file on disk nor the path or UID of a file of the library`,
      { cause },
    );
  }
}

/** @throws EngineError that names the file by its path and says why it cannot be searched with. */
function checkSearchable(record: FileRecord): void {
  const { uid, path, kind, state, error } = record;
  if (hasShape(record)) return;
  const details = { uid, state };
  if (state === 'failed') {
    throw new EngineError(
      'FILE_NOT_INDEXED',
      `${path} could not be indexed, so it cannot be searched with: ${error?.code}: ${oneLine(error?.message ?? '')}`,
      { details },
    );
  }
  if (state === 'queued')
    throw new EngineError('FILE_NOT_INDEXED', `${path} waits to be indexed, so it cannot be searched with yet`, {
      details,
    });
  throw new EngineError(
    'NO_GEOMETRY',
    `${path} ${kind === 'Text' ? 'is a document' : 'was put without its shape'}; --text finds files by words`,
    { details },
  );
}

/** Puts the name of the file on disk, which the engine does not know, into an error about its bytes. */
async function named<T>(queries: readonly Query[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const ofBytes = queries.filter(({ input }) => 'bytes' in input);
    if (ofBytes.length === 0 || !(cause instanceof EngineError) || cause.details['uid'] !== undefined) throw cause;
    if (NOT_OF_THE_FILE.has(cause.code)) throw cause;
    // Of several files the engine does not say which one it is.
    const message =
      ofBytes.length === 1
        ? withName(ofBytes[0].name, cause.message)
        : `one of ${ofBytes.map(({ name }) => name).join(', ')}: ${cause.message}`;
    throw new EngineError(cause.code, message, { details: cause.details, cause });
  }
}

function collectAttribute(text: string, texts: string[]): string[] {
  if (!/[=<>]/.test(text))
    throw new InvalidArgumentError('It must be an expression with =, <, <=, > or >=, such as Material=steel.');
  return [...texts, text];
}

/** The shape to look for inside others. @throws UsageError */
function containedIn(
  { contains, faces, sizes }: SearchOptions,
  [input, another]: readonly SearchInput[],
): SearchQuery['contains'] {
  if (contains !== true) {
    if (faces !== undefined || sizes !== undefined)
      throw new UsageError(`${faces === undefined ? '--sizes' : '--faces'} goes with --contains`);
    return undefined;
  }
  if (input === undefined || another !== undefined) throw new UsageError('--contains needs one [file|uid]');
  return faces === undefined ? input : { ...input, faces };
}

/** Options that compare hits with a file. @throws UsageError */
function refuseComparisons({ volume, bboxVolume, surfaceArea, overlay }: SearchOptions): void {
  const given = Object.entries({
    '--volume': volume,
    '--bbox-volume': bboxVolume,
    '--surface-area': surfaceArea,
    '--overlay': overlay,
  }).find(([, value]) => value !== undefined)?.[0];
  if (given !== undefined) throw new UsageError(`${given} compares with a file, and none is given: add a [file|uid]`);
}
