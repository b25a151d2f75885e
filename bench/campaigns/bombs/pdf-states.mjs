import { createCipheriv, createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { pdfOf } from './pdfs.mjs';

/** PDFs that save graphics states in each other, or draw the same over and over. Each is `[name, make]`. */
export function stateBombs() {
  return [...savedBombs(), ...repeatedBombs()];
}

const replaced = (file, from, to) => Buffer.from(file.toString('latin1').replace(from, to), 'latin1');
const form = (content, resources = '') => [
  `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${resources} >>`,
  Buffer.from(content),
];
const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** A page whose content is so many times the stream that saves `saves` states. */
export function savesInStreams(streams, saves) {
  return replaced(pdfOf('q '.repeat(saves)), '/Contents 4 0 R', `/Contents [${'4 0 R '.repeat(streams)}]`);
}

/** Forms that each save states and then draw the next one. */
export function savesInForms(forms, saves) {
  const objects = Array.from({ length: forms }, (_, i) =>
    form(
      `${'q '.repeat(saves)}${i === forms - 1 ? '' : '/F Do '}${'Q '.repeat(saves)}`,
      i === forms - 1 ? '' : `/XObject << /F ${6 + i} 0 R >>`,
    ),
  );
  return pdfOf('/F Do', '/XObject << /F 5 0 R >>', objects);
}

const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
const md5 = (...parts) => createHash('md5').update(Buffer.concat(parts)).digest();
const sha256 = (bytes) => createHash('sha256').update(bytes).digest();

function rc4(key, bytes) {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i] + key[i % key.length]) & 255;
    [state[i], state[j]] = [state[j], state[i]];
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255;
      j = (j + state[i]) & 255;
      [state[i], state[j]] = [state[j], state[i]];
      return byte ^ state[(state[i] + state[j]) & 255];
    }),
  );
}

/**
 * A PDF whose content is encrypted, and opens with an empty password: RC4 of 40 bits (ISO 32000-1, 7.6.3, revision 2)
 * or AES of 256 (its extension level 3, revision 5). map: one of a font, which is object 7.
 */
export function encryptedPdf(content, method, map = '') {
  const id = Buffer.alloc(16, 0x61);
  const owner = Buffer.alloc(32, 0x62);
  const key = md5(PADDING, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), id).subarray(0, 5);
  const fileKey = Buffer.alloc(32, 0x63);
  const aes = (secret, bytes, iv, isPadded) => {
    const cipher = createCipheriv('aes-256-cbc', secret, iv).setAutoPadding(isPadded);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  };
  const none = Buffer.alloc(16);
  const salts = Buffer.from('validatekeysalts');
  const hash = (salt) => sha256(salt);
  const isRc4 = method === 'rc4';
  const sealed = (text, number) => {
    const packed = deflateSync(Buffer.from(text), { level: 9 });
    const bytes = isRc4
      ? rc4(md5(key, Buffer.from([number, 0, 0, 0, 0])).subarray(0, 10), packed)
      : Buffer.concat([none, aes(fileKey, packed, none, true)]);
    return ['/Filter /FlateDecode', bytes];
  };
  const user = Buffer.concat([hash(salts.subarray(0, 8)), salts]);
  const hex = (value) => `<${value.toString('hex')}>`;
  const dictionary = isRc4
    ? `<< /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, PADDING))} /P -4 >>`
    : '<< /Filter /Standard /V 5 /R 5 /Length 256 /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> ' +
      `/StmF /StdCF /StrF /StdCF /O ${hex(Buffer.alloc(48, 0x64))} /OE ${hex(Buffer.alloc(32))} /U ${hex(user)} ` +
      `/UE ${hex(aes(hash(salts.subarray(8)), fileKey, none, false))} /P -4 /Perms ${hex(Buffer.alloc(16))} >>`;
  const font = [
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 97 /LastChar 97 /Widths [500] /ToUnicode 8 0 R >>',
    sealed(map, 8),
  ];
  const file = pdfOf('', '/Font << /F 7 0 R >>', [sealed(content, 5), dictionary, ...font]);
  const read = replaced(file, '/Contents 4 0 R', '/Contents 5 0 R');
  return replaced(read, '/Root 1 0 R', `/Root 1 0 R /Encrypt 6 0 R /ID [${hex(id)} ${hex(id)}]`);
}

function savedBombs() {
  return [
    ['pdf-saves-100-streams-of-900.pdf', () => savesInStreams(100, 900)],
    ['pdf-saves-3000-streams-of-900.pdf', () => savesInStreams(3_000, 900)],
    ['pdf-saves-100000-streams-of-1.pdf', () => savesInStreams(100_000, 1)],
    ['pdf-saves-rc4-20000.pdf', () => encryptedPdf('q '.repeat(20_000), 'rc4')],
    ['pdf-saves-rc4-3-million.pdf', () => encryptedPdf('q '.repeat(3_000_000), 'rc4')],
    ['pdf-saves-aes-20000.pdf', () => encryptedPdf('q '.repeat(20_000), 'aes')],
    ['pdf-saves-aes-3-million.pdf', () => encryptedPdf('q '.repeat(3_000_000), 'aes')],
    ['pdf-saves-200-forms-of-900.pdf', () => savesInForms(200, 900)],
    ['pdf-saves-20000-with-text.pdf', () => pdfOf(`${'q '.repeat(900)}BT ET `.repeat(30))],
  ];
}

function repeatedBombs() {
  const glyphs = (procedure, text, more = []) =>
    pdfOf(text, '/Font << /F 5 0 R >>', [
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> ' +
        '/Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] ' +
        '/Resources << /XObject << /X 7 0 R >> /Font << /F 8 0 R >> >> >>',
      ['', Buffer.from(procedure)],
      ...more,
    ]);
  const chain = (levels, times, last) =>
    Array.from({ length: levels }, (_, i) =>
      i === levels - 1
        ? form(last, `/Font << /T ${5 + levels} 0 R >>`)
        : form('/F Do\n'.repeat(times), `/XObject << /F ${6 + i} 0 R >>`),
    );
  const page = (objects, times = 1) => pdfOf('/F Do\n'.repeat(times), '/XObject << /F 5 0 R >>', objects);
  const letters = '1 0 d0 0 0 m 1 1 l S ';
  const tiles = (levels, times) =>
    Array.from({ length: levels }, (_, i) => [
      `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${30 + i} ${30 + i}] /XStep ${31 + i} ` +
        `/YStep ${31 + i} /Resources << /Pattern << ${Array.from({ length: times }, (__, k) => `/P${k} ${5 + ((i * times + k + 1) % (levels * times))} 0 R`).join(' ')} >> >>`,
      Buffer.from(
        Array.from({ length: times }, (__, k) => `/Pattern cs /P${k} scn ${k} 0 ${30 - k} 30 re f\n`).join(''),
      ),
    ]);
  return [
    ['pdf-forms-a-million-times.pdf', () => page([form('0 0 m 9 9 l S')], 1_000_000)],
    ['pdf-forms-empty-a-million-times.pdf', () => page([form('')], 1_000_000)],
    ['pdf-forms-of-text-8-of-10.pdf', () => page([...chain(8, 10, 'BT /T 9 Tf (abc) Tj ET'), helvetica])],
    ['pdf-forms-of-no-text-24-of-2.pdf', () => page([...chain(24, 2, 'BT ET'), helvetica])],
    ['pdf-forms-of-saves-12-of-5.pdf', () => page([...chain(12, 5, 'q Q '.repeat(100)), helvetica])],
    ['pdf-glyphs-a-million.pdf', () => glyphs(letters, `BT /F 12 Tf (${'a'.repeat(1_000_000)}) Tj ET`)],
    [
      'pdf-glyphs-of-100000-lines.pdf',
      () => glyphs(`1 0 d0 ${'0 0 m 1 1 l S '.repeat(100_000)}`, `BT /F 12 Tf (${'a'.repeat(2_000)}) Tj ET`),
    ],
    ['pdf-glyphs-of-saves.pdf', () => glyphs(`1 0 d0 ${'q '.repeat(100_000)}`, 'BT /F 12 Tf (aaa) Tj ET')],
    [
      'pdf-glyphs-of-forms-8-of-10.pdf',
      () =>
        glyphs('1 0 d0 /X Do', 'BT /F 12 Tf (aaa) Tj ET', [
          form('/Y Do '.repeat(10), '/XObject << /Y 9 0 R >>'),
          helvetica,
          ...Array.from({ length: 8 }, (_, i) =>
            form(i === 7 ? '0 0 m 1 1 l S' : '/Y Do '.repeat(10), i === 7 ? '' : `/XObject << /Y ${10 + i} 0 R >>`),
          ),
        ]),
    ],
    [
      'pdf-patterns-in-patterns-5-of-4.pdf',
      () => pdfOf('/Pattern cs /P scn 0 0 600 800 re f', '/Pattern << /P 5 0 R >>', tiles(20, 1)),
    ],
    [
      'pdf-patterns-a-million-times.pdf',
      () =>
        pdfOf('/Pattern cs /P scn 0 0 9 9 re f\n'.repeat(300_000), '/Pattern << /P 5 0 R >>', [
          [
            '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>',
            Buffer.from('0 0 4 4 re f'),
          ],
        ]),
    ],
  ];
}
