/** A file of a watched folder, as it was when it was stored. */
export interface WatchedFile {
  /** From the folder, with forward slashes, as the system spells it. */
  readonly path: string;
  readonly uid: string;
  readonly byteLength: number;
  readonly mtimeMs: number;
  readonly sha256: string;
}
