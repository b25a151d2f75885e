import { z } from '@hono/zod-openapi';
import type { FileRecord } from '../../index.js';
import { base64OfJson, tooSmall } from '../wire/base64.js';
import { gunzipped } from '../server/body.js';
import type { Call } from '../server/call.js';
import { endpointsOf } from '../server/endpoint.js';
import { FileMap, fileMapOf } from '../wire/file-map.js';
import { accountName, shapeletQuery } from './files.js';
import { checkBinaryType, checkJsonType } from '../wire/json-body.js';
import { badField, given, readable } from '../server/problem.js';
import { flag, guid, integer, maybeFlag, requiredText, text } from '../server/parameters.js';

const endpoint = endpointsOf('Files');

/** Smallest upload as sent: bytes, or characters of base64. */
const LEAST_LENGTH = 1024;

const uploadQuery = {
  file: requiredText({
    about:
      'Search input: the extension alone (`.png`). Database upload: the full stored path. An `.ifz` keeps the ' +
      'extension before it.',
  }),
  isGZipCompressed: flag({ about: 'Legacy: the bytes are gzipped.', byDefault: false, deprecated: true }),
  isSearchInput: flag({ about: 'False: stores into the company database.', byDefault: true }),
  indexPriority: text({
    about:
      'Database uploads: 3 normal, 4 after all waiting files of priority 3; ignored for search inputs. Default 3, ' +
      'or what the profile says.',
    most: 100,
  }).openapi({ type: 'integer', format: 'int32', maxLength: undefined }),
  attributes: text({ about: 'Database uploads: `name=value&name=value`, encoded.' }),
  QRCodeId: text({ about: 'Internal; accepted, no effect.' }),
  categoryId: integer({
    about: 'Database uploads: needed by companies with file categories.',
    byDefault: -1,
    least: -1,
  }),
  textOnly: maybeFlag({ about: 'True: without its shape. Default false, or what the profile says.' }),
  attrTemplate: text({ about: 'Not to be used unless instructed; accepted, no effect.' }),
  uid: guid({ about: 'UID to store under; a file that has it is overwritten. Default: a new one.' }),
  rmIfDup: flag({ about: 'Legacy; accepted, no effect.', byDefault: false, deprecated: true }),
  isPriority: flag({ about: 'Replaced by indexPriority; accepted, no effect.', byDefault: false, deprecated: true }),
  overwriteFile: maybeFlag({
    about:
      'Database uploads to a path that exists: true replaces, false stores as `Gear(2).jpg`. Default: what the ' +
      'profile says.',
  }),
  indexAssemblyComponents: flag({ about: 'Also indexes the components of an assembly.', byDefault: false }),
  callbackParam: text({ about: 'Added to the callback, `name:value`, when the company has one.', most: 1_000 }),
  accountName,
};
const indexAsync = flag({
  about: 'Search inputs: queues and returns the UID at once. Not for `.zip`.',
  byDefault: false,
});
const LegacyUpload = z.object({ ...uploadQuery, indexAsync });
const DirectUpload = z.object({ ...uploadQuery, ...shapeletQuery });

type UploadCall = Call<Omit<z.output<typeof LegacyUpload>, 'indexAsync'> & { readonly indexAsync?: boolean }>;

const ABOUT =
  `At least ${LEAST_LENGTH} bytes as they are sent (or characters of base64); smaller uploads are 400. ` +
  'A file that cannot be read is answered with 415 or 422; its UID is then in the member `fileUID`, and its status ' +
  'is `failed`.';
const statuses = { 409: 'The UID is that of a file that may not be replaced so.', 422: 'The file cannot be read.' };

export const UPLOADS = [
  endpoint('PUT /File', {
    summary: 'Uploads a file as base64',
    about: ABOUT,
    body: 'file',
    plain: true,
    answer: z.string().openapi({ format: 'uuid' }),
    query: LegacyUpload,
    statuses,
    respond: async (call) => {
      checkJsonType(call.request);
      return (await upload(call, base64OfJson(call.body.stream(call.options.uploadBytes), LEAST_LENGTH))).uid;
    },
  }),
  endpoint('PUT /FileBinary', {
    summary: 'Uploads a file',
    about: ABOUT,
    body: 'bytes',
    plain: true,
    answer: z.string().openapi({ format: 'uuid' }),
    query: LegacyUpload,
    statuses,
    respond: async (call) => (await uploadBinary(call)).uid,
  }),
  endpoint('PUT /FileBinaryDirect', {
    summary: 'Uploads a file and answers with its record',
    about: ABOUT,
    body: 'bytes',
    answer: FileMap,
    query: DirectUpload,
    statuses,
    respond: async (call) => fileMapOf(call, await uploadBinary(call), call.query),
  }),
];

async function uploadBinary(call: UploadCall): Promise<FileRecord> {
  checkBinaryType(call.request);
  return upload(call, atLeast(call.body.stream(call.options.uploadBytes)));
}

/** Stores the bytes that arrive and, unless `indexAsync` is set, waits until they are indexed. @throws Problem. */
async function upload(call: UploadCall, sent: AsyncIterable<Uint8Array>): Promise<FileRecord> {
  const { isGZipCompressed, isSearchInput } = call.query;
  const bytes = isGZipCompressed ? gunzipped(sent) : sent;
  return readable(isSearchInput ? await putInput(call, bytes) : await putFile(call, bytes));
}

async function putInput(call: UploadCall, source: AsyncIterable<Uint8Array>): Promise<FileRecord> {
  const { file, uid, indexAsync = false, indexAssemblyComponents, callbackParam, textOnly } = call.query;
  const extension = extensionOf(file);
  if (indexAsync && /\.zip$/i.test(extension))
    throw badField('indexAsync', 'indexAsync is not supported for .zip search inputs.');
  const served = await call.served();
  return given(
    'file',
    served.putInput(source, {
      extension,
      uid,
      owner: call.principal?.userUid,
      wait: !indexAsync,
      textOnly,
      indexAssemblyComponents,
      callbackParam,
      signal: call.signal,
    }),
  );
}

async function putFile(call: UploadCall, source: AsyncIterable<Uint8Array>): Promise<FileRecord> {
  const { file, uid, indexPriority, attributes, categoryId, overwriteFile, indexAssemblyComponents } = call.query;
  const { callbackParam, textOnly } = call.query;
  const priority = indexPriority === undefined ? undefined : Number(indexPriority);
  if (priority !== undefined && priority !== 3 && priority !== 4)
    throw badField('indexPriority', 'indexPriority must be 3 or 4.');
  const served = await call.served();
  return given(
    (option) => (option === 'attributes' || option === 'categoryId' ? option : 'file'),
    served.put(file, source, {
      uid,
      priority,
      textOnly,
      indexAssemblyComponents,
      overwrite: overwriteFile,
      callbackParam,
      signal: call.signal,
      ...(categoryId === -1 ? {} : { categoryId }),
      ...(attributes === undefined ? {} : { attributes: readAttributes(attributes) }),
    }),
    ({ option }) =>
      option === 'categoryId' && categoryId === -1
        ? 'categoryId is required: the company uses file categories.'
        : undefined,
  );
}

/** The extension of a search input: the whole value of `file`, or the end of a name. */
function extensionOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const extension = /(?:\.[^.\s]+)?\.(?:ifz|gz)$|\.[^.\s]+$/i.exec(name)?.[0];
  if (extension === undefined || extension.length > 100)
    throw badField('file', `file must be an extension like .png, received ${JSON.stringify(file.slice(0, 100))}`);
  return extension;
}

/** `name=value` pairs of a nested query string, in which `&`, `=` and `%` are percent-encoded. */
function readAttributes(nested: string): string[] {
  return nested
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      if (!pair.includes('='))
        throw badField(
          'attributes',
          `attributes must be name=value pairs joined by &, received ${JSON.stringify(pair.slice(0, 100))}`,
        );
      try {
        return decodeURIComponent(pair);
      } catch (cause) {
        if (!(cause instanceof URIError)) throw cause;
        return pair; // A literal percent sign.
      }
    });
}

async function* atLeast(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    yield chunk;
  }
  if (length < LEAST_LENGTH) throw tooSmall(length, LEAST_LENGTH, 'bytes');
}
