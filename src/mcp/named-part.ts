import { z } from 'zod';
import type { FileRecord, IndexedComponent } from '../index.js';
import { ToolFailure, type Agent, type NamedFile } from './agent.js';

/** Largest file that comes within a message. */
export const MOST_UPLOAD_BYTES = 4 * 1024 ** 2;

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const part = z
  .string()
  .min(1)
  .max(4_096)
  .describe('UID, or path in the library, of a file; the UID of an assembly component serves as well.');

/** A file that is not in the library: on the machine of the server, or within the message. */
export const fileFields = {
  file: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('Path of a file on the machine of the server, below the folders that it was given with --read.'),
  upload: z
    .strictObject({
      name: z.string().min(1).max(255).describe('File name; its extension counts: flange.step.'),
      base64: z
        .string()
        .min(1)
        .max(Math.ceil(MOST_UPLOAD_BYTES / 3) * 4)
        .describe('The bytes of the file, at most 4 MiB.'),
    })
    .optional()
    .describe('A small file, sent with the call.'),
};

/** A file of the library, or one that is only searched with. */
export const inputFields = { part: part.optional(), ...fileFields };

/** The words of an agent for a file. */
export interface FileWords {
  readonly file?: string;
  readonly upload?: { readonly name: string; readonly base64: string };
}

/** A named part: a file, or a component of an assembly. */
export interface NamedPart {
  readonly uid: string;
  /** Of a component that of its assembly. */
  readonly record: FileRecord;
  /** Undefined for a file. */
  readonly component: IndexedComponent | undefined;
}

/** The file of the library that an agent names, no component. @throws ToolFailure, EngineError `FILE_UNKNOWN`. */
export async function findPart({ company }: Agent, word: string): Promise<FileRecord> {
  if (UID.test(word)) {
    const input = await company.input(word);
    if (input !== undefined) return input;
    const component = await company.assemblies.component(word);
    if (component === undefined) return company.get(word);
    throw new ToolFailure(
      'NOT_A_FILE',
      `${word} is ${component.name === '' ? 'a part' : `the part ${component.name}`} of an assembly; this takes whole files.`,
      `Name the assembly, ${component.assemblyUid}. A part by itself is taken by get_part, find_similar, find_by_drawing, compare_parts and where_used.`,
    );
  }
  const record = await company.find(word);
  if (record !== undefined) return record;
  throw new ToolFailure(
    'FILE_UNKNOWN',
    `The library has no file with the path ${JSON.stringify(word.slice(0, 200))}.`,
    'Search for it with search_parts (words of its name, or prefix*) and give the uid of a result.',
  );
}

/**
 * The part that an agent names by exactly one of `part`, `file` and `upload`. The last two become a search input, which
 * is kept for a day and belongs to the agent's user.
 * @throws ToolFailure; EngineError with the reason why a file cannot be read.
 */
export async function namedPart(
  agent: Agent,
  words: FileWords & { readonly part?: string },
  signal: AbortSignal,
): Promise<NamedPart> {
  if (words.part !== undefined && words.file === undefined && words.upload === undefined)
    return namedInLibrary(agent, words.part);
  if (words.part !== undefined) throw onlyOne();
  const { name, bytes } = await namedFile(agent, words);
  return indexed(await agent.served.putInput(bytes, { extension: '', name, owner: agent.owner, signal }));
}

/** A file of the library, or a component of an assembly, by its UID or path. @throws as {@link namedPart}. */
export async function namedInLibrary(agent: Agent, word: string): Promise<NamedPart> {
  const component = UID.test(word) ? await agent.company.assemblies.component(word) : undefined;
  if (component === undefined) return indexed(await findPart(agent, word));
  return { ...indexed(await findPart(agent, component.assemblyUid)), uid: component.uid, component };
}

function indexed(record: FileRecord): NamedPart {
  if (record.state === 'indexed') return { uid: record.uid, record, component: undefined };
  throw unreadable(record);
}

/** The bytes that an agent names by exactly one of `file` and `upload`. @throws ToolFailure */
export async function namedFile(agent: Agent, { file, upload }: FileWords): Promise<NamedFile> {
  if ((file === undefined) === (upload === undefined)) throw onlyOne();
  if (file !== undefined) {
    if (agent.readFile === undefined)
      throw new ToolFailure(
        'NOT_ALLOWED',
        'This server reads no files by path.',
        'Send the bytes as upload, or name a file of the library as part.',
      );
    return agent.readFile(file);
  }
  const { name, base64 } = upload!;
  const text = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text))
    throw new ToolFailure('QUERY_INVALID', 'upload.base64 is not base64.', 'Encode the bytes of the file as base64.');
  return { name: name.replace(/^.*[/\\]/s, ''), bytes: Buffer.from(text, 'base64') };
}

function onlyOne(): ToolFailure {
  return new ToolFailure(
    'QUERY_INVALID',
    'Exactly one file must be named.',
    'Give a UID or path as part, or send the bytes of a file as upload (or its path as file, where that is offered).',
  );
}

/** Why a file that was named cannot be used. */
function unreadable({ state, path, error }: FileRecord): ToolFailure {
  if (state === 'queued')
    return new ToolFailure('FILE_NOT_INDEXED', `${path} is still being read.`, 'Call again in a few seconds.');
  return new ToolFailure(
    error?.code ?? 'FILE_NOT_INDEXED',
    `${path} could not be read: ${error?.message ?? 'no reason is known'}.`,
    'Use another file of the same part: another export, or its drawing.',
  );
}
