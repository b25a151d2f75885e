import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Of the system: what links and loads programs, fonts, time zones. Not `/usr/local` or `/opt` as a whole, where others
 * may keep their files; `/nix/store` and `/gnu/store` are the libraries of systems that keep them there.
 */
const OF_SYSTEM = [
  ...['lib', 'lib32', 'lib64', 'libx32'].flatMap((name) => [name, `usr/${name}`, `usr/local/${name}`]),
  ...['nix/store', 'gnu/store', 'etc/ld.so.cache', 'etc/alternatives', 'etc/localtime', 'usr/share/zoneinfo'],
  ...['etc/fonts', 'usr/share/fontconfig', 'usr/share/fonts', 'usr/local/share/fonts', 'var/cache/fontconfig'],
  ...['dev/null', 'dev/urandom'],
].map((path) => `/${path}`);

/** Where sockets and files of anybody are, hidden where the file system as a whole is seen. */
export const SHARED_FOLDERS = ['run', 'var/run', 'tmp', 'var/tmp', 'dev/shm'].map((path) => `/${path}`);

/** Links followed in one path, as Linux does. */
const MOST_LINKS = 40;

/** What a reading process sees of the file system, and where the links to it stand. */
export interface SeenFiles {
  /** Files and folders, without links in their paths; none is below another one. */
  readonly paths: readonly string[];
  /** Links in the paths as they are asked for: where each stands, and what it says. */
  readonly links: ReadonlyMap<string, string>;
  /** Modules with code of the machine: they show whether the libraries that they need are seen. */
  readonly natives: readonly string[];
  /** Of `paths` or below them, those that only the environment asks for, without links. */
  readonly besides: readonly string[];
}

/** Whose needs are told by {@link seenFiles}. */
export interface SeenFilesOptions {
  /** The script that runs. */
  readonly entry: URL;
  /** Paths of programs that it starts. */
  readonly programs: readonly string[];
  readonly folders: readonly string[];
  /** Folders that must not be seen. */
  readonly hidden: readonly string[];
}

/**
 * What a reading process needs to run a script: Node, the package of the script with the modules that it finds, and
 * what the system has for programs; `folders` besides, and libraries and fonts that the environment names where nothing
 * of anybody else would be seen with them. What is not there is left out.
 */
export function seenFiles({ entry, programs, folders, hidden }: SeenFilesOptions): SeenFiles {
  const seen = new Seen();
  const script = isThere(fileURLToPath(entry)) ? realpathSync(fileURLToPath(entry)) : fileURLToPath(entry);
  // Electron's executable stands among what it loads.
  const node = process.versions['electron'] === undefined ? process.execPath : dirname(process.execPath);
  for (const path of [...OF_SYSTEM, node, ...programs, ...ofPackage(script), ...folders]) seen.add(path);
  const require = createRequire(script);
  const natives = ['sharp'].flatMap((name) => resolved(require, name));
  for (const native of natives) for (const folder of modulesAbove(native)) seen.add(folder);
  const before = seen.outermost();
  const asked = ofEnvironment(hidden);
  const besides = realPaths(asked).filter((path) => !before.includes(path) && !isBelow(path, before));
  for (const path of asked) seen.add(path);
  return { paths: seen.outermost(), links: seen.links, natives, besides };
}

/** Of the kernel: `/proc` is there for every process, the rest is nothing to read. */
const OF_KERNEL = ['/proc', '/sys', '/dev'];

/**
 * Where the environment says that libraries and fonts are. Not what has a home, temporary files, a library or the
 * working folder in it: an empty part of such a list, or a careless one, would show them all.
 */
function ofEnvironment(hidden: readonly string[]): string[] {
  const others = realPaths([...hidden, ...SHARED_FOLDERS, tmpdir(), homedir(), process.cwd(), ...OF_KERNEL]);
  return inEnvironment().filter((path) =>
    realPaths([path]).some((real) => !others.some((other) => other === real || isBelow(other, [real]))),
  );
}

function inEnvironment(): string[] {
  const { LD_LIBRARY_PATH = '', LD_PRELOAD = '', FONTCONFIG_FILE = '', FONTCONFIG_PATH = '' } = process.env;
  const listed = [...LD_LIBRARY_PATH.split(/[:;]/), ...LD_PRELOAD.split(/[: ]/)];
  return [...listed, FONTCONFIG_FILE, ...FONTCONFIG_PATH.split(delimiter)].filter((path) => path.startsWith('/'));
}

/**
 * The built package and the folder of the script, not the package as a whole: in a clone, libraries are made there. And
 * the folders in which Node looks for its modules.
 */
function ofPackage(script: string): string[] {
  const root = ancestors(script).find((folder) => isThere(join(folder, 'package.json')));
  if (root === undefined) return [dirname(script)];
  const first = script.slice(root.length + 1).split(sep)[0];
  const own = first === basename(script) ? [] : [join(root, first)];
  return [
    script,
    ...own,
    join(root, 'dist'),
    join(root, 'package.json'),
    ...modulesAbove(script),
    ...ofDependencies(root),
  ];
}

/** Modules that the package names and that stand elsewhere, behind links. */
function ofDependencies(root: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Partial<Record<'dependencies' | 'optionalDependencies', Record<string, string>>>;
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) =>
    ancestors(join(root, 'package.json'))
      .map((folder) => join(folder, 'node_modules', name))
      .filter(isThere)
      .slice(0, 1)
      .flatMap((path) => [path, ...modulesAbove(realpathSync(path))]),
  );
}

function modulesAbove(file: string): string[] {
  return ancestors(file)
    .map((folder) => (basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules')))
    .filter(isThere);
}

function ancestors(file: string): string[] {
  const above = dirname(file);
  return above === file ? [] : [above, ...ancestors(above)];
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function resolved(require: NodeJS.Require, name: string): string[] {
  try {
    return [require.resolve(name)];
  } catch {
    return []; // Scripts of tests have no such modules.
  }
}

class Seen {
  readonly links = new Map<string, string>();
  readonly #paths = new Set<string>();

  /** Follows the links in a path one by one: each is made again at its place. */
  add(path: string, followed = 0): void {
    if (followed > MOST_LINKS) return;
    let at = '/';
    const names = resolve(path)
      .split('/')
      .filter((name) => name !== '');
    for (const [i, name] of names.entries()) {
      at = join(at, name);
      const stat = statOf(at);
      if (stat === undefined) return;
      if (!stat.isSymbolicLink()) continue;
      const says = readlinkSync(at);
      this.links.set(at, says);
      return this.add(join(resolve(dirname(at), says), ...names.slice(i + 1)), followed + 1);
    }
    if (at !== '/') this.#paths.add(at);
  }

  outermost(): string[] {
    const paths = [...this.#paths].sort();
    for (const at of this.links.keys()) if (isBelow(at, paths)) this.links.delete(at);
    return paths.filter((path) => !isBelow(path, paths));
  }
}

/** Undefined also for what may not be looked at. */
function statOf(path: string): ReturnType<typeof lstatSync> {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Those that are there, without links, each once. */
export function realPaths(folders: readonly string[]): string[] {
  return [...new Set(folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder)))];
}

/** Whether a path is inside of one of the folders. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path !== folder && path.startsWith(folder === '/' ? '/' : `${folder}/`));
}
