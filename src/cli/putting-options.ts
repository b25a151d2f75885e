import type { Command } from 'commander';
import { repeatedAttribute } from './repeated.js';

/** Options of commands that put the files of a folder. */
export interface PuttingOptions {
  /** Put before every path, as a folder; '' for none. */
  readonly prefix: string;
  /** Given to every file, `name=value`. */
  readonly attribute?: readonly string[];
}

/** Adds `--prefix` and `--attribute`. */
export function withPuttingOptions(command: Command): Command {
  return command
    .option('--prefix <path>', 'put before every path in the library, as a folder', '')
    .option('--attribute <name=value>', 'give every file this attribute; may repeat', repeatedAttribute);
}
