import { InvalidArgumentError, Option, type Command } from 'commander';
import type { EngineOptions, FileKind } from '../index.js';

/** Options of commands that read files. Absent ones are the engine's defaults. */
export interface ReadingOptions {
  readonly unit?: EngineOptions['defaultUnit'];
  readonly ocr?: boolean;
  readonly pdfDrawings?: boolean;
  readonly workers?: number;
}

const UNITS: readonly EngineOptions['defaultUnit'][] = ['um', 'mm', 'cm', 'm', 'in', 'ft'];

/** Adds `--unit`, `--ocr`, `--pdf-drawings` and `--workers`. */
export function withReadingOptions(command: Command): Command {
  return command
    .addOption(unitOption())
    .option('--ocr', 'recognise text on images and scanned pages')
    .addOption(pdfDrawingsOption())
    .option(
      '--workers <n>',
      'files read at the same time (default: the cores of the machine; 0: none, of a library in PostgreSQL)',
      numberFrom(0, 1_024),
    );
}

/** `--unit`, with the same meaning everywhere. */
export function unitOption(): Option {
  return new Option('--unit <unit>', 'unit of files whose format has none, such as STL (default: mm)').choices(UNITS);
}

/** `--pdf-drawings`, with the same meaning everywhere. */
export function pdfDrawingsOption(): Option {
  return new Option('--pdf-drawings', 'read every PDF as a drawing, those too that look like documents');
}

/** The engine options that these command-line options set. */
export function engineOptions({ unit, ocr, pdfDrawings, workers }: ReadingOptions): Partial<EngineOptions> {
  return { defaultUnit: unit, ocr, pdfsAreDrawings: pdfDrawings, workers };
}

/** Options of commands that put the files of a folder. */
export interface PuttingOptions {
  /** Put before every path, as a folder; '' for none. */
  readonly prefix: string;
  /** Given to every file, `name=value`. */
  readonly attribute?: readonly string[];
  readonly followLinks?: boolean;
}

/** Adds `--prefix`, `--attribute` and `--follow-links`. */
export function withPuttingOptions(command: Command): Command {
  return command
    .option('--prefix <path>', 'put before every path in the library, as a folder', '')
    .option('--attribute <name=value>', 'give every file this attribute; may repeat', repeatedAttribute)
    .addOption(followLinksOption());
}

/** `--follow-links`, with the same meaning everywhere. */
export function followLinksOption(): Option {
  return new Option('--follow-links', 'also read links to files that lead out of the folder');
}

/**
 * Collects an option that may be repeated, one value each. (A variadic option of commander, `<name...>`,
 * would swallow the argument that follows it.)
 */
export function repeated(text: string, given: readonly string[] = []): string[] {
  return [...given, text];
}

/** The same for attributes, `name=value`. */
export function repeatedAttribute(text: string, given: readonly string[] = []): string[] {
  if (text.indexOf('=') < 1) throw new InvalidArgumentError('It must be name=value or name(unit)=value.');
  return [...given, text];
}

/** The same for an option whose values are `choices`, in capitals or not. */
export function repeatedChoice<T extends string>(choices: readonly T[]): (text: string, given?: readonly T[]) => T[] {
  return (text, given = []) => [...given, choiceOf(choices, text)];
}

/** The choice that a text is, in capitals or not. */
function choiceOf<T extends string>(choices: readonly T[], text: string): T {
  const choice = choices.find((one) => one.toLowerCase() === text.toLowerCase());
  if (choice === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  return choice;
}

/** Kinds of files, as options name them. */
export const KINDS = Object.freeze(['Image', 'ThreeD', 'TwoD', 'Text'] as const) satisfies readonly FileKind[];

/** `--kind` of one kind. */
export function kindOption(): Option {
  const option = new Option('--kind <kind>', 'only files of this kind').choices(KINDS);
  return option.argParser((text) => choiceOf(KINDS, text));
}

/** Reads the number of an option: a whole one from `least` to `most`; with `what`, any number, which the word names. */
export function numberFrom(least: number, most = Infinity, what?: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const isNumber = what === undefined ? /^\d{1,15}$/.test(text) : text.trim() !== '';
    if (isNumber && value >= least && value <= most) return value;
    const range = most === Infinity ? `${least} or more` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a ${what ?? 'whole number'}, ${range}.`);
  };
}
