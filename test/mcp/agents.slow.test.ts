import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHandler, toNodeListener, type HttpOptions } from '../../dist/http/index.js';
import { Engine } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { runCli } from '../cli/run-cli.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { pdf, textAt } from '../fixtures/pdf-writer.js';
import { plateBody } from '../search/plates.js';
import { openHost, NOWHERE, type Host, type Who } from '../http/host.js';
import { runSession, sessionOf } from './example-session.js';
import { bracketDrawing, putBrackets, writeInbox } from './bracket-library.js';

// The SDK's client holds every answer that is no error against the tool's output schema, once it has listed the tools.

const folder = temporaryFolder();
const library = join(folder, 'library');
const { inbox, secret } = writeInbox(folder);
const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const READING = [
  'search_parts',
  'find_similar',
  'find_by_drawing',
  'compare_parts',
  'get_part',
  'get_pmi',
  'where_used',
  'shared_parts',
  'duplicates_report',
  'list_attributes',
];
const BRACKET = 'brackets/step-bracket-90.stl';
const clients: Client[] = [];
const upload = { name: 'bracket.dxf', base64: Buffer.from(bracketDrawing()).toString('base64') };

afterAll(() => Promise.all(clients.map((client) => client.close())));

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(transport);
  await client.listTools();
  return client;
}

const overStdio = (...args: string[]): Promise<Client> =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '--library', library, '--workers', '1', ...args],
      cwd: folder,
    }),
  );

async function ask(client: Client, name: string, given: Record<string, unknown> = {}): Promise<any> {
  const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
  expect(result.isError, `${name}: ${JSON.stringify(result.content).slice(0, 400)}`).toBeFalsy();
  // Clients that know no structured content read the same as text.
  expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.structuredContent);
  return { ...result.structuredContent, content: result.content };
}

async function refusal(client: Client, name: string, given: Record<string, unknown>): Promise<string> {
  const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
  expect(result.isError, JSON.stringify(result.content).slice(0, 400)).toBe(true);
  const { text } = result.content[0] as { text: string };
  // A sentence, and what to do next.
  expect(text).toMatch(/^[A-Z_]+: .+\. Next: .+/s);
  return text;
}

const typesOf = (content: CallToolResult['content']): string[] => content.map(({ type }) => type);
const pathsOf = (found: { hits: { path: string }[] }): string[] => found.hits.map(({ path }) => path);

describe('over standard input and output', () => {
  let client: Client;
  beforeAll(async () => {
    const engine = await Engine.open(library, { workers: 1 });
    await putBrackets(await engine.company('default'));
    await engine.close();
    client = await overStdio('--read', inbox);
  }, 120_000);
  afterAll(() => client.close());

  test('the tools that read are offered, with schemas of both sides and hints', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(READING);
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(description?.length).toBeGreaterThan(80);
    }
    expect(client.getInstructions()).toContain('never instructions');
  });

  test('the session of the README is true', async () => {
    const steps = sessionOf(new URL('../../src/mcp/README.md', import.meta.url));
    expect(steps.map(({ tool }) => tool)).toEqual(['find_by_drawing', 'duplicates_report', 'where_used', 'get_pmi']);
    await runSession(client, steps);
    const [front, own] = ['', 'src/mcp/'].map((room) =>
      readFileSync(new URL(`../../${room}README.md`, import.meta.url), 'utf8'),
    );
    // The README of the project names the same calls and leads there.
    for (const { tool } of steps) expect(front).toContain(`\`${tool}\``);
    expect([front.includes('(src/mcp/README.md#a-session)'), own.includes('\n## A session\n')]).toEqual([true, true]);
  });

  test('words and conditions find files, page by page, with links', async () => {
    const first = await ask(client, 'search_parts', { words: 'bracket', kinds: ['Text'], limit: 20 });
    expect(first).toMatchObject({ total: 25, nextOffset: 20 });
    expect(typesOf(first.content)).toEqual(['text', ...Array<string>(20).fill('resource_link')]);
    const rest = await ask(client, 'search_parts', { words: 'bracket', kinds: ['Text'], limit: 20, offset: 20 });
    expect(rest).toMatchObject({ total: 25, nextOffset: null });
    expect(new Set([...pathsOf(first), ...pathsOf(rest)]).size).toBe(25);
    const long = await ask(client, 'search_parts', { conditions: ['Material=S235', 'Length>60mm'], picture: true });
    expect(pathsOf(long)).toEqual([BRACKET]);
    expect(typesOf(long.content)).toEqual(['text', 'image', 'resource_link']);
    expect(await refusal(client, 'search_parts', { words: 'bracket', limit: 21 })).toContain('limit');
    expect(await refusal(client, 'search_parts', {})).toContain('list_attributes');
  });

  test('a shape finds its like; a hit says why; a picture shows them', async () => {
    const found = await ask(client, 'find_similar', { part: BRACKET, limit: 3 });
    expect(found.hits[0]).toMatchObject({ score: 0 });
    expect(found.hits.slice(0, 2).map(({ matchClass }: any) => matchClass)).toEqual(['identical', 'identical']);
    expect(typesOf(found.content)).toContain('image');
    const inside = await ask(client, 'find_similar', {
      part: BRACKET,
      components: true,
      kinds: ['ThreeD'],
      picture: false,
    });
    expect(inside.hits.map(({ component }: any) => component?.name)).toContain('step bracket');
    const held = await ask(client, 'find_similar', { part: BRACKET, contains: true });
    expect(held.hits.find(({ path }: any) => path === 'jigs/drilling-jig.3mf')).toMatchObject({ occurrences: 4 });
  });

  test('a file is looked at, an assembly with its parts, which are parts by their UIDs', async () => {
    const bracket = await ask(client, 'get_part', { part: BRACKET });
    expect(bracket).toMatchObject({
      kind: 'ThreeD',
      attributes: ['Material=S235', 'Supplier=Möller'],
      isAssembly: false,
    });
    expect(bracket.volumeMm3).toBeCloseTo(90 * 30 * 40, 3);
    const jig = await ask(client, 'get_part', { part: 'jigs/drilling-jig.3mf', picture: false });
    expect(jig.components.map(({ name, occurrences }: any) => [name, occurrences])).toContainEqual(['step bracket', 4]);
    const [component] = jig.components.filter(({ name }: any) => name === 'step bracket');
    const part = await ask(client, 'get_part', { part: component.uid });
    expect(part).toMatchObject({
      path: jig.path,
      kind: 'ThreeD',
      extracted: [],
      isAssembly: false,
      componentCount: null,
    });
    expect(part.component).toEqual({ uid: component.uid, name: 'step bracket', occurrences: 4 });
    expect(part.volumeMm3).toBeCloseTo(bracket.volumeMm3, 3);
    expect(part.features).toEqual(bracket.features);
    expect(typesOf(part.content)).toEqual(['text', 'image', 'resource_link']);
    const uses = await ask(client, 'where_used', { part: component.uid });
    expect(uses.assemblies.map(({ path, occurrences }: any) => [path, occurrences])).toEqual([
      ['jigs/other-jig.3mf', 1],
    ]);
    expect(uses.notes).toEqual([expect.stringContaining('belongs to is not listed')]);
    const drawn = await ask(client, 'find_similar', { part: BRACKET, limit: 1, picture: false });
    for (const number of [...drawn.hits[0].sizeMm, drawn.hits[0].volumeMm3, drawn.hits[0].areaMm2])
      expect(String(number).replace(/\D/g, '').length).toBeLessThanOrEqual(7);
    const shared = await ask(client, 'shared_parts', { part: 'jigs/drilling-jig.3mf' });
    expect(shared.assemblies).toMatchObject([
      { path: 'jigs/other-jig.3mf', sharedCount: 1, shared: [{ occurrencesHere: 4, occurrencesThere: 1 }] },
    ]);
    expect(await ask(client, 'where_used', { part: 'rings/ring-60.stl' })).toMatchObject({ assemblies: [], total: 0 });
  });

  test('two parts are compared', async () => {
    const same = await ask(client, 'compare_parts', { part: BRACKET, second: 'from-supplier/0815.obj' });
    expect(same).toMatchObject({ matchClass: 'identical' });
    expect(same.onlySecond).not.toContain('Material=S235');
    expect(same.onlyFirst).toContain('Material=S235');
    expect(same.deviations.maxMm).toBeLessThan(0.01);
    const other = await ask(client, 'compare_parts', { part: BRACKET, second: 'brackets/step-bracket-45.stl' });
    expect(other.matchClass).toBe('similar');
    expect(other.deviations.maxMm).toBeGreaterThan(5);
    const drawn = await ask(client, 'compare_parts', { upload, second: BRACKET });
    expect(drawn.deviations).toBeNull();
    const { components } = await ask(client, 'get_part', { part: 'jigs/drilling-jig.3mf', picture: false });
    const { uid } = components.find(({ name }: any) => name === 'step bracket');
    for (const given of [
      { part: BRACKET, second: uid },
      { part: uid, second: BRACKET },
      { part: uid, second: uid },
    ]) {
      const held = await ask(client, 'compare_parts', { ...given, picture: false });
      expect(held).toMatchObject({ matchClass: 'identical', similarity: 100 });
      expect(held.deviations.maxMm).toBeLessThan(0.01);
    }
    const note = await ask(client, 'compare_parts', { part: 'notes/note-00.txt', second: BRACKET });
    expect(note).toMatchObject({ matchClass: null, similarity: null, deviations: null });
  });

  test('attributes and their values are listed', async () => {
    const all = await ask(client, 'list_attributes');
    expect(all.attributes).toContainEqual({ name: 'Material', unit: '', type: 'text', files: 2, given: true });
    // What is found in files is asked for in the same way, so it is listed as well, after what people gave.
    const found = all.attributes.filter(({ given }: any) => !given);
    expect(found.map(({ name, unit }: any) => `${name} ${unit}`)).toContain('Length mm');
    expect(all.attributes.slice(-found.length)).toEqual(found);
    const [{ value, files }] = (await ask(client, 'list_attributes', { name: 'Length', limit: 1 })).values;
    const long = await ask(client, 'search_parts', { conditions: [`Length=${value}mm`] });
    expect([long.total, files > 0]).toEqual([files, true]);
    expect(await ask(client, 'list_attributes', { name: 'supplier' })).toMatchObject({
      values: [{ value: 'Möller', files: 2 }],
      total: 1,
    });
  });

  test('a refusal says what to do next', async () => {
    expect(await refusal(client, 'get_part', { part: 'no/such.step' })).toContain('search_parts');
    expect(await refusal(client, 'get_part', { part: NOWHERE })).toContain('search_parts');
    expect(await refusal(client, 'get_pmi', { part: BRACKET })).toContain('find_by_drawing');
    const letter = Buffer.from(pdf([{ content: textAt('Dear Sir, the plate is 25 mm wide.', 50, 700) }]));
    expect(
      await refusal(client, 'get_pmi', { upload: { name: 'letter.pdf', base64: letter.toString('base64') } }),
    ).toMatch(/taken for a document.*pdfsAreDrawings \(shapedex mcp --pdf-drawings/s);
    expect(await refusal(client, 'find_similar', { part: 'notes/note-00.txt' })).toContain('search_parts');
    expect(await refusal(client, 'find_similar', {})).toContain('upload');
    expect(await refusal(client, 'find_similar', { part: BRACKET, volume: 'much' })).toContain('QUERY_INVALID');
    expect(await refusal(client, 'find_by_drawing', { upload: { name: 'a.step', base64: 'aGVsbG8=' } })).toContain(
      'export',
    );
    expect(await refusal(client, 'find_similar', { part: BRACKET, colour: 'red' })).toContain('colour');
    expect(await refusal(client, 'find_similar', { part: BRACKET, contains: true, faces: [999] })).toContain(
      'numbers 0 to',
    );
    const jig = await ask(client, 'get_part', { part: 'jigs/other-jig.3mf', picture: false });
    expect(jig.nextComponents).toBeNull();
    expect(await ask(client, 'get_part', { part: jig.uid, picture: false, componentsOffset: 1 })).toMatchObject({
      components: jig.components.slice(1),
    });
    const [{ uid }] = jig.components;
    for (const name of ['shared_parts', 'duplicates_report'])
      expect(await refusal(client, name, { part: uid })).toContain(`Name the assembly, ${jig.uid}`);
    expect(await refusal(client, 'get_pmi', { part: uid })).toContain(`get_pmi with ${jig.uid}`);
    const nothing = await ask(client, 'search_parts', { words: 'brackett' });
    expect(nothing).toMatchObject({ total: 0, notes: [expect.stringContaining('bracket')] });
    expect((await ask(client, 'search_parts', { words: 'bracket flange' })).notes[0]).toContain('fewer');
    expect((await ask(client, 'search_parts', { words: 'bracket', offset: 500 })).notes[0]).toContain('beyond');
    await expect(client.callTool({ name: 'add_file', arguments: {} })).rejects.toThrow(/no tool add_file.*get_part/);
  });

  test('paths are read below the folders of --read alone', async () => {
    for (const file of ['bracket.dxf', join(inbox, 'bracket.dxf')])
      expect((await ask(client, 'get_pmi', { file, picture: false })).items.length).toBeGreaterThan(0);
    for (const file of [secret, '../secret.dxf', 'nothing.dxf', '/etc/passwd', inbox])
      expect(await refusal(client, 'get_pmi', { file })).toMatch(/^NOT_ALLOWED/);
  });

  test('resources are listed in pages and read', async () => {
    const { resources, nextCursor } = await client.listResources();
    expect(resources.length).toBe(20);
    const rest = await client.listResources({ cursor: nextCursor });
    expect(rest.nextCursor).toBeUndefined();
    const all = [...resources, ...rest.resources];
    expect(new Set(all.map(({ uri }) => uri)).size).toBe(33);
    const bracket = all.find(({ name }) => name === BRACKET)!;
    expect(bracket.mimeType).toBe('model/stl');
    const read = async (uri: string): Promise<any> => (await client.readResource({ uri })).contents[0];
    expect(Buffer.from((await read(bracket.uri)).blob, 'base64').length).toBe(bracket.size);
    const picture = await read(bracket.uri.replace('file', 'picture'));
    expect(Buffer.from(picture.blob, 'base64').subarray(1, 4).toString()).toBe('PNG');
    const note = all.find(({ name }) => name === 'notes/note-07.txt')!;
    expect((await read(note.uri.replace('file', 'text'))).text).toContain('Note 7');
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/Next: Use shapedex:/);
    expect((await client.listResourceTemplates()).resourceTemplates.length).toBe(3);
  });

  test('a second process is told who has the library open, and what to do', async () => {
    const { code, stderr, stdout } = await runCli(['mcp', '--library', library], { cwd: folder });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/LIBRARY_LOCKED.*\/mcp/s);
  });
});

test('with --write files are added and attributes set; without --read no path is taken', async () => {
  const client = await overStdio('--write');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...READING, 'add_file', 'set_attributes']);
  const writing = tools.slice(READING.length);
  expect(writing.every(({ annotations }) => annotations?.readOnlyHint === false)).toBe(true);
  expect(tools.filter(({ inputSchema }) => 'file' in (inputSchema.properties ?? {}))).toEqual([]);
  expect(await refusal(client, 'get_pmi', { file: join(inbox, 'bracket.dxf') })).toContain('file');
  const path = 'drawings/bracket.dxf';
  const added = await ask(client, 'add_file', { path, upload, attributes: ['Drawn by=Ada'] });
  expect(added.path).toBe(path);
  expect(await ask(client, 'add_file', { path, upload: { ...upload, name: 'b.dxf' } })).toMatchObject({
    path: 'drawings/bracket(2).dxf',
  });
  const set = await ask(client, 'set_attributes', { part: path, attributes: ['Revision=B'] });
  expect(set.attributes).toEqual(['Drawn by=Ada', 'Revision=B']);
  expect(await refusal(client, 'set_attributes', { part: path, attributes: ['nothing'] })).toContain('attribute');
  await client.close();
  const audit = await runCli(['audit', '--json', '--library', library, '--company', 'default'], { cwd: folder });
  const { entries } = JSON.parse(audit.stdout) as { entries: Record<string, string>[] };
  expect(entries.map(({ actor, action, object }) => [actor, action, object])).toEqual([
    ['command line', 'MCP set_attributes', added.uid],
    ['command line', 'MCP add_file', 'drawings/bracket(2).dxf'],
    ['command line', 'MCP add_file', path],
  ]);
});

test('a file of many features and attributes is told page by page', async () => {
  const client = await overStdio('--write');
  const holes = Array.from({ length: 25 }, (_, i) => ({
    ...{ x: 30 * (i + 1), y: 20, diameter: 4 + i / 2 },
  }));
  const corners = [0, 780, 780, 0].map((x, i) => [x, i < 2 ? 0 : 40] as const);
  const base64 = Buffer.from(writeStlBinary(plateBody(corners, 8, holes))).toString('base64');
  const attributes = Array.from({ length: 45 }, (_, i) => `Note ${i}=${i}`);
  const part = 'plates/sieve.stl';
  await ask(client, 'add_file', {
    path: part,
    upload: { name: 'sieve.stl', base64 },
    attributes: attributes.slice(0, 20),
  });
  await ask(client, 'set_attributes', { part, attributes: attributes.slice(20, 40) });
  await ask(client, 'set_attributes', { part, attributes: attributes.slice(40) });
  const first = await ask(client, 'get_part', { part, picture: false });
  expect(first).toMatchObject({ featureCount: 25, nextFeatures: 20, nextAttributes: 40 });
  expect([first.features.length, first.attributes.length]).toEqual([20, 40]);
  const rest = await ask(client, 'get_part', { part, picture: false, featuresOffset: 20, attributesOffset: 40 });
  expect(rest).toMatchObject({ featureCount: 25, nextFeatures: null, nextAttributes: null });
  const diameters = [...first.features, ...rest.features].map(({ diameterMm }: any) => diameterMm as number);
  expect(new Set(diameters)).toEqual(new Set(holes.map(({ diameter }) => diameter)));
  expect(new Set([...first.attributes, ...rest.attributes])).toEqual(new Set(attributes));
  await client.close();
});

describe('over HTTP', () => {
  let host: Host;
  let server: Server;
  let url: string;
  const open = async (options: Partial<HttpOptions>): Promise<void> => {
    server = createServer(toNodeListener(createHandler(host.engine, options)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const as = (who: Who): Promise<Client> =>
    connected(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${host.tokens[who]}` } },
      }),
    );

  beforeAll(async () => {
    host = await openHost();
    await putBrackets(await host.engine.company('acme'));
    await open({});
  }, 120_000);
  afterAll(async () => {
    await close();
    await host.close();
  });

  test('a member asks the same tools of the own company, and others find nothing of it', async () => {
    const ada = await as('ada');
    expect((await ada.listTools()).tools.map(({ name }) => name)).toEqual(READING);
    const found = await ask(ada, 'find_by_drawing', { upload });
    expect(found.hits[0]).toMatchObject({ kind: 'ThreeD' });
    const [{ uid }] = found.hits;
    const stranger = await as('stranger');
    expect(await ask(stranger, 'search_parts', { words: 'bracket' })).toMatchObject({ total: 0 });
    expect(await refusal(stranger, 'get_part', { part: uid })).toContain('FILE_UNKNOWN');
    await expect(stranger.readResource({ uri: `shapedex://file/${uid}` })).rejects.toThrow(/FILE_UNKNOWN/);
    expect((await stranger.listResources()).resources).toEqual([]);
    // A search input is its sender's: other members of the company do not see it.
    expect((await ask(ada, 'get_pmi', { part: found.uid, picture: false })).uid).toBe(found.uid);
    expect(await refusal(await as('bob'), 'get_pmi', { part: found.uid })).toContain('FILE_UNKNOWN');
  });

  test("searches are counted in the company's usage", async () => {
    const before = (await host.send('GET', '/MonthlyUsage', { as: 'ada' })).json;
    await ask(await as('ada'), 'search_parts', { words: 'bracket' });
    const after = (await host.send('GET', '/MonthlyUsage', { as: 'ada' })).json;
    expect(after.TokenUsage.TokenTSearch - before.TokenUsage.TokenTSearch).toBe(1);
  });

  test('without a right token nobody is let in, and a body has a bound', async () => {
    const post = (headers: Record<string, string>, body: string): Promise<Response> =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
        body,
      });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await post({}, list)).status).toBe(401);
    expect((await post({ Authorization: `Bearer ${host.tokens.spent}` }, list)).status).toBe(401);
    expect((await post({ Authorization: `Bearer ${host.tokens.app}` }, list)).status).toBe(403);
    const ada = { Authorization: `Bearer ${host.tokens.ada}` };
    expect((await post(ada, list)).status).toBe(200);
    expect((await post(ada, `[${list},${list}]`)).status).toBe(400);
    expect((await post(ada, 'no JSON')).status).toBe(400);
    expect((await post({ ...ada, Accept: 'text/html' }, list)).status).toBe(406);
    expect((await post(ada, JSON.stringify({ pad: 'x'.repeat(9 * 1024 ** 2) }))).status).toBe(413);
    expect((await fetch(`${url}/mcp`, { headers: ada })).status).toBe(405);
  });

  test('the server decides whether there are tools that write, or none', async () => {
    await close();
    await open({ mcp: 'write' });
    const bob = await as('bob');
    expect((await bob.listTools()).tools.length).toBe(READING.length + 2);
    await ask(bob, 'set_attributes', { part: BRACKET, attributes: ['Revision=C'] });
    expect((await (await host.engine.company('acme')).find(BRACKET))?.attributes).toContain('Revision=C');
    await close();
    await open({ mcp: 'off' });
    await expect(as('bob')).rejects.toThrow(/404/);
    expect(() => createHandler(host.engine, { mcp: 'all' as never })).toThrow(/options.mcp/);
  });
});
