import { deflateSync } from 'node:zlib';
import { encryptedPdf } from './pdf-states.mjs';
import { pdfOf } from './pdfs.mjs';

/** PDFs whose maps from codes to characters are the bomb. Each is `[name, make]`. */
export function mapBombs() {
  return [
    ['pdf-map-range-behind-comment.pdf', () => mappedPdf(repeated('<000000>%\n<fffffe> 0'))],
    ['pdf-map-range-of-literals.pdf', () => mappedPdf(repeated('(\\000\\000\\000)(\\377\\377\\376) 0'))],
    [
      'pdf-map-range-encrypted.pdf',
      () => encryptedPdf('BT /F 9 Tf (a) Tj ET', 'aes', mapOf(repeated('<000000><fffffe> 0'))),
    ],
    ['pdf-map-sections-without-end.pdf', () => mappedPdf('begincidrange '.repeat(370_000))],
    ['pdf-map-arrays-without-end.pdf', () => mappedPdf(`1 beginbfrange ${'<0><0>['.repeat(740_000)} endbfrange`)],
    [
      'pdf-map-long-target.pdf',
      () => mappedPdf(`1 beginbfrange <0000><ffff> <${'0041'.repeat(1_000_000)}> endbfrange`),
    ],
  ];
}

const repeated = (range) => `1 begincidrange ${range} endcidrange\n`.repeat(20);

/** A map of these sections. */
export function mapOf(sections) {
  return `begincmap\n1 begincodespacerange <0000> <ffff> endcodespacerange ${sections}\nendcmap`;
}

/** A page with a letter of a font whose maps are these sections. */
export function mappedPdf(sections) {
  return pdfOf('BT /F 12 Tf (abc) Tj ET', '/Font << /F 5 0 R >>', [
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 6 0 R /DescendantFonts [7 0 R] /ToUnicode 6 0 R >>',
    ['/Type /CMap /CMapName /A /Filter /FlateDecode', deflateSync(Buffer.from(mapOf(sections)), { level: 9 })],
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> >>',
  ]);
}
