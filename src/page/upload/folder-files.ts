/** A file with its path below what was dropped or chosen. */
export interface PlacedFile {
  /** With slashes: `parts/gear.step`. */
  readonly path: string;
  readonly file: File;
}

/** Most files taken at a time. */
export const MOST_FILES = 100_000;

/** Files that were chosen: of a folder, with their paths in it. */
export function placedFiles(files: readonly File[]): PlacedFile[] {
  return files.map((file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }));
}

/** Files and folders that were dropped, with all that is in these. Call while the event is handled: later the browser knows nothing of it. */
export async function droppedFiles(transfer: DataTransfer): Promise<PlacedFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: PlacedFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: PlacedFile[]): Promise<void> {
  if (found.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives some at a time, and none when it is done.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const inner of batch) await collect(inner, found);
  }
}
