import { pdfOf } from './pdfs.mjs';

/** PDFs whose JBIG2 pictures are the bomb (ITU-T T.88). Each is `[name, make]`. */
export function jbig2Bombs() {
  return [
    ['pdf-jbig2-symbols-of-65535.pdf', () => symbolPdf(1, 65_535)],
    ['pdf-jbig2-300-symbols-of-65535.pdf', () => picture([page], Array(300).fill(symbols(1, 65_535)))],
    ['pdf-jbig2-1000-symbols-of-60000.pdf', () => picture([page, symbols(1_000, 60_000)])],
    ['pdf-jbig2-patterns-of-255.pdf', () => picture([page], Array(200).fill(patterns(255, 2_047)))],
    ['pdf-jbig2-patterns-4-gi.pdf', () => picture([page], [patterns(255, 0xffffffff)])],
    ['pdf-jbig2-globals-17000.pdf', () => picture([], [segment(48, u32(17_000, 17_000, 0, 0), 1), region(17_000)])],
    ['pdf-jbig2-globals-40-regions.pdf', () => picture([page], Array(40).fill(region(17_000)))],
  ];
}

/** A picture whose shared dictionary has so many symbols, each so many pixels wide (75 or more) and high. */
export const symbolPdf = (rows, side) => picture([page], [symbols(rows, side)]);

/** A picture of 16 pixels a side with these segments, and others that it shares. */
function picture(own, shared = []) {
  const dictionary =
    '/Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceGray /BitsPerComponent 1 ' +
    '/Filter /JBIG2Decode /DecodeParms << /JBIG2Globals 6 0 R >>';
  return pdfOf('600 0 0 800 0 0 cm /I Do', '/XObject << /I 5 0 R >>', [
    [dictionary, Buffer.concat(own)],
    ['', Buffer.concat(shared)],
  ]);
}

const u32 = (...values) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
};

function segment(type, data, ofPage = 0) {
  return Buffer.concat([u32(0), Buffer.from([type, 0, ofPage]), u32(data.length), data]);
}

const page = segment(48, Buffer.concat([u32(16, 16, 0, 0), Buffer.from([0, 0, 0])]), 1);

function region(side) {
  const coded = Buffer.from([0, 0, 3, 0xff, 0xfd, 0xff, 2, 0xfe, 0xfe, 0xfe, 0, 0, 0xff, 0xac]);
  return segment(38, Buffer.concat([u32(side, side, 0, 0), coded]), 1);
}

/** A dictionary coded by Huffman's codes B.4 and B.2: rows of one symbol each, `side` wide, together so high. */
function symbols(rows, side) {
  const bits = (value, count) => value.toString(2).padStart(count, '0');
  let code = '';
  for (let row = 0; row < rows; row++) {
    code += row === 0 ? `11111${bits(side - 76, 32)}` : '0';
    code += `111110${bits(side - 75, 32)}111111`;
    // The size of the row's bitmap: 15 bytes of MMR, from the next whole byte on.
    code += '01111';
    code = code.padEnd(8 * Math.ceil(code.length / 8), '0') + '1'.repeat(120);
  }
  const coded = Buffer.from(code.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  return segment(0, Buffer.concat([Buffer.from([0, 1]), u32(rows, rows), coded]));
}

function patterns(side, last) {
  return segment(16, Buffer.concat([Buffer.from([1, side, side]), u32(last), Buffer.alloc(32, 0xff)]));
}
