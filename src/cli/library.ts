import { Option, type Command } from 'commander';
import { Engine, EngineError, type Company } from '../index.js';
import { isFolder } from './disk.js';
import { UsageError } from './exit.js';

/** Options that every command on a library has. */
export interface LibraryOptions {
  readonly library: string;
  readonly company: string;
  readonly json?: boolean;
}

/** Adds `--library`, `--company` and `--json`. */
export function withLibraryOptions(command: Command): Command {
  return command
    .option('--library <dir>', 'folder of the library', './library')
    .option('--company <name>', 'company whose files are meant', 'default')
    .addOption(jsonOption());
}

/** `--json`, with the same meaning everywhere. */
export function jsonOption(): Option {
  return new Option('--json', 'write JSON to stdout and everything for people to stderr');
}

/** What a command works on. */
export interface OpenLibrary {
  readonly engine: Engine;
  readonly company: Company;
}

/**
 * Opens the library and the company, does `work`, and closes the library whatever happens. Only a command that puts
 * files in makes a new library; for the others a missing one is the user's slip.
 */
export async function inLibrary<T>(
  options: LibraryOptions & { readonly create?: boolean },
  work: (library: OpenLibrary) => Promise<T>,
): Promise<T> {
  if (!options.create && !(await isFolder(options.library))) {
    throw new EngineError(
      'LIBRARY_UNREADABLE',
      `there is no library in ${options.library}; "shapedex index <folder>" makes one, --library names another place`,
    );
  }
  if (options.library === '') throw new UsageError('--library must name a folder');
  const engine = await Engine.open(options.library);
  try {
    if (!options.create) await checkCompany(engine, options.company);
    return await work({ engine, company: await engine.company(options.company) });
  } finally {
    await engine.close();
  }
}

/** A company comes to be on first use; asking a company that never was is a slip of the pen. */
async function checkCompany(engine: Engine, name: string): Promise<void> {
  const known = await engine.companies();
  if (known.includes(name.normalize('NFC').trim())) return;
  throw new UsageError(`the library has no company "${name}"; it has ${known.length === 0 ? 'none yet' : known.join(', ')}`);
}
