import type { Command } from 'commander';

/** Adds examples to the end of a command's help. lines: what to type, without the name of the program. */
export function withExamples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  shapedex ${line}`).join('\n')}`);
}
