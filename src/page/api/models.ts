import type { AssemblyComponent, DeviationModel } from '../../index.js';
import { send, sendForJson } from './request.js';
import type { Wire } from './wire.js';

export type WireComponent = Wire<AssemblyComponent>;

/** How far two models lie from each other, with both surfaces as a binary glTF. */
export interface FoundDeviations extends Omit<DeviationModel, 'glb'> {
  readonly glb: ArrayBuffer;
}

/** A model as binary glTF. @throws ApiError 422 for what is no model, or has too many triangles. */
export async function readModel(uid: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (
    await send('Model', { query: { fileUID: uid }, accept: 'model/gltf-binary, application/problem+json', signal })
  ).arrayBuffer();
}

/** The product structure of a model; null for a single part. */
export function readAssembly(uid: string, signal?: AbortSignal): Promise<WireComponent | null> {
  return sendForJson<WireComponent | null>('Assembly', { query: { fileUID: uid }, signal });
}

/** Lays a model on another and measures what lies between them. @throws ApiError 422 where one is no model. */
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
