/** A file with its path below the dropped or selected folder. */
export interface PlacedFile {
  /** With slashes: `parts/gear.step`. */
  readonly path: string;
  readonly file: File;
}

/** Most files taken at a time. */
export const MOST_FILES = 100_000;

/** Files selected in a file dialog; those of a folder have their paths in it. */
export function placedFiles(files: readonly File[]): PlacedFile[] {
  return files.map((file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }));
}

/**
 * Dropped files, and all files in dropped folders. Call it while the event is handled: the browser clears `transfer`
 * afterwards.
 */
export async function filesOfDrop(transfer: DataTransfer): Promise<PlacedFile[]> {
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
    // `readEntries` returns a part of the entries per call, and an empty list at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const inner of batch) await collect(inner, found);
  }
}
