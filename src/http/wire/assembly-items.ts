import { z } from '@hono/zod-openapi';
import type { FileRecord } from '../../index.js';
import type { Call } from '../server/call.js';
import { pictureLinks } from './picture-links.js';

const text = z.string().nullable();

/** A file in an assembly relation. */
export const AssemblyItem = z
  .object({ uid: text, fileName: text, thumbnailURL: text, viewerURL: text })
  .openapi('AssemblyItem');

type Item = z.output<typeof AssemblyItem>;

/**
 * Parts and sub-assemblies directly below the root of an assembly, in order, one item per placement; null for a single
 * part. Those that are indexed by themselves have a UID and a picture.
 */
export async function assemblyChildren<Query>(
  call: Call<Query>,
  { uid, componentCount }: FileRecord,
): Promise<Item[] | null> {
  if (componentCount === null) return null;
  const company = await call.company();
  const tree = await company.assembly(uid);
  if (tree === undefined) return null;
  const uids = new Map((await company.components(uid)).map((component) => [component.number, component.uid]));
  return Promise.all(
    tree.children.map(({ name, component }) =>
      itemOf(call, component === null ? undefined : uids.get(component), name),
    ),
  );
}

/** The assemblies that hold the model as an indexed component; null when there is none. */
export async function assemblyParents<Query>(
  call: Call<Query>,
  { uid, state, triangleCount }: FileRecord,
): Promise<Item[] | null> {
  if (state !== 'indexed' || triangleCount === null) return null;
  const parents = await (await call.company()).assemblies.holding(uid, { signal: call.signal });
  return parents.length === 0
    ? null
    : Promise.all(parents.map(({ uid: parent, path }) => itemOf(call, parent, path, call.pageLink(parent))));
}

async function itemOf<Query>(
  call: Call<Query>,
  uid: string | undefined,
  fileName: string,
  viewerURL: string | null = null,
): Promise<Item> {
  return {
    uid: uid ?? null,
    fileName,
    thumbnailURL: uid === undefined ? null : (await pictureLinks(call, uid)).small,
    viewerURL,
  };
}
