import { createReadStream } from 'node:fs';
import { Agent as HttpAgent, request as overHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { EngineError } from '../../errors.js';
import { loadOptional } from '../../optional-package.js';
import { codeOf } from '../database/storage-errors.js';

/** Time without a byte after which a request counts as lost, ms: the network may be cut without a word. */
const SILENCE_MS = 30_000;

/** First pause before a request is tried again, ms; each next is twice as long. */
const RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;

/** Connections kept open. */
const CONNECTIONS = 16;

/** Most of an answer that is read where only its words are wanted, bytes. */
const WORDS_BYTES = 1 << 20;

/** Keys in one answer of a listing; S3 allows no more. */
const KEYS_AT_A_TIME = 1_000;

/** Answers that say nothing about the request: the same may succeed later. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Where the bytes are: `s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=us-east-1`. */
export interface BucketPlace {
  readonly bucket: string;
  /** '' or ending with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** The bucket's address without a slash at its end. */
  readonly address: string;
}

/** Whether a place of bytes is a bucket and no folder. */
export function isBucket(place: string): boolean {
  return place.startsWith('s3://');
}

/** Reads the URL of a bucket. @throws TypeError that says what is wrong. */
export function bucketPlace(url: string): BucketPlace {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(parsed.hostname))
    throw new TypeError(`options.blobs must be a folder or s3://bucket/prefix, received ${url}`);
  for (const name of parsed.searchParams.keys())
    if (name !== 'endpoint' && name !== 'region')
      throw new TypeError(`options.blobs takes endpoint and region after the bucket, received ${name}`);
  const region =
    parsed.searchParams.get('region') ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  const endpoint = parsed.searchParams.get('endpoint') ?? process.env['AWS_ENDPOINT_URL_S3'];
  if (endpoint !== undefined && (!URL.canParse(endpoint) || !/^https?:/.test(endpoint)))
    throw new TypeError(`options.blobs: endpoint must be an http or https URL, received ${endpoint}`);
  const prefix = decodeURIComponent(parsed.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: parsed.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    address:
      endpoint === undefined
        ? `https://${parsed.hostname}.s3.${region}.amazonaws.com`
        : `${endpoint.replace(/\/+$/, '')}/${parsed.hostname}`,
  };
}

/** How long a request is tried. */
export interface Patience {
  /** Time for which a request that fails is tried again, ms. */
  readonly outageMs: number;
  /** Longest time for the first answer of a bucket, which may be none, ms. Default {@link outageMs}. */
  readonly connectMs?: number | undefined;
}

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Bound on all attempts together, silent ones too, ms. Default: they begin for `outageMs`. */
  readonly withinMs?: number;
  /** A file that is sent, with its SHA-256 and its length. */
  readonly file?: { readonly path: string; readonly hash: string; readonly byteLength: number };
}

/**
 * A bucket of S3, or of a server that speaks its protocol. Credentials are those of the environment: AWS_ACCESS_KEY_ID,
 * AWS_SECRET_ACCESS_KEY and, where there is one, AWS_SESSION_TOKEN. What fails for a reason that may pass is tried
 * again for `outageMs`; then it rejects with `STORAGE_FAILED`, `details.outage` true.
 */
export class S3Bucket {
  readonly #place: BucketPlace;
  readonly #outageMs: number;
  readonly #connectMs: number;
  readonly #agent: HttpAgent;

  constructor(place: BucketPlace, { outageMs, connectMs = outageMs }: Patience) {
    this.#place = place;
    this.#outageMs = outageMs;
    this.#connectMs = connectMs;
    const Agent = place.address.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  }

  /** Stores a file; the server compares it with its SHA-256. Resolves when it is durable there. */
  async put(key: string, file: { path: string; hash: string; byteLength: number }): Promise<void> {
    await this.#words({ method: 'PUT', key, file });
  }

  /** The bytes of a key, as they come; undefined: it has none. */
  async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.#ask({ method: 'GET', key }, (answer) => Promise.resolve(answer));
  }

  /** Length of what a key has, bytes; undefined: nothing. */
  size(key: string): Promise<number | undefined> {
    return this.#ask({ method: 'HEAD', key }, async (answer) => {
      answer.resume();
      return Number(answer.headers['content-length'] ?? 0);
    });
  }

  async remove(key: string): Promise<void> {
    await this.#words({ method: 'DELETE', key });
  }

  /** All keys, without the prefix, a page at a time. limit: of one page. withinMs: bound on the time of one, ms. */
  async *keys(limit = KEYS_AT_A_TIME, withinMs?: number): AsyncGenerator<string[]> {
    const { prefix } = this.#place;
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const xml = await this.#words({
        method: 'GET',
        key: '',
        ...(withinMs === undefined ? {} : { withinMs }),
        query: {
          'list-type': '2',
          'max-keys': `${limit}`,
          prefix,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        },
      });
      yield [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => plain(key).slice(prefix.length));
      const next = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1];
      token = next === undefined ? undefined : plain(next);
    }
  }

  /** Asks for one key. @throws EngineError `STORAGE_FAILED`, within `connectMs`, when the bucket cannot be used. */
  async check(): Promise<void> {
    await this.keys(1, this.#connectMs).next();
  }

  close(): void {
    this.#agent.destroy();
  }

  async #words(asked: Asked): Promise<string> {
    const words = await this.#ask(asked, async (answer) => {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of answer as AsyncIterable<Buffer>)
        if ((length += chunk.length) <= WORDS_BYTES) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    });
    if (words === undefined && asked.method !== 'DELETE') throw failure(asked, `404, is there such a bucket?`);
    return words ?? '';
  }

  /** Undefined: the server has no such thing. */
  async #ask<T>(asked: Asked, read: (answer: IncomingMessage) => Promise<T>): Promise<T | undefined> {
    const until = performance.now() + (asked.withinMs ?? this.#outageMs);
    for (let pause = RETRY_MS; ; pause = Math.min(2 * pause, LONGEST_RETRY_MS)) {
      let problem: EngineError;
      try {
        const leftMs = asked.withinMs === undefined ? SILENCE_MS : until - performance.now();
        const answer = await this.#send(asked, Math.max(1, Math.min(SILENCE_MS, Math.ceil(leftMs))));
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) return await read(answer);
        const said = await wordsOf(answer);
        if (status === 404 && asked.key !== '') return undefined;
        const code = /<Code>([^<]*)</.exec(said)?.[1] ?? '';
        problem = failure(asked, `${status} ${code}`.trim(), { isPassing: PASSING.has(status) });
      } catch (cause) {
        if (cause instanceof EngineError || cause instanceof TypeError) throw cause;
        problem = failure(asked, codeOf(cause) || (cause instanceof Error ? cause.message : String(cause)), {
          isPassing: true,
          cause,
        });
      }
      if (problem.details['outage'] !== true || performance.now() + pause > until) throw problem;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** timeout: time without a byte after which it counts as lost, ms. */
  async #send(asked: Asked, timeout: number): Promise<IncomingMessage> {
    const { method, key, query, file } = asked;
    const { url, headers } = await this.#signed(asked);
    return new Promise((resolve, reject) => {
      const send = url.startsWith('https:') ? overHttps : overHttp;
      const sent = send(url, { method, headers, agent: this.#agent, timeout }, resolve);
      sent.once('error', reject);
      sent.once('timeout', () => sent.destroy(new Error(`no answer for ${timeout} ms`)));
      if (file === undefined || key === '' || query !== undefined) sent.end();
      else
        createReadStream(file.path)
          .once('error', (cause) => sent.destroy(cause))
          .pipe(sent);
    });
  }

  async #signed({ method, key, query, file }: Asked): Promise<{ url: string; headers: Record<string, string> }> {
    const { address, prefix, region } = this.#place;
    const [accessKeyId, secretAccessKey] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((name) => {
      const value = process.env[name];
      if (value === undefined || value === '')
        throw new EngineError('STORAGE_FAILED', `bytes in S3 need ${name} in the environment`, {
          details: { variable: name },
        });
      return value;
    });
    const sessionToken = process.env['AWS_SESSION_TOKEN'];
    const { AwsV4Signer } = await loadOptional('aws4fetch', 'keeping bytes in S3', () => import('aws4fetch'));
    const path = key === '' ? '' : `/${`${prefix}${key}`.split('/').map(encodeURIComponent).join('/')}`;
    const wanted = query === undefined ? '' : `?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
    const signed = await new AwsV4Signer({
      method,
      url: `${address}${path}${wanted}`,
      headers: file === undefined ? {} : { 'X-Amz-Content-Sha256': file.hash },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined || sessionToken === '' ? {} : { sessionToken }),
      service: 's3',
      region,
    }).sign();
    const headers = Object.fromEntries(signed.headers.entries());
    if (file !== undefined) headers['content-length'] = `${file.byteLength}`;
    return { url: signed.url.href, headers };
  }
}

function failure(
  { method, key }: Asked,
  said: string,
  { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {},
): EngineError {
  const hint = isPassing ? '' : '; check bucket, region, credentials and rights';
  return new EngineError('STORAGE_FAILED', `could not use the bucket of the bytes: ${method} ${said}${hint}`, {
    details: { errno: said, ...(key === '' ? {} : { key }), ...(isPassing ? { outage: true } : {}) },
    cause,
  });
}

async function wordsOf(answer: IncomingMessage): Promise<string> {
  let words = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) if (words.length < WORDS_BYTES) words += chunk.toString();
  return words;
}

/** Text of XML without its entities. */
function plain(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]);
}
