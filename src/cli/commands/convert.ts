import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { Command, Option } from 'commander';
import { EngineError, type ConversionFormat, type ConvertedFile } from '../../index.js';
import { EXIT, UsageError, type Finish } from '../exit.js';
import { renderFailures, type Failure } from '../failures.js';
import { inTemporaryLibrary } from '../file-on-disk.js';
import { bytes as byteCount } from '../format.js';
import { isFile, isFolder } from '../named.js';
import { openOutput, type Output } from '../output.js';
import { numberFrom, unitOption, type ReadingOptions } from '../options.js';

interface ConvertCommandOptions extends Pick<ReadingOptions, 'unit'> {
  readonly to: ConversionFormat;
  readonly out: string;
  readonly tolerance?: number;
  readonly json?: boolean;
}

/** Files that are converted at the same time; their bytes are held in memory. */
const AT_A_TIME = 16;

/** `shapedex convert <file…> --to stl|step`: models on disk in another format, beside the library. */
export function convertCommand(finish: Finish): Command {
  return new Command('convert')
    .description('write models (files on disk) as STL or STEP')
    .argument('<file...>', 'models of any kind that the engine reads')
    .addOption(new Option('--to <format>', 'what to write').choices(['stl', 'step']).makeOptionMandatory())
    .option('--out <folder>', 'where to write; made where it is missing', '.')
    .option(
      '--tolerance <mm>',
      'largest distance between a curved surface and its triangles (default: by the size of the model)',
      numberFrom(1e-4, 1_000, 'number of millimetres'),
    )
    .addOption(unitOption())
    .option('--json', 'JSON on stdout')
    .addHelpText(
      'after',
      `
STL is binary, in mm. A STEP file asked for as STEP is copied; BREP and IGES keep their
surfaces; meshes, and IGES files that cannot be converted exactly, become bodies of plane triangles,
marked "faceted". Files of the same name get numbers. Existing files are not overwritten.`,
    )
    .action(async (files: string[], options: ConvertCommandOptions) => finish(await convert(files, options)));
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch(async (cause: unknown) => {
    if (await isFolder(path)) return;
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new UsageError(`--out must be a folder, found ${path}, which is none`);
  });
}

async function convert(files: readonly string[], options: ConvertCommandOptions): Promise<number> {
  const output = openOutput(options);
  return inTemporaryLibrary({ unit: options.unit }, async (company) => {
    await makeFolder(options.out);
    const taken = new Set<string>();
    const failures: Failure[] = [];
    // One call a file, so that a failure does not affect the others; a few at a time, because their bytes are held in
    // memory.
    for (let first = 0; first < files.length; first += AT_A_TIME) {
      const names = files.slice(first, first + AT_A_TIME);
      const results = await Promise.allSettled(
        names.map(async (name) => {
          if (!(await isFile(name))) throw new EngineError('FILE_UNKNOWN', 'there is no such file on disk');
          const bytes = new Uint8Array(await readFile(name));
          const format = { to: options.to, toleranceMm: options.tolerance };
          return (await company.convertFiles([{ name, bytes }], format))[0];
        }),
      );
      for (const [i, result] of results.entries()) {
        if (result.status === 'rejected') failures.push(failureOf(names[i], result.reason));
        else await write(result.value, options, output, taken);
      }
    }
    for (const { path, code, message } of failures) output.emit({ from: path, error: { code, message } });
    if (failures.length > 0) output.note(renderFailures(failures, 'converted'));
    return failures.length > 0 ? EXIT.failure : EXIT.ok;
  });
}

/** @throws when a file of that name exists. */
async function write(
  { from, name, bytes, faceted, reason }: ConvertedFile,
  { to, out }: ConvertCommandOptions,
  output: Output,
  taken: Set<string>,
): Promise<void> {
  const path = join(out, freeName(name, taken));
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new EngineError('CONFLICT', `${path} is there already and is not overwritten; --out names another folder`, {
      cause,
    });
  }
  output.emit({ from, path, byteLength: bytes.length, faceted, ...(reason === undefined ? {} : { reason }) });
  const exactness = faceted ? `, faceted${reason === undefined ? '' : ` (${reason})`}` : ', exact';
  output.say(`${from} -> ${path}  ${byteCount(bytes.length)}${to === 'stl' ? '' : exactness}`);
}

function freeName(name: string, taken: Set<string>): string {
  const { name: stem, ext } = parse(name);
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem}(${number})${ext}`;
  taken.add(free.toLowerCase());
  return free;
}

function failureOf(path: string, cause: unknown): Failure {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  // Usage errors and bugs are not failures of the file.
  if (typeof code !== 'string') throw cause;
  return { path, code, message: String(message) };
}
