/** Small sound files to damage, written by code, and, where there is one, a folder of real files beside the project. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { bitmap } from '../bombs/pictures.mjs';
import { tiledPdf } from '../bombs/pdfs.mjs';
import { contentOf, KINDS } from './contents.mjs';
import { dwg } from './dwg.mjs';

const DATA = fileURLToPath(new URL('../../../../shared/data', import.meta.url));
/** Largest real file that is damaged, bytes, and most files of one extension. */
const LARGEST = 300_000;
const MOST_OF_A_KIND = 25;

/** `[extension, bytes]` of each file, the same in the same order on every machine with the same data. */
export async function corpus() {
  return [...(await madeFiles()), ...realFiles()];
}

async function madeFiles() {
  const picture = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#4080c0' } });
  const made = KINDS.map((kind) => [kind, contentOf(kind, 7)]);
  for (const format of ['png', 'webp', 'gif', 'tiff', 'avif'])
    made.push([format, await picture()[format]().toBuffer()]);
  for (const progressive of [true, false]) made.push(['jpg', await picture().jpeg({ progressive }).toBuffer()]);
  made.push(['bmp', bitmap({ width: 16, height: 16, bits: 24, body: Buffer.alloc(768, 90) })]);
  made.push([
    'bmp',
    bitmap({ width: 64, height: 4, bits: 8, compression: 1, body: Buffer.from([64, 3, 0, 0, 64, 9, 0, 1]) }),
  ]);
  made.push(['pdf', tiledPdf({ step: [20, 20] })]);
  for (const version of ['AC1015', 'AC1018', 'AC1024', 'AC1032']) made.push(['dwg', await dwg(version)]);
  const corners = '0 0 0|9 0 0|9 8 0|0 8 0|0 0 7|9 0 7|9 8 7|0 8 7'.split('|');
  const sides = '0 3 2 1|4 5 6 7|0 1 5 4|1 2 6 5|2 3 7 6|3 0 4 7'.split('|');
  const faces = (first) =>
    sides.map((side) =>
      side
        .split(' ')
        .map((corner) => Number(corner) + first)
        .join(' '),
    );
  made.push([
    'obj',
    Buffer.from([...corners.map((at) => `v ${at}`), ...faces(1).map((face) => `f ${face}`)].join('\n')),
  ]);
  made.push(['off', Buffer.from(['OFF', '8 6 0', ...corners, ...faces(0).map((face) => `4 ${face}`)].join('\n'))]);
  const ply = 'ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n';
  const polygons = 'element face 6\nproperty list uchar int vertex_indices\nend_header\n';
  made.push([
    'ply',
    Buffer.from([`${ply}${polygons}${corners.join('\n')}`, ...faces(0).map((face) => `4 ${face}`)].join('\n')),
  ]);
  const line = (i) => `  0\nLINE\n  8\n0\n 10\n${i}\n 20\n0\n 11\n50\n 21\n${2 * i}\n`;
  const dxf = `  0\nSECTION\n  2\nENTITIES\n${Array.from({ length: 30 }, (_, i) => line(i)).join('')}  0\nENDSEC\n  0\nEOF\n`;
  made.push(['dxf', Buffer.from(dxf)]);
  made.push([
    'rtf',
    Buffer.from('{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 Bolt M8 \\b steel\\b0\\par Torque 25 Nm\\par}'),
  ]);
  made.push([
    'eml',
    Buffer.from('From: a@b.c\nTo: d@e.f\nSubject: Bolts\nDate: 1 Jan 2026 10:00:00 +0000\n\nTwo bolts.\n'),
  ]);
  made.push(['md', Buffer.from('# Bolt\n\n| size | torque |\n|---|---|\n| M8 | 25 |\n')]);
  return made;
}

function realFiles() {
  if (!existsSync(DATA)) return [];
  const found = [];
  const counts = new Map();
  const walk = (folder) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const info = statSync(path);
      if (info.isDirectory() && name !== 'sealed') walk(path);
      const extension = extname(name).slice(1).toLowerCase();
      if (!info.isFile() || info.size > LARGEST || ['json', 'csv', 'md', 'enc', ''].includes(extension)) continue;
      const count = (counts.get(extension) ?? 0) + 1;
      counts.set(extension, count);
      if (count <= MOST_OF_A_KIND) found.push([extension, readFileSync(path)]);
    }
  };
  walk(DATA);
  return found;
}
