import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { join, relative, isAbsolute, sep } from 'node:path';
import { EngineError } from '../../errors.js';
import { codeOf, storageError } from '../database/storage-errors.js';

/** A file below a folder. */
export interface FoundFile {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  /** The operating system's path. */
  readonly file: string;
  readonly byteLength: number;
  readonly mtimeMs: number;
}

/** A folder or file that could not be read. */
export interface UnreadableEntry {
  readonly path: string;
  readonly message: string;
}

/** Counts of entries below a folder that are no files and are skipped. */
export interface PassedOver {
  /** Links to folders, which are not followed. */
  readonly folderLinks: number;
  /** Links to files outside the folder, which are not followed unless `followLinks` says so. */
  readonly outsideLinks: number;
  /** Links that lead nowhere or in a circle and whose own names are not accepted. */
  readonly brokenLinks: number;
  /** Devices, pipes, sockets, and links to them. */
  readonly special: number;
}

/** The result of walking a folder. */
export interface WalkedFolder {
  readonly files: FoundFile[];
  readonly unreadable: UnreadableEntry[];
  /** Hidden ones (`.name`) are not counted. */
  readonly passedOver: PassedOver;
}

/** A step of a walk: some files and unreadable entries. */
export interface WalkStep {
  /** At most {@link STEP_FILES}. */
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly UnreadableEntry[];
}

/** How a folder is walked. */
export interface WalkOptions {
  readonly accepts: (name: string) => boolean;
  /** Called with the name of every file that is not accepted. */
  readonly onOther?: (name: string) => void;
  /** Called for every skipped entry with its path; of hidden ones (`.name`) only for links that lead outside. */
  readonly onPassedOver?: (what: keyof PassedOver, path: string) => void;
  /** True: links to files are followed wherever they lead. Default false: only to files below the folder. */
  readonly followLinks?: boolean;
  /**
   * Called with each folder that can be listed, including the first, before it is listed: a watch that starts in this
   * call misses nothing.
   */
  readonly onFolder?: (path: string) => void;
  readonly signal?: AbortSignal;
  /** Where to begin, relative to the folder. Default '': the folder itself. */
  readonly below?: string;
}

/** Most files that are examined together and returned in one step. */
const STEP_FILES = 256;
/** Entries of a folder that are read at a time. */
const READ_ENTRIES = 1_024;

/** An entry of a folder that is still to be examined. */
interface Entry {
  readonly name: string;
  /** Sorting by key gives the order of the paths below; a folder's key ends with a slash. */
  readonly key: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/**
 * All accepted files of a folder and below, as {@link walkSteps} finds them.
 * @throws EngineError as {@link walkSteps} does.
 */
export async function walkFolder(
  folder: string,
  options: Omit<WalkOptions, 'onPassedOver' | 'onFolder'>,
): Promise<WalkedFolder> {
  const files: FoundFile[] = [];
  const unreadable: UnreadableEntry[] = [];
  const passedOver = { folderLinks: 0, outsideLinks: 0, brokenLinks: 0, special: 0 };
  for await (const step of walkSteps(folder, {
    ...options,
    onPassedOver: (what) => {
      passedOver[what]++;
    },
  })) {
    files.push(...step.files);
    unreadable.push(...step.unreadable);
  }
  return { files, unreadable: unreadable.sort(byPath), passedOver };
}

/**
 * The accepted files of a folder and below in the order of their paths' UTF-16 units, some at a time, so that the first
 * are known long before the last and other work can run in between. Links to files below the folder are followed,
 * others with `followLinks`; links to folders are not (they may lead in circles). Memory holds the names in the folders
 * on the path from the top to the present one.
 * @throws EngineError `STORAGE_FAILED` when the first folder cannot be listed; `ABORTED`.
 */
export async function* walkSteps(folder: string, options: WalkOptions): AsyncGenerator<WalkStep, void, void> {
  const { below: first = '', signal } = options;
  const stack = [{ below: first, entries: undefined as Entry[] | undefined, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    const { below } = top;
    const pathOf = ({ name }: Entry): string => (below === '' ? name : `${below}/${name}`);
    try {
      top.entries ??= await list(folder, below, options);
    } catch (cause) {
      if (stack.length === 1) throw storageError(`list the folder ${join(folder, below)}`, cause);
      stack.pop();
      const isNameless = await isUnspeakable(join(folder, below), cause);
      // The folder was moved or deleted after the one above it was listed.
      if (!isNameless && isMissing(cause)) continue;
      const message = isNameless ? UNSPEAKABLE : storageError(`list the folder ${below}`, cause).message;
      yield { files: [], unreadable: [{ path: below, message }] };
      continue;
    }
    const { entries } = top;
    const here = top.next;
    while (top.next < entries.length && top.next - here < STEP_FILES && !entries[top.next].isFolder) top.next++;
    if (top.next > here) {
      const looked = await Promise.all(
        entries.slice(here, top.next).map((entry) => look(folder, pathOf(entry), entry, options)),
      );
      const step = {
        files: looked.filter((entry) => entry !== undefined && 'file' in entry),
        unreadable: looked.filter((entry) => entry !== undefined && 'message' in entry),
      };
      if (step.files.length > 0 || step.unreadable.length > 0) yield step;
    } else if (top.next < entries.length) {
      stack.push({ below: pathOf(entries[top.next++]), entries: undefined, next: 0 });
    } else {
      stack.pop();
    }
  }
}

/** The entries of a folder that the walk must examine, in the order of the paths below. */
async function list(
  folder: string,
  below: string,
  { accepts, onOther, onPassedOver, onFolder }: WalkOptions,
): Promise<Entry[]> {
  const directory = await opendir(join(folder, below), { bufferSize: READ_ENTRIES });
  onFolder?.(below);
  const entries: Entry[] = [];
  for await (const entry of directory) {
    const { name } = entry;
    const isLink = entry.isSymbolicLink();
    if (entry.isDirectory()) entries.push({ name, key: `${name}/`, isFolder: true, isLink });
    else if (entry.isFile() && !accepts(name)) onOther?.(name);
    else if (entry.isFile() || isLink) entries.push({ name, key: name, isFolder: false, isLink });
    else if (!name.startsWith('.')) onPassedOver?.('special', below === '' ? name : `${below}/${name}`);
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function look(
  folder: string,
  path: string,
  { name, isLink }: Entry,
  { accepts, onOther, onPassedOver, followLinks = false }: WalkOptions,
): Promise<FoundFile | UnreadableEntry | undefined> {
  const file = join(folder, path);
  const passOver = (what: keyof PassedOver): undefined => {
    if (!name.startsWith('.') || what === 'outsideLinks') onPassedOver?.(what, path);
  };
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return passOver(facts.isDirectory() ? 'folderLinks' : 'special');
    if (!accepts(name)) onOther?.(name);
    else if (isLink && !followLinks && !(await leadsInside(folder, file))) passOver('outsideLinks');
    else return { path, file, byteLength: facts.size, mtimeMs: facts.mtimeMs };
    return undefined;
  } catch (cause) {
    if (await isUnspeakable(file, cause)) return { path, message: UNSPEAKABLE };
    // The file was moved or deleted after its folder was listed, unless it is a link that leads nowhere.
    if (isMissing(cause) && (await isAway(file))) return undefined;
    return accepts(name) ? { path, message: `could not look at the file: ${codeOf(cause)}` } : passOver('brokenLinks');
  }
}

/** Whether there is not even a link of this name. */
async function isAway(file: string): Promise<boolean> {
  return lstat(file).then(
    () => false,
    (cause: unknown) => isMissing(cause),
  );
}

/** Whether a path leads, over all links, to something below the folder. @throws what `realpath` throws. */
export async function leadsInside(folder: string, file: string): Promise<boolean> {
  const way = relative(await realpath(folder), await realpath(file));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isMissing(cause: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(cause));
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

const UNSPEAKABLE = 'its name is not UTF-8, so that it cannot be opened: it must be renamed';

/** A listing shows bytes of a name that are no UTF-8 as U+FFFD; no file can be opened under that name. */
async function isUnspeakable(file: string, cause: unknown): Promise<boolean> {
  if (codeOf(cause) !== 'ENOENT' || !file.includes('\uFFFD')) return false;
  // A link that leads nowhere but has such a name exists itself.
  return lstat(file).then(
    () => false,
    (own: unknown) => codeOf(own) === 'ENOENT',
  );
}

/**
 * What is at a path below a folder: a file, a folder, nothing, something else (a device, a link to a folder), a link to
 * a file outside the folder, or an entry that cannot be read.
 */
export type SeenEntry =
  | { readonly kind: 'file'; readonly file: FoundFile }
  /** id: of a folder, the same for as long as it is not replaced by another one or by what is mounted there. */
  | { readonly kind: 'folder'; readonly id: string }
  | { readonly kind: 'missing' | 'other' | 'outside' }
  | { readonly kind: 'unreadable'; readonly message: string };

/** Examines one path as {@link walkSteps} does. */
export async function lookAt(
  folder: string,
  path: string,
  { followLinks = false }: Pick<WalkOptions, 'followLinks'> = {},
): Promise<SeenEntry> {
  const file = join(folder, path);
  try {
    const own = await lstat(file);
    // The folder itself may be a link.
    if (own.isDirectory()) return { kind: 'folder', id: idOf(own) };
    const facts = own.isSymbolicLink() ? await stat(file) : own;
    if (facts.isFile() && own.isSymbolicLink() && !followLinks && !(await leadsInside(folder, file)))
      return { kind: 'outside' };
    if (facts.isFile()) return { kind: 'file', file: { path, file, byteLength: facts.size, mtimeMs: facts.mtimeMs } };
    return path === '' && facts.isDirectory() ? { kind: 'folder', id: idOf(facts) } : { kind: 'other' };
  } catch (cause) {
    if (isMissing(cause)) return { kind: 'missing' };
    return { kind: 'unreadable', message: storageError(`look at ${path === '' ? folder : path}`, cause).message };
  }
}

function idOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev} ${ino}`;
}
