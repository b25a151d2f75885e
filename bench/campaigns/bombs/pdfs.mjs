import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { claimedJpeg, manyScans } from './pictures.mjs';

/** PDFs of some kilobytes that ask for gigabytes or hours. Each is `[name, bytes]`. */
export async function pdfBombs() {
  return [...patternBombs(), ...shadingBombs(), ...nestingBombs(), ...glyphBombs(), ...(await pictureBombsInPdf())];
}

/**
 * A PDF of one page. objects: numbered from 5; a string, or `[dictionary, bytes]` for a stream. resources: what the
 * page's resources say.
 */
export function pdfOf(content, resources = '', objects = [], box = '0 0 600 800') {
  const all = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << ${resources} >> >>`,
    ['', Buffer.from(content)],
    ...objects,
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  const starts = [];
  let length = parts[0].length;
  for (const [i, object] of all.entries()) {
    starts.push(length);
    const [dictionary, bytes] = Array.isArray(object) ? object : [object, undefined];
    const body =
      bytes === undefined
        ? Buffer.from(dictionary)
        : Buffer.concat([
            Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
            bytes,
            Buffer.from('\nendstream'),
          ]);
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const end =
    `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${table}` +
    `trailer\n<< /Size ${all.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

/** A page filled with a tiling pattern. */
export function tiledPdf({ step = [10, 10], box = [0, 0, 10, 10], matrix = [1, 0, 0, 1, 0, 0], times = 1 }) {
  const pattern =
    `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [${box.join(' ')}] ` +
    `/XStep ${step[0]} /YStep ${step[1]} /Matrix [${matrix.join(' ')}] /Resources << >>`;
  const fill = '/Pattern cs /P scn 0 0 600 800 re f\n'.repeat(times);
  return pdfOf(fill, '/Pattern << /P 5 0 R >>', [[pattern, Buffer.from('1 0 0 rg 0 0 5 5 re f')]]);
}

function patternBombs() {
  return [
    ['pdf-pattern-step-1e-4.pdf', tiledPdf({ step: [0.0001, 10] })],
    ['pdf-pattern-both-steps-1e-4.pdf', tiledPdf({ step: [0.0001, 0.0001] })],
    ['pdf-pattern-step-1e-9.pdf', tiledPdf({ step: ['0.000000001', '0.000000001'] })],
    ['pdf-pattern-huge-box.pdf', tiledPdf({ step: [1, 1], box: [0, 0, 100_000, 100_000] })],
    ['pdf-pattern-huge-step.pdf', tiledPdf({ step: [1e9, 1e9], box: [0, 0, 1e9, 1e9] })],
    ['pdf-pattern-large-matrix.pdf', tiledPdf({ matrix: [10_000, 0, 0, 10_000, 0, 0] })],
    ['pdf-pattern-2000-times.pdf', tiledPdf({ step: [700, 900], box: [0, 0, 700, 900], times: 2_000 })],
  ];
}

function shadingBombs() {
  const painted = (shading, objects = []) => pdfOf('/S sh\n', `/Shading << /S ${shading} >>`, objects);
  const sampled = (size) =>
    `/FunctionType 0 /Domain [0 1 0 1] /Range [0 1 0 1 0 1] /Size [${size} ${size}] /BitsPerSample 8`;
  const byFunction = (domain, matrix) =>
    `<< /ShadingType 1 /ColorSpace /DeviceRGB /Domain [${domain}] /Matrix [${matrix}] /Function 5 0 R >>`;
  const calculator = [
    '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]',
    Buffer.from(`{ ${'dup mul sqrt '.repeat(20_000)} dup }`),
  ];
  const stitched = (count) =>
    `<< /FunctionType 3 /Domain [0 1] /Functions [${'6 0 R '.repeat(count)}] ` +
    `/Bounds [${Array.from({ length: count - 1 }, (_, i) => (i + 1) / count).join(' ')}] /Encode [${'0 1 '.repeat(count)}] >>`;
  const linear = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1 >>';
  const lattice = (perRow, bytes) => [
    `/ShadingType 5 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /VerticesPerRow ${perRow} ` +
      '/Decode [0 600 0 800 0 1 0 1 0 1] /Filter /FlateDecode',
    deflateSync(Buffer.alloc(bytes, 0x5a)),
  ];
  const patches = [
    '/ShadingType 7 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 ' +
      '/Decode [0 600 0 800 0 1 0 1 0 1] /Filter /FlateDecode',
    // Flag 0, 16 points, 4 colours: 45 bytes a patch.
    deflateSync(Buffer.concat(new Array(200_000).fill(Buffer.concat([Buffer.alloc(1), Buffer.alloc(44, 0xa5)])))),
  ];
  return [
    [
      'pdf-shading-sampled-30000.pdf',
      painted(byFunction('0 1 0 1', '600 0 0 800 0 0'), [[sampled(30_000), Buffer.alloc(64)]]),
    ],
    ['pdf-shading-calculator.pdf', painted(byFunction('0 1 0 1', '600 0 0 800 0 0'), [calculator])],
    ['pdf-shading-domain-1e9.pdf', painted(byFunction('0 1000000000 0 1000000000', '1 0 0 1 0 0'), [calculator])],
    [
      'pdf-shading-20000-functions.pdf',
      painted('<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 800] /Function 5 0 R >>', [
        stitched(20_000),
        linear,
      ]),
    ],
    ['pdf-shading-lattice.pdf', painted('5 0 R', [lattice(4_000, 40_000_000)])],
    ['pdf-shading-200000-patches.pdf', painted('5 0 R', [patches])],
  ];
}

function nestingBombs() {
  const form = (i, times, last) => [
    `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /F ${last ? i : i + 1} 0 R >> >>`,
    Buffer.from(last ? '0 0 m 10 10 l S\n' : '/F Do\n'.repeat(times)),
  ];
  const forms = (levels, times) => Array.from({ length: levels }, (_, i) => form(5 + i, times, i === levels - 1));
  const group = '/Group << /S /Transparency /CS /DeviceRGB /I true >>';
  const groups = (levels, times) =>
    forms(levels, times).map(([dictionary, bytes]) => [`${dictionary} ${group}`, bytes]);
  const pattern = (i, last) => [
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 500 500] /XStep 600 /YStep 600 ' +
      `/Resources << /Pattern << /P ${last ? i : i + 1} 0 R >> >>`,
    Buffer.from(last ? '0 0 10 10 re f' : '/Pattern cs /P scn 0 0 400 400 re f\n'.repeat(10)),
  ];
  const page = (objects) => pdfOf('/F Do\n', '/XObject << /F 5 0 R >>', objects);
  const mask = [
    `/Type /XObject /Subtype /Form /BBox [0 0 1000000 1000000] ${group}`,
    Buffer.from('1 g 0 0 1000000 1000000 re f'),
  ];
  return [
    ['pdf-forms-10-of-10.pdf', page(forms(10, 10))],
    ['pdf-forms-20-of-2.pdf', page(forms(24, 2))],
    ['pdf-form-in-itself.pdf', page([form(4, 2, false)])],
    ['pdf-groups-8-of-10.pdf', page(groups(8, 10))],
    ['pdf-groups-500-deep.pdf', page(groups(500, 1))],
    [
      'pdf-patterns-8-of-10.pdf',
      pdfOf(
        '/Pattern cs /P scn 0 0 600 800 re f\n',
        '/Pattern << /P 5 0 R >>',
        Array.from({ length: 8 }, (_, i) => pattern(5 + i, i === 7)),
      ),
    ],
    [
      'pdf-soft-mask-of-a-million.pdf',
      pdfOf('/G gs 0 0 600 800 re f\n', '/ExtGState << /G << /SMask << /S /Luminosity /G 5 0 R >> >> >>', [mask]),
    ],
    [
      'pdf-2000-soft-masks.pdf',
      pdfOf(
        'q /G gs 0 0 600 800 re f Q\n'.repeat(2_000),
        '/ExtGState << /G << /SMask << /S /Luminosity /G 5 0 R >> >> >>',
        [mask],
      ),
    ],
    ['pdf-page-of-1e7.pdf', pdfOf('0 0 m 10 10 l S', '', [], '0 0 10000000 10000000')],
    ['pdf-page-1-by-1e7.pdf', pdfOf('0 0 m 10 10 l S', '', [], '0 0 1 10000000')],
    ['pdf-3-million-paths.pdf', packedPage('0 0 m 9 9 l S\n'.repeat(3_000_000))],
    ['pdf-3-million-saves.pdf', packedPage('q '.repeat(3_000_000))],
    ['pdf-one-dash-of-1e-6.pdf', pdfOf('[0.000001] 0 d 0 0 m 600 800 l S\n'.repeat(20))],
  ];
}

/** A page whose content is packed. */
export function packedPage(content) {
  return pdfOf('', '', []).length === 0 ? Buffer.alloc(0) : withPackedContent(content);
}

function withPackedContent(content) {
  const file = pdfOf('', '', [['/Filter /FlateDecode', deflateSync(Buffer.from(content))]]);
  return Buffer.from(file.toString('latin1').replace('/Contents 4 0 R', '/Contents 5 0 R'), 'latin1');
}

function glyphBombs() {
  const font =
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000000 1000000] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> ' +
    '/Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /F 5 0 R >> >> >>';
  const text = (content) =>
    pdfOf(content, '/Font << /F 5 0 R >>', [font, ['', Buffer.from('1 0 d0 BT /F 1 Tf (aaaaaaaaaa) Tj ET')]]);
  const simple = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  return [
    ['pdf-glyph-in-itself.pdf', text('BT /F 12 Tf (a) Tj ET')],
    ['pdf-text-1e6-pt.pdf', pdfOf('BT /F 1000000 Tf (abc) Tj ET', '/Font << /F 5 0 R >>', [simple])],
    ['pdf-text-of-3-mb.pdf', pdfOf(`BT /F 12 Tf (${'a'.repeat(3_000_000)}) Tj ET`, '/Font << /F 5 0 R >>', [simple])],
  ];
}

export async function pictureBombsInPdf() {
  const image = (dictionary, bytes, times = 1) =>
    pdfOf('600 0 0 800 0 0 cm /I Do\n'.repeat(times), '/XObject << /I 5 0 R >>', [
      [`/Type /XObject /Subtype /Image ${dictionary}`, bytes],
    ]);
  const sized = (width, height, more) => `/Width ${width} /Height ${height} ${more}`;
  const rgb = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
  const gray = '/ColorSpace /DeviceGray /BitsPerComponent 8';
  const bit = '/ColorSpace /DeviceGray /BitsPerComponent 1';
  const dct = `${rgb} /Filter /DCTDecode`;
  const webJpeg = await claimedJpeg(17_000, 17_000);
  const scans = await manyScans(1_000, 1_000, 3_000);
  // A JPEG 2000 codestream: SIZ with the claimed sizes, then nothing.
  const siz = Buffer.alloc(2 + 2 + 47);
  siz.set([0xff, 0x4f, 0xff, 0x51, 0, 47]);
  for (const [at, value] of [
    [8, 17_000],
    [12, 17_000],
    [24, 17_000],
    [28, 17_000],
  ])
    siz.writeUInt32BE(value, at);
  siz.set([0, 3, 7, 1, 1, 7, 1, 1, 7, 1, 1], 40);
  // A JBIG2 page information segment.
  const page = Buffer.alloc(11 + 19);
  page.set([0, 0, 0, 0, 0x30, 0, 1, 0, 0, 0, 19]);
  page.writeUInt32BE(17_000, 11);
  page.writeUInt32BE(17_000, 15);
  const zeros = deflateSync(Buffer.alloc(100_000_000), { level: 1 });
  const small = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  return [
    ['pdf-jpeg-claims-17000.pdf', image(sized(17_000, 17_000, dct), webJpeg)],
    ['pdf-jpeg-claims-17000-dictionary-10.pdf', image(sized(10, 10, dct), webJpeg)],
    ['pdf-jpeg-3000-scans.pdf', image(sized(1_000, 1_000, dct), scans)],
    ['pdf-small-jpeg-dictionary-17000.pdf', image(sized(17_000, 17_000, dct), small)],
    ['pdf-jpx-claims-17000.pdf', image(sized(17_000, 17_000, '/Filter /JPXDecode'), siz)],
    ['pdf-jbig2-claims-17000.pdf', image(sized(17_000, 17_000, `${bit} /Filter /JBIG2Decode`), page)],
    [
      'pdf-fax-claims-17000.pdf',
      image(
        sized(17_000, 17_000, `${bit} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 17000 /Rows 17000 >>`),
        Buffer.alloc(64),
      ),
    ],
    [
      'pdf-fax-columns-1e9.pdf',
      image(
        sized(100, 100, `${bit} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 1000000000 /Rows 100 >>`),
        Buffer.alloc(64),
      ),
    ],
    ['pdf-zeros-10000-by-10000.pdf', image(sized(10_000, 10_000, `${gray} /Filter /FlateDecode`), zeros)],
    ['pdf-no-pixels-17000.pdf', image(sized(17_000, 17_000, rgb), Buffer.alloc(16))],
    ['pdf-1-bit-17000-drawn-50-times.pdf', image(sized(17_000, 17_000, bit), Buffer.alloc(16), 50)],
    ['pdf-stencil-17000.pdf', image(sized(17_000, 17_000, '/ImageMask true /BitsPerComponent 1'), Buffer.alloc(16))],
    [
      'pdf-predictor-columns-1e9.pdf',
      image(
        sized(100, 100, `${gray} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 1000000000 >>`),
        deflateSync(Buffer.alloc(100)),
      ),
    ],
    ['pdf-soft-mask-17000.pdf', softMasked()],
  ];
}

/** A small picture whose soft mask claims 17,000 pixels a side. */
function softMasked() {
  return pdfOf('600 0 0 800 0 0 cm /I Do\n', '/XObject << /I 5 0 R >>', [
    [
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask 6 0 R',
      Buffer.alloc(3),
    ],
    [
      '/Type /XObject /Subtype /Image /Width 17000 /Height 17000 /ColorSpace /DeviceGray /BitsPerComponent 8',
      Buffer.alloc(16),
    ],
  ]);
}
