/** Where a file of this package may come from: its bytes, or its address (`file:`, `http:`, `https:`, `data:`). */
export type BytesSource = ArrayBuffer | ArrayBufferView | URL;

/**
 * The bytes of a source. A `file:` address is read by Node; any other is fetched.
 * @throws Error when the file cannot be read, or the server answers with another status than 200 to 299.
 */
export async function loadBytes(source: BytesSource): Promise<Uint8Array> {
  if (source instanceof URL) {
    if (source.protocol === 'file:') return readLocal(source);
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${source.href} answered with status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  return source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

async function readLocal(url: URL): Promise<Uint8Array> {
  // The specifier is a variable so that a bundler for browsers does not try to resolve a module of Node.
  const module = 'node:fs/promises';
  const { readFile } = (await import(
    /* webpackIgnore: true */ /* @vite-ignore */ module
  )) as typeof import('node:fs/promises');
  return readFile(url);
}
