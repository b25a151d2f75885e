import { Command } from 'commander';
import type { AssemblyComponent } from '../../index.js';
import { findRecord } from '../find-record.js';
import { oneLine } from '../format.js';
import { inLibrary, withLibraryOptions, type LibraryOptions } from '../library.js';
import { openOutput } from '../output.js';

/** `shapedex assembly <uid|path>`: what an assembly is made of. */
export function assemblyCommand(): Command {
  return withLibraryOptions(new Command('assembly'))
    .description('show the parts and sub-assemblies of a model in the library')
    .argument('<uid|path>', 'UID or path of a file in the library')
    .addHelpText('after', `
Each line: number of equal placements, name, volume of one, names of the placements.
--json gives every placement with its transform.

Example:
  shapedex assembly pumps/p-100.step`)
    .action(async (word: string, options: LibraryOptions) => {
      const output = openOutput(options);
      const { uid, path, assembly } = await inLibrary(options, async ({ company }) => {
        const record = await findRecord(company, word);
        return { uid: record.uid, path: record.path, assembly: await company.assembly(record.uid) };
      });
      output.emit({ uid, path, assembly: assembly ?? null });
      output.say(assembly === undefined ? `${path} is a single part.` : [path, ...linesOf([assembly], 1)].join('\n'));
    });
}

/** Equal siblings become one line. */
function linesOf(siblings: readonly AssemblyComponent[], level: number): string[] {
  const groups = new Map<string, AssemblyComponent[]>();
  for (const sibling of siblings) {
    const key = JSON.stringify(contentsOf(sibling));
    groups.set(key, [...groups.get(key) ?? [], sibling]);
  }
  return [...groups.values()].flatMap((group) => {
    const [{ name, volumeMm3, children }] = group;
    const occurrences = group.map(({ occurrence }) => occurrence).filter((occurrence) => occurrence !== null);
    const times = group.length === 1 ? '' : `${group.length} × `;
    const names = occurrences.length === 0 ? '' : `  (${occurrences.map(oneLine).join(', ')})`;
    return [`${'  '.repeat(level)}${times}${oneLine(name) || '(no name)'}  ${volumeMm3.toPrecision(6)} mm³${names}`, ...linesOf(children, level + 1)];
  });
}

/** Equal for placements of the same thing. */
function contentsOf({ name, bodies, children }: AssemblyComponent): unknown {
  return [name, bodies, children.map((child) => [contentsOf(child), child.transform])];
}
