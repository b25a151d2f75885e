/** A file that a worker is to read. */
export interface Job {
  readonly fileId: number;
  readonly companyId: number;
  readonly uid: string;
  readonly path: string;
  readonly hash: string;
  readonly byteLength: number;
  /** 1: the file is indexed without its shape. */
  readonly textOnly: 0 | 1;
  /** 1: the components of an assembly are indexed too. */
  readonly components: 0 | 1;
  /** Workers that died while they read it. */
  readonly attempts: number;
  /** Processes that died while it ran. */
  readonly crashes: number;
}
