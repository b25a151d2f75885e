/** Runs the writes of a catalogue. A write is one function without an await that only touches the database. */
export interface Writer {
  /**
   * Runs `write` and resolves with its value once it is committed and survives a power cut. Rejects with a TypeError
   * when it returns a promise: its work would continue after the transaction; what it did is undone.
   */
  run<T>(write: () => T): Promise<T>;
  /** The same for what can be derived again: it survives the end of this process, but a power cut may undo it. */
  runDerived<T>(write: () => T): Promise<T>;
}

/**
 * The writes of a library. `GroupCommit` commits them to the catalogue of a folder, `SharedCommit` to a database that
 * many processes share.
 */
export interface Writes extends Writer {
  /** Writes to tables that each process keeps for itself, because they are derived from the others. */
  readonly own: Writer;
  /** Resolves when all writes so far are on disk or rejected. */
  flush(): Promise<void>;
  /**
   * Whether all durable writes that readers see now are on disk, once that is known. Who destroys what the catalogue no
   * longer names asks this first: until then, or where the disk refused (false), a power cut may bring the names back.
   */
  settled(): Promise<boolean>;
}
