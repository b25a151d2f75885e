/**
 * Child process of the campaign `syscalls`, with faults.c before its C library: carries out the same calls for each
 * fault that arrives as a line on standard input, opens the library again without faults, and writes a line with what
 * it found.
 */
import { cpSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Engine } from '../../../dist/index.js';
import { carryOut, heldBy, OWNER } from './calls.mjs';
import { contentOf } from './contents.mjs';
import { Expected } from './expected.mjs';
import { FaultState } from './faults.mjs';

const ROOT = process.env.SHAPEDEX_FAULTS_ROOT;
const OPTIONS = { workers: 1, accounts: { scryptCost: 1_024 } };

/** Libraries that cases begin with, by script. */
const BEGUN = new Map();

const state = new FaultState(process.env.SHAPEDEX_FAULTS_STATE);
/** One fault, from an empty folder to the check without faults. */
class Case {
  #fault;
  #library;
  #expected = new Expected();
  #uids = new Map();
  #findings = [];
  #refusals = [];

  constructor(fault) {
    this.#fault = fault;
    this.#library = join(ROOT, `case-${fault.number}`);
  }

  finding(kind, what) {
    this.#findings.push({ kind, what });
  }

  async run() {
    const started = performance.now();
    const { from, calls } = SCRIPTS[this.#fault.script];
    rmSync(this.#library, { recursive: true, force: true });
    mkdirSync(ROOT, { recursive: true });
    if (from !== undefined) await this.#copyOf(this.#fault.script, from);
    state.arm(this.#fault);
    await this.#session(calls);
    const { counts, failed, path } = state.disarm();
    const failedGood = await this.#check();
    if (this.#findings.length === 0) rmSync(this.#library, { recursive: true, force: true });
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

  /** Begins with a copy of the library that these calls leave; it is made once. */
  async #copyOf(script, calls) {
    let begun = BEGUN.get(script);
    if (begun === undefined) {
      const own = Object.values(SCRIPTS).find((one) => one.calls === calls)?.from;
      if (own !== undefined) await this.#session(own);
      await this.#session(calls);
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
      await engine.idle();
      const { files } = await heldBy(library, inputs);
      for (const { path, state: reached } of files)
        if (reached !== 'indexed' && reached !== 'failed') this.finding('stuck', `${path} is ${reached} when idle`);
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
 * The scripts. `from`: whose library the case begins with; without, with an empty folder. Reading is done by a process
 * that takes a second to start, so `make` and `edit` do without.
 */
const SCRIPTS = {
  make: { calls: makeCalls },
  work: { from: makeCalls, calls: workCalls },
  edit: { from: workCalls, calls: editCalls },
  again: { from: waitingCalls, calls: againCalls },
};

/** Makes the catalogue. */
async function makeCalls({ call, look }) {
  await call({ name: 'company:other', call: 'fact', value: true });
  await look('companies', ({ engine }) => engine.companies());
}

/** What needs a reading process. */
async function workCalls({ call, look, has }) {
  const put = (name, kind, number, more) => call({ name, call: 'put', path: `${name}.${kind}`, kind, number, ...more });
  await put('a', 'txt', 1);
  await put('b', 'stl', 2, { attributes: ['n=2'] });
  await Promise.all([
    put('c', 'csv', 3, { wait: false, attributes: ['n=3', 'Length(mm)=4.5'] }),
    put('twin', 'stl', 2, { wait: false }),
    call({ name: 'input-1', call: 'input', kind: 'stl', number: 5 }),
  ]);
  await put('b', 'stl', 6);
  await look('search by shape', ({ company }) =>
    company.search({ like: { bytes: contentOf('stl', 2), extension: 'stl' } }),
  );
  if (has('b')) await look('model', ({ company }, uids) => company.model(uids.get('b')));
  await look('idle', ({ engine }) => engine.idle());
}

/** What needs none. */
async function editCalls({ call, look, has }) {
  await call({ name: 'setting:useNumericTextSearch', call: 'fact', value: false });
  if (await call({ name: 'category:Gears', call: 'fact', value: true }))
    await call({ name: 'category:Gears', call: 'fact', value: undefined });
  if (await call({ name: `user:${OWNER}`, call: 'fact', value: true }))
    await call({ name: 'search:bolts', call: 'fact', value: 'q=1' });
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
}

/** Leaves files that wait to be indexed. */
async function waitingCalls({ call }) {
  const put = (name, kind, number, more) => call({ name, call: 'put', path: `${name}.${kind}`, kind, number, ...more });
  await put('a', 'txt', 1, { wait: false });
  await put('e', 'html', 2, { wait: false, attributes: ['n=2'] });
  await put('f', 'stl', 3, { wait: false });
}

/** A library with files that wait is opened. */
async function againCalls({ call, look, has }) {
  if (has('a')) await call({ name: 'a', call: 'delete' });
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
