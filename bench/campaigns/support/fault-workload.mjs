/**
 * Child process of the campaign `syscalls`, with faults.c before its C library: carries out the same calls for each
 * fault that arrives as a line on standard input, opens the library again without faults, and writes a line with what
 * it found.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { Engine } from '../../../dist/index.js';
import { carryOut, heldBy, inputUid, OWNER } from './calls.mjs';
import { contentOf } from './contents.mjs';
import { Expected } from './expected.mjs';
import { FaultState } from './faults.mjs';

const ROOT = process.env.SHAPEDEX_FAULTS_ROOT;
const OPTIONS = { workers: 1, accounts: { scryptCost: 1_024 } };

/** The file in the folder that is put. */
const IN_FOLDER = { name: 'g', kind: 'csv', number: 4 };

/** Libraries that cases begin with, by script. */
const BEGUN = new Map();

const state = new FaultState(process.env.SHAPEDEX_FAULTS_STATE);
/** One fault, from an empty folder to the check without faults. */
class Case {
  #fault;
  #library;
  /** A folder that files are put from, and one that the library is copied to. */
  #source;
  #copy;
  /** What the copy must hold. */
  #copied;
  #expected = new Expected();
  #uids = new Map();
  #findings = [];
  #refusals = [];

  constructor(fault) {
    this.#fault = fault;
    this.#library = join(ROOT, `case-${fault.number}`);
    this.#source = join(ROOT, `source-${fault.number}`);
    this.#copy = join(ROOT, `copy-${fault.number}`);
  }

  finding(kind, what) {
    this.#findings.push({ kind, what });
  }

  async run() {
    const started = performance.now();
    const { from, calls, reads } = SCRIPTS[this.#fault.script];
    this.#remove();
    mkdirSync(this.#source, { recursive: true });
    writeFileSync(
      join(this.#source, `${IN_FOLDER.name}.${IN_FOLDER.kind}`),
      contentOf(IN_FOLDER.kind, IN_FOLDER.number),
    );
    if (from !== undefined) await this.#copyOf(this.#fault.script, from);
    if (reads !== true) state.arm(this.#fault);
    await this.#session(async (session) => {
      if (reads === true) state.arm(this.#fault);
      await calls(session);
      if (reads === true) state.disarm();
    });
    const { counts, failed, path } = state.disarm();
    const failedGood = await this.#check();
    if (this.#copied !== undefined) await this.#checkCopy();
    if (this.#findings.length === 0) this.#remove();
    return {
      number: this.#fault.number,
      counts,
      failed,
      path: path.slice(this.#library.length + 1),
      calls: this.#expected.count,
      refusals: this.#refusals,
      failedGood,
      findings: this.#findings,
      ms: performance.now() - started,
    };
  }

  #remove() {
    for (const one of [this.#library, this.#source, this.#copy]) rmSync(one, { recursive: true, force: true });
  }

  /** Begins with a copy of the library that these calls leave; it is made once. */
  async #copyOf(script, calls) {
    let begun = BEGUN.get(script);
    if (begun === undefined) {
      const own = Object.values(SCRIPTS).find((one) => one.calls === calls)?.from;
      if (own !== undefined) await this.#session(own);
      await this.#session(calls);
      await SCRIPTS[script].prepare?.(this.#library);
      begun = { folder: join(ROOT, `begun-${script}`), expected: this.#expected, uids: [...this.#uids] };
      cpSync(this.#library, begun.folder, { recursive: true });
      BEGUN.set(script, begun);
    } else cpSync(begun.folder, this.#library, { recursive: true });
    this.#expected = begun.expected.copy();
    this.#uids = new Map(begun.uids);
  }

  /** Opens the library, carries out calls, closes it. */
  async #session(calls) {
    const engine = await this.#tried('open', () => Engine.open(this.#library, OPTIONS));
    if (engine === undefined) return;
    const company = await this.#tried('company', () => engine.company('acme'));
    if (company !== undefined) {
      const library = { engine, company };
      await calls({
        call: (call) => this.#call(library, call),
        look: (what, work) => this.#tried(what, () => work(library, this.#uids)),
        putFolder: () => this.#putFolder(library),
        backup: () => this.#backup(library),
        has: (subject) => this.#uids.has(subject),
      });
    }
    await this.#tried('close', () => engine.close());
  }

  async #call(library, call) {
    this.#expected.begin(call);
    try {
      await carryOut(library, call, this.#uids);
      this.#expected.acknowledge(call.name);
      return true;
    } catch (cause) {
      this.#expected.refuse(call.name);
      this.#refused(`${call.call} ${call.name}`, cause);
      return false;
    }
  }

  /** Puts a folder with one file. */
  async #putFolder({ company }) {
    const { name, kind, number } = IN_FOLDER;
    this.#expected.begin({ name, call: 'put', path: `${name}.${kind}`, kind, number });
    const stored = await this.#tried('folder', async () => {
      for await (const { record, error } of company.putFolder(this.#source)) {
        if (record !== undefined) return record;
        if (error !== undefined) this.#refusals.push(`folder: ${error.code ?? 'uncoded'}`);
      }
      return undefined;
    });
    if (stored === undefined) return this.#expected.refuse(name);
    this.#uids.set(name, stored.uid);
    return this.#expected.acknowledge(name);
  }

  async #backup({ engine }) {
    const report = await this.#tried('backup', () => engine.backup(this.#copy));
    if (report !== undefined && report.damaged.length > 0) {
      this.#refusals.push(`backup without ${report.damaged.length}: ${report.damaged[0].fault}`);
      return;
    }
    // One that was refused need not be there; but if it opens, it is whole.
    if (existsSync(join(this.#copy, 'catalog.sqlite'))) this.#copied = this.#expected.copy();
  }

  async #tried(what, work) {
    try {
      return await work();
    } catch (cause) {
      this.#refused(what, cause);
      return undefined;
    }
  }

  #refused(what, cause) {
    const coded = cause instanceof Error && cause.name === 'EngineError' && typeof cause.code === 'string';
    this.#refusals.push(`${what}: ${coded ? cause.code : 'uncoded'}`);
    if (!coded) this.finding('uncoded', `${what}: ${cause?.stack ?? cause}`);
    if (what.startsWith('verify')) this.finding('no report', `${what}: ${cause?.stack ?? cause}`);
  }

  /** Opens without faults. Returns the codes of sound files that failed. */
  async #check() {
    const left = openBelow(this.#library);
    if (left.length > 0) this.finding('left open', left.join(', '));
    let engine;
    try {
      engine = await Engine.open(this.#library, OPTIONS);
      const company = await engine.company('acme');
      const library = { engine, company };
      const inputs = ['input-1'];
      const held = await heldBy(library, inputs);
      for (const { kind, what } of this.#expected.compare(held)) this.finding(kind, what);
      const files = await this.#indexed(library, inputs);
      await this.#searches(company, files);
      const { problems } = await engine.verify({ repair: false });
      for (const { code, message } of problems) this.finding('verify', `${code}: ${message}`);
      return files.flatMap((file) => (file.state === 'failed' ? [file.code] : []));
    } catch (cause) {
      this.finding('lost', `without faults: ${cause?.code ?? ''} ${cause?.stack ?? cause}`);
      return [];
    } finally {
      await engine?.close().catch((cause) => this.finding('uncoded', `close without faults: ${cause.stack}`));
    }
  }

  /** The files when nothing waits any more; of a script that reads none: as they are, and each that waits is queued. */
  async #indexed(library, inputs) {
    const { engine, company } = library;
    const isDone = ({ state: reached }) => reached === 'indexed' || reached === 'failed';
    if (SCRIPTS[this.#fault.script].reads) {
      await engine.idle();
      const { files } = await heldBy(library, inputs);
      for (const file of files.filter((one) => !isDone(one)))
        this.finding('stuck', `${file.path} is ${file.state} when idle`);
      return files;
    }
    const { queueLength } = await engine.stats();
    const { files } = await heldBy(library, inputs);
    const records = await Promise.all(inputs.map((name) => company.input(inputUid(name))));
    const waiting = [...files, ...records.filter((one) => one !== undefined)].filter((one) => !isDone(one)).length;
    if (waiting > queueLength) this.finding('stuck', `${waiting} files wait, ${queueLength} are queued`);
    return files;
  }

  /** A backup holds what the library held, and is sound. */
  async #checkCopy() {
    let engine;
    try {
      engine = await Engine.open(this.#copy, OPTIONS);
      const held = await heldBy({ engine, company: await engine.company('acme') }, ['input-1']);
      for (const { kind, what } of this.#copied.compare(held)) this.finding(kind, `in the backup: ${what}`);
      const { problems } = await engine.verify({ repair: false });
      for (const { code, message } of problems) this.finding('verify', `of the backup: ${code}: ${message}`);
    } catch (cause) {
      this.finding('lost', `the backup: ${cause?.code ?? ''} ${cause?.stack ?? cause}`);
    } finally {
      await engine?.close().catch((cause) => this.finding('uncoded', `close of the backup: ${cause.stack}`));
    }
  }

  /** Every indexed file with a shape finds itself. */
  async #searches(company, files) {
    for (const { path, uid, state: reached } of files) {
      if (reached !== 'indexed' || !path.endsWith('.stl')) continue;
      const { hits } = await company.search({ like: { uid }, limit: 50 });
      if (!hits.some((hit) => hit.uid === uid && hit.score === 0)) this.finding('wrong', `${path} finds not itself`);
    }
  }
}

/**
 * The scripts. `from`: whose library the case begins with; without, with an empty folder. `reads`: files are read, by a
 * process that takes a second to start, so the others do without, and calls fail after the opening and before
 * the closing, which the others show. `filled` is not run by itself: `edit` begins with it.
 */
const SCRIPTS = {
  make: { calls: makeCalls },
  put: { from: makeCalls, calls: putCalls },
  filled: { from: makeCalls, calls: filledCalls, reads: true },
  edit: { from: filledCalls, calls: editCalls, prepare: leaveUnowned },
  read: { from: waitingCalls, calls: readCalls, reads: true },
};

/** Makes the catalogue. */
async function makeCalls({ call, look }) {
  await call({ name: 'company:other', call: 'fact', value: true });
  await look('companies', ({ engine }) => engine.companies());
}

/** Puts and replaces; one of the files has the bytes of another. */
async function putCalls({ call }) {
  const put = (name, kind, number, more) =>
    call({ name, call: 'put', path: `${name}.${kind}`, kind, number, wait: false, ...more });
  await put('a', 'txt', 1);
  await put('b', 'stl', 2, { attributes: ['n=2'] });
  await Promise.all([
    put('c', 'csv', 3, { attributes: ['n=3', 'Length(mm)=4.5'] }),
    put('twin', 'stl', 2),
    call({ name: 'input-1', call: 'input', kind: 'stl', number: 5, wait: false }),
  ]);
  await put('b', 'stl', 6);
}

async function filledCalls(session) {
  await putCalls(session);
  await session.look('idle', ({ engine }) => engine.idle());
  // It is kept, so that `edit` needs no reading process for it.
  await session.look('model', ({ company }, uids) => company.model(uids.get('b')));
}

/** Leaves bytes that no row names, in `lost+found` and, as a process that was killed would, in `blobs`. */
async function leaveUnowned(library) {
  const leave = (text) => {
    const hash = createHash('sha256').update(text).digest('hex');
    const place = join(library, 'blobs', hash.slice(0, 2));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, hash.slice(2)), text);
  };
  leave('what no row names');
  const engine = await Engine.open(library, OPTIONS);
  await engine.verify();
  await engine.close();
  leave('what no row names either');
  const database = new Database(join(library, 'catalog.sqlite'));
  database.exec("UPDATE setting SET value = 'no' WHERE name = 'tidy'");
  database.close();
}

/** What needs no reading process. */
async function editCalls({ call, look, has, backup }) {
  await call({ name: 'setting:useNumericTextSearch', call: 'fact', value: false });
  if (await call({ name: 'category:Gears', call: 'fact', value: true }))
    await call({ name: 'category:Gears', call: 'fact', value: undefined });
  const isUser = await call({ name: `user:${OWNER}`, call: 'fact', value: true });
  if (isUser) await call({ name: 'search:bolts', call: 'fact', value: 'q=1' });
  if (has('a')) await call({ name: 'a', call: 'attributes', attributes: ['Color=red|blue'] });
  if (has('c')) await call({ name: 'c', call: 'rename', path: 'moved/c.csv' });
  if (has('twin')) await call({ name: 'twin', call: 'delete' });
  await call({ name: 'input-1', call: 'delete' });
  await look('search by words', ({ company }) => company.search({ text: ['document'], facets: true }));
  await look('search by shape', ({ company }, uids) => company.search({ like: { uid: uids.get('b') } }));
  await look('bytes', ({ company }, uids) => company.bytes(uids.get('b')));
  await look('thumbnail', ({ company }, uids) => company.thumbnail(uids.get('b')));
  await look('model', ({ company }, uids) => company.model(uids.get('b')));
  await look('text', ({ company }, uids) => company.text(uids.get('a')));
  await look('list', ({ company }) => company.list());
  await look('verify', ({ engine }) => engine.verify());
  await look('stats', ({ engine }) => engine.stats());
  await backup();
  if (isUser) await call({ name: 'search:bolts', call: 'fact', value: undefined });
  if (isUser) await call({ name: `user:${OWNER}`, call: 'fact', value: undefined });
  if (has('c')) await call({ name: 'c', call: 'delete' });
  await look('verify and purge', ({ engine }) => engine.verify({ purge: true }));
}

/** Leaves files that wait to be indexed. */
async function waitingCalls({ call }) {
  const put = (name, kind, number, more) => call({ name, call: 'put', path: `${name}.${kind}`, kind, number, ...more });
  await put('a', 'txt', 1, { wait: false });
  await put('e', 'html', 2, { wait: false, attributes: ['n=2'] });
  await put('f', 'stl', 3, { wait: false });
}

/** A library with files that wait is opened; more are put from a folder, and read to search with. */
async function readCalls({ call, look, has, putFolder }) {
  if (has('a')) await call({ name: 'a', call: 'delete' });
  await putFolder();
  await look('search by shape', ({ company }) =>
    company.search({ like: { bytes: contentOf('stl', 2), extension: 'stl' } }),
  );
  if (has('f')) await look('model', ({ company }, uids) => company.model(uids.get('f')));
  await look('idle', ({ engine }) => engine.idle());
  await look('search', ({ company }) => company.search({ text: ['page'] }));
}

/** Files below a folder that this process has open. */
function openBelow(folder) {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith(folder) ? [target.slice(folder.length + 1)] : [];
    } catch {
      // Closed since the list was read.
      return [];
    }
  });
}

let current;
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (cause) => {
    if (current === undefined) throw cause;
    current.finding('crash', `${event}: ${cause?.stack ?? cause}`);
  });

for await (const line of createInterface({ input: process.stdin })) {
  current = new Case(JSON.parse(line));
  process.stdout.write(`${JSON.stringify(await current.run())}\n`);
}
