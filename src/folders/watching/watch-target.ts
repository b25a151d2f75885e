import type { FileRecord } from '../../store/catalog/record.js';
import type { WatchedFile } from '../../store/catalog/watched-file.js';
import type { FolderTarget } from '../folder.js';

/** What following a folder needs of a company. */
export interface WatchTarget extends Pick<FolderTarget, 'known'> {
  put(
    path: string,
    file: string,
    options: { attributes?: readonly string[]; overwrite: true; uid?: string; signal?: AbortSignal },
  ): Promise<FileRecord>;
  rename(uid: string, path: string): Promise<FileRecord>;
  delete(uid: string): Promise<void>;
  /** What was seen of the folder of this name, by path. after: only those behind this path. */
  seen(folder: string, after: string | undefined, limit: number): Promise<readonly WatchedFile[]>;
  /** Remembers a file of it; forgets one. */
  remember(folder: string, file: WatchedFile): Promise<void>;
  forget(folder: string, path: string): Promise<void>;
}
