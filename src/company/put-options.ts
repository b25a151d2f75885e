import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { ATTRIBUTE_FORMS } from '../words/attribute-forms.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';
import { parseAttributes, type Attribute } from '../attributes/attribute.js';
import { isStream } from '../store/disk/blobs.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { Priority } from '../store/catalog/record.js';
import { checkBoolean, checkString, checkUid } from './checks.js';

/** Options of a put. */
export interface PutOptions {
  /** `name=value` or `name(unit)=value`. Absent: a new file has none, a replaced file keeps its own. */
  readonly attributes?: readonly string[];
  /** True: resolve once indexed (or failed). False: resolve once bytes and job are durable. Default true. */
  readonly wait?: boolean;
  /** 3: files are indexed in the order of arrival. 4: after all waiting files of priority 3. Default 3. */
  readonly priority?: Priority;
  /**
   * GUID to store under; a file with this UID is replaced. Absent: the UID of the file at this path, otherwise a new
   * one.
   */
  readonly uid?: string;
  /** True: the file is indexed without its shape and found only by text and attributes. Default false. */
  readonly textOnly?: boolean;
  /**
   * True: the distinct parts and sub-assemblies of an assembly are described as well, and found by searches that ask
   * for `components`; some 50 ms each. Absent: false for a new file; a replaced file keeps its setting.
   */
  readonly indexAssemblyComponents?: boolean;
  /**
   * True: a file at this path is replaced. False: the new file gets a number, as in `Gear(2).step`. Default: the
   * company's `overwriteFiles`.
   */
  readonly overwrite?: boolean;
  /** Id of the file's category; null or -1: none. Absent: a new file has none, a replaced file keeps its own. */
  readonly categoryId?: number | null;
  /**
   * A new file is refused with `NOT_ALLOWED`, `details.limit` 'fileLimit', where the company has so many, counted as it
   * is stored: also of puts at the same time, in other processes too. Default: no limit.
   */
  readonly mostFiles?: number;
  /**
   * Requests a callback with this text when the file is indexed or has failed; see `Accounts.setCallback`. At most 2
   * 000 characters.
   */
  readonly callbackParam?: string;
  /**
   * Aborting before the bytes are durable undoes the put; later it only ends the wait. In both cases the put rejects
   * with `ABORTED`.
   */
  readonly signal?: AbortSignal;
}

const PUT_DEFAULTS = Object.freeze({
  attributes: undefined,
  wait: true,
  priority: 3,
  uid: undefined,
  textOnly: false,
  indexAssemblyComponents: undefined,
  overwrite: undefined,
  categoryId: undefined,
  mostFiles: undefined,
  callbackParam: undefined,
  signal: undefined,
} satisfies Defaults<PutOptions>);

/** Options of putting a search input. */
export interface PutInputOptions {
  /** Extension of the file, with or without its dot; '' when it has none. If `name` is given, its extension is used. */
  readonly extension: string;
  /** File name without folders: used for display and in messages. Default: the UID with the extension. */
  readonly name?: string;
  /**
   * Free text that identifies the owner; it is stored in the record, so that the caller can check whose input it is.
   * Default: no owner, so that every user of the company sees it.
   */
  readonly owner?: string;
  /** True: resolve once indexed (or failed). False: resolve once bytes and job are durable. Default true. */
  readonly wait?: boolean;
  /** GUID to store under; an input of the same owner with this UID is replaced. Absent: a new one. */
  readonly uid?: string;
  /** True: without its shape. Default false. */
  readonly textOnly?: boolean;
  /** Same as in {@link PutOptions}. */
  readonly callbackParam?: string;
  /**
   * An input is refused with `NOT_ALLOWED`, `details.limit` 'inputsPerUser' or 'inputBytesPerUser', where `owner` has
   * so many that have not expired, or they would have more bytes together, counted as it is stored: also of puts at the
   * same time, in other processes too. `details.freeAt`: when the first of them expires, ISO 8601. Default: no limit.
   */
  readonly mostOfOwner?: { readonly count: number; readonly bytes: number };
  /** True: the components of an assembly can be searched with as well; see `searchComponents`. Default false. */
  readonly indexAssemblyComponents?: boolean;
  readonly signal?: AbortSignal;
}

const INPUT_DEFAULTS = Object.freeze({
  extension: undefined,
  name: undefined,
  owner: undefined,
  wait: true,
  uid: undefined,
  textOnly: false,
  callbackParam: undefined,
  mostOfOwner: undefined,
  indexAssemblyComponents: false,
  signal: undefined,
} satisfies Defaults<PutInputOptions>);

/** Most characters of a callback parameter. */
const CALLBACK_PARAM_LIMIT = 2_000;

/** Checked {@link PutOptions} with their defaults filled in. */
export interface CheckedPutOptions extends Omit<PutOptions, 'attributes' | 'wait' | 'priority' | 'textOnly'> {
  readonly attributes: readonly Attribute[] | undefined;
  readonly wait: boolean;
  readonly priority: Priority;
  readonly textOnly: boolean;
}

/** @throws TypeError or RangeError that names the option. */
export function checkPutOptions(options: PutOptions | undefined): CheckedPutOptions {
  const { attributes, uid, categoryId, ...rest } = withDefaults('put options', options, PUT_DEFAULTS);
  const { wait, priority, textOnly, indexAssemblyComponents, overwrite, callbackParam, signal } = rest;
  checkPriority(priority);
  if (rest.mostFiles !== undefined) checkInteger('put options.mostFiles', rest.mostFiles, 0);
  // Many puts may share one signal, so Node must not warn of a listener leak.
  if (signal !== undefined) setMaxListeners(0, signal);
  checkBoolean('put options.wait', wait);
  checkBoolean('put options.textOnly', textOnly);
  if (indexAssemblyComponents !== undefined)
    checkBoolean('put options.indexAssemblyComponents', indexAssemblyComponents);
  if (overwrite !== undefined) checkBoolean('put options.overwrite', overwrite);
  checkCallbackParam('put options.callbackParam', callbackParam);
  return {
    ...rest,
    uid: uid === undefined ? undefined : checkUid(uid),
    attributes: attributes === undefined ? undefined : parseAttributes(attributes, ATTRIBUTE_FORMS.key),
    categoryId: checkCategory(categoryId),
  };
}

/** Checked {@link PutInputOptions}. */
export interface CheckedInputOptions
  extends Required<Pick<PutInputOptions, 'wait' | 'uid' | 'textOnly' | 'indexAssemblyComponents'>>,
    Pick<PutInputOptions, 'owner' | 'mostOfOwner' | 'callbackParam' | 'signal'> {
  /** Path under which the input is stored. */
  readonly path: string;
}

/** @throws TypeError or RangeError that names the option. */
export function checkInputOptions(options: PutInputOptions): CheckedInputOptions {
  const { extension, name, uid: given, ...rest } = withDefaults('putInput options', options, INPUT_DEFAULTS);
  checkString('putInput options.extension', extension);
  if (name !== undefined) checkString('putInput options.name', name);
  if (rest.owner !== undefined) checkString('putInput options.owner', rest.owner);
  if (rest.mostOfOwner !== undefined) {
    checkInteger('putInput options.mostOfOwner.count', rest.mostOfOwner.count, 0);
    checkInteger('putInput options.mostOfOwner.bytes', rest.mostOfOwner.bytes, 0);
  }
  checkBoolean('putInput options.wait', rest.wait);
  checkBoolean('putInput options.textOnly', rest.textOnly);
  checkCallbackParam('putInput options.callbackParam', rest.callbackParam);
  checkBoolean('putInput options.indexAssemblyComponents', rest.indexAssemblyComponents);
  const uid = given === undefined ? randomUUID() : checkUid(given);
  return { ...rest, uid, path: inputPath(uid, extension, name) };
}

/** @throws TypeError unless a file can be read from this value. */
export function checkSource(source: unknown): void {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer || isStream(source)) return;
  if (typeof source === 'string' && source !== '') return;
  if (source instanceof URL && source.protocol === 'file:') return;
  throw new TypeError(
    'source must be bytes, a stream of bytes, the name of a file or a file: URL, ' +
      `received ${source instanceof URL ? source.href : typeof source}`,
  );
}

/** Two inputs may have the same name: the UID makes their paths differ. */
function inputPath(uid: string, extension: string, name: string | undefined): string {
  if (name !== undefined) {
    if (name.trim() === '' || /[/\\]/.test(name))
      throw new RangeError(`putInput options.name must be a name without folders, received ${JSON.stringify(name)}`);
    return normalizeFilePath(`${uid}/${name}`);
  }
  const path = normalizeFilePath(
    `${uid}${extension === '' || extension.startsWith('.') ? extension : `.${extension}`}`,
  );
  if (path.includes('/'))
    throw new RangeError(`putInput options.extension must be one like '.step', received ${JSON.stringify(extension)}`);
  return path;
}

/** The HTTP interface writes -1 for no category. */
function checkCategory(id: unknown): number | null | undefined {
  if (id === undefined || id === null) return id;
  if (id === -1) return null;
  checkInteger('put options.categoryId', id, 1);
  return id;
}

function checkPriority(priority: unknown): void {
  if (priority !== 3 && priority !== 4)
    throw new RangeError(`put options.priority must be 3 or 4, received ${String(priority)}`);
}

function checkCallbackParam(what: string, value: unknown): void {
  if (value === undefined) return;
  checkString(what, value);
  const { length } = value as string;
  if (length > CALLBACK_PARAM_LIMIT)
    throw new RangeError(`${what} must have at most ${CALLBACK_PARAM_LIMIT} characters, received ${length}`);
}
