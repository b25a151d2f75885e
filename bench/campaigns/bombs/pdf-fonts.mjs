import { pdfOf } from './pdfs.mjs';

/** PDFs whose fonts are the bomb. Each is `[name, make]`. */
export function fontBombs() {
  const text = (objects, content = 'BT /F 12 Tf (abc) Tj ET') => pdfOf(content, '/Font << /F 5 0 R >>', objects);
  const descriptor = '<< /Type /FontDescriptor /FontName /A /Flags 4 /FontFile2 7 0 R >>';
  const trueType = '<< /Type /Font /Subtype /TrueType /BaseFont /A /FirstChar 0 /LastChar 255 /FontDescriptor 6 0 R >>';
  const tables = (count) => {
    const bytes = Buffer.alloc(12 + 16 * Math.min(count, 4_000));
    bytes.writeUInt32BE(0x00010000, 0);
    bytes.writeUInt16BE(count, 4);
    for (let i = 0; i < Math.min(count, 4_000); i++) {
      bytes.write(['glyf', 'loca', 'cmap', 'head', 'hmtx', 'maxp', 'post'][i % 7], 12 + 16 * i);
      bytes.writeUInt32BE(12, 12 + 16 * i + 8);
      bytes.writeUInt32BE(0x7fffffff, 12 + 16 * i + 12);
    }
    return bytes;
  };
  const cmap = (body) => [
    '/Type /CMap /CMapName /A',
    Buffer.from(`/CIDInit /ProcSet findresource begin begincmap\n${body}\nendcmap`),
  ];
  const composite =
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 6 0 R /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>';
  const descendant = (widths) =>
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> /W [${widths}] >>`;
  const type1 = (program) => [
    '<< /Type /Font /Subtype /Type1 /BaseFont /A /FirstChar 0 /LastChar 255 /FontDescriptor 6 0 R >>',
    '<< /Type /FontDescriptor /FontName /A /Flags 4 /FontFile 7 0 R >>',
    ['/Length1 100 /Length2 2000000000 /Length3 0', Buffer.from(program)],
  ];
  return [
    ['pdf-font-of-65535-tables.pdf', () => text([trueType, descriptor, ['/Length1 64012', tables(65_535)]])],
    [
      'pdf-font-cmap-ranges-of-4-gi.pdf',
      () =>
        text([
          composite,
          cmap(
            '1 begincodespacerange <00000000> <ffffffff> endcodespacerange 100 begincidrange\n<00000000> <ffffffff> 0\nendcidrange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange',
          ),
          descendant(''),
        ]),
    ],
    [
      'pdf-font-cmap-ranges-of-16-mi.pdf',
      () =>
        text([
          composite,
          cmap(
            `1 begincodespacerange <0000> <ffff> endcodespacerange ${'1 begincidrange <000000> <ffffff> 0 endcidrange 1 beginbfrange <000000> <ffffff> <0041> endbfrange\n'.repeat(20)}`,
          ),
          descendant(''),
        ]),
    ],
    [
      'pdf-font-widths-0-to-1e9.pdf',
      () =>
        text([composite, cmap('1 begincodespacerange <00> <ff> endcodespacerange'), descendant('0 1000000000 500')]),
    ],
    [
      'pdf-font-map-uses-itself.pdf',
      () =>
        text([
          composite,
          ['/Type /CMap /CMapName /A /UseCMap 6 0 R', Buffer.from('begincmap endcmap')],
          descendant(''),
        ]),
    ],
    [
      'pdf-font-is-its-descendant.pdf',
      () => text(['<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [5 0 R] >>']),
    ],
    [
      'pdf-font-differences-a-million.pdf',
      () =>
        text([
          `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [${'97 /a '.repeat(500_000)}] >> >>`,
        ]),
    ],
    [
      'pdf-font-first-to-1e9.pdf',
      () =>
        text(['<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar 0 /LastChar 1000000000 /Widths [500] >>']),
    ],
    [
      'pdf-font-program-without-end.pdf',
      () =>
        text(
          type1(
            `%!PS-AdobeFont-1.0\n/Subrs 2000000000 array\ndup 0 2000000000 RD ${'a'.repeat(1_000)}\neexec\n${'\x11'.repeat(100_000)}`,
          ),
        ),
    ],
    ['pdf-font-of-zeros.pdf', () => text(type1('\0'.repeat(2_000_000)))],
    [
      'pdf-20000-fonts.pdf',
      () =>
        pdfOf(
          Array.from({ length: 5_000 }, (_, i) => `BT /F${i} 12 Tf (a) Tj ET`).join('\n'),
          `/Font << ${Array.from({ length: 5_000 }, (_, i) => `/F${i} ${5 + i} 0 R`).join(' ')} >>`,
          Array.from(
            { length: 5_000 },
            (_, i) => `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [97 /a${i}] >> >>`,
          ),
        ),
    ],
  ];
}
