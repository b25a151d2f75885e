import { createHash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Engine, EngineError, type Company } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { runs } from '../fixtures/runs.js';

// Any series of puts, replacements, deletes and re-openings leaves the library equal to a Map that did the same.

const folder = temporaryFolder();
let libraries = 0;

interface Expected {
  uid: string;
  length: number;
  attributes: readonly string[];
}
interface Model {
  readonly companies: Map<string, Map<string, Expected>>;
}
class Real {
  readonly library = join(folder, `library-${libraries++}`);
  engine!: Engine;
  async open(): Promise<void> {
    this.engine = await Engine.open(this.library, { workers: 1 });
  }
  company(name: string): Promise<Company> {
    return this.engine.company(name);
  }
}
type Command = fc.AsyncCommand<Model, Real>;

class Put implements Command {
  constructor(
    readonly company: string,
    readonly path: string,
    readonly length: number,
    readonly wait: boolean,
    readonly priority: 3 | 4,
    readonly attributes: readonly string[] | undefined,
  ) {}
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    const files = model.companies.get(this.company) ?? new Map<string, Expected>();
    model.companies.set(this.company, files);
    const before = files.get(this.path);
    const { wait, priority, attributes } = this;
    const record = await (await real.company(this.company)).put(this.path, boxStl(this.length, 2, 3), {
      wait,
      priority,
      attributes,
    });
    expect(record).toMatchObject({ path: this.path, ...(wait ? { state: 'indexed' } : {}) });
    if (before !== undefined) expect(record.uid).toBe(before.uid);
    files.set(this.path, { uid: record.uid, length: this.length, attributes: attributes ?? before?.attributes ?? [] });
  }
  toString = (): string =>
    `put ${this.company}/${this.path} ${this.length} ${this.wait ? 'wait' : ''} ${this.priority} ${this.attributes?.join() ?? ''}`;
}

class Delete implements Command {
  constructor(
    readonly company: string,
    readonly path: string,
  ) {}
  check = (model: Model): boolean => model.companies.get(this.company)?.has(this.path) === true;
  async run(model: Model, real: Real): Promise<void> {
    const files = model.companies.get(this.company)!;
    const { uid } = files.get(this.path)!;
    const company = await real.company(this.company);
    await company.delete(uid);
    files.delete(this.path);
    await expect(company.get(uid)).rejects.toBeInstanceOf(EngineError);
  }
  toString = (): string => `delete ${this.company}/${this.path}`;
}

class Reopen implements Command {
  check = (): boolean => true;
  async run(_model: Model, real: Real): Promise<void> {
    await real.engine.close();
    await real.open();
  }
  toString = (): string => 'reopen';
}

class Compare implements Command {
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.engine.idle();
    for (const [name, files] of model.companies) {
      const company = await real.company(name);
      const records = await company.list();
      expect(
        records.map(({ path, uid, sha256, attributes, state }) => ({ path, uid, sha256, attributes, state })),
      ).toEqual(
        [...files]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([path, { uid, length, attributes }]) => ({
            path,
            uid,
            attributes,
            state: 'indexed',
            sha256: createHash('sha256')
              .update(boxStl(length, 2, 3))
              .digest('hex'),
          })),
      );
      for (const { uid, length } of files.values()) {
        expect((await company.get(uid)).volumeMm3).toBeCloseTo(6 * length, 3);
        const { hits } = await company.search({ like: { uid }, limit: 100 });
        expect(new Set(hits.map((hit) => hit.uid))).toEqual(new Set([...files.values()].map((file) => file.uid)));
      }
    }
    expect((await real.engine.verify({ repair: false })).problems).toEqual([]);
    const stats = await real.engine.stats();
    expect(stats.files).toBe([...model.companies.values()].reduce((sum, files) => sum + files.size, 0));
    expect(stats.blobBytes).toBe(
      684 *
        new Set([...model.companies.values()].flatMap((files) => [...files.values()].map(({ length }) => length))).size,
    );
  }
  toString = (): string => 'compare';
}

test('a library equals its model', { timeout: 600_000 }, async () => {
  const company = fc.constantFrom('acme', 'other');
  const path = fc.constantFrom('a.stl', 'b/c.stl', 'd.stl');
  const put = fc
    .tuple(
      company,
      path,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      fc.constantFrom(3 as const, 4 as const),
      fc.option(fc.constant<readonly string[]>(['n=1']), { nil: undefined }),
    )
    .map((args) => new Put(...args));
  const commands = fc.commands(
    [
      put,
      put,
      fc.tuple(company, path).map((args) => new Delete(...args)),
      fc.constant(new Reopen()),
      fc.constant(new Compare()),
    ],
    { maxCommands: 20, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (series) => {
      const real = new Real();
      const model: Model = { companies: new Map() };
      await real.open();
      try {
        await fc.asyncModelRun(() => ({ model, real }), series);
        await new Compare().run(model, real);
      } finally {
        await real.engine.close();
      }
    }),
    { numRuns: runs(25), seed: 20_261_121 },
  );
});
