import { closeSync, fdatasync, openSync, read, realpathSync, write } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from 'better-sqlite3';

/** Bytes of the log that are read and written again at a time, at least a frame. */
const PIECE_BYTES = 1 << 20;

/** Of the log and of each frame: https://www.sqlite.org/fileformat2.html#walformat */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;

/**
 * SQLite's write-ahead log of an open catalogue. It is opened once, before the first commit, and closed before the
 * database is: Linux tells of pages that it could not write to each descriptor that was open then, once. SQLite's own
 * may take the error first, in a checkpoint after a commit, which says nothing of it; one opened later hears nothing.
 * SQLite holds no locks of the log, so closing it breaks none.
 */
export class CatalogLog {
  readonly #database: Database;
  readonly #file: number;
  #uses = 0;
  #isClosed = false;

  /** Changes `database.close`. @throws the system's error. */
  constructor(database: Database) {
    this.#database = database;
    database.prepare('SELECT count(*) FROM sqlite_schema').get(); // SQLite opens its log, or makes it.
    // It lies beside the catalogue, not beside a symbolic link to it.
    this.#file = openSync(`${realpathSync(database.name)}-wal`, 'r+');
    const close = database.close.bind(database);
    Object.assign(database, {
      close: () => {
        this.#close();
        return close();
      },
    });
  }

  /**
   * Waits until what SQLite has written is on disk, without holding the thread. After an error nothing may be written
   * to the log until {@link rewrite} has resolved. @throws the system's error.
   */
  sync(): Promise<void> {
    return this.#use(() => promisify(fdatasync)(this.#file));
  }

  /**
   * Writes the log again up to the last commit, byte for byte, and waits for the disk. After a sync that failed the
   * system takes the pages for clean, though they are not on disk, and the next sync says nothing of them; written
   * again they are waited for. The system may also have dropped them, so that they read as they were before: the
   * checksums of all frames say whether they are those that SQLite has written.
   * @throws the system's error; one with the code `EIO` when the log reads otherwise than it was written.
   */
  async rewrite(): Promise<void> {
    // SQLite counts the frames up to its last commit, and with this word does nothing else.
    const [counted] = this.#database.pragma('wal_checkpoint(NOOP)') as { log: number }[];
    const frames = counted?.log ?? 0;
    if (frames > 0) await this.#use(() => this.#rewrite(frames));
    await this.sync();
  }

  async #rewrite(frames: number): Promise<void> {
    const header = await this.#read(0, HEADER_BYTES);
    const magic = header.readUInt32BE(0);
    const sum = new FrameSum(header, magic === MAGIC + 1);
    if ((magic !== MAGIC && magic !== MAGIC + 1) || !sum.holds(header, 24)) throw otherwise();
    await this.#write(header, 0);
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
    const most = Math.max(1, Math.floor(PIECE_BYTES / frameBytes));
    for (let at = 0; at < frames; at += most) {
      const position = HEADER_BYTES + at * frameBytes;
      const piece = await this.#read(position, Math.min(most, frames - at) * frameBytes);
      for (let from = 0; from < piece.length; from += frameBytes)
        if (!sum.takes(piece.subarray(from, from + frameBytes))) throw otherwise();
      await this.#write(piece, position);
    }
  }

  async #read(position: number, byteLength: number): Promise<Buffer> {
    const bytes = Buffer.alloc(byteLength);
    for (let at = 0; at < byteLength; ) {
      const { bytesRead } = await promisify(read)(this.#file, bytes, at, byteLength - at, position + at);
      if (bytesRead === 0) throw otherwise();
      at += bytesRead;
    }
    return bytes;
  }

  /** The system may write less than it was asked to, when an error meets a later page. */
  async #write(bytes: Buffer, position: number): Promise<void> {
    for (let at = 0; at < bytes.length; )
      at += (await promisify(write)(this.#file, bytes, at, bytes.length - at, position + at)).bytesWritten;
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw Object.assign(new Error('the log is closed'), { code: 'EBADF' });
    this.#uses++;
    try {
      return await work();
    } finally {
      if (--this.#uses === 0 && this.#isClosed) closeSync(this.#file);
    }
  }

  /** While another thread waits for the disk, it is closed after that. */
  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#uses === 0) closeSync(this.#file);
  }
}

/** The running checksum of a log: each frame's is that of all before it and its own. */
class FrameSum {
  readonly #salt: Buffer;
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(header: Buffer, isBigEndian: boolean) {
    this.#salt = header.subarray(16, 24);
    this.#isBigEndian = isBigEndian;
    this.#add(header.subarray(0, 24));
  }

  /** Whether the sum so far is the one stored at `at`. */
  holds(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second;
  }

  /** Adds the next frame. False: it is another than the one that SQLite has written here. */
  takes(frame: Buffer): boolean {
    this.#add(frame.subarray(0, 8));
    this.#add(frame.subarray(FRAME_HEADER_BYTES));
    return frame.subarray(8, 16).equals(this.#salt) && this.holds(frame, 16);
  }

  #add(bytes: Buffer): void {
    let first = this.#first;
    let second = this.#second;
    for (let at = 0; at < bytes.length; at += 8) {
      first = (first + (this.#isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0;
      second = (second + (this.#isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0;
    }
    this.#first = first;
    this.#second = second;
  }
}

function otherwise(): Error {
  return Object.assign(new Error('the log of the catalogue reads otherwise than it was written'), { code: 'EIO' });
}
