import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonLines, runCli } from '../cli/run-cli.js';
import { annotated, length, MM, shown, sized } from '../fixtures/annotated-step.js';
import { dxf, line, mtext } from '../fixtures/dxf-writer.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { NOWHERE, openHost, type Host } from './host.js';

// What annotations are used for: searches, an inspector's list, a comparison; by the engine, over HTTP, on the command
// line.

/** A pin of ⌀10 +0.05 -0.02 with a length of 20 ±0.1 that only the model has. */
const PIN = annotated({ kind: 'cylinder', radius: 5, height: 20 }, [
  MM,
  shown(9010, 10),
  ...sized(9100, 'diameter', '@cylinder', '#9010'),
  length(9020, -0.02),
  length(9021, 0.05),
  '#9022=TOLERANCE_VALUE(#9020,#9021);',
  '#9023=PLUS_MINUS_TOLERANCE(#9022,#9102);',
  shown(9210, 8),
  ...sized(9200, 'diameter', '@cylinder', '#9210'),
  "#9310=LIMITS_AND_FITS('g','shaft','6','');",
  '#9311=PLUS_MINUS_TOLERANCE(#9310,#9202);',
]);
const FILES: Readonly<Record<string, Uint8Array>> = {
  'pin.step': PIN,
  'pin.pdf': pdf([
    {
      content:
        `${lineWork(400)}${textAt('\xd810 +0.05 -0.02', 100, 700)}${textAt('\xd88 h6', 250, 600)}` +
        `${textAt('4x M8x1.25', 250, 500)}${textAt('Ra 1.6', 250, 450)}`,
    },
  ]),
  'plate.dxf': dxf({
    entities: [
      line(0, 0, 200, 0),
      line(200, 0, 200, 150),
      mtext('%%c20 H7', 50, 80),
      mtext('M6', 50, 60),
      mtext('Ra 0.8', 50, 40),
      mtext('12 %%p0.3', 50, 20),
    ],
  }),
};

const cwd = temporaryFolder();
let host: Host;
const uids: Record<string, string> = {};
beforeAll(async () => {
  host = await openHost();
  const acme = await host.engine.company('acme');
  for (const [file, bytes] of Object.entries(FILES)) {
    const { uid, state } = await acme.put(file, bytes);
    expect(state).toBe('indexed');
    uids[file] = uid;
  }
}, 300_000);
afterAll(() => host.close());

describe('searches by what annotations say', () => {
  test.each([
    ['Thread=M8', ['pin.pdf']],
    ['Thread=[M8x1.25]', ['pin.pdf']],
    ['Thread=M6', ['plate.dxf']],
    ['Fit=H7', ['plate.dxf']],
    ['Hole fit=H7', ['plate.dxf']],
    ['Shaft fit=h6', ['pin.pdf']],
    ['Fit=g6', ['pin.step']],
    ['Ra<=1.6', ['pin.pdf', 'plate.dxf']],
    ['Ra<=0.8', ['plate.dxf']],
    ['Ra<=0.9um', ['plate.dxf']],
    ['Tolerance<=0.01', ['pin.pdf', 'pin.step']],
    ['Tolerance>=0.5', ['plate.dxf']],
    ['Tolerance<=0.0004in', ['pin.pdf', 'pin.step']],
  ])('%s', async (text, expected) => {
    const acme = await host.engine.company('acme');
    const { hits } = await acme.search({ text });
    expect(hits.map(({ path }) => path).sort()).toEqual(expected);
    const find = await host.send('GET', '/api/Find', { as: 'ada', query: { query: JSON.stringify({ text }) } });
    expect(find.json.hits.map(({ path }: { path: string }) => path).sort()).toEqual(expected);
  });
});

describe("an inspector's list", () => {
  test('GET /Inspection and its files', async () => {
    const get = (name: string, query: object) => host.send('GET', `/api/${name}`, { as: 'ada', query: { ...query } });
    const { json } = await get('Inspection', { fileUID: uids['plate.dxf'] });
    expect(json.map(({ reading, from }: { reading: string; from: string }) => [reading, from])).toEqual(
      expect.arrayContaining([
        ['⌀20 H7', 'ISO 286'],
        ['12 ±0.3', 'written'],
      ]),
    );
    expect(json).toEqual(await (await host.engine.company('acme')).inspection(uids['plate.dxf']));
    const csv = await get('InspectionFile', { fileUID: uids['plate.dxf'], format: 'csv' });
    expect(csv.text).toContain('⌀20 H7');
    expect((await get('Inspection', { fileUID: NOWHERE })).status).toBe(404);
  });
});

describe('a model and the drawing of the same part', () => {
  test('what agrees, what contradicts, what one says alone', async () => {
    const query = { fileUID: uids['pin.step'], otherUID: uids['pin.pdf'] };
    const { json } = await host.send('GET', '/api/PMIComparison', { as: 'ada', query });
    expect(json.counts).toEqual({ agrees: 1, contradicts: 1, first: 0, second: 2, unsure: 0 });
    const said = json.rows.map((row: any) => [row.status, row.first?.reading ?? '', row.second?.reading ?? '']);
    expect(said).toEqual([
      ['contradicts', '⌀8 g6', '⌀8 h6'],
      ['second', '', '4x M8x1.25'],
      ['second', '', 'Ra 1.6'],
      ['agrees', '⌀10 +0.05 -0.02', '⌀10 +0.05 -0.02'],
    ]);
    expect(json.rows[0].differences).toEqual([{ what: 'tolerance', first: 'g6 -0.005 -0.014', second: 'h6 0 -0.009' }]);
    const file = await host.send('GET', '/api/PMIComparisonFile', { as: 'ada', query });
    expect(file.text).toContain('contradicts,diameter,⌀8 g6,1,⌀8 h6,1,tolerance');
    expect(file.headers.get('content-disposition')).toContain('filename="comparison.csv"');
  });

  test('on the command line, of files on disk', async () => {
    for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(cwd, name), bytes);
    const args = ['pmi', 'compare', 'pin.step', 'pin.pdf', '--csv', 'out.csv'];
    const { code, stdout, stderr } = await runCli(args, { cwd });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('1 agree, 1 contradict, 0 in the first alone, 2 in the second alone');
    expect(stdout).toContain('only dimensions and texts were compared\n');
    expect(readFileSync(join(cwd, 'out.csv'), 'utf8')).toContain('contradicts,diameter,⌀8 g6,1,⌀8 h6,1,');
    const json = await runCli([...args.slice(0, 4), '--json'], { cwd });
    expect(jsonLines<{ counts: object }>(json.stdout)[0].counts).toMatchObject({ agrees: 1, contradicts: 1 });
  });
});
