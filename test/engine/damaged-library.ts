import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, EngineError, type Company, type FileRecord } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { seeded } from '../fixtures/random.js';
import { stepFile } from '../fixtures/step-writer.js';

/** A library that is damaged in a way drawn from a seed, and every public call on it. */

type Random = () => number;

const PAGE = 4_096;
const DIGEST = new Uint8Array(20).fill(7);

/** Makes the sound library: models, an assembly, texts, an account; closed. Returns its files. */
export async function makeLibrary(library: string): Promise<readonly FileRecord[]> {
  const engine = await Engine.open(library, { workers: 1, accounts: { scryptCost: 16_384 } });
  const acme = await engine.company('acme');
  await acme.put('a.stl', boxStl(1, 2, 3), { attributes: ['Color=red', 'n(mm)=2'] });
  await acme.put('b.stl', boxStl(2, 2, 3), { attributes: ['Color=blue'] });
  await acme.put('whole.step', assembly(), { indexAssemblyComponents: true });
  for (let number = 0; number < 30; number++)
    await acme.put(`${number}.txt`, Buffer.from(`bracket number ${number} of the series`), { wait: false });
  await engine.idle();
  await engine.accounts.addUser({
    email: 'a@acme.example',
    firstName: 'A',
    lastName: 'B',
    passwordDigest: DIGEST,
    company: 'acme',
  });
  await acme.categories.add('Parts');
  await acme.search({ like: { uid: (await acme.find('a.stl'))!.uid } });
  await acme.duplicates.find();
  const files = await acme.list();
  await engine.close();
  return files;
}

function assembly(): Uint8Array {
  return stepFile({
    parts: [{ name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } }],
    assemblies: [
      {
        name: 'pair',
        places: [
          { of: { part: 0 }, at: [0, 0, 0], occurrence: 'left' },
          { of: { part: 0 }, at: [20, 0, 0], occurrence: 'right' },
        ],
      },
    ],
  });
}

/** Copies the sound library and damages the copy. Returns in words what was done. */
export function damage(sound: string, library: string, seed: number): string {
  const random = seeded(seed);
  rmSync(library, { recursive: true, force: true });
  cpSync(sound, library, { recursive: true });
  const kinds = Object.keys(DAMAGES);
  const kind = kinds[seed % kinds.length];
  return `seed ${seed}: ${kind} ${String(DAMAGES[kind](library, random) ?? '')}`;
}

function changeCatalog(library: string, change: (bytes: Buffer) => Buffer | undefined): void {
  const file = join(library, 'catalog.sqlite');
  const bytes = readFileSync(file);
  writeFileSync(file, change(bytes) ?? bytes);
}

const below = (random: Random, end: number): number => Math.floor(end * random());

function zeroPages(library: string, random: Random): string {
  const zeroed: number[] = [];
  changeCatalog(library, (bytes) => {
    for (let count = 1 + below(random, 3); count > 0; count--) {
      const page = 1 + below(random, bytes.length / PAGE - 1);
      bytes.fill(0, page * PAGE, (page + 1) * PAGE);
      zeroed.push(page);
    }
    return undefined;
  });
  return zeroed.join();
}

function flipBytes(library: string, random: Random): void {
  changeCatalog(library, (bytes) => {
    for (let count = 1 + below(random, 40); count > 0; count--) {
      const at = 100 + below(random, bytes.length - 100);
      bytes[at] ^= 1 << below(random, 8);
    }
    return undefined;
  });
}

/** Changes text that is stored, so that SQLite itself finds nothing wrong. */
function changeText(library: string, random: Random): void {
  changeCatalog(library, (bytes) => {
    for (let at = PAGE; at < bytes.length; at++)
      if (bytes[at] >= 0x30 && bytes[at] < 0x7f && random() < 0.002) bytes[at] = 0x30 + below(random, 0x4f);
    return undefined;
  });
}

/** Path of one blob of the library. */
function someBlob(library: string, random: Random): string {
  const blobs = join(library, 'blobs');
  const names = readdirSync(blobs, { recursive: true }) as string[];
  const files = names.filter((name) => /^..[\\/][0-9a-f]{62}$/.test(name)).sort();
  return join(blobs, files[below(random, files.length)]);
}

type Damage = (library: string, random: Random) => unknown;

const DAMAGES: Readonly<Record<string, Damage>> = {
  'zeroed pages': zeroPages,
  'flipped bytes': flipBytes,
  'zeroed pages again': zeroPages,
  'changed text': changeText,
  'a cut catalogue': (library, random) =>
    changeCatalog(library, (bytes) => bytes.subarray(0, below(random, bytes.length))),
  'noise in a page': (library, random) =>
    changeCatalog(library, (bytes) => {
      const page = PAGE * (1 + below(random, bytes.length / PAGE - 1));
      for (let at = page; at < page + PAGE; at++) bytes[at] = below(random, 256);
      return undefined;
    }),
  'blobs that are none': (library, random) => {
    const put = [
      (file: string) => mkdirSync(file),
      (file: string) => symlinkSync('/dev/zero', file),
      (file: string) => symlinkSync(file, file),
      (file: string) => writeFileSync(file, ''),
      (file: string) => execFileSync('mkfifo', [file]),
    ];
    for (const one of put) {
      const file = someBlob(library, random);
      rmSync(file, { recursive: true });
      one(file);
    }
  },
  'no folder of bytes': (library) => rmSync(join(library, 'blobs'), { recursive: true }),
  'files in place of folders': (library, random) => {
    const folder = join(someBlob(library, random), '..');
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    writeFileSync(join(library, 'lost+found'), '');
    rmSync(join(library, 'cache'), { recursive: true });
    writeFileSync(join(library, 'cache'), '');
  },
  'a log of noise': (library, random) =>
    writeFileSync(
      join(library, 'catalog.sqlite-wal'),
      Uint8Array.from({ length: 40_000 }, () => below(random, 256)),
    ),
};

/** Calls of the public API on a library of {@link makeLibrary}. */
function calls(engine: Engine, company: Company, file: FileRecord, files: readonly FileRecord[]): (() => unknown)[] {
  const { uid, path } = file;
  const model = files.find((one) => one.path === 'a.stl')!.uid;
  const whole = files.find((one) => one.path === 'whole.step')!.uid;
  const { accounts } = engine;
  return [
    () => company.get(uid),
    () => company.find(path),
    () => company.list(),
    () => company.list({ limit: 3 }),
    () => company.counts(),
    () => company.summary(),
    () => company.status(uid),
    () => company.bytes(uid),
    () => company.bytes(model),
    () => company.attributes(),
    () => company.attributeValues('Color'),
    () => company.search({ text: 'bracket' }),
    () => company.search({ text: 'series 7', highlights: true, facets: true }),
    () => company.search({ like: { uid: model } }),
    () => company.search({ like: { uid: model }, shapelets: true, facets: true }),
    () => company.search({ like: { bytes: boxStl(1, 2, 3), extension: 'stl' } }),
    () => company.searchComponents(whole),
    () => company.text(uid),
    () => company.text(uid, { words: 'bracket' }),
    () => company.pmi(model),
    () => company.shapelets(model),
    () => company.assembly(whole),
    () => company.components(whole),
    () => company.assemblies.holding(model),
    () => company.assemblies.sharedParts(whole),
    () => company.thumbnail(model),
    () => company.model(model),
    () => company.duplicates.find(),
    () => company.duplicates.decisions(),
    () => company.categories.list(),
    () => company.settings.get(),
    () => company.settings.set({ overwriteFiles: true }),
    () => company.setAttributes(uid, ['x=1']),
    () => company.rename(uid, 'renamed.txt'),
    () => company.retry(),
    () => company.put('new.txt', Buffer.from('something new'), { wait: false }),
    () => company.put('b.stl', boxStl(2, 2, 3), { wait: false }),
    () => company.putInput(boxStl(5, 2, 3), { extension: 'stl', wait: false }),
    () => company.delete(uid),
    () => engine.companies(),
    () => engine.stats(),
    () => engine.warnings,
    () => engine.reindex(),
    () => engine.company('another'),
    () => engine.served('acme').then((served) => served.search({ text: 'bracket' })),
    () => accounts.users(),
    () => accounts.user('a@acme.example'),
    () => accounts.verifyPassword('a@acme.example', DIGEST),
    () => accounts.companies(),
    () => accounts.profile('acme'),
    () => accounts.usage('acme'),
    () => accounts.deliveries('acme'),
  ];
}

/**
 * Opens a damaged library and makes every call, then verifies it twice and closes it. Returns what ended otherwise than
 * with a value or an EngineError.
 */
export async function useDamaged(library: string, files: readonly FileRecord[], seed: number): Promise<string[]> {
  const wrong: string[] = [];
  const told = async (what: string, call: () => unknown): Promise<unknown> => {
    try {
      return await call();
    } catch (cause) {
      if (!(cause instanceof EngineError))
        wrong.push(`${what}: ${cause instanceof Error ? cause.stack : String(cause)}`);
      return undefined;
    }
  };
  const engine = (await told('open', () => Engine.open(library, { workers: 1 }))) as Engine | undefined;
  if (engine === undefined) return wrong;
  try {
    const verify = async (repair: boolean): Promise<void> => {
      const report = (await engine.verify({ repair }).catch((cause: Error) => cause)) as { problems?: unknown };
      if (!Array.isArray(report.problems)) wrong.push(`verify: ${String((report as Error).stack)}`);
    };
    await verify(false);
    const company = (await told('company', () => engine.company('acme'))) as Company | undefined;
    const file = files[seed % files.length];
    for (const call of company === undefined ? [] : calls(engine, company, file, files)) await told(String(call), call);
    await verify(true);
  } finally {
    await told('close', () => engine.close());
  }
  return wrong;
}
