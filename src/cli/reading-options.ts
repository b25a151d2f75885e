import { InvalidArgumentError, Option, type Command } from 'commander';
import type { EngineOptions } from '../index.js';

/** Options of commands that read files. Absent ones are the engine's defaults. */
export interface ReadingOptions {
  readonly unit?: EngineOptions['defaultUnit'];
  readonly ocr?: boolean;
  readonly workers?: number;
}

const UNITS = Object.freeze([
  'um',
  'mm',
  'cm',
  'm',
  'in',
  'ft',
] as const) satisfies readonly EngineOptions['defaultUnit'][];

/** Adds `--unit`, `--ocr` and `--workers`. */
export function withReadingOptions(command: Command): Command {
  return command
    .addOption(unitOption())
    .option('--ocr', 'recognise text on images and scanned pages')
    .option('--workers <n>', 'files read at the same time (default: the cores of the machine)', workerCount);
}

/** `--unit`, with the same meaning everywhere. */
export function unitOption(): Option {
  return new Option('--unit <unit>', 'unit of files whose format has none, such as STL (default: mm)').choices(UNITS);
}

/** The engine options that these command-line options set. */
export function engineOptions({ unit, ocr, workers }: ReadingOptions): Partial<EngineOptions> {
  return { defaultUnit: unit, ocr, workers };
}

function workerCount(text: string): number {
  const workers = Number(text);
  if (!/^\d{1,4}$/.test(text) || workers < 1 || workers > 1_024)
    throw new InvalidArgumentError('It must be a whole number from 1 to 1024.');
  return workers;
}
