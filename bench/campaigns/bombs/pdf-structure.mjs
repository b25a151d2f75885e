import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { withFrameSize } from './pictures.mjs';
import { pdfOf } from './pdfs.mjs';

/** PDFs whose objects, tables or pages are the bomb, not what is drawn. Each is `[name, make]`. */
export function pdfStructureBombs() {
  return [...objectBombs(), ...indirectBombs()];
}

const replaced = (file, from, to) => Buffer.from(file.toString('latin1').replace(from, to), 'latin1');

function objectBombs() {
  const plain = () => pdfOf('0 0 m 9 9 l S');
  const packed = (content) => deflateSync(Buffer.from(content), { level: 9 });
  const objectStream = (count, first, content) => [
    `/Type /ObjStm /N ${count} /First ${first} /Filter /FlateDecode`,
    packed(content),
  ];
  const deep = (open, close, depth) => `${open.repeat(depth)}${close.repeat(depth)}`;
  return [
    ['pdf-pages-in-themselves.pdf', () => replaced(plain(), '/Kids [3 0 R] /Count 1', '/Kids [2 0 R] /Count 9')],
    ['pdf-pages-1e9.pdf', () => replaced(plain(), '/Count 1', '/Count 1000000000')],
    [
      'pdf-one-page-100000-times.pdf',
      () => replaced(plain(), '/Kids [3 0 R] /Count 1', `/Kids [${'3 0 R '.repeat(100_000)}] /Count 100000`),
    ],
    [
      'pdf-page-trees-20-of-10.pdf',
      () =>
        replaced(
          pdfOf(
            '0 0 m 9 9 l S',
            '',
            Array.from(
              { length: 20 },
              (_, i) => `<< /Type /Pages /Count 100000000 /Kids [${`${i === 19 ? 3 : 6 + i} 0 R `.repeat(10)}] >>`,
            ),
          ),
          '/Kids [3 0 R] /Count 1',
          `/Kids [${'5 0 R '.repeat(10)}] /Count 1000000000`,
        ),
    ],
    ['pdf-table-leads-to-itself.pdf', () => loop()],
    ['pdf-table-of-1e9.pdf', () => replaced(plain(), /xref\n0 5/, 'xref\n0 1000000000')],
    ['pdf-arrays-200000-deep.pdf', () => pdfOf('', '', [deep('[', ']', 200_000)])],
    ['pdf-dictionaries-in-page-100000-deep.pdf', () => pdfOf('', `/A ${deep('<< /A ', '>>', 100_000)}`)],
    ['pdf-object-stream-of-1e9.pdf', () => pdfOf('', '', [objectStream(1_000_000_000, 1_000_000_000, '6 0 <<>>')])],
    [
      'pdf-object-stream-in-itself.pdf',
      () => replaced(pdfOf('', '', [objectStream(1, 4, '5 0 (a)')]), '/Type /ObjStm', '/Type /ObjStm /Extends 5 0 R'),
    ],
    ['pdf-length-is-itself.pdf', () => replaced(pdfOf('0 0 m 9 9 l S'), '/Length 13', '/Length 4 0 R')],
    [
      'pdf-content-is-10000-streams.pdf',
      () => replaced(plain(), '/Contents 4 0 R', `/Contents [${'4 0 R '.repeat(100_000)}]`),
    ],
    ['pdf-string-of-40-mb.pdf', () => pdfOf(`BT (${'\\('.repeat(5_000_000)}) Tj ET`)],
    ['pdf-inline-picture-30000.pdf', () => pdfOf('BI /W 30000 /H 30000 /BPC 8 /CS /G /F /Fl ID x\x9c EI '.repeat(50))],
    ['pdf-inline-pictures-100000.pdf', () => pdfOf('BI /W 1 /H 1 /BPC 8 /CS /G ID a EI '.repeat(100_000))],
    ['pdf-20-filters.pdf', () => pdfOf('', '', [[`/Filter [${'/ASCIIHexDecode '.repeat(20)}]`, Buffer.from('41')]])],
    [
      'pdf-flate-in-flate.pdf',
      () =>
        replaced(
          pdfOf('', '', [
            [
              '/Filter [/FlateDecode /FlateDecode]',
              deflateSync(deflateSync(Buffer.alloc(800_000_000), { level: 9 }), { level: 9 }),
            ],
          ]),
          '/Contents 4 0 R',
          '/Contents 5 0 R',
        ),
    ],
    [
      'pdf-lzw-of-nothing.pdf',
      () =>
        replaced(
          pdfOf('', '', [['/Filter /LZWDecode', Buffer.alloc(4_000_000, 0x55)]]),
          '/Contents 4 0 R',
          '/Contents 5 0 R',
        ),
    ],
    [
      'pdf-runs.pdf',
      () =>
        replaced(
          pdfOf('', '', [['/Filter /RunLengthDecode', Buffer.alloc(6_000_000, 0x81)]]),
          '/Contents 4 0 R',
          '/Contents 5 0 R',
        ),
    ],
    [
      'pdf-layers-in-layers.pdf',
      () =>
        replaced(
          pdfOf('/OC /L BDC 0 0 m 9 9 l S EMC', '/Properties << /L 5 0 R >>', [
            '<< /Type /OCMD /VE [/And 6 0 R 6 0 R] >>',
            '[/Or 6 0 R 6 0 R 6 0 R]',
          ]),
          '/Type /Catalog',
          '/Type /Catalog /OCProperties << /OCGs [5 0 R] /D << /Order [6 0 R] >> >>',
        ),
    ],
    [
      'pdf-annotations-100000.pdf',
      () =>
        replaced(
          pdfOf('', '', [
            '<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] /AP << /N 6 0 R >> >>',
            ['/Type /XObject /Subtype /Form /BBox [0 0 9 9]', Buffer.from('0 0 m 9 9 l S')],
          ]),
          '/Type /Page ',
          `/Type /Page /Annots [${'5 0 R '.repeat(100_000)}] `,
        ),
    ],
    [
      'pdf-fields-in-themselves.pdf',
      () =>
        replaced(
          pdfOf('', '', ['<< /T (a) /FT /Tx /V (a) /Kids [5 0 R 5 0 R] /Parent 5 0 R >>']),
          '/Type /Catalog',
          '/Type /Catalog /AcroForm << /Fields [5 0 R] >>',
        ),
    ],
    [
      'pdf-xmp-entities.pdf',
      () =>
        replaced(
          pdfOf('', '', [
            [
              '/Type /Metadata /Subtype /XML',
              Buffer.from(
                `<!DOCTYPE a [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]><x>&j;</x>`,
              ),
            ],
          ]),
          '/Type /Catalog',
          '/Type /Catalog /Metadata 5 0 R',
        ),
    ],
    [
      'pdf-thumbnail-claims-17000.pdf',
      () =>
        replaced(
          pdfOf('0 0 m 9 9 l S', '', [
            ['/Width 17000 /Height 17000 /ColorSpace /DeviceRGB /BitsPerComponent 8', Buffer.alloc(16)],
          ]),
          '/Type /Page ',
          '/Type /Page /Thumb 5 0 R ',
        ),
    ],
    ['pdf-1000000-endobj.pdf', () => Buffer.concat([plain(), Buffer.from('1 0 obj\nnull\nendobj\n'.repeat(500_000))])],
    ['pdf-stream-words-a-million.pdf', () => pdfOf('stream\n'.repeat(1_000_000))],
    ['pdf-dictionaries-never-end.pdf', () => pdfOf('1 0 obj << '.repeat(30_000))],
  ];
}

/** A table whose earlier version is itself. */
function loop() {
  const file = pdfOf('0 0 m 9 9 l S').toString('latin1');
  const at = file.indexOf('xref\n');
  return Buffer.from(file.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${at}`), 'latin1');
}

/** Pictures whose sizes stand in other objects. */
function indirectBombs() {
  const image = (more, bytes, sizes = ['17000', '17000']) =>
    pdfOf('600 0 0 800 0 0 cm /I Do\n', '/XObject << /I 5 0 R >>', [
      [`/Type /XObject /Subtype /Image /Width 6 0 R /Height 7 0 R ${more}`, bytes],
      ...sizes,
    ]);
  const rgb = '/ColorSpace /DeviceRGB /BitsPerComponent 8';
  const jpeg = async () =>
    withFrameSize(
      await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#4080c0' } })
        .jpeg({ progressive: true })
        .toBuffer(),
      17_000,
      17_000,
    );
  return [
    ['pdf-indirect-sizes-17000.pdf', () => image(rgb, Buffer.alloc(16))],
    [
      'pdf-indirect-sizes-of-zeros.pdf',
      () =>
        image(`${rgb} /Filter /FlateDecode`, deflateSync(Buffer.alloc(300_000_000), { level: 9 }), ['10000', '10000']),
    ],
    ['pdf-indirect-sizes-jpeg-17000.pdf', async () => image(`${rgb} /Filter /DCTDecode`, await jpeg())],
    [
      'pdf-indirect-sizes-jpx-17000.pdf',
      () =>
        image(
          '/Filter /JPXDecode',
          Buffer.from('ff4fff51002f0000000042680000426800000000000000000000426800004268', 'hex'),
        ),
    ],
    ['pdf-indirect-sizes-stencil.pdf', () => image('/ImageMask true /BitsPerComponent 1', Buffer.alloc(16))],
    ['pdf-indirect-sizes-of-themselves.pdf', () => image(rgb, Buffer.alloc(16), ['7 0 R', '6 0 R'])],
    [
      'pdf-indirect-bits.pdf',
      () => image('/ColorSpace /DeviceGray /BitsPerComponent 8 0 R', Buffer.alloc(16), ['17000', '17000', '16']),
    ],
  ];
}
