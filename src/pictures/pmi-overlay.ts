import sharp from 'sharp';
import { nameOfPmiType, PMI_TYPE, sentenceOf, type PmiObject, type PmiPage } from '../pmi/pmi.js';
import { strokeText } from './stroke-text.js';

/** Colours by group, on white. */
const COLORS: Readonly<Record<PmiObject['group'], string>> = Object.freeze({
  Measurement: '#0a58ca',
  Datum: '#b02a37',
  'GD&T': '#6f42c1',
  SurfaceFinish: '#157347',
  GeneralTolerance: '#ca6510',
  '': '#6c757d',
});
/** Height of capitals in a label, pixels. */
const LETTER_PX = 15;
const LABEL_PX = 25;
const PADDING_PX = 5;
/** Longest label, characters; longer readings (tables) are cut. */
const LONGEST = 80;
/** Places that are tried for a label beyond those beside its box: rows above and below it. */
const MOST_ROWS = 40;
/** Most labels and boxes that are considered when a label is placed: with more the picture is unreadable anyway. */
const MOST_PLACED = 2_000;

type Box = readonly [x: number, y: number, width: number, height: number];

/**
 * A page's image with a box around each of its objects and a label with its reading, or its kind where nothing is
 * written. A label covers no other label and, if possible, no other box; a line leads from a distant label to its box.
 * Letters are drawn as strokes, so that the picture does not depend on fonts. PNG of the page's size.
 */
export async function pmiOverlay(
  page: Uint8Array,
  { widthPx: width, heightPx: height, objects }: PmiPage,
): Promise<Uint8Array> {
  const frames = objects.filter(({ typeId }) => typeId === PMI_TYPE.controlFrame).map(({ box }) => box);
  const views = new Set<number>([PMI_TYPE.view, PMI_TYPE.view3d]);
  const boxes = objects
    .filter(({ typeId }) => !views.has(typeId))
    .map(({ box }) => box)
    .slice(0, MOST_PLACED);
  const placed: Box[] = [];
  const areas: string[] = [],
    labels: string[] = [];
  for (const object of objects) {
    const { box, typeId: type } = object;
    const color = COLORS[object.group],
      isView = views.has(type);
    areas.push(
      `<rect ${placeOfArea(object)} fill="${isView ? 'none' : color}" ` +
        `fill-opacity="0.08" stroke="${color}" stroke-width="2"${isView ? ' stroke-dasharray="12 8"' : ''}/>`,
    );
    if (isPartOfFrame(object, frames)) continue;
    const { path, width: units } = strokeText(labelOf(object));
    const size = [Math.ceil(units * LETTER_PX) + 2 * PADDING_PX, LABEL_PX] as const;
    const [x, y] = placeOf(box, size, [width, height], placed, boxes);
    if (placed.length < MOST_PLACED) placed.push([x, y, ...size]);
    labels.push(
      `${leaderTo(box, [x, y, ...size], color)}` +
        `<rect x="${x}" y="${y}" width="${size[0]}" height="${size[1]}" fill="#fff" fill-opacity="0.85"/>` +
        `<path transform="translate(${x + PADDING_PX} ${y + LABEL_PX - PADDING_PX}) scale(${LETTER_PX})" d="${path}" ` +
        `fill="none" stroke="${color}" stroke-width="0.12" stroke-linecap="round" stroke-linejoin="round"/>`,
    );
  }
  const drawn = [...areas, ...labels].join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn}</svg>`;
  return sharp(page)
    .resize(width, height, { fit: 'fill' })
    .flatten({ background: 'white' })
    .composite([{ input: Buffer.from(svg), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** What is written; a lone letter says that it is a datum. */
function labelOf(object: PmiObject): string {
  const kind = nameOfPmiType(object.typeId);
  const sentence = sentenceOf(object);
  if (sentence === '') return kind;
  const said = [...(object.group === 'Datum' ? `${kind} ${sentence}` : sentence)];
  return said.length > LONGEST ? `${said.slice(0, LONGEST).join('')}...` : said.join('');
}

/** Turned boxes are drawn as they are turned. */
function placeOfArea({ box: [x, y, width, height], orientedBox }: PmiObject): string {
  if (orientedBox === undefined) return `x="${x}" y="${y}" width="${width}" height="${height}"`;
  const { x: middleX, y: middleY, width: along, height: across, angleDeg } = orientedBox;
  return (
    `x="${-along / 2}" y="${-across / 2}" width="${along}" height="${across}" ` +
    `transform="translate(${middleX} ${middleY}) rotate(${angleDeg})"`
  );
}

/** The symbols of a control frame are in the frame's reading already. */
function isPartOfFrame({ typeId: type, box: [x, y, w, h] }: PmiObject, frames: readonly Box[]): boolean {
  if (type !== PMI_TYPE.diameterSymbol && (type < PMI_TYPE.parallel || type > PMI_TYPE.position)) return false;
  const middleX = x + w / 2,
    middleY = y + h / 2;
  return frames.some(
    (frame) =>
      middleX > frame[0] && middleX < frame[0] + frame[2] && middleY > frame[1] && middleY < frame[1] + frame[3],
  );
}

/**
 * Above or below the box, beside it, then further off: the first place that covers nothing, else the first that covers
 * no label.
 */
function placeOf(
  [x, y, w, h]: Box,
  [width, height]: readonly [number, number],
  [pageWidth, pageHeight]: readonly [number, number],
  labels: readonly Box[],
  boxes: readonly Box[],
): readonly [number, number] {
  const places: [number, number][] = [
    [x, y - height - 1],
    [x, y + h + 1],
    [x + w + 2, y],
    [x + w - width, y - height - 1],
    [x - width - 2, y],
  ];
  for (let row = 1; row <= MOST_ROWS; row++)
    places.push([x, y - height - 1 - row * LABEL_PX], [x, y + h + 1 + row * LABEL_PX]);
  const inside = places.map(([left, top]): readonly [number, number] => [
    Math.max(0, Math.min(pageWidth - width, left)),
    Math.max(0, Math.min(pageHeight - height, top)),
  ]);
  const free = inside.filter(([left, top]) => !labels.some((other) => overlaps([left, top, width, height], other)));
  return (
    free.find(([left, top]) => !boxes.some((other) => overlaps([left, top, width, height], other))) ??
    free[0] ??
    inside[0]
  );
}

function overlaps([ax, ay, aw, ah]: Box, [bx, by, bw, bh]: Box): boolean {
  return ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;
}

/** A thin line from a distant label to its box. */
function leaderTo(box: Box, label: Box, color: string): string {
  const [x, y, w, h] = box,
    [left, top, width, height] = label;
  if (overlaps([x - 4, y - 4, w + 8, h + 8], label)) return '';
  const fromX = Math.max(left, Math.min(left + width, x)),
    fromY = top > y ? top : top + height;
  return `<path d="M${fromX} ${fromY}L${x} ${top > y ? y + h : y}" stroke="${color}" stroke-width="1"/>`;
}
