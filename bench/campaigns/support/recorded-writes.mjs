/**
 * Records by strace what a process and its threads write to a folder: data of files, syncs, names. Linux only.
 *
 * An event has `start` and `end`, the lines of the recording where the call began and returned: calls of several
 * threads overlap, and a sync covers what had returned before it began.
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const CALLS =
  'openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,fdatasync,' +
  'rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,copy_file_range,sendfile';

/** Why nothing can be recorded here; undefined: it can. */
export function whyNotRecorded() {
  if (process.platform !== 'linux') return 'strace is of Linux';
  const { error, status } = spawnSync('strace', ['-e', 'trace=none', process.execPath, '-e', '0'], { stdio: 'ignore' });
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? undefined : 'strace may not be used here';
}

/** Runs a Node script under strace and returns its events below `folder`; `acks`: the file of acknowledgements. */
export async function recordWrites(args, { folder, acks, trace }) {
  const { status, stderr } = spawnSync(
    'strace',
    [
      '-f',
      '-y',
      '-xx',
      '-s',
      '4000000',
      '--seccomp-bpf',
      '-e',
      `trace=${CALLS}`,
      '-o',
      trace,
      process.execPath,
      ...args,
    ],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(`the recorded process ended with ${status}: ${stderr.slice(-2_000)}`);
  const events = [];
  const open = new Map();
  let at = 0;
  for await (const line of createInterface({ input: createReadStream(trace, 'latin1'), crlfDelay: Infinity })) {
    at++;
    const [, thread, text] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (text === undefined) continue;
    if (text.endsWith('<unfinished ...>')) {
      open.set(thread, { start: at, text: text.slice(0, -'<unfinished ...>'.length) });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const begun = resumed === null ? { start: at, text: '' } : open.get(thread);
    if (begun === undefined) continue;
    const whole = begun.text + (resumed === null ? text : resumed[1]);
    const event = eventOf(whole, { folder, acks });
    if (event !== undefined) events.push({ ...event, start: begun.start, end: at });
  }
  rmSync(trace);
  return { events, last: at };
}

/** What a line of strace says about the folder or the acknowledgements; undefined: nothing. */
function eventOf(text, { folder, acks }) {
  const [, call, rest] = /^(\w+)\((.*)$/s.exec(text) ?? [];
  if (call === undefined) return undefined;
  const close = rest.lastIndexOf(') ');
  const result = /=\s*(-?\d+)/.exec(rest.slice(close));
  if (result === null || Number(result[1]) < 0) return undefined;
  const args = rest.slice(0, close).trimEnd();
  const pathOfFd = () => decoded(/^-?\w+<((?:[^>\\]|\\.)*)>/.exec(args)?.[1] ?? '');
  const inFolder = (path) =>
    path === folder ? '' : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
  const strings = () => [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g)];
  const named = () => strings().map(([, hex]) => decoded(hex));

  switch (call) {
    case 'write':
    case 'pwrite64': {
      const file = pathOfFd();
      const [string] = strings();
      if (file === acks) return { kind: 'ack', text: decoded(string[1]) };
      const path = inFolder(file);
      if (path === undefined) return undefined;
      if (string[2] !== undefined) throw new Error(`strace cut a write to ${path}`);
      const bytes = bytesIn(string[1]).subarray(0, Number(result[1]));
      const offset = call === 'pwrite64' ? Number(/,\s*(\d+)$/.exec(args)[1]) : undefined;
      return { kind: 'write', path, bytes, offset };
    }
    case 'ftruncate': {
      const path = inFolder(pathOfFd());
      return path === undefined ? undefined : { kind: 'truncate', path, length: Number(/,\s*(\d+)$/.exec(args)[1]) };
    }
    case 'fsync':
    case 'fdatasync': {
      const path = inFolder(pathOfFd());
      return path === undefined ? undefined : { kind: 'sync', path };
    }
    case 'open':
    case 'openat': {
      const path = inFolder(named()[0] ?? '');
      if (path === undefined || !/O_CREAT|O_TRUNC/.test(args)) return undefined;
      return { kind: 'open', path, creates: args.includes('O_CREAT'), truncates: args.includes('O_TRUNC') };
    }
    case 'rename':
    case 'renameat':
    case 'renameat2': {
      const [from, to] = named().map(inFolder);
      return from === undefined && to === undefined ? undefined : { kind: 'rename', path: to, from };
    }
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
    case 'mkdir':
    case 'mkdirat': {
      const path = inFolder(named()[0] ?? '');
      if (path === undefined) return undefined;
      return { kind: call.startsWith('mkdir') ? 'mkdir' : 'unlink', path };
    }
    default: {
      const file = inFolder(pathOfFd()) ?? inFolder(named()[0] ?? '');
      if (file !== undefined) throw new Error(`the recording does not know ${call} of ${join(folder, file)}`);
      return undefined;
    }
  }
}

function bytesIn(hex) {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

function decoded(text) {
  return text.includes('\\x') ? bytesIn(text).toString('utf8') : text;
}
