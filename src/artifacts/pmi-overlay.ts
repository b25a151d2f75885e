import sharp from 'sharp';
import { PMI_TYPE, sentenceOf, type PmiObject, type PmiPage } from '../pmi/pmi.js';

/** Colours by group, on white. */
const COLORS: Readonly<Record<PmiObject['group'], string>> = Object.freeze({
  Measurement: '#0a58ca', Datum: '#b02a37', 'GD&T': '#6f42c1', SurfaceFinish: '#157347', GeneralTolerance: '#ca6510', '': '#6c757d',
});
const FONT_PX = 22;
/** Longest reading, characters; of tables the beginning. */
const LONGEST = 80;

/** A page's image with a box about each of its objects and, above it, type and reading. PNG of the page's ImageSize. */
export async function pmiOverlay(page: Uint8Array, { ImageSize: [width, height], objects }: PmiPage): Promise<Uint8Array> {
  const marks = objects.map((object) => {
    const [x, y, w, h] = object.box;
    const color = COLORS[object.group];
    const isPart = object.type_id >= PMI_TYPE.parallel && object.type_id <= PMI_TYPE.position;
    const reading = [...sentenceOf(object)].slice(0, LONGEST).join('');
    return `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${color}" fill-opacity="0.08" stroke="${color}" stroke-width="2"/>`
      // The sign of a control frame stands in its frame's reading.
      + (isPart ? '' : `<text x="${x}" y="${Math.max(FONT_PX, y - 5)}" fill="${color}">${escaped(`${object.type_id}: ${reading}`)}</text>`);
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="${FONT_PX}">${marks.join('')}</svg>`;
  return sharp(page).resize(width, height, { fit: 'fill' }).flatten({ background: 'white' }).composite([{ input: Buffer.from(svg), left: 0, top: 0 }]).png().toBuffer();
}

function escaped(text: string): string {
  return text.replace(/\p{Cc}|\p{Cs}/gu, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
