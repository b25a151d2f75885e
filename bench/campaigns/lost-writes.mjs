/**
 * The power fails: writes since the last sync are lost, reordered or torn, names that changed come or go.
 *
 * A scripted workload (support/lost-writes-workload.mjs: puts of one and of six at a time, replacements, equal bytes,
 * renames, deletions, in two sessions with indexing) runs once under strace, which records each write, sync and change
 * of a name below the library. Then, at points drawn from the seed, the library is built as a disk may hold it
 * (support/simulated-disk.mjs): half of them with the writes up to one of those not synced, half with a random choice
 * of them, in sectors of 512 bytes. Each is opened (without reading processes), compared with what was acknowledged by
 * then, verified and closed.
 *
 * Asked of 500 points: each opens or says LIBRARY_DAMAGED; 0 acknowledged steps lost, 0 files that nobody put, 0 wrong
 * bytes, 0 rows without bytes, 0 false alarms of an older catalogue; verify ends. Linux with strace.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mulberry32 } from '../parts/reference/kit.mjs';
import { figure } from './frame.mjs';
import { recordWrites, whyNotRecorded } from './support/recorded-writes.mjs';
import { prepareRecording, writeDisk } from './support/simulated-disk.mjs';
import { bytesOf } from './support/written-files.mjs';

export const DEFAULTS = { seed: 1, count: 500 };

const WORKLOAD = fileURLToPath(new URL('support/lost-writes-workload.mjs', import.meta.url));

export { whyNotRecorded };

export async function run({ seed, count, only, folder, progress, signal }) {
  const why = whyNotRecorded();
  if (why !== undefined) throw new Error(`writes cannot be recorded: ${why}`);
  const acks = join(folder, 'acks');
  const recorded = join(folder, 'recorded');
  appendFileSync(acks, '');
  const recording = await recordWrites([WORKLOAD, recorded, acks, String(seed)], {
    folder: recorded,
    acks,
    trace: join(folder, 'trace'),
  });
  const events = prepareRecording(recording.events);
  const first = events.find(({ kind }) => kind !== 'ack').start;
  const numbers = only === undefined ? Array.from({ length: count }, (_, number) => number) : [Number(only)];
  const seen = { opened: 0, damaged: 0, open: 0, acknowledged: 0 };
  const findings = [];
  let done = 0;
  for (const number of numbers) {
    if (signal.aborted) break;
    const random = mulberry32(seed * 1_000_003 + number);
    const at = first + Math.floor(random() * (recording.last - first + 1));
    const mode = number % 2 === 0 ? 'prefix' : 'subset';
    const library = join(folder, 'library');
    rmSync(library, { recursive: true, force: true });
    mkdirSync(library);
    seen.open += writeDisk(library, events, { at, mode, random });
    const expected = expectedAt(events, at);
    seen.acknowledged += expected.acknowledged;
    for (const what of await check(library, expected, seen))
      findings.push({ what: `${mode} at ${at}: ${what}`, repeat: `--seed ${seed} --only ${number}` });
    progress(++done, numbers.length, `${findings.length} findings`);
  }
  const of = (kind) => findings.filter(({ what }) => what.includes(kind)).length;
  return {
    figures: [
      figure('points', done, only === undefined ? { least: count } : { least: 1 }),
      figure('neither opened nor LIBRARY_DAMAGED', of('did not open')),
      figure('acknowledged steps lost', of('lost')),
      figure('files that nobody put, wrong bytes', of('ghost') + of('wrong')),
      figure('rows without bytes, and what else verify found', of('verify')),
      figure('false alarms of an older catalogue', of('alarm')),
    ],
    rows: [
      { what: 'opened', count: seen.opened, findings: findings.length },
      { what: 'LIBRARY_DAMAGED', count: seen.damaged, findings: 0 },
      { what: 'acknowledged steps, all points together', count: seen.acknowledged },
      { what: 'writes and names open to chance, all points together', count: seen.open },
    ],
    findings,
    notes: [`recorded: ${events.length} writes, syncs and changes of names`],
  };
}

/**
 * What a path may hold at a line: what was acknowledged last, or what was begun since; content numbers, null: nothing.
 */
function expectedAt(events, at) {
  const allowed = new Map();
  const begun = new Map();
  let acknowledged = 0;
  for (const event of events) {
    if (event.kind !== 'ack' || event.start > at) continue;
    const { begin, end, changes } = JSON.parse(event.text);
    if (begin !== undefined) {
      begun.set(begin, changes);
      for (const [path, content] of Object.entries(changes))
        allowed.set(path, [...(allowed.get(path) ?? [null]), content]);
    } else if (event.end <= at) {
      acknowledged++;
      for (const [path, content] of Object.entries(begun.get(end))) allowed.set(path, [content]);
    }
  }
  return { allowed, acknowledged };
}

/** Opens the library and compares it with what is expected. Returns what is wrong. */
async function check(library, { allowed, acknowledged }, seen) {
  const { openLibrary } = await import('../../dist/library.js');
  const wrong = [];
  let store;
  try {
    store = await openLibrary(library, { fileBytesLimit: 1e9, crashLimit: 100 });
  } catch (cause) {
    if (cause.code === 'LIBRARY_DAMAGED') {
      seen.damaged++;
      return acknowledged > 0 ? [`lost: it does not open: ${cause.message}`] : [];
    }
    return [`did not open: ${cause.stack}`];
  }
  seen.opened++;
  try {
    for (const { message } of store.warnings) wrong.push(`alarm: ${message}`);
    const companyId = await store.company('acme');
    const records = await store.files.list({ companyId, prefix: '', after: '', limit: 10_000 });
    const found = new Map(records.map((record) => [record.path, record]));
    for (const [path, contents] of allowed) {
      const record = found.get(path);
      const holds = (content) => (content === null ? record === undefined : record?.sha256 === hashOf(content));
      if (!contents.some(holds))
        wrong.push(`lost: ${path} is ${record === undefined ? 'gone' : 'another'}, expected ${contents.join(' or ')}`);
    }
    for (const { path, uid } of records) {
      if (!allowed.has(path)) wrong.push(`ghost: ${path}`);
      // Compares the bytes with their hash.
      const bytes = await store.bytes(await store.files.row(companyId, uid)).catch((cause) => cause);
      if (!(bytes instanceof Uint8Array)) wrong.push(`lost or wrong: the bytes of ${path}: ${bytes.message}`);
    }
    const report = await store.verify(RULES, { repair: true });
    for (const { code, message } of report.problems) if (!HARMLESS.has(code)) wrong.push(`verify: ${code} ${message}`);
  } catch (cause) {
    wrong.push(`lost: a call failed: ${cause.stack}`);
  } finally {
    store.close();
  }
  return wrong;
}

/** Which descriptors are sound: any, the check of them is not asked here. */
const RULES = { versions: { compact: 1, fine: 1, surface: 1 }, lengths: { compact: 8 }, contentVersion: 1 };

/** What is derived is made again; bytes of no file are those of a put that was not acknowledged. */
const HARMLESS = new Set(['DESCRIPTOR_STALE', 'CONTENT_STALE', 'BLOB_UNOWNED', 'TERMS_DAMAGED', 'ATTRIBUTES_DAMAGED']);

function hashOf(content) {
  return createHash('sha256').update(bytesOf(content)).digest('hex');
}
