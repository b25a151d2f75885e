import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command } from 'commander';
import {
  EngineError,
  type AssemblyComponent,
  type Company,
  type FileRecord,
  type HoldingAssembly,
  type SearchInput,
  type SharedPartMatrix,
} from '../../index.js';
import { checkUnit, isFile, checkNamed, findRecord } from '../named.js';
import { UsageError } from '../exit.js';
import { withFileOnDisk } from '../file-on-disk.js';
import { oneLine } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';
import { numberFrom, unitOption, type ReadingOptions } from '../options.js';

interface AssemblyOptions extends LibraryOptions, Pick<ReadingOptions, 'unit'> {
  readonly index?: boolean;
  readonly shared?: boolean;
  readonly parents?: boolean;
  readonly similar?: number;
}

/** Most hits of each part. */
const MOST_SIMILAR = 100;

/**
 * `shapedex assembly <file|uid>`: what an assembly is made of, what it shares with others, what is like its parts, and
 * which assemblies hold a part.
 */
export function assemblyCommand(): Command {
  return withLibraryOptions(new Command('assembly'))
    .description('show the parts and sub-assemblies of a model')
    .argument('<file|uid>', 'a file on disk, or the UID or path of a file in the library')
    .option('--index', 'index its components, so that they are found by themselves')
    .option('--shared', 'which of its components other assemblies hold, too')
    .option('--parents', 'which assemblies of the library hold it as a component')
    .option('--similar <n>', 'for each of its parts, so many of the files most like it', numberFrom(1, MOST_SIMILAR))
    .addOption(unitOption())
    .addHelpText(
      'after',
      `
Each line: number of equal placements, name, volume of one, names of the placements.
--json gives every placement with its transform. A file on disk need not be in a library;
--index and --shared are for files that are. Parts are found in assemblies whose
components are indexed: index --components, or assembly --index afterwards.`,
    )
    .action(async (word: string, options: AssemblyOptions) => {
      const { index, similar } = options;
      const asked = (['shared', 'parents', 'similar'] as const).filter((name) => options[name] !== undefined);
      if (asked.length > 1) throw new UsageError(`--${asked[0]} and --${asked[1]} cannot be combined`);
      const output = openOutput(options);
      const tell = async ({ uid, path }: Named, { document, text }: Answer): Promise<void> => {
        output.emit({ uid, path, ...document });
        output.say(text);
      };
      await checkNamed(word, options.library);
      await checkUnit([word], options.unit);
      const isOnDisk = await isFile(word);
      if (isOnDisk && index !== true && asked.length === 0) {
        await withFileOnDisk(word, { unit: options.unit, textOnly: true }, async (company, { uid }) =>
          tell({ uid: null, path: word }, await structure(company, { uid, path: word })),
        );
        return;
      }
      await inLibrary(options, async ({ company }) => {
        if (isOnDisk && options.parents === true && (await company.find(word)) === undefined) {
          return tell(
            { uid: null, path: word },
            await parents(company, { bytes: await readFile(word), extension: extname(word) }, word),
          );
        }
        if (isOnDisk && similar !== undefined && (await company.find(word)) === undefined) {
          const input = { extension: extname(word), indexAssemblyComponents: true };
          const { uid } = await company.putInput(await readFile(word), input);
          try {
            return await tell({ uid: null, path: word }, await alike(company, { uid, path: word }, similar));
          } finally {
            await company.delete(uid);
          }
        }
        const record = await findRecord(company, word);
        if (index === true) await company.assemblies.indexComponents(record.uid);
        await tell(
          record,
          options.shared === true
            ? await shared(company, record)
            : options.parents === true
              ? await parents(company, { uid: record.uid }, record.path)
              : similar !== undefined
                ? await alike(company, record, similar)
                : await structure(company, record),
        );
      });
    });
}

/** The assembly that is shown; uid: null for a file on disk. */
interface Named {
  readonly uid: string | null;
  readonly path: string;
}

interface Answer {
  readonly document: object;
  readonly text: string;
}

async function structure(company: Company, { uid, path }: Pick<FileRecord, 'uid' | 'path'>): Promise<Answer> {
  const { kind } = await company.get(uid);
  if (kind !== 'ThreeD') throw new EngineError('NO_GEOMETRY', `${path} is no model; only models are made of parts`);
  const assembly = await company.assembly(uid);
  const text = assembly === undefined ? `${path} is a single part.` : [path, ...linesOf([assembly], 1)].join('\n');
  return { document: { assembly: assembly ?? null }, text };
}

async function shared(company: Company, { uid, path }: FileRecord): Promise<Answer> {
  const matrix = await company.assemblies.sharedParts(uid);
  return { document: matrix, text: [path, ...matrixLines(matrix)].join('\n') };
}

async function parents(company: Company, part: SearchInput, path: string): Promise<Answer> {
  const assemblies = await company.assemblies.holding(part);
  const lines = assemblies.map(({ path: holder, components, occurrences }: HoldingAssembly) => {
    const places = components.map(({ name, place }) => oneLine(place.join(' > ') || name)).join(', ');
    return `  ${occurrences} × in ${oneLine(holder)}  (${places})`;
  });
  return {
    document: { assemblies },
    text: [path, ...(lines.length === 0 ? ['  No assembly whose components are indexed holds it.'] : lines)].join('\n'),
  };
}

/** Of each part and sub-assembly the files most like it, parts of other assemblies among them. */
async function alike(
  company: Company,
  { uid, path }: Pick<FileRecord, 'uid' | 'path'>,
  limit: number,
): Promise<Answer> {
  const found = await company.searchComponents(uid, { limit, highlights: false });
  const parts = found.map(({ component, result }) => ({ component, hits: result.hits }));
  const lines = parts.flatMap(({ component: { name, occurrences }, hits }) => [
    `  ${occurrences} × ${oneLine(name) || '(no name)'}`,
    ...hits.map(
      ({ similarity, matchClass, path: file, component }) =>
        `    ${(similarity ?? 0).toFixed(1).padStart(5)} %  ${matchClass ?? ''}  ` +
        `${oneLine(file)}${component === undefined ? '' : ` › ${oneLine(component.name) || '(no name)'}`}`,
    ),
  ]);
  return {
    document: { components: parts },
    text: [path, ...(lines.length === 0 ? ['  It is a single part.'] : lines)].join('\n'),
  };
}

/** A line for each component, with how often it stands here and in which other assemblies. */
function matrixLines({ components, assemblies }: SharedPartMatrix): string[] {
  if (components.length === 0) return ['  It has no components that are found by themselves.'];
  return components.map(({ number, name, occurrences }) => {
    const holders = assemblies.flatMap(({ path, shared: parts }) =>
      parts
        .filter(({ component }) => component === number)
        .map(
          ({ held, occurrences: [, other] }) => `${other} × ${oneLine(held.name) || '(no name)'} in ${oneLine(path)}`,
        ),
    );
    const others = holders.length === 0 ? 'in no other' : `also ${holders.join(', ')}`;
    return `  ${occurrences} × ${oneLine(name) || '(no name)'}  ${others}`;
  });
}

/** Merges equal siblings into one line. */
function linesOf(siblings: readonly AssemblyComponent[], level: number): string[] {
  const groups = new Map<string, AssemblyComponent[]>();
  for (const sibling of siblings) {
    const key = JSON.stringify(contentsOf(sibling));
    groups.set(key, [...(groups.get(key) ?? []), sibling]);
  }
  return [...groups.values()].flatMap((group) => {
    const [{ name, volumeMm3, children }] = group;
    const occurrences = group.map(({ occurrence }) => occurrence).filter((occurrence) => occurrence !== null);
    const times = group.length === 1 ? '' : `${group.length} × `;
    const names = occurrences.length === 0 ? '' : `  (${occurrences.map(oneLine).join(', ')})`;
    return [
      `${'  '.repeat(level)}${times}${oneLine(name) || '(no name)'}  ${volumeMm3.toPrecision(6)} mm³${names}`,
      ...linesOf(children, level + 1),
    ];
  });
}

/** Equal for placements of the same thing. */
function contentsOf({ name, bodies, children }: AssemblyComponent): unknown {
  return [name, bodies, children.map((child) => [contentsOf(child), child.transform])];
}
