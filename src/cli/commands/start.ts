import { fileURLToPath } from 'node:url';
import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Command } from 'commander';
import type { Company, Engine, FileRecord } from '../../index.js';
import { checkFolder, hasShape } from '../named.js';
import { EXIT, type Finish } from '../exit.js';
import { HITS_LEGEND, renderHits } from '../hits.js';
import { indexFolder } from '../index-folder.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { inLibrary, jsonOption } from '../library.js';
import { openOutput, type Output } from '../output.js';
import { followLinksOption, withReadingOptions, type ReadingOptions, repeatedAttribute } from '../options.js';
import { aborted, startServer } from '../server.js';
import { writeSample } from '../write-sample.js';
import { renderOutcome } from './index-folders.js';

interface StartOptions extends ReadingOptions {
  readonly library?: string;
  readonly company: string;
  readonly attribute?: readonly string[];
  readonly followLinks?: boolean;
  readonly once?: boolean;
  readonly json?: boolean;
}

const SAMPLE_PARTS = join('sample-library', 'parts');
const SAMPLE_LIBRARY = join('sample-library', 'library');
/** A screw that has near relatives (other lengths, other threads), a far one (hex bolts) and a renamed twin. */
const SAMPLE_QUERY = 'fasteners/cap-screws/ISO4762-M5x20.step';
const HITS_SHOWN = 12;

/** `shapedex start [folder]`: from nothing to a ranked result and the page, on the user's folder or on sample parts. */
export function startCommand(finish: Finish): Command {
  return withReadingOptions(new Command('start'))
    .description(
      'index a folder, or sample parts made on the spot, show the result of a search, and serve the page until Ctrl-C',
    )
    .argument('[folder]', 'folder with files of yours; without it sample parts are made in sample-library')
    .option('--library <dir>', `folder of the library (default: ./library, or ${SAMPLE_LIBRARY} for the sample parts)`)
    .option('--company <name>', 'company whose files are meant', 'default')
    .option('--attribute <name=value>', 'give every file this attribute; may repeat', repeatedAttribute)
    .addOption(followLinksOption())
    .option('--once', 'end when the result is shown, without serving the page')
    .addOption(jsonOption())
    .action(async (folder: string | undefined, options: StartOptions) => finish(await start(folder, options)));
}

async function start(folder: string | undefined, options: StartOptions): Promise<number> {
  const output = openOutput(options);
  if (folder !== undefined) await checkFolder(folder);
  const source =
    folder === undefined
      ? { parts: SAMPLE_PARTS, library: options.library ?? SAMPLE_LIBRARY, isSample: true }
      : { parts: folder, library: options.library ?? 'library' };
  return interruptible(output, (signal) => indexAndSearch({ ...options, ...source }, { output, signal }));
}

/** The folder and library that `start` works on. */
interface Source extends ReadingOptions {
  readonly parts: string;
  readonly library: string;
  readonly company: string;
  readonly attribute?: readonly string[];
  readonly followLinks?: boolean;
  readonly once?: boolean;
  /** True: the parts are made here, and those of assemblies are indexed as well. */
  readonly isSample?: boolean;
}

async function indexAndSearch(
  source: Source,
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
): Promise<number> {
  const { parts } = source;
  return inLibrary({ ...source, create: true, serves: source.once !== true }, async ({ engine, company }) => {
    // Making parts takes a minute: a library that cannot be opened is told before.
    if (source.isSample === true && (await writeSample(parts, signal)) === undefined) return stopped(output);
    const indexed: string[] = [];
    const outcome = await indexFolder(company, parts, {
      output,
      signal,
      attributes: source.attribute,
      components: source.isSample,
      followLinks: source.followLinks,
      onIndexed: (path) => indexed.push(path),
    });
    output.emit({ event: 'end', folder: parts, ...outcome });
    output.say(renderOutcome(parts, outcome));
    if (outcome.interrupted) return stopped(output);

    if (indexed.length === 0) {
      output.say('\nNo file of this folder could be indexed, so there is nothing to search for.');
      return EXIT.failure;
    }
    await showSearch(company, indexed, { source, output });
    if (source.once !== true && !signal.aborted) await servePage(engine, { source, output, signal });
    return EXIT.ok;
  });
}

async function showSearch(
  company: Company,
  indexed: readonly string[],
  { source, output }: { readonly source: Source; readonly output: Output },
): Promise<void> {
  const query = await chooseQuery(company, indexed);
  if (query === undefined) {
    output.say(`\nThe folder holds no model to search with by shape.\n\n${nextSteps(source, undefined)}`);
    return;
  }
  const result = await company.search({ like: { uid: query.uid }, limit: HITS_SHOWN });
  output.emit({ event: 'search', path: query.path, ...result });
  output.say(`\nThe files most like ${query.path}:\n`);
  if (!output.json) output.say(`${renderHits(result, { names: [query.path], offset: 0 })}\n${HITS_LEGEND}`);
  output.say(`\n${nextSteps(source, query)}`);
}

async function servePage(
  engine: Engine,
  { source, output, signal }: { readonly source: Source; readonly output: Output; readonly signal: AbortSignal },
): Promise<void> {
  const server = await startServer(engine, {
    host: '127.0.0.1',
    port: undefined,
    companyName: source.company,
    library: source.library,
    output,
  });
  output.emit({ event: 'serving', url: server.url, page: server.pageUrl });
  output.say(`\nThe page is served until Ctrl-C. Open it in a browser:\n  ${server.pageUrl}`);
  await aborted(signal);
  await server.close();
}

function stopped(output: Output): number {
  output.note(STOPPED);
  return EXIT.interrupted;
}

/** The query: the sample screw, or the first model of the folder. paths: those of its indexed files. */
async function chooseQuery(company: Company, paths: readonly string[]): Promise<FileRecord | undefined> {
  const inOrder = [...paths].sort();
  for (const path of paths.includes(SAMPLE_QUERY) ? [SAMPLE_QUERY, ...inOrder] : inOrder) {
    const record = await company.find(path);
    if (record?.kind === 'ThreeD' && hasShape(record)) return record;
  }
  return undefined;
}

/** Prints what to call next. query: the model that was searched with, if any. */
function nextSteps({ library, company, parts, once }: Source, query: FileRecord | undefined): string {
  const self = ownCommand();
  const place = `--library ${quoted(library)}${company === 'default' ? '' : ` --company ${quoted(company)}`}`;
  const byShape =
    query === undefined
      ? []
      : [
          `  ${self} search ${quoted(join(parts, ...query.path.split('/')))} ${place}`,
          `  ${self} search ${query.uid} ${place} --volume .2 --limit 5`,
        ];
  return [
    // A library is open in one process at a time: while the page is served, in that one.
    `The library lies in ${library}. ` +
      `Search it ${once === true ? 'next' : 'on the page below, or here once the page is stopped'}:`,
    ...byShape,
    `  ${self} search --text "<words>" ${place}`,
    'Add files of your own, see what is there:',
    `  ${self} index "<folder>" ${place}`,
    `  ${self} status ${place}`,
  ].join('\n');
}

/**
 * How to call this program again from the current folder, ready to be pasted into a shell: `npx shapedex` when it
 * is installed as a package, else `node` with the path of the built program.
 */
function ownCommand(): string {
  const main = realpathSync(fileURLToPath(new URL('../main.js', import.meta.url)));
  if (main.split(sep).includes('node_modules')) return 'npx shapedex';
  return `node ${quoted(relative(process.cwd(), main))}`;
}

/** Quotes an argument for a shell if it holds special characters. Double quotes work in sh, cmd and PowerShell. */
function quoted(word: string): string {
  return /^[\w./\\:@=+-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
