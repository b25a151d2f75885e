import { setTimeout as delay } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { Accounts } from '../accounts/index.js';
import { Engine, EngineError, type Company, type EngineOptions } from '../index.js';
import { isDatabase, isUnused } from './named.js';
import { UsageError } from './exit.js';
import { openOutput } from './output.js';
import { engineOptions, type ReadingOptions } from './options.js';
import { remoteEngine } from './service/remote-engine.js';

/** Who changed what a command changed, in the log of changes. */
export const COMMAND_LINE = 'command line';

/** Options that every command on a library has. */
export interface FolderOptions {
  readonly library: string;
  /** Folder of the bytes of a library in PostgreSQL. */
  readonly blobs?: string;
  readonly json?: boolean;
}

/** Options of a command on a company's files. */
export interface LibraryOptions extends FolderOptions {
  readonly company: string;
}

/**
 * How long a command waits for a library that another process has open and lets nobody into: a server that starts has
 * it open some time before it listens, and a command that ends holds it a moment longer. Milliseconds.
 */
const STARTING_MS = 3_000;
const RETRY_MS = 100;

/** Adds `--library`, `--company` and `--json`. */
export function withLibraryOptions(command: Command): Command {
  return command
    .option('--library <dir>', 'folder of the library, or postgres:// URL', './library')
    .addOption(blobsOption())
    .option('--company <name>', 'company whose files are meant', 'default')
    .addOption(jsonOption());
}

/** Adds `--library` and `--json`. */
export function withFolderOptions(command: Command): Command {
  return command
    .option('--library <dir>', 'folder of the library, or postgres:// URL', './library')
    .addOption(blobsOption())
    .addOption(jsonOption());
}

/** The same for a command on all companies; `--company`, which earlier releases had, is accepted and has no effect. */
export function withWholeLibraryOptions(command: Command): Command {
  return withFolderOptions(command).addOption(new Option('--company <name>').hideHelp());
}

/** `--blobs`, with the same meaning everywhere. */
export function blobsOption(): Option {
  return new Option('--blobs <place>', 'folder or s3:// bucket of the bytes of a library in PostgreSQL').env(
    'SHAPEDEX_BLOBS',
  );
}

/** The engine options that the place of a library sets. */
export function placeOptions({ library, blobs }: Pick<FolderOptions, 'library' | 'blobs'>): Partial<EngineOptions> {
  if (!isDatabase(library)) return {}; // The variable may be set for other libraries.
  if (blobs === undefined) throw new UsageError('a library in PostgreSQL needs --blobs (or SHAPEDEX_BLOBS)');
  return { blobs };
}

/** `--json`, with the same meaning everywhere. */
export function jsonOption(): Option {
  return new Option('--json', 'write JSON to stdout and everything for people to stderr');
}

/** What the log of changes says of a command. */
interface Change {
  /** As `user add`. */
  readonly action: string;
  readonly object: string;
  readonly company?: string;
}

/** The change that a command makes, or what says it of its result: undefined, nothing was changed. */
type ChangeOf<T> = Change | ((result: T) => Change | undefined);

/** What a command works on. */
export interface OpenLibrary {
  readonly engine: Engine;
  readonly company: Company;
  /** A server has the library open, and the work is done on its engine. */
  readonly isServed: boolean;
}

/** How a library is opened. */
interface Opening {
  /** Only a command that puts files may create a library; for the others a missing one is a usage error. */
  readonly create?: boolean;
  /** The command serves the library, and needs an engine of its own. */
  readonly serves?: boolean;
}

/**
 * Opens the library and the company, does `work`, and always closes the library. While a server has it open, the work
 * is done on the server's engine. A change is noted as one of the company.
 */
export async function inLibrary<T>(
  options: LibraryOptions & ReadingOptions & Opening,
  work: (library: OpenLibrary) => Promise<T>,
  change?: ChangeOf<T>,
): Promise<T> {
  const { engine, isServed } = await openEngine(options);
  try {
    noteWarnings(engine);
    if (!options.create) await checkCompany(engine, options.company);
    const company = await engine.company(options.company);
    const result = await work({ engine, company, isServed });
    await noteChange(engine, result, change, company.name);
    return result;
  } finally {
    await engine.close();
  }
}

/**
 * Opens the library, does `work` that concerns all companies, and always closes the library. The work tells the
 * library's warnings.
 */
export async function inWholeLibrary<T>(
  options: FolderOptions & ReadingOptions,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { engine } = await openEngine(options);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Opens the library, does `work` on its accounts, and always closes the library. */
export async function inAccounts<T>(
  options: FolderOptions & { readonly create?: boolean },
  work: (accounts: Accounts) => Promise<T>,
  change?: ChangeOf<T>,
): Promise<T> {
  const { engine } = await openEngine(options);
  try {
    noteWarnings(engine);
    const result = await work(engine.accounts);
    await noteChange(engine, result, change);
    return result;
  } finally {
    await engine.close();
  }
}

async function noteChange<T>(
  { accounts }: Engine,
  result: T,
  change: ChangeOf<T> | undefined,
  of?: string,
): Promise<void> {
  const made = typeof change === 'function' ? change(result) : change;
  if (made === undefined) return;
  const { action, object, company = of ?? null } = made;
  await accounts.audit.note({
    ...{ action, object, company, actor: COMMAND_LINE, source: null },
    outcome: result === false ? 'nothing' : 'done',
  });
}

/** Tells on stderr what the owner of the library should know, such as that its catalogue is an older one. */
export function noteWarnings({ warnings }: Engine): void {
  const { note } = openOutput({});
  for (const { code, message } of warnings) note(`warning: ${code}: ${message}`);
}

async function openEngine(
  options: FolderOptions & ReadingOptions & Opening,
): Promise<Pick<OpenLibrary, 'engine' | 'isServed'>> {
  if (!options.create && !isDatabase(options.library) && (await isUnused(options.library))) {
    throw new EngineError(
      'LIBRARY_UNREADABLE',
      `there is no library in ${options.library}; "shapedex index <folder>" makes one, --library names another place`,
    );
  }
  if (options.library === '') throw new UsageError('--library must name a folder');
  const until = performance.now() + STARTING_MS;
  for (;;) {
    try {
      const engine = await Engine.open(options.library, { ...engineOptions(options), ...placeOptions(options) });
      return { engine, isServed: false };
    } catch (cause) {
      if (options.serves === true || !(cause instanceof EngineError && cause.code === 'LIBRARY_LOCKED')) throw cause;
      const engine = await remoteEngine(options.library);
      if (engine !== undefined) return { engine: await checkedRemote(engine, options), isServed: true };
      if (performance.now() > until) throw withServing(cause);
    }
    await delay(RETRY_MS);
  }
}

/** The same failure with what lets commands run beside each other. */
function withServing({ code, message, details, cause }: EngineError): EngineError {
  const way = '; "shapedex serve" started first lets index, search and other commands run at the same time through it';
  return new EngineError(code, message + way, { details, cause });
}

/** @throws UsageError for what only the server's own command line can say. */
async function checkedRemote(engine: Engine, { unit, ocr, pdfDrawings }: ReadingOptions): Promise<Engine> {
  const given = unit !== undefined ? 'unit' : ocr !== undefined ? 'ocr' : pdfDrawings && 'pdf-drawings';
  if (given === undefined) return engine;
  await engine.close();
  throw new UsageError(`--${given} is given to the server that has the library open`);
}

/**
 * `engine.company` creates a missing company; a command that only reads must not, so a missing one is a usage error.
 */
async function checkCompany(engine: Engine, name: string): Promise<void> {
  const known = await engine.companies();
  if (known.includes(name.normalize('NFC').trim())) return;
  throw new UsageError(
    `the library has no company "${name}"; it has ${known.length === 0 ? 'none yet' : known.join(', ')}`,
  );
}

/** Number of files of a company that wait to be indexed, so that no search finds them. */
export async function filesQueued(company: Company): Promise<number> {
  const { counts } = await company.summary();
  return Object.values(counts).reduce((sum, { queued }) => sum + queued, 0);
}
