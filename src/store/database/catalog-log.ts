import { open } from 'node:fs/promises';

/** Bytes of the log that are written again at a time. */
const PIECE_BYTES = 1 << 20;

/**
 * Waits until what SQLite has written to its write-ahead log is on disk, without holding the thread. The log is no file
 * of which SQLite holds locks, so opening and closing it here breaks none.
 * log: path of the log. @throws the system's error.
 */
export async function syncLog(log: string): Promise<void> {
  const file = await open(log, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Writes the log again, byte for byte, and waits for the disk. After a sync that failed the system takes the pages for
 * clean, though they are not on disk, and the next sync says nothing of them; written again they are waited for.
 * Nobody may write to the log meanwhile. @throws the system's error.
 */
export async function rewriteLog(log: string): Promise<void> {
  const file = await open(log, 'r+');
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
      if (bytesRead === 0) break;
      await file.write(piece, 0, bytesRead, at);
      at += bytesRead;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
}
