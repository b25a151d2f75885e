/**
 * Small files of several kinds for campaigns. A file follows from its kind and number alone, and the files of two
 * numbers differ, so whoever knows both can say which bytes a library must hold.
 */
import { createHash } from 'node:crypto';
import { mulberry32 } from '../../parts/reference/kit.mjs';

const SYLLABLES = ['ba', 'do', 'fe', 'gi', 'ko', 'lu', 'ma', 'ne', 'pi', 'ra', 'so', 'tu', 'we', 'za'];

const MAKERS = { stl: boxFile, txt: textFile, csv: tableFile, svg: drawingFile, html: pageFile };

/** The kinds, which are also the extensions. */
export const KINDS = Object.keys(MAKERS);

/** The bytes of a file. @param {string} kind one of {@link KINDS} @param {number} number from 0 */
export function contentOf(kind, number) {
  return MAKERS[kind](number, mulberry32(7_919 * number + KINDS.indexOf(kind)));
}

/** SHA-256, lower-case hexadecimal. */
export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A box of 12 triangles as binary STL, edges of 1 to 61 mm; the header holds the number. */
function boxFile(number, random) {
  const edges = [1 + 60 * random(), 1 + 60 * random(), 1 + 60 * random()];
  const faces = ['021', '032', '456', '467', '015', '054', '126', '165', '237', '276', '304', '374'];
  const bytes = Buffer.alloc(84 + 50 * faces.length);
  bytes.write(`box ${number}`);
  bytes.writeUInt32LE(faces.length, 80);
  faces.forEach((face, i) => {
    [...face].forEach((corner, j) => {
      const [x, y, z] = [
        ['1', '2', '5', '6'],
        ['2', '3', '6', '7'],
        ['4', '5', '6', '7'],
      ].map((far) => (far.includes(corner) ? 1 : 0));
      [x, y, z].forEach((side, axis) => {
        bytes.writeFloatLE(side * edges[axis], 84 + 50 * i + 12 + 12 * j + 4 * axis);
      });
    });
  });
  return new Uint8Array(bytes);
}

function textFile(number, random) {
  const lines = Array.from({ length: 16 + Math.floor(30 * random()) }, () => words(12, random));
  return new TextEncoder().encode(`document ${number}\n${lines.join('\n')}\n`);
}

function tableFile(number, random) {
  const rows = Array.from({ length: 2 + Math.floor(30 * random()) }, (_, i) =>
    [i, words(1, random), (100 * random()).toFixed(3)].join(','),
  );
  return new TextEncoder().encode(`table ${number},name,length\n${rows.join('\n')}\n`);
}

function drawingFile(number, random) {
  const [width, height] = [20 + 100 * random(), 20 + 60 * random()];
  const circles = Array.from({ length: 1 + Math.floor(4 * random()) }, () => {
    const [x, y] = [10 + width * random(), 10 + height * random()];
    return `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${(1 + 5 * random()).toFixed(2)}"/>`;
  });
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="148mm" viewBox="0 0 210 148">` +
      `<title>drawing ${number}</title><g fill="none" stroke="black">` +
      `<rect x="10" y="10" width="${width.toFixed(2)}" height="${height.toFixed(2)}"/>${circles.join('')}</g></svg>`,
  );
}

function pageFile(number, random) {
  const parts = Array.from({ length: 2 + Math.floor(10 * random()) }, () => `<p>${words(20, random)}</p>`);
  return new TextEncoder().encode(`<html><title>page ${number}</title><body>${parts.join('\n')}</body></html>`);
}

function words(count, random) {
  const word = () =>
    Array.from({ length: 2 + Math.floor(2 * random()) }, () => SYLLABLES[Math.floor(SYLLABLES.length * random())]);
  return Array.from({ length: count }, () => word().join('')).join(' ');
}
