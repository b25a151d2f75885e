import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { ATTRIBUTE_FORMS } from '../words/attribute-forms.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';
import { parseAttributes, type Attribute } from '../attributes/attribute.js';
import { isStream } from '../store/disk/blobs.js';
import { normalizeFilePath } from '../store/catalog/file-path.js';
import type { Priority } from '../store/catalog/record.js';
import { checkBoolean, checkString, checkUid } from './checks.js';

/** How a file is put. */
export interface PutOptions {
  /** `name=value` or `name(unit)=value`. Absent: a new file has none, one that is replaced keeps its own. */
  readonly attributes?: readonly string[];
  /** True: resolve once indexed (or failed). False: resolve once bytes and job are durable. Default true. */
  readonly wait?: boolean;
  /** 3: in the order of arrival. 4: behind every waiting 3. Default 3. */
  readonly priority?: Priority;
  /** GUID to store under; a file that has it is replaced. Absent: that of the file at this path, else a new one. */
  readonly uid?: string;
  /** True: without its shape; it is found by text and attributes alone. Default false. */
  readonly textOnly?: boolean;
  /**
   * True: the parts and sub-assemblies of an assembly are described as well, each distinct one once, and found by
   * searches that ask for `components`; some 50 ms each. Absent: a new file is indexed without, one that is replaced as
   * it was.
   */
  readonly indexAssemblyComponents?: boolean;
  /**
   * True: a file at this path is replaced. False: the new one gets a number, as in `Gear(2).step`. Default: the
   * company's `overwriteFiles`.
   */
  readonly overwrite?: boolean;
  /** Id of its category; null or -1: none. Absent: a new file has none, one that is replaced keeps its own. */
  readonly categoryId?: number | null;
  /**
   * Asks for a callback when the file is indexed or failed, with this text in it; see `Accounts.setCallback`. At most 2
   * 000 characters.
   */
  readonly callbackParam?: string;
  /**
   * Before the bytes are durable it undoes the put; after, it only ends the waiting. Either way the put rejects with
   * `ABORTED`.
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
  callbackParam: undefined,
  signal: undefined,
} satisfies Defaults<PutOptions>);

/** How a search input is put. */
export interface PutInputOptions {
  /** Of the file, with or without its dot; '' when it has none. With `name` that one's counts. */
  readonly extension: string;
  /**
   * What the file is called, without folders: its display name, and its name in messages. Default: its UID with the
   * extension.
   */
  readonly name?: string;
  /**
   * Who puts it, in the caller's words: kept on the record, so that the caller can tell whose it is. Default: nobody.
   */
  readonly owner?: string;
  /** True: resolve once indexed (or failed). False: resolve once bytes and job are durable. Default true. */
  readonly wait?: boolean;
  /** GUID to store under; an input of the same owner that has it is replaced. Absent: a new one. */
  readonly uid?: string;
  /** True: without its shape. Default false. */
  readonly textOnly?: boolean;
  /** As with {@link PutOptions}. */
  readonly callbackParam?: string;
  /** True: the components of an assembly are searchable with, too; see `searchComponents`. Default false. */
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
  indexAssemblyComponents: false,
  signal: undefined,
} satisfies Defaults<PutInputOptions>);

/** Most characters of a callback parameter. */
const CALLBACK_PARAM_LIMIT = 2_000;

/** {@link PutOptions} that were checked, with their defaults filled in. */
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
  if (signal !== undefined) setMaxListeners(0, signal); // Many puts may share one: no reason to warn of a leak.
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

/** {@link PutInputOptions} that were checked. */
export interface CheckedInputOptions
  extends Required<Pick<PutInputOptions, 'wait' | 'uid' | 'textOnly' | 'indexAssemblyComponents'>>,
    Pick<PutInputOptions, 'owner' | 'callbackParam' | 'signal'> {
  /** Under which the input is stored. */
  readonly path: string;
}

/** @throws TypeError or RangeError that names the option. */
export function checkInputOptions(options: PutInputOptions): CheckedInputOptions {
  const { extension, name, uid: given, ...rest } = withDefaults('putInput options', options, INPUT_DEFAULTS);
  checkString('putInput options.extension', extension);
  if (name !== undefined) checkString('putInput options.name', name);
  if (rest.owner !== undefined) checkString('putInput options.owner', rest.owner);
  checkBoolean('putInput options.wait', rest.wait);
  checkBoolean('putInput options.textOnly', rest.textOnly);
  checkCallbackParam('putInput options.callbackParam', rest.callbackParam);
  checkBoolean('putInput options.indexAssemblyComponents', rest.indexAssemblyComponents);
  const uid = given === undefined ? randomUUID() : checkUid(given);
  return { ...rest, uid, path: inputPath(uid, extension, name) };
}

/** @throws TypeError unless it is something that a file can be read from. */
export function checkSource(source: unknown): void {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer || isStream(source)) return;
  if (typeof source === 'string' && source !== '') return;
  if (source instanceof URL && source.protocol === 'file:') return;
  throw new TypeError(
    `source must be bytes, a stream of bytes, the name of a file or a file: URL, received ${source instanceof URL ? source.href : typeof source}`,
  );
}

/** Two inputs can have one name: the UID tells their paths apart. */
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
