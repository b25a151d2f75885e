import { expect, test } from 'vitest';
import { EngineError } from '../../dist/errors.js';
import { readContent } from '../../dist/readers/read.js';
import { options } from './helpers.js';

// What libraries say of a damaged file comes in a sentence of ours, in quotes, without their asterisks and codes.

const STEP =
  "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('a','2020-01-01T00:00:00',(''),(''),'','','');\n" +
  "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\nDATA;\n";
const rubbish = (head: string, encoding: BufferEncoding = 'latin1'): Buffer =>
  Buffer.concat([Buffer.from(head, encoding), Buffer.alloc(1_500, 7)]);

test.each<[string, string, Buffer]>([
  [
    'a reference that leads nowhere',
    'a.step',
    Buffer.from(
      `${STEP}#1=ADVANCED_FACE('',(#2),#3,.T.);\n#4=CLOSED_SHELL('',(#1,#99));\n#5=MANIFOLD_SOLID_BREP('',#4);\nENDSEC;\nEND-ISO-10303-21;\n`,
    ),
  ],
  [
    'a comma too many',
    'a.step',
    Buffer.from(
      `${STEP}#1=ADVANCED_FACE('',(#2),,#3,.T.;\n#5=MANIFOLD_SOLID_BREP('',#4);\nENDSEC;\nEND-ISO-10303-21;\n`,
    ),
  ],
  ['a PDF', 'a.pdf', rubbish('%PDF-1.4\n')],
  ['a PNG', 'a.png', rubbish('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['a JPEG', 'a.jpg', rubbish('ffd8ffe000104a46494600010100000100010000ffc00011080010001003012200021101031101', 'hex')],
  ['an archive', 'a.zip', rubbish('504b0304', 'hex')],
  ['a compressed file', 'a.gz', rubbish('1f8b0800000000000003', 'hex')],
  ['a drawing', 'a.dxf', Buffer.from('  0\nSECTION\n  2\nENTITIES\n  0\nLINE\nabc\n10\n')],
])('%s', async (_, name, bytes) => {
  const error: unknown = await readContent(bytes, name, options()).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof EngineError)) throw new Error(`no coded error: ${String(error)}`);
  const { code, message } = error;
  expect(code).toBe('FILE_MALFORMED');
  expect(message).toMatch(
    /^the .* is damaged or cut off: expected a whole one that keeps to its format; .* says "[^"]+"$/,
  );
  expect(message).not.toMatch(/\*|\bERR\b|Vips|:"|\."|(\w+): \1/);
});

test.each([
  ['a.stl', Buffer.concat([Buffer.alloc(80), Buffer.from([255, 255, 255, 127]), Buffer.alloc(150)]), '107374182434'],
  [
    'a.ply',
    Buffer.from(
      'ply\nformat binary_little_endian 1.0\nelement vertex 1000000\nproperty float x\nproperty float y\n' +
        'property float z\nelement face 9\nproperty list uchar int vertex_indices\nend_header\n' +
        'a'.repeat(100),
    ),
    '1000000 rows of "vertex"',
  ],
])('%s that announces more than it holds is told as cut off, with both numbers', async (name, bytes, expected) => {
  const read = readContent(bytes, name, options());
  await expect(read).rejects.toMatchObject({ code: 'FILE_MALFORMED' });
  const message = await read.catch((cause: unknown) => (cause as Error).message);
  expect(message).toContain('the file is cut off');
  expect(message).toContain(expected);
  expect(message).toContain(`${bytes.length} bytes`);
});

test.each<[string, string, string]>([
  ['a.stl', 'vertex 0 0 0\nvertex 1e300 0 0\nvertex 0 1e300 0', 'x of corner 2 of triangle 1 is 1e+300 mm'],
  ['a.stl', 'vertex 0 0 0\nvertex 1 0 nan\nvertex 0 1 0', 'z of corner 2 of triangle 1 is no number'],
  ['a.stl', 'vertex 0 0 0\nvertex 1 0 0\nvertex 2 0 0', 'no triangle of positive area'],
])('why no triangle of %s can be measured: %s', async (name, vertices, why) => {
  const stl = `solid x\nfacet normal 0 0 1\nouter loop\n${vertices}\nendloop\nendfacet\nendsolid x\n`;
  await expect(readContent(Buffer.from(stl), name, options())).rejects.toMatchObject({
    code: 'NO_GEOMETRY',
    message: expect.stringContaining(why) as string,
  });
});

test('triangles that are left out are told with the first coordinate that no part has', async () => {
  const facets = ['0 0 0', '1 0 0', '0 1 0', '0 0 0', '1 0 0', '0 0 1', '0 0 0', '0 -2e15 0', '0 0 1'];
  const loops = [0, 3, 6].map(
    (at) =>
      `outer loop\n${facets
        .slice(at, at + 3)
        .map((v) => `vertex ${v}`)
        .join('\n')}`,
  );
  const stl = `solid x\n${loops.map((loop) => `facet\n${loop}\nendloop\nendfacet`).join('\n')}\nendsolid x\n`;
  const { warnings } = await readContent(Buffer.from(stl), 'a.stl', options());
  expect(warnings.find(({ code }) => code === 'TRIANGLES_DROPPED')?.message).toContain(
    '; y of corner 2 of triangle 3 is -2000000000000000 mm, expected at most 1000000000000 mm to either side',
  );
});
