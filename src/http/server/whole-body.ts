/** Bodies that are completely in memory, so that they need not be read back from the stream of a Response. */
const BODIES = new WeakMap<Response, string | Uint8Array>();

/** Makes a Response whose body {@link wholeBodyOf} returns. */
export function wholeResponse(body: string | Uint8Array, init: ResponseInit): Response {
  const response = new Response(body as BodyInit, init);
  BODIES.set(response, body);
  return response;
}

/** The body of a Response made by {@link wholeResponse}; undefined for others. */
export function wholeBodyOf(response: Response): string | Uint8Array | undefined {
  return BODIES.get(response);
}
