/** Bodies of answers that are whole in memory, so that nobody has to read them through a stream again. */
const BODIES = new WeakMap<Response, string | Uint8Array>();

/** An answer with a body that stays known. */
export function wholeResponse(body: string | Uint8Array, init: ResponseInit): Response {
  const response = new Response(body as BodyInit, init);
  BODIES.set(response, body);
  return response;
}

/** The body of an answer that {@link wholeResponse} made; undefined of others. */
export function wholeBodyOf(response: Response): string | Uint8Array | undefined {
  return BODIES.get(response);
}
