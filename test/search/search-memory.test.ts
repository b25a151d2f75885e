import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Engine } from '../../dist/index.js';
import { CompanySearch } from '../../dist/search/company-search.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
afterEach(() => vi.restoreAllMocks());

test('companies that do not fit into the memory for searches give theirs up, and find the same when it is read anew', async () => {
  const library = join(folder, 'library');
  const names = ['acme', 'globex', 'initech'];
  const options = { workers: 1, pictures: 'none' } as const;
  const opened = vi.spyOn(CompanySearch, 'open');
  const shownBy = async (engine: Engine): Promise<unknown> =>
    Promise.all(
      names.map(async (name) => {
        const company = await engine.company(name);
        const { hits } = await company.search({ like: { uid: (await company.find('box 0.stl'))!.uid } });
        return hits.map(({ path, score }) => [path, score]);
      }),
    );
  const first = await Engine.open(library, options);
  for (const name of names) {
    const company = await first.company(name);
    for (let at = 0; at < 2; at++) await company.put(`box ${at}.stl`, boxStl(1, 2, 3 + at / 9 + name.length));
  }
  const wanted = await shownBy(first);
  expect(opened).toHaveBeenCalledTimes(names.length);
  await first.close();

  const bounded = await Engine.open(library, { ...options, searchMemoryMiB: 2 });
  opened.mockClear();
  expect(await shownBy(bounded)).toEqual(wanted);
  expect(await shownBy(bounded)).toEqual(wanted);
  expect(opened.mock.calls.length).toBeGreaterThan(names.length);
  // What changes while a company's search is closed is found when it is opened again.
  const [acme, globex] = [await bounded.company('acme'), await bounded.company('globex')];
  await globex.search({ text: 'box' });
  const { uid } = await acme.put('box 2.stl', boxStl(1, 2, 3 + 2 / 9 + 4));
  await shownBy(bounded);
  expect((await acme.search({ like: { uid } })).hits).toHaveLength(3);
  await acme.delete(uid);
  await shownBy(bounded);
  expect((await acme.search({ text: 'box' })).total).toBe(2);
  await bounded.close();
});
