import { Command } from 'commander';
import { EngineError } from '../../index.js';
import { namesOfFolders } from '../named.js';
import { EXIT, type Finish } from '../exit.js';
import { renderFailures } from '../failures.js';
import { bytes, count, duration, oneLine, plural } from '../format.js';
import { indexFolder, type IndexOutcome } from '../index-folder.js';
import { interruptible, STOPPED } from '../interrupt.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { withPuttingOptions, type PuttingOptions, withReadingOptions, type ReadingOptions } from '../options.js';

interface IndexOptions extends LibraryOptions, ReadingOptions, PuttingOptions {
  readonly components?: boolean;
}

/** `shapedex index <folder…>`: puts every file of a known kind below the folders into the library. */
export function indexCommand(finish: Finish): Command {
  return withPuttingOptions(withReadingOptions(withLibraryOptions(new Command('index'))))
    .description(
      'put every file of a known kind (models, drawings, images, documents) below the folders into the library; ' +
        'a second run does only what is new',
    )
    .argument('<folder...>', "folders; the name of each is put before its files' paths where there are several")
    .option('--components', 'also index the components of assemblies, so that they are found by themselves')
    .action(async (folders: string[], options: IndexOptions) => finish(await indexFolders(folders, options)));
}

async function indexFolders(folders: readonly string[], options: IndexOptions): Promise<number> {
  const output = openOutput(options);
  const names = await namesOfFolders(folders);
  return interruptible(output, (signal) =>
    inLibrary({ ...options, create: true }, async ({ company }) => {
      let failed = false;
      for (const [index, folder] of folders.entries()) {
        // With several folders each path begins with its folder's name; with one, paths begin below it.
        const prefix = [options.prefix, ...(folders.length > 1 ? [names[index]] : [])]
          .filter((part) => part !== '')
          .join('/');
        const indexing = indexFolder(company, folder, {
          output,
          signal,
          prefix,
          attributes: options.attribute,
          components: options.components,
          followLinks: options.followLinks,
        });
        const outcome = await indexing.catch(failedRun);
        output.emit({ event: 'end', folder, ...outcome });
        output.say(renderOutcome(folder, outcome));
        failed ||= outcome.failures.length > 0;
        if (outcome.interrupted) {
          output.note(STOPPED);
          return EXIT.interrupted;
        }
      }
      return failed ? EXIT.failure : EXIT.ok;
    }),
  );
}

/** @throws What ended the run; of a full disk also what to do. */
export function failedRun(cause: unknown): never {
  if (!(cause instanceof EngineError) || cause.details['errno'] !== 'ENOSPC') throw cause;
  const way = 'what was indexed is safe: make room, then run the same command again to continue';
  throw new EngineError(cause.code, `${cause.message}; ${way}`, { details: cause.details, cause });
}

/** The result of indexing a folder in a sentence, and the files that failed. */
export function renderOutcome(folder: string, outcome: IndexOutcome): string {
  if (outcome.total === 0)
    return [`${folder} holds no file of a kind that the engine reads.`, ...leftOutLines(outcome)].join('\n');
  const { replaced } = outcome;
  const others = replaced === 1 ? 'an earlier one of the same path' : 'earlier ones of the same paths';
  const parts = [
    plural(outcome.indexed, 'file') +
      ` indexed${replaced > 0 ? `, of which ${count(replaced)} replaced ${others}` : ''}`,
  ];
  if (outcome.unchanged > 0) parts.push(`${outcome.unchanged} unchanged`);
  if (outcome.failures.length > 0) parts.push(`${outcome.failures.length} failed`);
  const summary = [
    `${folder}: ${parts.join(', ')} (${bytes(outcome.bytes)} in ${duration(outcome.seconds)}).`,
    ...cutShortLines(outcome),
    ...misnamedLines(outcome),
    ...leftOutLines(outcome),
  ].join('\n');
  return outcome.failures.length > 0 ? `${summary}\n\n${renderFailures(outcome.failures)}` : summary;
}

/** Most unknown kinds of files that are named; a folder of programs may have hundreds. */
const NAMED_KINDS = 8;

/** Most files that are named of which less was read than they should hold. */
const NAMED_FILES = 5;

function cutShortLines({ cutShort }: IndexOutcome): string[] {
  if (cutShort.length === 0) return [];
  const named = cutShort.slice(0, NAMED_FILES).map(oneLine).join(', ');
  const more = cutShort.length > NAMED_FILES ? ', …' : '';
  const files = plural(cutShort.length, 'file');
  return [`Read in part, as far as they go: ${files} (${named}${more}); \`shapedex status PATH\` tells why.`];
}

function misnamedLines({ misnamed }: IndexOutcome): string[] {
  if (misnamed.length === 0) return [];
  const named = misnamed.slice(0, NAMED_FILES).map(oneLine).join('; ');
  const more = misnamed.length > NAMED_FILES ? '; …' : '';
  return [`Read by their content, not by their names: ${plural(misnamed.length, 'file')} (${named}${more}).`];
}

function leftOutLines({ leftOut, passedOver }: IndexOutcome): string[] {
  const { folderLinks, outsideLinks, brokenLinks, special } = passedOver;
  const lines: string[] = [];
  if (leftOut.length > 0) {
    const total = leftOut.reduce((sum, { files }) => sum + files, 0);
    const kinds = leftOut
      .slice(0, NAMED_KINDS)
      .map(
        ({ extension, files }) => `${count(files)} ${extension === '' ? 'without an extension' : oneLine(extension)}`,
      );
    const more = leftOut.length > NAMED_KINDS ? ', …' : '';
    lines.push(`Left out, of kinds that are not read: ${plural(total, 'file')} (${kinds.join(', ')}${more}).`);
  }
  const others: string[] = [];
  if (folderLinks > 0)
    others.push(
      folderLinks === 1
        ? '1 link to a folder is not followed'
        : `${count(folderLinks)} links to folders are not followed`,
    );
  if (outsideLinks > 0)
    others.push(`${plural(outsideLinks, 'link')} out of the folder (--follow-links reads what they lead to)`);
  if (brokenLinks > 0) others.push(plural(brokenLinks, 'broken link'));
  if (special > 0) others.push(special === 1 ? '1 is not a plain file' : `${count(special)} are not plain files`);
  if (others.length > 0) lines.push(`Passed over: ${others.join(', ')}.`);
  return lines;
}
