import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { zipOfRaw } from './packages.mjs';

/** Archives that unpack to gigabytes, nest, or lie about what they hold. Each is `[name, make]`. */
export function archiveBombs() {
  const zeros = (mib) => deflateRawSync(Buffer.alloc(mib * 2 ** 20), { level: 9 });
  const again = (bytes, name, times) => {
    let packed = bytes;
    for (let i = 0; i < times; i++) packed = Buffer.from(zipSync({ [i === 0 ? name : `a${i}.zip`]: packed }));
    return packed;
  };
  return [
    ['zip-of-900-mb.zip', () => zipOfRaw('a.stl', zeros(900), 900 * 2 ** 20)],
    ['zip-nested-200.zip', () => again(Buffer.from('word'), 'a.txt', 200)],
    ['zip-of-20-levels-of-4.zip', () => wideZip(10, 4)],
    ['zip-overlapping-entries.zip', () => overlapping(zeros(10), 2_000)],
    ['zip-claims-65535-entries.zip', () => claimedEntries()],
    [
      'zip-60000-empty-entries.zip',
      () =>
        Buffer.from(
          zipSync(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`${i}.txt`, new Uint8Array()]))),
        ),
    ],
    [
      'zip-names-of-60-kb.zip',
      () =>
        Buffer.from(
          zipSync(
            Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${`${i}/`.repeat(10_000)}a.txt`, strToU8('a')])),
          ),
        ),
    ],
    [
      'zip-names-lead-out.zip',
      () =>
        Buffer.from(
          zipSync({
            '../../../../etc/passwd.txt': strToU8('a'),
            '/etc/shadow.txt': strToU8('b'),
            'C:\\a.txt': strToU8('c'),
          }),
        ),
    ],
    [
      'zip-2000-models.zip',
      () =>
        Buffer.from(
          zipSync(
            Object.fromEntries(
              Array.from({ length: 9_000 }, (_, i) => [
                `${i}.obj`,
                strToU8('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n'),
              ]),
            ),
          ),
        ),
    ],
    [
      'zip-10-pdfs-of-10000-pages.zip',
      () =>
        Buffer.from(
          zipSync(
            Object.fromEntries(
              Array.from({ length: 300 }, (_, i) => [`${i}.md`, strToU8(`# ${'word '.repeat(20_000)}`)]),
            ),
          ),
        ),
    ],
    ['gzip-of-2-gb.gz', () => Buffer.concat(new Array(4).fill(gzipSync(Buffer.alloc(500_000_000), { level: 9 })))],
    [
      'gzip-10-times.txt.gz',
      () => Array.from({ length: 10 }).reduce((bytes) => gzipSync(bytes), Buffer.alloc(100_000_000)),
    ],
    ['gzip-members-200000.gz', () => Buffer.concat(new Array(200_000).fill(gzipSync(Buffer.from('a'))))],
    ['deflate-of-900-mb.ifz', () => deflateSync(Buffer.alloc(900_000_000), { level: 9 })],
  ];
}

/** Archives of archives: `times` in each, so many levels. */
export function wideZip(levels, times) {
  let packed = Buffer.from(zipSync({ 'a.txt': strToU8('words') }));
  for (let level = 0; level < levels; level++)
    packed = Buffer.from(
      zipSync(Object.fromEntries(Array.from({ length: times }, (_, i) => [`${i}.zip`, packed])), { level: 9 }),
    );
  return packed;
}

/** One packed entry that `count` rows of the directory name. */
function overlapping(packed, count) {
  const one = zipOfRaw('a.stl', packed, 10 * 2 ** 20);
  const directoryAt = one.readUInt32LE(one.length - 6);
  const row = one.subarray(directoryAt, one.length - 22);
  const end = Buffer.from(one.subarray(one.length - 22));
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(count * row.length, 12);
  return Buffer.concat([one.subarray(0, directoryAt), ...new Array(count).fill(row), end]);
}

function claimedEntries() {
  const bytes = zipOfRaw('a.txt', deflateRawSync(Buffer.from('a')), 1);
  bytes.writeUInt16LE(65_535, bytes.length - 14);
  bytes.writeUInt16LE(65_535, bytes.length - 12);
  return bytes;
}
