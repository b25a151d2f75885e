/**
 * What a disk may hold after its power failed at some point of a recording (recorded-writes.mjs). Kept for sure: what
 * was written to a file before a sync of that file began, and names that changed before a sync of their folder began,
 * when the sync had returned. Of the rest each write, cut into sectors of 512 bytes, and each change of a name may be
 * there or not, in any order. A rename is one change, and durable with either of its folders, as on file systems with a
 * journal.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SECTOR = 512;
const EMPTY = { bytes: Buffer.alloc(0), length: 0 };

/** Files of which nothing has to last: SQLite builds the index of its log anew. */
const isPassing = (path) => path === undefined || path.endsWith('-shm');

/** Gives each event of data its file and its offset, and each event of names the file or folder that it is about. */
export function prepareRecording(events) {
  const names = new Map([['', { id: 0, length: 0, isFolder: true }]]);
  let next = 1;
  const prepared = [];
  for (const event of events) {
    const { kind, path } = event;
    if (kind === 'ack') prepared.push(event);
    if (kind === 'ack' || isPassing(path)) continue;
    const file = names.get(path);
    if (kind === 'open') {
      if (file === undefined && event.creates) {
        names.set(path, { id: next++, length: 0, position: 0 });
        prepared.push({ ...event, kind: 'create', file: names.get(path) });
      } else if (file !== undefined) {
        file.position = 0;
        if (event.truncates) prepared.push({ ...event, kind: 'truncate', file, length: 0 });
      }
    } else if (kind === 'mkdir') {
      names.set(path, { id: next++, isFolder: true });
      prepared.push({ ...event, file: names.get(path) });
    } else if (kind === 'write' && file !== undefined) {
      const offset = event.offset ?? file.position;
      if (event.offset === undefined) file.position = offset + event.bytes.length;
      prepared.push({ ...event, file, offset });
    } else if ((kind === 'truncate' || kind === 'sync') && file !== undefined) {
      prepared.push({ ...event, file });
    } else if (kind === 'unlink' && file !== undefined) {
      names.delete(path);
      prepared.push({ ...event, file });
    } else if (kind === 'rename') {
      const moved = names.get(event.from);
      if (moved === undefined) throw new Error(`the recording renames ${event.from}, which it does not know`);
      if (moved.isFolder) throw new Error(`the recording renames the folder ${event.from}`);
      names.delete(event.from);
      names.set(path, moved);
      prepared.push({ ...event, file: moved });
    }
  }
  return prepared;
}

/**
 * Writes to `folder` what a disk may hold whose power failed at line `at`. `mode` 'prefix': the writes since the last
 * syncs up to a random one; 'subset': a random choice of them, also in parts. Returns how many changes were open to
 * chance.
 */
export function writeDisk(folder, prepared, { at, mode, random }) {
  const begun = prepared.filter(({ kind, start }) => kind !== 'ack' && start <= at);
  const syncs = begun.filter(({ kind, end }) => kind === 'sync' && end <= at);
  const lastSync = new Map();
  for (const { file, start } of syncs) lastSync.set(file.id, Math.max(start, lastSync.get(file.id) ?? 0));
  const isSynced = (id, end) => (lastSync.get(id) ?? 0) > end;
  const folderIds = new Map([['', 0]]);
  for (const { kind, path, file } of begun) if (kind === 'mkdir') folderIds.set(path, file.id);
  const isOfNames = ({ kind }) => kind === 'create' || kind === 'mkdir' || kind === 'rename' || kind === 'unlink';
  const isDurable = (event) => {
    if (!isOfNames(event)) return isSynced(event.file.id, event.end);
    return [event.path, event.from]
      .filter((path) => path !== undefined)
      .some((path) => isSynced(folderIds.get(parentOf(path)), event.end));
  };
  const open = begun.filter((event) => event.kind !== 'sync' && !isDurable(event));
  const cut = Math.floor(random() * (open.length + 1));
  const likely = [0.1, 0.5, 0.9][Math.floor(3 * random())];
  const fate = new Map(
    open.map((event, position) => [
      event,
      mode === 'prefix' ? Number(position < cut) : random() < likely ? 1 : random() < 0.4 ? 0.5 : 0,
    ]),
  );
  const names = new Map();
  const folders = new Set(['']);
  const contents = new Map();
  for (const event of begun) {
    const share = fate.get(event) ?? 1;
    const { kind, path, from, file } = event;
    if (kind === 'write' && share > 0) change(contents, event, share === 1 ? undefined : random);
    if (kind === 'truncate' && share === 1) cutTo(contents, file.id, event.length);
    if (!isOfNames(event) || share !== 1) continue;
    if (kind === 'mkdir') folders.add(path);
    else if (kind === 'unlink') {
      if (file.isFolder) folders.delete(path);
      else if (names.get(path) === file.id) names.delete(path);
    } else {
      if (kind === 'rename' && names.get(from) === file.id) names.delete(from);
      names.set(path, file.id);
    }
  }
  const exists = (path) => path === '' || (folders.has(path) && exists(parentOf(path)));
  mkdirSync(folder, { recursive: true });
  for (const path of [...folders].sort()) if (exists(path)) mkdirSync(join(folder, path), { recursive: true });
  for (const [path, id] of names) {
    if (!exists(parentOf(path))) continue;
    const { bytes, length } = contents.get(id) ?? EMPTY;
    writeFileSync(join(folder, path), bytes.subarray(0, length));
  }
  return open.length;
}

function parentOf(path) {
  const parent = dirname(path);
  return parent === '.' ? '' : parent;
}

function change(contents, { file, offset, bytes }, torn) {
  const content = withRoom(contents, file.id, offset + bytes.length);
  for (let start = 0; start < bytes.length; start += SECTOR) {
    if (torn === undefined || torn() < 0.5) bytes.copy(content.bytes, offset + start, start, start + SECTOR);
  }
}

function cutTo(contents, id, length) {
  const content = withRoom(contents, id, length);
  content.bytes.fill(0, length);
  content.length = length;
}

/** The content of a file, at least so long. */
function withRoom(contents, id, length) {
  const content = contents.get(id) ?? { bytes: Buffer.alloc(0), length: 0 };
  contents.set(id, content);
  if (content.bytes.length < length) {
    // Twice as much, so that a file of many writes is not copied for each.
    const bytes = Buffer.alloc(2 * length);
    content.bytes.copy(bytes);
    content.bytes = bytes;
  }
  content.length = Math.max(content.length, length);
  return content;
}
