import { afterEach, expect, test } from 'vitest';
import { dxfOf } from '../fixtures/drawing-of-body.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { lBracket } from '../fixtures/shapes.js';
import { openHost, type Host } from './host.js';
import type { HttpOptions } from '../../dist/http/index.js';

const PART = lBracket(60, 8, 30);
const PDF = pdf([{ content: lineWork(60) + textAt('Angle', 100, 500) }]);
let host: Host;

afterEach(() => host.close());

/** Opens a host with a model, a drawing and a PDF, and returns their records and what a search answers. */
async function linksWith(
  options: Partial<HttpOptions>,
): Promise<{ uids: readonly string[]; pdfUrls: readonly (string | null)[]; entry: any }> {
  host = await openHost(options);
  const base = options.basePath ?? '';
  const files: readonly (readonly [string, Uint8Array])[] = [
    ['angle.stl', writeStlBinary(PART)],
    ['angle.dxf', dxfOf(PART)],
    ['angle.pdf', PDF],
  ];
  const uids: string[] = [],
    pdfUrls: (string | null)[] = [];
  for (const [file, bytes] of files) {
    const fileUID = (
      await host.send('PUT', `${base}/api/FileBinary`, { as: 'ada', bytes, query: { file, isSearchInput: false } })
    ).text;
    uids.push(fileUID);
    pdfUrls.push((await host.send('GET', `${base}/api/File`, { as: 'ada', query: { fileUID } })).json.PDFUrl);
  }
  const { json } = await host.send('GET', `${base}/api/Search`, {
    as: 'ada',
    query: { filterStr: `fileUID=${uids[0]}&resultFileType=ThreeD` },
  });
  return { uids, pdfUrls, entry: json.ResultsList[0] };
}

test('links lead to the page that shows the file, below the mount path', async () => {
  const {
    uids: [stl, , pdf],
    pdfUrls,
    entry,
  } = await linksWith({ basePath: '/cad' });
  const page = `http://localhost/cad/#/file/${stl}`;
  expect([entry.ViewURL, entry.PublicURL, entry.ShapeResult.ViewerUrl, entry.ShapeResult.DetailsUrl]).toEqual([
    page,
    page,
    page,
    page,
  ]);
  expect(pdfUrls).toEqual([null, null, `http://localhost/cad/#/file/${pdf}`]);
  expect(entry.ShapeResult.LargeFileUrl).toMatch(/^http:\/\/localhost\/cad\/api\/Image\?fid=/);
  expect((await host.send('GET', new URL(page, 'http://localhost').pathname)).text).toContain('<div id="app">');
});

test('links begin with the public address where there is one', async () => {
  const {
    uids: [stl],
    entry,
  } = await linksWith({ publicUrl: 'https://cad.example.com/parts/' });
  expect(entry.ViewURL).toBe(`https://cad.example.com/parts/#/file/${stl}`);
});

test('without a page only what answers is named', async () => {
  const {
    uids: [stl],
    pdfUrls,
    entry,
  } = await linksWith({ page: false });
  expect([entry.ViewURL, entry.PublicURL, entry.ShapeResult.ViewerUrl]).toEqual([null, null, null]);
  expect(entry.ShapeResult.DetailsUrl).toBe(`http://localhost/api/File?fileUID=${stl}`);
  expect(pdfUrls).toEqual([null, null, null]);
  expect((await host.send('GET', '/')).status).toBe(404);
});
