/**
 * Files of many kinds, written into a folder: parts of both kits as STEP and meshes, drawings, pictures, documents,
 * archives. And damaged copies of them.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { makeSampleLibrary } from '../../../dist/parts/sample/library.js';
import { binaryStl, obj, ply, threeMf } from '../../../dist/parts/mesh-files.js';
import { referenceParts } from '../../parts/reference.mjs';
import { contentOf } from './contents.mjs';

const MESH_WRITERS = { stl: binaryStl, obj, ply, '3mf': threeMf };
const MODELS = ['.step', '.stl', '.obj', '.ply', '.3mf', '.glb'];

/**
 * Writes the corpus.
 * @param {string} folder @param {{ seed: number, samples: number, each: number }} sizes `samples`: parts of the sample
 *   library (a part of a second each); `each`: files of each other kind
 * @returns {Promise<{ file: string, extension: string, model: boolean }[]>}
 */
export async function makeCorpus(folder, { seed, samples, each }) {
  mkdirSync(folder, { recursive: true });
  const enough = new AbortController();
  const onProgress = ({ done }) => done >= samples && enough.abort();
  await makeSampleLibrary(join(folder, 'sample'), { onProgress, signal: enough.signal }).catch((cause) => {
    if (!enough.signal.aborted) throw cause;
  });
  const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
  const formats = Object.keys(MESH_WRITERS);
  let number = 0;
  for await (const { positions, indices } of referenceParts({ seed, count: formats.length * each })) {
    const format = formats[number++ % formats.length];
    write(`mesh-${number}.${format}`, MESH_WRITERS[format]({ positions, indices }, `mesh ${number}`));
  }
  for (let i = 0; i < each; i++) {
    const n = 1_000 * seed + i;
    for (const kind of ['txt', 'csv', 'svg', 'html']) write(`${kind}-${i}.${kind}`, contentOf(kind, n));
    write(`drawing-${i}.dxf`, dxf(n));
    write(`sheet-${i}.pdf`, pdf(n));
    write(`letter-${i}.eml`, letter(n));
    write(`report-${i}.docx`, docx(n));
    write(`archive-${i}.zip`, zipSync({ 'part.stl': contentOf('stl', n), 'note.txt': contentOf('txt', n) }));
    const drawn = sharp(Buffer.from(contentOf('svg', n))).flatten({ background: 'white' });
    for (const format of ['png', 'jpeg', 'webp', 'tiff'])
      write(`picture-${i}.${format}`, await drawn.clone().toFormat(format).toBuffer());
  }
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const extension = extname(entry.name);
      return { file: join(entry.parentPath ?? entry.path, entry.name), extension, model: MODELS.includes(extension) };
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** A damaged copy of a file: bits turned, a piece cut out, repeated or filled with zeros, or the end missing. */
export function damaged(file, random) {
  const bytes = new Uint8Array(readFileSync(file));
  const at = Math.floor(bytes.length * random());
  const length = 1 + Math.floor(Math.min(4_096, bytes.length - at) * random());
  const ways = [
    () => {
      for (let i = 0; i < 1 + 20 * random(); i++)
        bytes[Math.floor(bytes.length * random())] ^= 1 << Math.floor(8 * random());
      return bytes;
    },
    () => bytes.subarray(0, at),
    () => bytes.fill(0, at, at + length),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
    () => Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
  ];
  return ways[Math.floor(ways.length * random())]();
}

function dxf(number) {
  const lines = Array.from({ length: 12 }, (_, i) => {
    const [x, y] = [10 * i, (number * (i + 3)) % 90];
    return `0\nLINE\n8\n0\n10\n${x}\n20\n${y}\n11\n${x + 10}\n21\n${(number * (i + 4)) % 90}`;
  });
  const circle = `0\nCIRCLE\n8\n0\n10\n40\n20\n40\n40\n${5 + (number % 20)}`;
  return `0\nSECTION\n2\nENTITIES\n${lines.join('\n')}\n${circle}\n0\nENDSEC\n0\nEOF\n`;
}

function pdf(number) {
  const content =
    `BT /F1 12 Tf 40 180 Td (sheet ${number}) Tj ET 20 20 ${50 + (number % 90)} 80 re S ` +
    `100 100 m ${150 + (number % 40)} 140 l S`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const place = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return `${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

function letter(number) {
  const text = new TextDecoder().decode(contentOf('txt', number)).replaceAll('\n', '\r\n');
  return `From: a@campaign.example\r\nTo: b@campaign.example\r\nSubject: letter ${number}\r\n\r\n${text}`;
}

function docx(number) {
  const paragraphs = new TextDecoder()
    .decode(contentOf('txt', number))
    .split('\n')
    .map((line) => `<w:p><w:r><w:t>${line}</w:t></w:r></w:p>`);
  const space = 'http://schemas.openxmlformats.org';
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<Types xmlns="${space}/package/2006/content-types"><Override PartName="/word/document.xml" ContentType=` +
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': strToU8(
      `<Relationships xmlns="${space}/package/2006/relationships"><Relationship Id="r1" Type=` +
        `"${space}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': strToU8(
      `<w:document xmlns:w="${space}/wordprocessingml/2006/main"><w:body>${paragraphs.join('')}</w:body></w:document>`,
    ),
  });
}
