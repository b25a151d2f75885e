import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandler } from '../../dist/http/index.js';
import { openHost, partStl, requestOf, type Answer, type Host } from './host.js';

// Rows of the interface that once were there in name alone.

const SEARCH_INPUT = '00000077-1111-4222-8333-444444444444';
let host: Host;
let part: string;
beforeAll(async () => {
  host = await openHost();
  const put = async (file: string, bytes: Uint8Array): Promise<string> =>
    (await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query: { file, isSearchInput: false } })).text;
  part = await put('parts/a.stl', partStl(7, 8, 9));
  await put('parts/b.stl', partStl(7, 8, 12));
  await put('texts/order.txt', Buffer.from(`Order 4711: twenty flanges.\n${'Filler and more of it. '.repeat(400)}`));
});
afterAll(() => host.close());

const search = async (filterStr: string): Promise<any> =>
  (await host.send('GET', '/api/Search', { as: 'ada', query: { filterStr } })).json;

test('FullText holds the text of what was found by words', async () => {
  const [order] = (await search('FT=flanges')).ResultsList;
  expect(order.FullText).toMatch(/^Order 4711: twenty flanges\.\nFiller and more/);
  expect(order.FullText).toHaveLength(4_000);
  const [like] = (await search(`fileUID=${part}`)).ResultsList;
  expect(like.FullText).toBeNull();
});

test('logo is the picture that was set', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const logo = async (): Promise<unknown> =>
    (await host.send('GET', '/CompanyProfile', { as: 'ada', query: { companyID: 'acme' } })).json.logo;
  expect(await logo()).toBeNull();
  expect((await host.send('PUT', '/CompanyLogo', { as: 'admin', json: png.toString('base64') })).json).toBe(true);
  expect(await logo()).toBe(`data:image/png;base64,${png.toString('base64')}`);
  await host.send('DELETE', '/CompanyLogo', { as: 'admin' });
  expect(await logo()).toBeNull();
});

test('limits of a plan are numbers, those that are not set the largest', async () => {
  const usage = async (): Promise<Answer['json']> => (await host.send('GET', '/api/MonthlyUsage', { as: 'ada' })).json;
  const none = 2_147_483_647;
  expect(await usage()).toMatchObject({
    FilePlanLimit: none,
    RemainingFiles: none,
    TokenPlanLimit: none,
    RemainingTokens: none,
  });
  await host.engine.accounts.setPlan('acme', { fileLimit: 10 });
  expect(await usage()).toMatchObject({ FilePlanLimit: 10, RemainingFiles: 7, TokenPlanLimit: none });
});

test('the record says what was noticed when the file was read', async () => {
  const warningsOf = async (bytes: Uint8Array, file: string): Promise<unknown> =>
    (await host.send('PUT', '/api/FileBinaryDirect', { as: 'ada', bytes, query: { file, uid: SEARCH_INPUT } })).json
      .Warnings;
  expect(await warningsOf(partStl(5, 6, 7), '.stl')).toEqual([]);
  // A triangle less: the surface is open.
  const open = partStl(5, 6, 7).slice();
  new DataView(open.buffer).setUint32(80, new DataView(open.buffer).getUint32(80, true) - 1, true);
  const warnings = (await warningsOf(open, '.stl')) as string[];
  expect(warnings.length).toBeGreaterThan(0);
  for (const warning of warnings) expect(warning).toMatch(/^[A-Z_]+: ./);
});

test('categories: of the input, of the results, and the others', async () => {
  expect(await search(`fileUID=${part}`)).toMatchObject({ CurrentCategory: null, AdditionalCategories: null });
  const category = async (name: string, path: string): Promise<number> => {
    const { ID } = (await host.send('GET', '/CustomProductCategory', { as: 'ada', query: { name } })).json;
    const fileUID = (await host.send('GET', '/api/File', { as: 'ada', query: { fileName: path } })).json.UID;
    await host.send('PUT', '/FileCategory', { as: 'ada', query: { fileUID, categoryId: ID } });
    return ID;
  };
  const blocks = await category('Blocks', 'parts/a.stl');
  const towers = await category('Towers', 'parts/b.stl');
  const shown = (id: number, name: string): object => ({
    name,
    imageURL: null,
    count: 1,
    searchURL: null,
    searchFilterValue: String(id),
    shortName: name,
  });
  expect(await search(`fileUID=${part}`)).toMatchObject({
    CurrentCategory: shown(blocks, 'Blocks'),
    AdditionalCategories: [shown(towers, 'Towers')],
    Categories: [shown(blocks, 'Blocks'), shown(towers, 'Towers')],
  });
  // Words that only one of them has.
  expect(await search('FT=b.stl')).toMatchObject({
    CurrentCategory: shown(towers, 'Towers'),
    AdditionalCategories: null,
    Categories: [shown(towers, 'Towers')],
  });
});

test('links are whole: of the address that was asked, as a trusted proxy says it', async () => {
  const linkOf = async (trustProxy: readonly string[], address: string): Promise<string> => {
    const handler = createHandler(host.engine, { trustProxy });
    const headers = { 'X-Forwarded-Proto': 'https', Host: 'cad.example.com' };
    const request = requestOf('GET', '/api/File', { as: 'ada', query: { fileUID: part }, headers }, host.tokens);
    const url = request.url.replace('localhost', 'cad.example.com:81');
    const answer = await handler(new Request(url, request), { address });
    return ((await answer.json()) as { ThumbNailURLFromID: string }).ThumbNailURLFromID;
  };
  expect(await linkOf([], '10.0.0.1')).toMatch(/^http:\/\/cad\.example\.com:81\/api\/Image\?fid=/);
  expect(await linkOf(['10.0.0.1'], '192.0.2.1')).toMatch(/^http:\/\/cad\.example\.com:81\/api\/Image\?fid=/);
  expect(await linkOf(['10.0.0.1'], '10.0.0.1')).toMatch(/^https:\/\/cad\.example\.com:81\/api\/Image\?fid=/);
});
