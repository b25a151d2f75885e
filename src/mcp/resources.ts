import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { FileRecord } from '../index.js';
import { ToolFailure, type Agent } from './agent.js';
import { MOST_RESULTS, type Linked } from './tool.js';

/** Largest resource that is read, bytes. */
export const MOST_RESOURCE_BYTES = 4 * 1024 ** 2;
/** Characters of a text resource. */
const MOST_TEXT = 200_000;

const URI = /^shapedex:\/\/(file|picture|text)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Media types by extension; others are bytes. */
const TYPES: Readonly<Record<string, string>> = Object.freeze({
  '.step': 'model/step',
  '.stp': 'model/step',
  '.iges': 'model/iges',
  '.igs': 'model/iges',
  '.stl': 'model/stl',
  '.obj': 'model/obj',
  '.3mf': 'model/3mf',
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.dxf': 'image/vnd.dxf',
  '.dwg': 'image/vnd.dwg',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.webp': 'image/webp',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
});

/** What can be read of every file. */
export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [
  {
    uriTemplate: 'shapedex://file/{uid}',
    name: 'file',
    description: 'The bytes of a file as they were put, at most 4 MiB.',
  },
  {
    uriTemplate: 'shapedex://picture/{uid}',
    name: 'picture',
    description: 'A picture of a file.',
    mimeType: 'image/png',
  },
  {
    uriTemplate: 'shapedex://text/{uid}',
    name: 'text',
    description: 'The text that was read in a file, its first 200 000 characters.',
    mimeType: 'text/plain',
  },
];

/** A file as a link in an answer. */
export function linkTo({ uid, path }: Linked): Resource {
  return { uri: `shapedex://file/${uid}`, name: path, mimeType: typeOf(extensionOf(path)) };
}

/** Files of the library by path, a page from the cursor on, which is the last path of the page before. */
export async function listResources(
  { company }: Agent,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
  const records = await company.list({ after, limit: MOST_RESULTS + 1 });
  const page = records.slice(0, MOST_RESULTS);
  const last = page.at(-1);
  return {
    resources: page.map((record) => ({ ...linkTo(record), size: record.byteLength })),
    ...(records.length > MOST_RESULTS && last !== undefined
      ? { nextCursor: Buffer.from(last.path).toString('base64url') }
      : {}),
  };
}

/** The contents of a resource. @throws ToolFailure for an unknown URI and what is too large; EngineError. */
export async function readResource({ company }: Agent, uri: string): Promise<ReadResourceResult> {
  const [, what, uid] = URI.exec(uri) ?? [];
  if (what === undefined)
    throw new ToolFailure(
      'RESOURCE_UNKNOWN',
      `There is no resource ${uri.slice(0, 200)}.`,
      'Use shapedex://file/UID, shapedex://picture/UID or shapedex://text/UID with the uid of a file.',
    );
  if (what === 'text') {
    const pages = await company.text(uid, { characters: MOST_TEXT });
    const text = pages.map((page) => page.text).join('\f');
    return { contents: [{ uri, mimeType: 'text/plain', text: text.slice(0, MOST_TEXT) }] };
  }
  if (what === 'picture')
    return { contents: [{ uri, mimeType: 'image/png', blob: base64(await company.thumbnail(uid)) }] };
  const record: FileRecord = await company.get(uid);
  if (record.byteLength > MOST_RESOURCE_BYTES)
    throw new ToolFailure(
      'LIMIT_EXCEEDED',
      `${record.path} has ${record.byteLength} bytes, a resource at most ${MOST_RESOURCE_BYTES}.`,
      'Read shapedex://picture/UID or shapedex://text/UID of it, or ask the user to download it.',
    );
  return { contents: [{ uri, mimeType: typeOf(record.extension), blob: base64(await company.bytes(uid)) }] };
}

function typeOf(extension: string): string {
  return TYPES[extension] ?? 'application/octet-stream';
}

function extensionOf(path: string): string {
  return /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
