import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { lBracket } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';
import { base64, NOWHERE, openHost, partStl, type Answer, type Host, type SendOptions, type Who } from './host.js';

// What a member uploads to search with is nobody else's: to other members it is as if it did not exist. The endpoints
// are those of the OpenAPI document, so that a new one cannot be forgotten.

const PUMP = stepFile({
  parts: [{ name: 'block', shape: { kind: 'box', x: 10, y: 20, z: 30 } }],
  assemblies: [{ name: 'pump', places: [0, 40].map((x) => ({ of: { part: 0 }, at: [x, 0, 0] as const })) }],
});

/** What else an endpoint needs, by its name. */
const MORE: Readonly<Record<string, SendOptions>> = {
  'GET /FacesImage': { query: { faces: '0' } },
  'GET /InspectionFile': { query: { format: 'csv' } },
  'GET /BillOfMaterialsFile': { query: { format: 'csv' } },
  'PUT /FileAttributes': { json: ['a=1'] },
  'PUT /ExtractedAttributeFeedback': { query: { feedback: 'right' }, json: 'a=1' },
  'PUT /FileCategory': { query: { categoryId: -1 } },
  'PUT /RecordPath': { query: { path: 'x.stl' } },
  'GET /Converted': { query: { to: 'stl' } },
  'PUT /DuplicateDecisions': { query: { kind: 'keep' } },
  'GET /Image': { query: { token: 'bearer' } },
};
/** Parameters that name files by UID, and how. */
const NAMES: Readonly<Record<string, (uid: string) => string>> = {
  fileUID: (uid) => uid,
  otherUID: (uid) => uid,
  queryUID: (uid) => uid,
  fid: (uid) => uid,
  uids: (uid) => uid,
  from: (uid) => uid,
  filterStr: (uid) => `fileUID=${uid}`,
  query: (uid) => JSON.stringify({ like: { uid } }),
};
/** It searches with the bytes that it is sent. */
const OTHERWISE: ReadonlySet<string> = new Set(['PUT /Search']);

let host: Host;
let named: readonly (readonly [name: string, parameters: readonly string[]])[] = [];
const inputs: Record<'part' | 'drawing' | 'pump' | 'component', string> = {
  part: '',
  drawing: '',
  pump: '',
  component: '',
};
let stored = '';

beforeAll(async () => {
  host = await openHost({ mcp: 'write' });
  const put = async (bytes: Uint8Array, query: SendOptions['query']): Promise<string> =>
    (await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes, query })).text;
  inputs.part = await put(partStl(4, 5, 6), { file: '.stl' });
  inputs.drawing = await put(Buffer.from(dxfOf(lBracket(60, 8, 30))), { file: '.dxf' });
  inputs.pump = await put(PUMP as Uint8Array, { file: '.step', indexAssemblyComponents: true });
  inputs.component = (await (await host.engine.company('acme')).components(inputs.pump))[0].uid;
  stored = await put(partStl(1, 2, 3), { file: 'stored.stl', isSearchInput: false });
  const { paths } = (await host.send('GET', '/openapi.json')).json;
  named = Object.entries<any>(paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { parameters = [] }]) => {
      const names = parameters.map(({ name }: { name: string }) => name).filter((name: string) => name in NAMES);
      const name = `${method.toUpperCase()} ${path}`;
      return names.length === 0 || OTHERWISE.has(name) ? [] : [[name, names] as const];
    }),
  );
});
afterAll(() => host.close());

/** Sends a request that names a file in one parameter; the others name one that the sender may see. */
function ask(name: string, parameters: readonly string[], at: string, uid: string, as: Who): Promise<Answer> {
  const [method, path] = name.split(' ');
  const { query, ...more } = MORE[name] ?? {};
  const needed = parameters.filter((one) => one === at || ['fileUID', 'otherUID', 'queryUID'].includes(one));
  const uids = Object.fromEntries(needed.map((one) => [one, NAMES[one](one === at ? uid : stored)]));
  if (at === 'from') uids['uids'] = stored;
  return host.send(method, `/api${path}`, {
    as,
    ...more,
    query: { ...query, ...(at === 'from' ? { kind: 'different' } : {}), ...uids },
  });
}

const bare = ({ status, text }: Answer, uid: string): unknown[] => [
  status,
  text
    .replaceAll(uid, 'UID')
    .replace(/"traceId":"[^"]*"/, '')
    .replace(/"(SearchTime|elapsedMs)":[^,]*/, ''),
];

test('every endpoint that names a file is walked', () => {
  expect(named.length).toBeGreaterThanOrEqual(26);
});

test('nobody else sees it, by any endpoint: the answer is that for a UID that nobody has', async () => {
  let asked = 0;
  for (const [name, parameters] of named) {
    for (const at of parameters) {
      const nothing = await ask(name, parameters, at, NOWHERE, 'bob');
      for (const uid of Object.values(inputs)) {
        const answer = await ask(name, parameters, at, uid, 'bob');
        asked++;
        // Who may not delete a file that exists is told so: the interface asks for 403.
        if (name === 'DELETE /File' && uid !== inputs.component)
          expect([answer.status, answer.json]).toEqual([403, false]);
        else expect([name, at, ...bare(answer, uid)]).toEqual([name, at, ...bare(nothing, NOWHERE)]);
      }
    }
  }
  expect(asked).toBeGreaterThanOrEqual(110);
});

test('of every endpoint that reads a file, the answer is 404', async () => {
  const found = new Set<string>();
  for (const [name, parameters] of named) {
    const answer = await ask(name, parameters, parameters[0], inputs.part, 'bob');
    if (answer.status !== 404) found.add(`${name} ${answer.status}`);
  }
  expect([...found].sort()).toEqual(['DELETE /File 403']);
});

/** Queries of GET Find and POST FindFile that name a file, beside the plain `like`. */
const QUERIES: Readonly<Record<string, (uid: string) => object>> = {
  'one of several': (uid) => ({ like: [{ uid: stored }, { uid }] }),
  contains: (uid) => ({ contains: { uid } }),
  'contains some faces': (uid) => ({ contains: { uid, faces: [0] } }),
  within: (uid) => ({ text: 'stored', within: [uid] }),
  'within, by shape': (uid) => ({ like: { uid: stored }, within: [uid] }),
};

test('nor in a query, wherever it is named, nor in the file of its hits', async () => {
  for (const [name, queryOf] of Object.entries({ like: (uid: string) => ({ like: { uid } }), ...QUERIES })) {
    const find = (uid: string, as: Who): Promise<Answer> =>
      host.send('GET', '/api/Find', { as, query: { query: JSON.stringify(queryOf(uid)) } });
    const file = (uid: string, as: Who): Promise<Answer> =>
      host.send('POST', '/api/FindFile', { as, query: { format: 'csv' }, json: JSON.stringify(queryOf(uid)) });
    for (const ask of [find, file]) {
      const nothing = await ask(NOWHERE, 'bob');
      for (const uid of Object.values(inputs))
        expect([name, ...bare(await ask(uid, 'bob'), uid)]).toEqual([name, ...bare(nothing, NOWHERE)]);
    }
  }
});

/** A message to the tools for agents. */
function message(method: string, params: object, as: Who): Promise<Answer> {
  const headers = { Accept: 'application/json, text/event-stream' };
  return host.send('POST', '/api/mcp', { as, headers, json: { jsonrpc: '2.0', id: 1, method, params } });
}

test('nor any tool for agents, nor their resources', async () => {
  const { tools } = (await message('tools/list', {}, 'bob')).json.result;
  let asked = 0;
  for (const { name, inputSchema } of tools) {
    for (const at of ['part', 'second'].filter((one) => one in inputSchema.properties)) {
      const call = (uid: string): Promise<Answer> => {
        const more = name === 'set_attributes' ? { attributes: ['a=1'] } : {};
        const second = 'second' in inputSchema.properties ? { second: stored } : {};
        return message('tools/call', { name, arguments: { part: stored, ...second, ...more, [at]: uid } }, 'bob');
      };
      const nothing = await call(NOWHERE);
      for (const uid of Object.values(inputs)) {
        const answer = await call(uid);
        expect([name, at, answer.json.result?.isError]).toEqual([name, at, true]);
        expect([name, at, ...bare(answer, uid)]).toEqual([name, at, ...bare(nothing, NOWHERE)]);
        asked++;
      }
    }
  }
  expect(asked).toBeGreaterThanOrEqual(40);
  for (const what of ['file', 'picture', 'text']) {
    const read = (uid: string): Promise<Answer> =>
      message('resources/read', { uri: `shapedex://${what}/${uid}` }, 'bob');
    const nothing = await read(NOWHERE);
    for (const uid of Object.values(inputs)) {
      const answer = await read(uid);
      expect([what, 'error' in answer.json]).toEqual([what, true]);
      expect([what, ...bare(answer, uid)]).toEqual([what, ...bare(nothing, NOWHERE)]);
    }
  }
  const listed = (await message('resources/list', {}, 'bob')).text;
  for (const uid of Object.values(inputs)) expect(listed).not.toContain(uid);
});

describe.each(['ada', 'admin', 'operator'] as const)('%s', (as) => {
  test('sees it by every endpoint that reads one', async () => {
    for (const path of [
      'Record',
      'File',
      'FileStatus',
      'Text',
      'Download',
      'PMIData',
      'Model',
      'Image',
      'Find',
      'Search',
    ]) {
      const parameter = { Image: 'fid', Find: 'query', Search: 'filterStr' }[path] ?? 'fileUID';
      const answer = await ask(`GET /${path}`, [parameter], parameter, inputs.part, as);
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });
});

test('a picture token of the owner shows the picture; nobody else gets one', async () => {
  const { ThumbNailURLFromID: link } = (
    await host.send('GET', '/api/File', { as: 'ada', query: { fileUID: inputs.part } })
  ).json;
  expect((await host.send('GET', link)).status).toBe(200);
  await host.engine.accounts.setProfile('acme', { publiclyAccessible: true });
  const open = (fileUID: string): Promise<Answer> =>
    host.send('GET', '/api/File', { query: { fileUID, accountName: 'acme' } });
  expect([(await open(stored)).status, (await open(inputs.part)).status]).toEqual([200, 404]);
  await host.engine.accounts.setProfile('acme', { publiclyAccessible: false });
});

test('nobody else replaces it, as an input or as a file', async () => {
  for (const isSearchInput of [true, false]) {
    const query = { file: isSearchInput ? '.stl' : 'taken.stl', isSearchInput, uid: inputs.part };
    const answer = await host.send('PUT', '/api/FileBinary', { as: 'bob', bytes: partStl(7, 7, 7), query });
    expect([answer.status, answer.json.code]).toEqual([409, 'UID_TAKEN']);
  }
  const { sha256 } = (await host.send('GET', '/Record', { as: 'ada', query: { fileUID: inputs.part } })).json;
  const { createHash } = await import('node:crypto');
  expect(sha256).toBe(
    createHash('sha256')
      .update(partStl(4, 5, 6))
      .digest('hex'),
  );
});

test('a request for quotation is its sender’s, and the input made of it', async () => {
  const put = (as: Who, rfqId: string): Promise<Answer> =>
    host.send('PUT', '/api/RFQ', { as, query: { fileName: 'a.stl', rfqId }, json: base64(partStl(8, 8, 9)) });
  const rfq = (method: string, as: Who, rfqId: string): Promise<Answer> =>
    host.send(method, '/api/RFQ', { as, query: { rfqId } });
  expect((await put('ada', 'mine')).status).toBe(200);
  await host.engine.idle();
  const { FileUID } = (await rfq('GET', 'ada', 'mine')).json;
  expect((await host.send('GET', '/Record', { as: 'bob', query: { fileUID: FileUID } })).status).toBe(404);
  for (const method of ['GET', 'DELETE']) {
    const [answer, nothing] = [await rfq(method, 'bob', 'mine'), await rfq(method, 'bob', 'nobody')];
    expect(answer.status).toBe(404);
    expect(bare(answer, 'mine')).toEqual(bare(nothing, 'nobody'));
  }
  expect((await put('bob', 'mine')).status).toBe(409);
  expect((await rfq('GET', 'admin', 'mine')).json.FileUID).toBe(FileUID);
  expect((await rfq('DELETE', 'ada', 'mine')).json).toBe(true);
});

test('only who put it makes it everybody’s; an admin, who may read it, does not', async () => {
  const keep = (as: Who, fileUID: string): Promise<Answer> =>
    host.send('PUT', '/api/KeptInput', { as, query: { fileUID, days: 2 } });
  const own = (
    await host.send('PUT', '/api/FileBinary', { as: 'ada', bytes: partStl(7, 5, 6), query: { file: '.stl' } })
  ).text;
  expect((await keep('bob', own)).status).toBe(404);
  for (const as of ['admin', 'operator'] as const) expect((await keep(as, own)).status, as).toBe(403);
  expect((await host.send('GET', '/api/Record', { as: 'bob', query: { fileUID: own } })).status).toBe(404);
  expect((await keep('ada', own)).status).toBe(200);
  expect((await host.send('GET', '/api/Record', { as: 'bob', query: { fileUID: own } })).status).toBe(200);
  // From then on it is everybody's.
  for (const as of ['bob', 'admin'] as const) expect((await keep(as, own)).status, as).toBe(200);
});

test('what the tools for agents change is in the log of changes, by its user', async () => {
  const call = (name: string, args: object): Promise<Answer> => message('tools/call', { name, arguments: args }, 'ada');
  const upload = { base64: Buffer.from(partStl(2, 2, 9)).toString('base64'), name: 'agent.stl' };
  const added = await call('add_file', { path: 'agents/agent.stl', upload });
  expect(added.json.result.isError, added.text).not.toBe(true);
  const { uid } = added.json.result.structuredContent;
  await call('set_attributes', { part: uid, attributes: ['Material=Steel'] });
  await call('search_parts', { words: 'agent' });
  // What is stored and cannot be read is a change, too.
  const broken = { base64: Buffer.from('solid x').toString('base64'), name: 'broken.stl' };
  expect((await call('add_file', { path: 'agents/broken.stl', upload: broken })).json.result.isError).toBe(true);
  const entries = (await host.send('GET', '/api/Audit', { as: 'admin' })).json as any[];
  expect(
    entries
      .filter(({ action }) => action.startsWith('MCP'))
      .map(({ actor, action, object, outcome }) => [actor, action, object, outcome]),
  ).toEqual([
    ['ada@acme.example', 'MCP add_file', 'agents/broken.stl', 'done'],
    ['ada@acme.example', 'MCP set_attributes', uid, 'done'],
    ['ada@acme.example', 'MCP add_file', 'agents/agent.stl', 'done'],
  ]);
});
