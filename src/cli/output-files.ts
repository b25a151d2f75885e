import { constants } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { UsageError } from './exit.js';
import { look } from './named.js';

/** Options, of all commands, that name a file to be written after the work. */
const OUTPUTS = Object.freeze(['csv', 'export', 'overlay', 'picture', 'sheet', 'xlsx'] as const);

/** As the name of a file: standard output. */
const STDOUT = '-';

/**
 * Whether an option writes a file to standard output (`--csv -`), where nothing else may stand then.
 * @param options those of any command.
 */
export function takesStdout(options: object): boolean {
  return onStdout(options).length > 0;
}

/** Writes a file that an option asked for, once the work is done, and says where. what: `CSV`, `Overlay`. */
export async function writeOutput(
  { note }: { note(text: string): void },
  what: string,
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  if (file === STDOUT) return void process.stdout.write(typeof content === 'string' ? withoutMark(content) : content);
  await writeFile(file, content);
  note(`${what}: ${file}`);
}

/** A text without the byte order mark that spreadsheets want in a file: whoever reads a pipe would take it for data. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function onStdout(options: object): string[] {
  return OUTPUTS.filter((name) => (options as Partial<Record<string, unknown>>)[name] === STDOUT);
}

/**
 * Tries to open the files that a command is to write once its work is done, so that it does not fail then. What is in
 * one stays; one that is made for this is removed.
 * @throws the error of the system; UsageError where two things would go to standard output.
 */
export async function checkOutputs(options: Readonly<Record<string, unknown>>): Promise<void> {
  const [first, second = options['json'] === true ? 'json' : undefined] = onStdout(options);
  if (first !== undefined && second !== undefined)
    throw new UsageError(`--${first} - and --${second} would both write to standard output`);
  for (const name of OUTPUTS) {
    const file = options[name];
    if (typeof file === 'string' && file !== STDOUT) await checkWritable(file);
  }
}

async function checkWritable(file: string): Promise<void> {
  const found = await look(file);
  // Whoever reads a pipe would take the closing of a first writer for the end.
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return;
  if (found !== undefined) return (await open(file, constants.O_WRONLY)).close();
  try {
    await (await open(file, 'wx')).close();
  } catch (cause) {
    // A link to what is not there yet: writing makes that.
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw cause;
  }
  await rm(file);
}
