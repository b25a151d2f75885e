import type { Engine, LibraryStats } from '../../index.js';

/** Upper bounds of the buckets of durations, s. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The engine counts for at most one part in so many of the time. */
const COUNTED_FOR = 20;

interface Series {
  readonly labels: string;
  readonly buckets: number[];
  count: number;
  sumS: number;
}

/** Counts of one handler, written in the text format of Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, { labels: string; count: number }>();
  readonly #durations = new Map<string, Series>();
  #bodyBytes = 0;
  #inFlight = 0;
  #stats: Promise<LibraryStats> | undefined;
  #statsUntil = 0;

  started(): void {
    this.#inFlight++;
  }

  /** @param endpoint its documented path; 'other' for a request to no endpoint. */
  ended(method: string, endpoint: string, status: number, durationMs: number, bodyBytes: number): void {
    this.#inFlight--;
    this.#bodyBytes += bodyBytes;
    const name = `${method} ${endpoint}`;
    const labels = `method="${method}",endpoint="${endpoint}"`;
    const key = `${name} ${status}`;
    const counted = this.#requests.get(key);
    if (counted === undefined) this.#requests.set(key, { labels: `${labels},status="${status}"`, count: 1 });
    else counted.count++;
    let series = this.#durations.get(name);
    if (series === undefined)
      this.#durations.set(name, (series = { labels, buckets: BUCKETS_S.map(() => 0), count: 0, sumS: 0 }));
    const seconds = durationMs / 1000;
    const bucket = BUCKETS_S.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket]++;
    series.count++;
    series.sumS += seconds;
  }

  /**
   * What the engine counted: anybody may ask, and counting a million files takes a second of the host, so that it is
   * asked again only after twenty times as long as it took.
   */
  #statsOf(engine: Engine): Promise<LibraryStats> {
    if (this.#stats !== undefined && performance.now() < this.#statsUntil) return this.#stats;
    const startedAt = performance.now();
    this.#statsUntil = Number.POSITIVE_INFINITY;
    const stats = engine.stats().finally(() => {
      const now = performance.now();
      this.#statsUntil = now + COUNTED_FOR * (now - startedAt);
    });
    this.#stats = stats;
    stats.catch(() => {
      this.#stats = undefined; // Asked again by the next who comes.
    });
    return stats;
  }

  /** All metrics, those of the engine included. */
  async text(engine: Engine): Promise<string> {
    const { files, states, queueLength, blobBytes, catalogBytes, indexing, readingBytes } = await this.#statsOf(engine);
    return [
      ...head('shapedex_http_requests_total', 'counter', 'Requests answered.'),
      ...[...this.#requests.values()].map(({ labels, count }) => `shapedex_http_requests_total{${labels}} ${count}`),
      ...head(
        'shapedex_http_request_duration_seconds',
        'histogram',
        'Time from the arrival of a request to its answer.',
      ),
      ...[...this.#durations.values()].flatMap(histogram),
      ...head('shapedex_http_requests_in_flight', 'gauge', 'Requests being answered.'),
      `shapedex_http_requests_in_flight ${this.#inFlight}`,
      ...head('shapedex_http_request_body_bytes_total', 'counter', 'Bytes of request bodies read.'),
      `shapedex_http_request_body_bytes_total ${this.#bodyBytes}`,
      ...head('shapedex_files', 'gauge', 'Stored files by state.'),
      ...Object.entries(states).map(([state, count]) => `shapedex_files{state="${state}"} ${count}`),
      ...head('shapedex_files_all', 'gauge', 'Stored files.'),
      `shapedex_files_all ${files}`,
      ...head('shapedex_queue_length', 'gauge', 'Files that wait to be indexed or are being read.'),
      `shapedex_queue_length ${queueLength}`,
      ...(indexing === undefined ? [] : ofIndexing(indexing)),
      ...head('process_resident_memory_bytes', 'gauge', 'Memory of this process, without those that read files.'),
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      ...(readingBytes === undefined ? [] : ofReading(readingBytes)),
      ...head('shapedex_disk_bytes', 'gauge', 'Bytes on disk.'),
      `shapedex_disk_bytes{what="files"} ${blobBytes}`,
      `shapedex_disk_bytes{what="catalog"} ${catalogBytes}`,
      '',
    ].join('\n');
  }
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function ofIndexing({ indexed, failed, ratePerS }: NonNullable<LibraryStats['indexing']>): string[] {
  return [
    ...head('shapedex_indexed_total', 'counter', 'Files indexed since the library was opened.'),
    `shapedex_indexed_total ${indexed}`,
    ...head('shapedex_failed_total', 'counter', 'Files that could not be indexed, by the code of the error.'),
    ...Object.entries(failed).map(([code, count]) => `shapedex_failed_total{code="${code}"} ${count}`),
    ...head('shapedex_indexing_rate', 'gauge', 'Files indexed or failed per second, over the last minute.'),
    `shapedex_indexing_rate ${ratePerS}`,
  ];
}

function ofReading(bytes: number): string[] {
  const name = 'shapedex_reading_memory_bytes';
  return [...head(name, 'gauge', 'Memory of the processes that read files.'), `${name} ${bytes}`];
}

function histogram({ labels, buckets, count, sumS }: Series): string[] {
  const name = 'shapedex_http_request_duration_seconds';
  let below = 0;
  return [
    ...BUCKETS_S.map((bound, i) => `${name}_bucket{${labels},le="${bound}"} ${(below += buckets[i])}`),
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sumS}`,
    `${name}_count{${labels}} ${count}`,
  ];
}
