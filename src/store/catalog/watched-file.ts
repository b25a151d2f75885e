/** A file of a watched folder, as it was when it was stored. */
export interface WatchedFile {
  /** Relative to the folder, with forward slashes, as the operating system spells it. */
  readonly path: string;
  readonly uid: string;
  readonly byteLength: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}
