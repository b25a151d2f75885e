import {
  constants,
  crc32,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  type Inflate,
  type InflateRaw,
} from 'node:zlib';
import yauzl from 'yauzl';
import { checkLimit, EngineError, warning, type Warning, fileDamaged } from '../../errors.js';
import type { Limits } from '../../options.js';
import type { Wrapper } from './sniff.js';

/** A file inside a wrapper. */
export interface Unpacked {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What may still be unpacked. Nested wrappers share one budget, so nesting does not multiply it. */
export class UnpackBudget {
  readonly #limits: Limits;
  #bytes = 0;
  #entries = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Counts `added` unpacked bytes of a file, of whose `packed` bytes `unpacked` have come out so far.
   * @throws EngineError `LIMIT_EXCEEDED`.
   */
  count(added: number, { packed, unpacked }: { packed: number; unpacked: number }): void {
    this.#bytes += added;
    checkLimit('the unpacked file', this.#limits, 'unpackedBytes', this.#bytes);
    const ratio = unpacked / Math.max(1, packed);
    // Small files of repeated bytes have high ratios without being bombs.
    if (unpacked > SMALL_BYTES) checkLimit('the unpacked file', this.#limits, 'archiveRatio', Math.ceil(ratio));
  }

  countEntry(): void {
    checkLimit('the unpacked file', this.#limits, 'archiveEntries', ++this.#entries);
  }
}

/** Files up to this size may have any ratio, bytes. */
const SMALL_BYTES = 1024 * 1024;

/**
 * Unpacks one layer, one file at a time, so that the caller can read and release each. Folders, `__MACOSX`, dot files
 * and encrypted entries are skipped. Works on streams and stops at the first byte beyond a limit.
 *
 * @param name the wrapper's name, which gives the inner name where the wrapper has none: `bolt.step.ifz` holds
 * `bolt.step`.
 * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export async function* unpack(
  wrapper: Wrapper,
  bytes: Uint8Array,
  name: string,
  budget: UnpackBudget,
  warnings: Warning[],
): AsyncGenerator<Unpacked> {
  if (wrapper === 'zip') {
    yield* unzip(bytes, budget, warnings, (path) => !isIgnored(path));
  } else {
    budget.countEntry();
    yield { name: innerName(name), bytes: await inflate(wrapper, bytes, budget, warnings) };
  }
}

function innerName(name: string): string {
  const inner = name.replace(/\.(ifz|gz|z)$/i, '');
  return inner.replace(/\.wrz$/i, '.wrl').replace(/\.tgz$/i, '.tar');
}

async function inflate(
  wrapper: 'gzip' | 'deflate',
  bytes: Uint8Array,
  budget: UnpackBudget,
  warnings: Warning[],
): Promise<Uint8Array> {
  const failed = (cause: unknown): EngineError => fileDamaged(`the ${wrapper} stream`, 'its unpacker', cause);
  try {
    return await collect(inflater(wrapper, bytes, { tolerant: false }).end(bytes), bytes.length, budget);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    if (!isCut(cause)) throw failed(cause);
  }
  // The stream ends early. Its last block was lost above, so it is unpacked again tolerantly; beyond that block this
  // gives no more than was already counted.
  const kept = await collect(inflater(wrapper, bytes, { tolerant: true }).end(bytes), bytes.length, undefined).catch(
    (cause: unknown) => {
      throw failed(cause);
    },
  );
  if (kept.length === 0) throw failed(new Error('unexpected end of file'));
  warnings.push(
    warning('FILE_TRUNCATED', `the ${wrapper} stream ends early; the ${kept.length} bytes before were kept`),
  );
  return kept;
}

async function collect(
  stream: NodeJS.ReadableStream,
  packed: number,
  budget: UnpackBudget | undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let unpacked = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    unpacked += chunk.length;
    budget?.count(chunk.length, { packed, unpacked });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isCut(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'Z_BUF_ERROR';
}

/**
 * The decompressor of a stream; a zlib header has method 8 and first two bytes that are a multiple of 31 (RFC 1950).
 */
function inflater(
  wrapper: 'gzip' | 'deflate',
  bytes: Uint8Array,
  { tolerant }: { tolerant: boolean },
): Gunzip | Inflate | InflateRaw {
  const options = tolerant ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  if (wrapper === 'gzip') return createGunzip(options);
  const hasHeader = (bytes[0] & 0x0f) === 8 && (bytes[0] * 256 + bytes[1]) % 31 === 0;
  return hasHeader ? createInflate(options) : createInflateRaw(options);
}

/**
 * Unpacks the entries of a zip archive whose path `wants` accepts, in the archive's order. Sizes in the archive's
 * directory are not trusted: bytes are counted as they are inflated and compared with their checksum.
 * @throws EngineError `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export async function* unzip(
  bytes: Uint8Array,
  budget: UnpackBudget,
  warnings: Warning[],
  wants: (path: string) => boolean,
): AsyncGenerator<Unpacked> {
  const file = await openZip(bytes);
  let encrypted = 0;
  for await (const entry of entriesOf(file)) {
    budget.countEntry();
    if (!wants(entry.fileName)) continue;
    if (!entry.canDecodeFileData()) {
      encrypted++;
      continue;
    }
    yield { name: entry.fileName, bytes: await readEntry(file, entry, budget) };
  }
  if (encrypted > 0) {
    warnings.push(
      warning(
        'CONTENT_SKIPPED',
        `${encrypted} files in the archive are encrypted or use an unknown compression method`,
      ),
    );
  }
}

function isIgnored(path: string): boolean {
  return (
    path.endsWith('/') || path.split('/').some((part) => (part.startsWith('.') && part !== '.') || part === '__MACOSX')
  );
}

function openZip(bytes: Uint8Array): Promise<yauzl.ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(buffer, { lazyEntries: true, autoClose: false }, (error, file) => {
      if (error) reject(malformed(error));
      else resolve(file);
    });
  });
}

async function* entriesOf(file: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
  for (;;) {
    const entry = await new Promise<yauzl.Entry | undefined>((resolve, reject) => {
      file.removeAllListeners();
      file.on('entry', resolve);
      file.on('end', () => resolve(undefined));
      file.on('error', (error) => reject(malformed(error)));
      file.readEntry();
    });
    if (entry === undefined) return;
    yield entry;
  }
}

async function readEntry(file: yauzl.ZipFile, entry: yauzl.Entry, budget: UnpackBudget): Promise<Uint8Array> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    file.openReadStream(entry, (error, opened) => {
      if (error) reject(malformed(error));
      else resolve(opened);
    });
  });
  try {
    const content = await collect(stream, entry.compressedSize, budget);
    if (crc32(content) !== entry.crc32 >>> 0) throw new Error(`${entry.fileName} does not match its checksum`);
    return content;
  } catch (cause) {
    throw cause instanceof EngineError ? cause : malformed(cause);
  }
}

function malformed(cause: unknown): EngineError {
  return fileDamaged('the zip archive', 'its reader', cause);
}
