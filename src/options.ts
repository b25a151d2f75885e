import { optionError } from './errors.js';
import { isSignal, ownSignal } from './signals.js';

/** Units of length of a file: micrometre, millimetre, centimetre, metre, inch, foot. */
export type LengthUnit = 'um' | 'mm' | 'cm' | 'm' | 'in' | 'ft';

const LENGTH_UNITS: readonly LengthUnit[] = ['um', 'mm', 'cm', 'm', 'in', 'ft'];

/** Longest delay of a Node timer, ms: 24 days. A longer one would fire at once. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Most days of an option: a hundred years. */
const MOST_DAYS = 36_525;

/**
 * Bounds for hostile or oversized input. A file that exceeds one fails with `LIMIT_EXCEEDED` (or `TIMEOUT`); other
 * files are not affected.
 */
export interface Limits {
  /** Largest file accepted, bytes. Default 1 GiB. */
  readonly fileBytes: number;
  /** Largest total that an archive or compressed file may unpack to, bytes. Default 1 GiB. */
  readonly unpackedBytes: number;
  /** Most entries read from an archive. Default 10 000. */
  readonly archiveEntries: number;
  /** Largest unpacked / packed size of one archive entry. Default 1 000. */
  readonly archiveRatio: number;
  /** Most triangles of a model; a shared mesh counts at each of its placements. Default 5 000 000. */
  readonly triangles: number;
  /**
   * Most faces of a STEP, IGES or BREP file, counted in its text before the CAD kernel reads it. Default 100 000: the
   * kernel takes 70 kB for each and has 2 GiB.
   */
  readonly faces: number;
  /**
   * Most instances of a STEP file, or entities of an IGES file, counted likewise. Default 10 000 000: the kernel takes
   * 200 bytes for each, and 10 s for a million.
   */
  readonly instances: number;
  /** Most components in the product structure. Default 100 000. */
  readonly components: number;
  /**
   * Most distinct components of an assembly that are indexed separately, if that is requested; a warning reports the
   * rest. Default 1 000.
   */
  readonly indexedComponents: number;
  /** Deepest nesting of components, XML elements, archives, or forms and patterns of a page of a PDF. Default 64. */
  readonly depth: number;
  /** Most pages, sheets or slides of one file whose text is read; a warning reports the rest. Default 2 000. */
  readonly pages: number;
  /** Most pages or layouts of one drawing whose line work is kept; a warning reports the rest. Default 50. */
  readonly sheets: number;
  /** Most characters of text kept of one file; a warning reports the rest. Default 5 000 000. */
  readonly textCharacters: number;
  /**
   * Most words of a file's text that can be searched for; a warning reports the rest. A book of 500 pages has half as
   * many. Default 300 000.
   */
  readonly terms: number;
  /** Most entities of a drawing, or paths and operators of a page of a PDF. Default 2 000 000. */
  readonly entities: number;
  /**
   * Most graphics states of a page of a PDF that are saved in each other (`q`, and forms drawn in forms); the standard
   * asks viewers for 28. Default 1 000.
   */
  readonly savedStates: number;
  /**
   * Most pixels of an image file, summed over all its pictures, or of a JBIG2 picture in a PDF. Default 300 000 000.
   */
  readonly imagePixels: number;
  /**
   * Most memory that decoding one picture may take, estimated from its header, bytes; three quarters of
   * `workerMemoryMiB` where that is less. Default 1 GiB: a progressive JPEG of 350 million pixels, a lossless WebP of
   * 238, an AVIF of 56.
   */
  readonly decodedBytes: number;
  /**
   * Most pictures of one file (images, pages of a PDF) on which text is recognised, some seconds each; recognition ends
   * earlier after 60 % of `timeoutMs`. Default 20.
   */
  readonly ocrPages: number;
  /** Most shapelets of one file (views of a model or on drawing pages). Default 300. */
  readonly shapelets: number;
  /**
   * Processor time for finding the shapelets of a file, and again for drawing it, ms. After it the file is stored
   * without them, with a warning if shapelets are missing. Default 30 000.
   */
  readonly viewsTimeoutMs: number;
  /**
   * Processor time for reading and describing one file, ms; that of all threads of its process together. Default
   * 120 000.
   */
  readonly timeoutMs: number;
  /**
   * Time that a process may sleep while it reads one file, ms: it waits for something that does not come. Waiting for a
   * processor is no sleep, so no good file fails because other work has the machine; nor is what it takes to read from
   * a slow disk, as long as the process takes a tenth of a processor (a hundredth where the system, other than Linux,
   * does not tell who waits for one). Default 1 200 000.
   */
  readonly sleepTimeoutMs: number;
  /**
   * Time by the clock for all of it, ms, whatever the process does: a last bound. A busy machine may give a reader 1 %
   * of a processor, which makes hours of `timeoutMs`. Default 86 400 000, a day.
   */
  readonly wallTimeoutMs: number;
  /**
   * Memory of one reading process as a whole (resident), MiB; one that passes it is ended, and its file fails. Default:
   * three quarters of the machine's memory (or of what its control group allows), divided by the number of `workers`,
   * at least 256 and at most 4 096.
   */
  readonly workerMemoryMiB: number;
  /**
   * Files, pipes and sockets that one reading process may have open at the same time, on Linux and macOS. A reader of
   * drawings opens 620 modules at once. Default 1 024.
   */
  readonly workerOpenFiles: number;
}

/**
 * Safe defaults for files from untrusted sources. The one of `workerMemoryMiB` is the largest; `Engine.open` takes less
 * where the machine has less.
 */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  fileBytes: 1024 ** 3,
  unpackedBytes: 1024 ** 3,
  archiveEntries: 10_000,
  archiveRatio: 1_000,
  triangles: 5_000_000,
  faces: 100_000,
  instances: 10_000_000,
  components: 100_000,
  indexedComponents: 1_000,
  depth: 64,
  pages: 2_000,
  sheets: 50,
  textCharacters: 5_000_000,
  terms: 300_000,
  entities: 2_000_000,
  savedStates: 1_000,
  imagePixels: 300_000_000,
  decodedBytes: 1024 ** 3,
  ocrPages: 20,
  shapelets: 300,
  viewsTimeoutMs: 30_000,
  timeoutMs: 120_000,
  sleepTimeoutMs: 1_200_000,
  wallTimeoutMs: 86_400_000,
  workerMemoryMiB: 4_096,
  workerOpenFiles: 1_024,
});

/**
 * Bounds of the attributes of one file. Given attributes that exceed a bound are refused; extracted attributes are cut
 * off there.
 */
export const ATTRIBUTE_LIMITS = Object.freeze({
  /** Most attributes of a file; for extracted attributes, most values. */
  count: 1_000,
  /** Most characters (UTF-16 units) of one attribute: name, unit and values together. */
  characters: 10_000,
  /** Most characters of all attributes of a file together. */
  totalCharacters: 200_000,
});

/** Settings of a company; all have defaults. The same fields are part of its profile (`engine.accounts.profile`). */
export interface CompanySettings {
  /**
   * The default of a put's `overwrite`: true replaces the file at the path, false stores `Gear(2).jpg`. Default true.
   */
  readonly overwriteFiles: boolean;
  /** Whether `12`, `12.0` and `12,0` are the same in a search for text. Default true. */
  readonly useNumericTextSearch: boolean;
  /** True: words are also searched for in the text of files. False: only in names and attributes. Default true. */
  readonly usesFileTextForSearch: boolean;
}

/** Settings of a company that has not set any. */
export const DEFAULT_COMPANY_SETTINGS: CompanySettings = Object.freeze({
  overwriteFiles: true,
  useNumericTextSearch: true,
  usesFileTextForSearch: true,
});

/** What a reader needs in addition to the bytes. */
export interface ReadOptions {
  readonly limits: Limits;
  /** Unit of formats that carry none (STL, OBJ, PLY, OFF). Default mm. */
  readonly defaultUnit: LengthUnit;
  /** Whether text is recognised on images and on pages that consist of a single image. Default false. */
  readonly ocr?: boolean;
  /** Whether every PDF is read as a drawing, whatever its pages look like. Default false. */
  readonly pdfsAreDrawings?: boolean;
  /** Largest distance between a curved surface and its triangles, mm. Default: depends on the size of the model. */
  readonly toleranceMm?: number;
  /** Largest angle between neighbouring segments of a curved surface, rad. Default 0.198: a full circle has 64. */
  readonly turnRad?: number;
}

/** A network address of a host, as a resolver returns it. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Options of accounts; all have defaults. */
export interface AccountOptions {
  /** Life of an access token, s. Default 1 h. */
  readonly accessTokenS: number;
  /** Life of a refresh token, s; each use gives a new one. Default 30 days. */
  readonly refreshTokenS: number;
  /** Longest time for which a sign-in can be renewed with refresh tokens, s. Default 90 days. */
  readonly signInS: number;
  /** The same for users who sign in by an identity provider, which is then asked again, s. Default 12 h. */
  readonly provenSignInS: number;
  /**
   * Most entries of the log of changes. Beyond it, those go of which one actor has the most of one kind in one hour.
   * Default 1 000 000.
   */
  readonly auditEntries: number;
  /**
   * Most of them by one actor: beyond it its own go, of the kind and hour that has the most, so that nobody pushes out
   * what is noted of others, or what else he did. Default 200 000.
   */
  readonly auditEntriesPerActor: number;
  /** The same for one company. Default 500 000. */
  readonly auditEntriesPerCompany: number;
  /**
   * Time for which a password that a program made for a user is good, s; the user changes it by then. Default 3 days.
   */
  readonly initialPasswordS: number;
  /** Longest life of a token for pictures, s; each token lives at least nine tenths of it. Default 15 min. */
  readonly imageTokenS: number;
  /** False: no tokens are issued for passwords; the host signs users in by itself. Default true. */
  readonly passwordGrant: boolean;
  /** Cost N of scrypt for new passwords (r = 8, p = 3; 1 KiB of memory each), a power of 2. Default 32 768. */
  readonly scryptCost: number;
  /**
   * Failed attempts for one name from one source (a network address that the host passes; of IPv6 the first 64 bits)
   * within the window after which attempts for this name from there are refused; from a source where the name has
   * signed in before they are delayed instead. Default 10.
   */
  readonly loginFailures: number;
  /** Failed attempts from one source after which all names new to it are refused there. Default 100. */
  readonly loginFailuresPerSource: number;
  /**
   * Failed attempts for one name from all sources new to it after which each further one from such a source must wait:
   * 1 s after the failure before it, then 2 s, 4 s, up to `loginDelayS`. Default 20.
   */
  readonly loginFailuresPerName: number;
  /** Longest delay between attempts, s. Default 60. */
  readonly loginDelayS: number;
  /** Duration of the window, s. Default 15 min. */
  readonly loginWindowS: number;
  /** Sources remembered as those where a user has signed in, for each user; the longest unused goes. Default 20. */
  readonly knownSources: number;
  /**
   * Most sign-ins and sign-ups that wait for their password to be computed; two are computed at a time. Default 256.
   */
  readonly signInsWaiting: number;
  /** The same for one source. Default 64. */
  readonly signInsWaitingPerSource: number;
  /** Accounts that nobody of the company asked for, from one source within an hour. Default 10. */
  readonly signUpsPerSource: number;
  /** Most accounts of one company that wait to be let in. Default 100. */
  readonly waitingUsersPerCompany: number;
  /** The same for all companies, and those of none. Default 1 000. */
  readonly waitingUsers: number;
  /** Time after which an account that nobody let in gives way to others, s. Default 30 days. */
  readonly waitingUserS: number;
  /** Most saved searches of a user. Default 1 000. */
  readonly savedSearches: number;
  /** Most chunks of a quote request's file. Default 10 000. */
  readonly rfqChunks: number;
  /** Most incomplete quote requests of a company. Default 1 000. */
  readonly openRfqs: number;
  /** Most of them of one user, so that nobody takes the room of others. Default 100. */
  readonly openRfqsPerUser: number;
  /** Most requests for quotation of one user of a company; further ones are refused. Default 10 000. */
  readonly rfqsPerUser: number;
  /** Most bytes of their files together; a request is refused once they have so many. Default 32 GiB. */
  readonly rfqBytesPerUser: number;
  /** Most pieces of feedback of one user; beyond it the oldest go. Default 10 000. */
  readonly feedbackPerUser: number;
  /**
   * Most search inputs of one user of `engine.served` (HTTP, agents) that have not expired; further ones are refused.
   * Default 10 000.
   */
  readonly inputsPerUser: number;
  /** Most bytes of them together. Default 32 GiB. */
  readonly inputBytesPerUser: number;
  /** Most search inputs that the users of a company keep for everybody of it. Default 10 000. */
  readonly keptInputs: number;
  /** Most of them that one user kept, so that nobody takes the room of others. Default 1 000. */
  readonly keptInputsPerUser: number;
  /** Most categories of a company that its users make. Default 10 000. */
  readonly categories: number;
  /** Most of them that one user made. Default 1 000. */
  readonly categoriesPerUser: number;
  /** Largest logo, bytes. Default 4 MiB. */
  readonly logoBytes: number;
  /** Time limit for a receiver to answer a callback, ms. Default 15 000. */
  readonly callbackTimeoutMs: number;
  /** Resolves host names for callbacks. Default: the system's resolver. */
  readonly resolve: ((hostName: string) => Promise<readonly HostAddress[]>) | undefined;
  /** The clock, ms since 1970; tests may replace it. Default `Date.now`. */
  readonly now: () => number;
}

/** Defaults of {@link AccountOptions}. */
export const DEFAULT_ACCOUNT_OPTIONS: AccountOptions = Object.freeze({
  accessTokenS: 3_600,
  refreshTokenS: 30 * 86_400,
  signInS: 90 * 86_400,
  provenSignInS: 12 * 3_600,
  auditEntries: 1_000_000,
  auditEntriesPerActor: 200_000,
  auditEntriesPerCompany: 500_000,
  initialPasswordS: 3 * 86_400,
  imageTokenS: 900,
  passwordGrant: true,
  scryptCost: 32_768,
  loginFailures: 10,
  loginFailuresPerSource: 100,
  loginFailuresPerName: 20,
  loginDelayS: 60,
  loginWindowS: 900,
  knownSources: 20,
  signInsWaiting: 256,
  signInsWaitingPerSource: 64,
  signUpsPerSource: 10,
  waitingUsersPerCompany: 100,
  waitingUsers: 1_000,
  waitingUserS: 30 * 86_400,
  savedSearches: 1_000,
  rfqChunks: 10_000,
  openRfqs: 1_000,
  openRfqsPerUser: 100,
  rfqsPerUser: 10_000,
  rfqBytesPerUser: 32 * 1024 ** 3,
  feedbackPerUser: 10_000,
  inputsPerUser: 10_000,
  inputBytesPerUser: 32 * 1024 ** 3,
  keptInputs: 10_000,
  keptInputsPerUser: 1_000,
  categories: 10_000,
  categoriesPerUser: 1_000,
  logoBytes: 4 * 1024 ** 2,
  callbackTimeoutMs: 15_000,
  resolve: undefined,
  now: Date.now,
});

/** Options of an engine; all have defaults. */
export interface EngineOptions {
  /**
   * Files read at the same time, each in a process of its own. Default: the number of the machine's cores, or fewer
   * where each would have less than 512 MiB of three quarters of its memory. 0, of a library in PostgreSQL: this
   * process only answers, and others index.
   */
  readonly workers: number;
  /** Bounds for files from untrusted sources; absent ones are those of {@link DEFAULT_LIMITS}. */
  readonly limits: Partial<Limits>;
  /** Unit of formats that carry none (STL, OBJ, PLY, OFF). Default mm. */
  readonly defaultUnit: LengthUnit;
  /** Recognise text on images and on scanned pages (English, some seconds a page). Default false. */
  readonly ocr: boolean;
  /**
   * Read every PDF as a drawing. Default false: by their lines and words, PDFs are told to be drawings or documents,
   * and documents have no dimensions and no views. For libraries of drawings of which some are taken for documents.
   */
  readonly pdfsAreDrawings: boolean;
  /** A file that ended this many reading processes fails with `WORKER_FAILED` for good. Default 2. */
  readonly attempts: number;
  /**
   * A file fails with `WORKER_FAILED` after this many hosts died while it was being read; before the last of them it
   * is read alone. Default 2 of a library in PostgreSQL, where one file must not end process after process; 100 in a
   * folder, because a host can also be killed for other reasons.
   */
  readonly crashes: number;
  /** Files after which a worker is replaced, because readers' memory never shrinks. Default 2 000. */
  readonly recycleAfter: number;
  /**
   * Largest number of files of a company for which a search scans all compact vectors; above it, a graph (HNSW)
   * proposes candidates. Default 1 000 000: there a whole search takes 21 ms at the 95th percentile by the scan; a
   * graph would take some quarter of an hour to build, and 518 bytes a file.
   */
  readonly exactLimit: number;
  /**
   * Memory for the fine descriptors that searches by shape compare, for each open company, MiB; a file's take 5 kB.
   * Others are read from the catalogue, which adds 1 to 3 ms to a search. Default 64.
   */
  readonly fineCacheMiB: number;
  /**
   * Memory for what searches keep of all companies together, MiB, about. Beyond it, the companies that were not
   * searched for longest give up theirs, and their next search reads it again. Of one that alone does not fit, vectors
   * and views are read from disk by each search, which finds the same and takes longer; where the disk refuses that,
   * from the catalogue (see `stats().warnings`). Not counted, and in memory all the same: of an open company some 30
   * bytes a file, 40 more of one with views, 1 kB a page of a drawing, up to 100 000 views (7 MiB), 8 MiB of answers,
   * 16 MiB of lines, a quarter of this bound (32 MiB at most) of inks of pages; and what SQLite and one search work
   * with. With 4 MiB, after ten searches by UID, 10 000, 100 000 and a million parts take 13, 19 and 38 MiB of objects
   * and buffers, and the process has grown by 37, 118 and 157 MiB. Default: no bound.
   */
  readonly searchMemoryMiB: number | undefined;
  /**
   * Which thumbnails are drawn and stored while a file is indexed; others are drawn on the first request, which for a
   * STEP file may take a second because it is read again. 'small': some 5 ms a model, 10 ms a text; pages of drawings,
   * images and PDFs are drawn in both sizes at once. 'all': also the large ones of models, some 50 ms each, and of
   * texts, some 15. 'none': for hosts that only search. Default 'small'.
   */
  readonly pictures: 'none' | 'small' | 'all';
  /** Users, tokens, callbacks; absent ones are those of {@link DEFAULT_ACCOUNT_OPTIONS}. */
  readonly accounts: Partial<AccountOptions>;
  /** Lifetime of a search input, ms. Default 24 hours. */
  readonly inputTtlMs: number;
  /**
   * Bytes that no row of the catalogue names are moved to `lost+found` in the library; those that have been there for
   * so many days are removed when the library is opened. Default 30.
   */
  readonly lostFoundDays: number;
  /**
   * Of a library in PostgreSQL, required there: the folder of the files' bytes, which all processes see; or a bucket,
   * `s3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=us-east-1`, with the credentials of the environment
   * (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`). Without an endpoint it is one of AWS.
   */
  readonly blobs: string | undefined;
  /**
   * Of a library whose bytes are in a bucket: how much of them stays beside the replica, for the processes that read
   * files, MiB. What was used in the last ten minutes stays in any case. Default 1 024.
   */
  readonly blobsCacheMiB: number;
  /**
   * Of a library in PostgreSQL: the folder of this process's replica of the catalogue. It is derived and may be deleted
   * while no process has it open; an older one is brought up to date. Default: one below the folder for temporary
   * files.
   */
  readonly replica: string | undefined;
  /**
   * Of a library in PostgreSQL: how old its replica may be, ms. When the database could not be reached for so long,
   * calls reject with `STORAGE_FAILED`, `details.outage`, until it is reached again. Default: reads go on however old
   * it is.
   */
  readonly replicaAgeMs: number | undefined;
  /**
   * Of a library in PostgreSQL: time without a sign of life, ms, after which the files that a process was indexing are
   * indexed by another. Default 30 000.
   */
  readonly leaseMs: number;
  /** Of a library in PostgreSQL: longest time for reaching the database, and then the bucket, ms. Default 10 000. */
  readonly connectTimeoutMs: number;
  /**
   * Of a library in PostgreSQL: time for which a write waits for a database that cannot be reached, ms; then it
   * rejects. Default 10 000.
   */
  readonly outageMs: number;
  /** Called after each file that was indexed or failed, for logs. Must not throw. Default none. */
  readonly onIndexing: ((event: IndexingEvent) => void) | undefined;
}

/** One file that was indexed or failed, as {@link EngineOptions.onIndexing} is told. */
export interface IndexingEvent {
  readonly event: 'indexed' | 'failed';
  readonly time: Date;
  readonly company: string;
  readonly uid: string;
  readonly path: string;
  readonly byteLength: number;
  /** Of a failed file. */
  readonly code?: string;
  readonly message?: string;
}

/** Defaults of {@link EngineOptions}, except `workers`, whose default the machine tells. */
export const DEFAULT_ENGINE_OPTIONS: Omit<EngineOptions, 'workers'> = Object.freeze({
  limits: DEFAULT_LIMITS,
  defaultUnit: 'mm',
  ocr: false,
  pdfsAreDrawings: false,
  attempts: 2,
  crashes: 100,
  recycleAfter: 2_000,
  exactLimit: 1_000_000,
  fineCacheMiB: 64,
  searchMemoryMiB: undefined,
  pictures: 'small',
  accounts: DEFAULT_ACCOUNT_OPTIONS,
  inputTtlMs: 24 * 60 * 60 * 1_000,
  lostFoundDays: 30,
  blobs: undefined,
  blobsCacheMiB: 1_024,
  replica: undefined,
  replicaAgeMs: undefined,
  leaseMs: 30_000,
  connectTimeoutMs: 10_000,
  outageMs: 10_000,
  onIndexing: undefined,
});

/** Default of `crashes` where processes share a library. */
const SHARED_CRASHES = 2;

/** @throws TypeError or RangeError that names the option, unless `value` is a whole number from `least` to `most`. */
export function checkInteger(
  what: string,
  value: unknown,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): asserts value is number {
  if (typeof value !== 'number') throw optionError(TypeError, what, `must be a number, received ${typeof value}`);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw optionError(RangeError, what, `must be a whole number from ${least} to ${most}, received ${value}`);
  }
}

/** The type of default options: every key is present, and keys without a default are `undefined`. */
export type Defaults<Options> = { readonly [Key in keyof Required<Options>]: Options[Key] | undefined };

/** Options with their defaults filled in: keys with a default are never undefined. */
export type Filled<Options, Known> = {
  readonly [Key in keyof Required<Options>]: Key extends keyof Known
    ? undefined extends Known[Key]
      ? Options[Key] | undefined
      : Exclude<Options[Key], undefined>
    : Options[Key];
};

/**
 * Fills in `defaults`: `undefined` means the default, an unknown key is refused.
 * @throws TypeError that names `what` and the unknown key.
 */
export function withDefaults<
  Options extends object,
  Known extends { readonly [Key in keyof Options]?: Options[Key] | undefined },
>(what: string, given: Options | undefined, defaults: Known): Filled<Options, Known> {
  if (given !== undefined && (typeof given !== 'object' || given === null))
    throw new TypeError(`${what} must be an object, received ${String(given)}`);
  const filled = { ...defaults } as Record<string, unknown>;
  for (const [key, value] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(defaults, key))
      throw new TypeError(`${what}.${key} is not an option; known are ${Object.keys(defaults).join(', ')}`);
    if (value === undefined) continue;
    // What is no signal would fail only later, where nobody waits for it.
    if (key !== 'signal') filled[key] = value;
    else if (isSignal(value)) filled[key] = ownSignal(value);
    else throw new TypeError(`${what}.signal must be an AbortSignal, received ${typeof value}`);
  }
  return filled as Filled<Options, Known>;
}

/** Checked engine options with all limits. */
export type CheckedEngineOptions = EngineOptions & { readonly limits: Limits };

/** Share of the machine's memory that all reading processes may take together by default. */
const MEMORY_SHARE = 0.75;
/**
 * Memory of one, MiB, below which there are fewer of them by default: ten STEP files left up to 323 in one. And the
 * least of one, where the caller wants more of them than fit, or the machine has less: many files fail with that.
 */
const GOOD_WORKER_MIB = 512,
  LEAST_WORKER_MIB = 256;

/** Least values of limits where it is not 1: with less, a reading process does not start. */
const LEAST: Readonly<Record<string, number>> = { workerMemoryMiB: 128, workerOpenFiles: 64 };

/** Shortest `replicaAgeMs`: a process looks once a second. */
const LEAST_REPLICA_AGE_MS = 3_000;
/** Shortest lease, ms: a process renews its own three times in it and looks once a second. */
const LEAST_LEASE_MS = 3_000;

/** What the defaults of an engine depend on. */
export interface Machine {
  readonly cores: number;
  /** Memory that this process and its children may take. */
  readonly memoryMiB: number;
  /** Whether the library is in a database that processes share. */
  readonly isShared?: boolean;
}

/**
 * Checks the options of `Engine.open` and fills in their defaults, except those of `accounts`.
 * @throws TypeError or RangeError that names the option.
 */
export function checkEngineOptions(given: Partial<EngineOptions> | undefined, machine: Machine): CheckedEngineOptions {
  const readingMiB = MEMORY_SHARE * machine.memoryMiB;
  const workers = Math.max(1, Math.min(machine.cores, Math.floor(readingMiB / GOOD_WORKER_MIB)));
  const options: EngineOptions = withDefaults('options', given, {
    ...DEFAULT_ENGINE_OPTIONS,
    workers,
    crashes: machine.isShared ? SHARED_CRASHES : DEFAULT_ENGINE_OPTIONS.crashes,
  });
  const share = Math.floor(readingMiB / Math.max(1, options.workers));
  const workerMemoryMiB = Math.max(LEAST_WORKER_MIB, Math.min(share || 0, DEFAULT_LIMITS.workerMemoryMiB));
  // Not those of `options`: where none are given, they are the default ones, whose memory is for large machines.
  const limits: Limits = withDefaults('options.limits', given?.limits, { ...DEFAULT_LIMITS, workerMemoryMiB });
  checkInteger('options.workers', options.workers, machine.isShared ? 0 : 1, 1_024);
  for (const name of ['attempts', 'crashes', 'recycleAfter'] as const)
    checkInteger(`options.${name}`, options[name], 1);
  for (const name of ['exactLimit', 'fineCacheMiB', 'blobsCacheMiB'] as const)
    checkInteger(`options.${name}`, options[name], 0);
  checkInteger('options.inputTtlMs', options.inputTtlMs, 1, LONGEST_TIMEOUT_MS);
  for (const name of ['leaseMs', 'connectTimeoutMs', 'outageMs'] as const)
    checkInteger(`options.${name}`, options[name], name === 'leaseMs' ? LEAST_LEASE_MS : 1, LONGEST_TIMEOUT_MS);
  if (options.searchMemoryMiB !== undefined) checkInteger('options.searchMemoryMiB', options.searchMemoryMiB, 1);
  if (options.replicaAgeMs !== undefined)
    checkInteger('options.replicaAgeMs', options.replicaAgeMs, LEAST_REPLICA_AGE_MS, LONGEST_TIMEOUT_MS);
  checkPlaces(options, machine);
  checkInteger('options.lostFoundDays', options.lostFoundDays, 0, MOST_DAYS);
  if (!['none', 'small', 'all'].includes(options.pictures))
    throw new RangeError(`options.pictures must be 'none', 'small' or 'all', received ${String(options.pictures)}`);
  for (const name of ['ocr', 'pdfsAreDrawings'] as const)
    if (typeof options[name] !== 'boolean')
      throw new TypeError(`options.${name} must be true or false, received ${String(options[name])}`);
  for (const [name, value] of Object.entries(limits))
    checkInteger(
      `options.limits.${name}`,
      value,
      LEAST[name] ?? 1,
      name.endsWith('Ms') ? LONGEST_TIMEOUT_MS : undefined,
    );
  if (options.onIndexing !== undefined && typeof options.onIndexing !== 'function')
    throw new TypeError(`options.onIndexing must be a function, received ${typeof options.onIndexing}`);
  if (!LENGTH_UNITS.includes(options.defaultUnit)) {
    throw new RangeError(
      `options.defaultUnit must be one of ${LENGTH_UNITS.join(', ')}, received ${String(options.defaultUnit)}`,
    );
  }
  return { ...options, limits };
}

function checkPlaces({ blobs, replica }: EngineOptions, { isShared = false }: Machine): void {
  for (const [name, value] of Object.entries({ blobs, replica })) {
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '')
      throw optionError(TypeError, `options.${name}`, `must be a path, received ${String(value)}`);
    if (!isShared) throw optionError(TypeError, `options.${name}`, 'is only for a library at a postgres:// URL');
  }
  if (isShared && blobs === undefined)
    throw optionError(
      TypeError,
      'options.blobs',
      'must name the folder or the bucket of the bytes, for a library at a postgres:// URL',
    );
}
