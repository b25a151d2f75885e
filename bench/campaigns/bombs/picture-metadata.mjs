import sharp from 'sharp';

const LONG = 4;

/** JPEG pictures whose segments of metadata and tables are the bomb. Each is `[name, make]`. */
export function metadataBombs() {
  const segment = (code, body) => {
    const head = Buffer.from([0xff, code, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const jpeg = async (...segments) => {
    const plain = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)]);
  };
  const exif = (directory) =>
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'), directory]));
  // A directory of one tag, the Exif directory, which is this directory again.
  const inItself = Buffer.alloc(18);
  inItself.writeUInt16LE(1, 0);
  inItself.writeUInt16LE(0x8769, 2);
  inItself.writeUInt16LE(LONG, 4);
  inItself.writeUInt32LE(1, 6);
  inItself.writeUInt32LE(8, 10);
  inItself.writeUInt32LE(8, 14);
  const claimed = Buffer.from(inItself);
  claimed.writeUInt16LE(65_535, 0);
  const long = Buffer.from(inItself);
  long.writeUInt16LE(0x010e, 2);
  long.writeUInt16LE(2, 4);
  long.writeUInt32LE(0xffffffff, 6);
  const profile = (number, count) =>
    segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([number, count]), Buffer.alloc(60_000)]));
  const xmp = (text) => segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${text}`));
  const laughs = `<!DOCTYPE a [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]><x:xmpmeta xmlns:x="adobe:ns:meta/">&j;</x:xmpmeta>`;
  return [
    ['jpeg-exif-in-itself.jpg', () => jpeg(exif(inItself))],
    ['jpeg-exif-of-65535-tags.jpg', () => jpeg(exif(claimed))],
    ['jpeg-exif-text-of-4-gi.jpg', () => jpeg(exif(long))],
    ['jpeg-255-profiles.jpg', () => jpeg(...Array.from({ length: 255 }, (_, i) => profile(i + 1, 255)))],
    ['jpeg-xmp-entities.jpg', () => jpeg(xmp(laughs))],
    ['jpeg-xmp-5000-deep.jpg', () => jpeg(xmp('<a>'.repeat(20_000)))],
    ['jpeg-200-comments.jpg', () => jpeg(...new Array(200).fill(segment(0xfe, Buffer.alloc(65_000, 0x41))))],
    ['jpeg-5-million-fill-bytes.jpg', () => jpeg(Buffer.alloc(5_000_000, 0xff))],
    [
      'jpeg-huffman-tables-100000.jpg',
      async () => {
        const plain = await jpeg();
        const at = plain.indexOf(Buffer.from([0xff, 0xc4]));
        const table = plain.subarray(at, at + 2 + plain.readUInt16BE(at + 2));
        return Buffer.concat([plain.subarray(0, at), ...new Array(100_000).fill(table), plain.subarray(at)]);
      },
    ],
  ];
}
