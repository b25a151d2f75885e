import type { AssemblyComponent, DeviationModel, SharedPartMatrix } from '../../index.js';
import { send, sendForJson } from './request.js';
import type { Wire } from './wire.js';

export type WireComponent = Wire<AssemblyComponent>;

/** The deviations between two models, with both surfaces as binary glTF. */
export interface FoundDeviations extends Omit<DeviationModel, 'glb'> {
  readonly glb: ArrayBuffer;
}

/** A model as binary glTF. @throws ApiError 422 if the file is not a model or has too many triangles. */
export async function readModel(uid: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (
    await send('Model', { query: { fileUID: uid }, accept: 'model/gltf-binary, application/problem+json', signal })
  ).arrayBuffer();
}

/** The product structure of a model; null for a single part. */
export function readAssembly(uid: string, signal?: AbortSignal): Promise<WireComponent | null> {
  return sendForJson<WireComponent | null>('Assembly', { query: { fileUID: uid }, signal });
}

/** An assembly that contains a model. */
export interface Holder {
  readonly uid: string;
  /** Path of the assembly, or its UID if the path is unknown. */
  readonly name: string;
}

/** The assemblies that contain a model as one of their components. */
export async function readHolders(uid: string, signal?: AbortSignal): Promise<readonly Holder[]> {
  const { AssemblyParents } = await sendForJson<{
    AssemblyParents: readonly { readonly uid: string | null; readonly fileName: string | null }[] | null;
  }>('File', { query: { fileUID: uid }, signal });
  return (AssemblyParents ?? []).flatMap((parent) =>
    parent.uid === null ? [] : [{ uid: parent.uid, name: parent.fileName ?? parent.uid }],
  );
}

/** Whether the components of an assembly are indexed as files of their own; without that, shared parts are unknown. */
export async function hasIndexedComponents(uid: string, signal?: AbortSignal): Promise<boolean> {
  return (await sendForJson<readonly unknown[]>('Components', { query: { fileUID: uid }, signal })).length > 0;
}

/** The parts that an assembly shares with other assemblies. */
export function readSharedParts(uid: string, signal?: AbortSignal): Promise<SharedPartMatrix> {
  return sendForJson<SharedPartMatrix>('SharedParts', { query: { fileUID: uid }, signal });
}

/** Aligns a model to another and measures the deviations between them. @throws ApiError 422 if one is not a model. */
export async function readDeviations(uid: string, otherUid: string, signal?: AbortSignal): Promise<FoundDeviations> {
  const { glb, ...found } = await sendForJson<Omit<DeviationModel, 'glb'> & { readonly glb: string }>('Deviations', {
    query: { fileUID: uid, otherUID: otherUid, model: true },
    signal,
  });
  return { ...found, glb: bytesOf(glb) };
}

function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}
