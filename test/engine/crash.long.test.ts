import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Engine, type FileRecord } from '../../dist/index.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { runs } from '../fixtures/runs.js';

const KILLS = runs(50);

const folder = temporaryFolder();

/**
 * What a child writes: the steps by which it changes the disk, and the calls that it began and that were acknowledged.
 */
interface Line {
  step?: string;
  open?: true;
  begin?: string | number;
  end?: string | number;
  priority?: number;
  uid?: string;
  state?: string;
}

/** Runs a child until it ends, or is killed `killAfterMs` after its first line. */
function runChild(
  script: string,
  args: (string | number)[],
  killAfterMs?: number,
): Promise<{ lines: Line[]; signal: string | null; errors: string }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  createInterface(child.stdout).on('line', (text) => {
    if (lines.length === 0 && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    lines.push(JSON.parse(text) as Line);
  });
  return new Promise((resolve) => child.on('close', (_code, signal) => resolve({ lines, signal, errors })));
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The library of scenario.mjs as paths with the length of the box, '*' while not yet indexed. */
const SCENARIO: readonly { call: string; after: Readonly<Record<string, number>>; indexed: readonly string[] }[] = [
  { call: 'open', after: {}, indexed: [] },
  { call: 'put a', after: { a: 1 }, indexed: [] },
  { call: 'put twin', after: { a: 1, twin: 1 }, indexed: ['a', 'twin'] },
  { call: 'put b', after: { a: 1, b: 2, twin: 1 }, indexed: ['a', 'b', 'twin'] },
  { call: 'replace a', after: { a: 3, b: 2, twin: 1 }, indexed: ['a', 'b', 'twin'] },
  { call: 'put low', after: { a: 3, b: 2, low: 4, twin: 1 }, indexed: ['a', 'b', 'twin'] },
  { call: 'delete twin', after: { a: 3, b: 2, low: 4 }, indexed: ['a', 'b'] },
  { call: 'delete a', after: { b: 2, low: 4 }, indexed: ['b'] },
];

test('killed before any one write step, a library holds what was acknowledged and nothing by halves', {
  timeout: 600_000,
}, async () => {
  const whole = await runChild('scenario.mjs', [join(folder, 'whole'), 0]);
  expect(whole.errors).toBe('');
  expect(whole.lines.at(-1)).toEqual({ end: 'close' });
  const steps = whole.lines.flatMap(({ step }) => step ?? []);
  expect(steps.filter((step) => step === 'commit').length).toBeGreaterThan(10);
  expect(steps.filter((step) => step.startsWith('rename')).length).toBeGreaterThanOrEqual(5);

  // Of equal steps in a row (each step of the schema is a commit) the first, the second and the last.
  const every = steps.flatMap((step, i) =>
    step === steps[i - 1] && step === steps[i - 2] && step === steps[i + 1] ? [] : [i + 1],
  );
  const count = runs(every.length);
  const killBefore = Array.from({ length: count }, (_, i) => every[Math.floor(((i + 0.5) * every.length) / count)]);
  // Two at a time. Runs differ a little in their steps: commits are shared by what arrives together.
  const waiting = [...killBefore];
  let killed = 0;
  const worker = async (): Promise<void> => {
    for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) {
      const library = join(folder, `step-${own}`);
      const { lines, signal, errors } = await runChild('scenario.mjs', [library, own]);
      expect(errors, `step ${own}`).toBe('');
      if (signal === 'SIGKILL') killed++;
      await checkScenario(library, lines, `killed before step ${own} (like ${steps[own - 1]})`);
    }
  };
  await Promise.all([worker(), worker()]);
  expect(killed).toBeGreaterThan(0.9 * killBefore.length);
});

async function checkScenario(library: string, lines: readonly Line[], when: string): Promise<void> {
  const ended = lines.filter(({ end }) => end !== undefined && end !== 'close').length;
  const begun = lines.filter(({ begin }) => begin !== undefined).length;
  const engine = await Engine.open(library, { workers: 1 });
  try {
    const acme = await engine.company('acme');
    const records = await acme.list();
    const found: Record<string, number> = {};
    for (const record of records) {
      const bytes = await acme.bytes(record.uid);
      expect(sha256(bytes), when).toBe(record.sha256);
      const length = [1, 2, 3, 4].find((edge) => sha256(boxStl(edge, 2, 3)) === record.sha256);
      expect(length, when).toBeDefined();
      found[record.path.replace('.stl', '')] = length!;
      const attributes: Record<string, string[]> = { 'a.stl': [`n=${length}`], 'b.stl': ['n=2'] };
      expect(record.attributes, when).toEqual(attributes[record.path] ?? []);
    }
    // The call that was under way happened wholly or not at all.
    const allowed = SCENARIO.slice(ended, begun + 1).map(({ after }) => after);
    expect(allowed, when).toContainEqual(found);
    for (const path of begun === ended ? SCENARIO[ended].indexed : []) {
      expect(
        records.find((record) => record.path === `${path}.stl`)?.state,
        `${when}: ${path} was acknowledged as indexed`,
      ).toBe('indexed');
    }
    await engine.idle();
    for (const record of await acme.list()) {
      expect(record.state, when).toBe('indexed');
      const { hits } = await acme.search({ like: { uid: record.uid } });
      expect(hits.find(({ uid }) => uid === record.uid)?.score, when).toBe(0);
    }
    expect((await engine.verify({ repair: false })).problems, when).toEqual([]);
  } finally {
    await engine.close();
  }
}

test('bytes are on disk under their name before the commit that speaks of them', async () => {
  const { lines } = await runChild('scenario.mjs', [join(folder, 'order'), 0]);
  const steps = lines.flatMap(({ step }) => step ?? []);
  const renames = steps.flatMap((step, position) => (step.startsWith('rename blobs/') ? [position] : []));
  expect(renames.length).toBeGreaterThanOrEqual(4);
  for (const rename of renames) {
    const shard = steps[rename].split('/')[1];
    const before = steps.slice(0, rename);
    // Calls of the scenario come one after the other, so the last draft is this one.
    expect(before.findLast((step) => step.startsWith('sync') && step.includes('draft-'))).toBeDefined();
    expect(before.findLastIndex((step) => /^sync .*draft-/.test(step))).toBeGreaterThan(
      before.findLastIndex((step) => /^write .*draft-/.test(step)),
    );
    const after = steps.slice(rename + 1);
    const synced = after.findIndex((step) => step.startsWith('sync') && step.endsWith(`blobs/${shard}`));
    // Commits of earlier files may come between; the row's own commit is the next after the sync.
    expect(synced).toBeGreaterThanOrEqual(0);
    expect(after.slice(synced).indexOf('commit')).toBeGreaterThan(0);
    expect(after.slice(0, synced).filter((step) => step.startsWith('rename blobs/'))).toEqual([]);
  }
});

test(`killed ${KILLS} times while it indexes, a library keeps every acknowledged put and the order of its queue`, {
  timeout: 600_000,
}, async () => {
  const library = join(folder, 'flood');
  const acknowledged = new Map<number, { uid: string; state: string }>();
  const begun = new Map<number, number>();
  let next = 0;
  let seed = 1;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;

  for (let kill = 0; kill < KILLS; kill++) {
    const { lines, signal, errors } = await runChild('flood.mjs', [library, next], Math.floor(250 * random()));
    expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' });
    for (const { begin, end, priority, uid, state } of lines) {
      if (begin !== undefined) begun.set(Number(begin), priority!);
      if (end !== undefined) acknowledged.set(Number(end), { uid: uid!, state: state! });
    }
    next = Math.max(next, ...begun.keys()) + 1;
    // A look through the store: the lock is free again, and nothing is half there.
    const store = await openLibrary(library, {
      fileBytesLimit: 1e9,
      crashLimit: 1_000,
    });
    await checkFlood(store, acknowledged, begun, `after kill ${kill + 1}`);
    if (kill % 10 === 9) await drainInOrder(store, begun);
    await store.close();
  }
  expect(acknowledged.size).toBeGreaterThan(2 * KILLS);

  const engine = await Engine.open(library, { workers: 2 });
  await engine.reindex({ only: 'all' });
  await engine.idle();
  const acme = await engine.company('acme');
  for (const { uid } of acknowledged.values()) expect((await acme.get(uid)).state).toBe('indexed');
  expect((await engine.verify({ repair: false })).problems).toEqual([]);
  await engine.close();
});

async function checkFlood(
  store: Library,
  acknowledged: ReadonlyMap<number, { uid: string; state: string }>,
  begun: ReadonlyMap<number, number>,
  when: string,
): Promise<void> {
  const company = store.company('acme');
  const companyId = await company;
  const records = new Map<number, FileRecord>(
    (await store.files.list({ companyId, prefix: '', after: '', limit: 1e6 })).map((record) => [
      Number(record.path.replace('.stl', '')),
      record,
    ]),
  );
  for (const [number, { uid, state }] of acknowledged) {
    const record = records.get(number);
    expect(record, `${when}: ${number} was acknowledged`).toMatchObject({ uid, attributes: [`n=${number}`] });
    if (state === 'indexed') expect(record?.state === 'indexed' || record?.error?.code === 'ABORTED', when).toBe(true);
  }
  for (const [number, record] of records) {
    expect(begun.has(number), when).toBe(true);
    expect(record.sha256, when).toBe(sha256(boxStl(1 + number, 2, 3)));
    expect(existsSync(join(store.blobs.folder, record.sha256.slice(0, 2), record.sha256.slice(2))), when).toBe(true);
    if (record.state === 'failed') expect(record.error?.code, when).toBe('ABORTED');
  }
  const { hashes, drafts } = await store.blobs.list();
  expect(drafts, when).toEqual([]);
  expect(hashes.length, when).toBe(records.size);
}

/** Takes all that waits from the queue, one by one, and checks that it comes by priority and arrival. */
async function drainInOrder(store: Library, begun: ReadonlyMap<number, number>): Promise<void> {
  const taken: number[] = [];
  for (;;) {
    const [job] = await store.jobs.claim(1, { idle: true });
    if (job === undefined) break;
    taken.push(Number(job.path.replace('.stl', '')));
    await store.jobs.fail(job.fileId, { code: 'ABORTED', message: 'taken by the test' });
  }
  const wanted = taken.toSorted((a, b) => begun.get(a)! - begun.get(b)! || a - b);
  expect(taken).toEqual(wanted);
}
