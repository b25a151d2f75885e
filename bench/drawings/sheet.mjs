// A drawing from a seed: a sheet with a border and a title block, and annotations of every kind in slots of a grid,
// level, upright and slanted.
import {
  angleDimension, chain, compositeFrame, controlFrame, datumFlag, datumTarget, distraction, edgeState, holeCallout,
  lengthDimension, neighbours, ordinates, projection, roundDimension, surfaceFinish, table, threadOrChamfer,
} from './annotations.mjs'; // biome-ignore format: a list
import {
  crossedDimension, feetAndInches, flatTarget, isometricView, levelOrdinates, nationalNote, placedDimension,
  targetArea, threadInHole,
} from './further.mjs'; // biome-ignore format: a list
import { commonForm, decoy } from './forms.mjs';
import { callout, flagged, labelledValues, openList, otherName, otherUnit } from './others.mjs';
import { FitDice } from './fits.mjs';
import { Page } from './page.mjs';
import { Dice, styleOf } from './styles.mjs';

const WIDTH = 420;
const HEIGHT = 297;
const COLUMNS = 6;
const ROWS = 6;
const MARGIN = 14;
/** Kinds of annotations, and how often each is drawn. */
const KINDS = [
  [lengthDimension, 10], [roundDimension, 6], [chain, 3], [neighbours, 3], [angleDimension, 2], [holeCallout, 3],
  [threadOrChamfer, 3], [controlFrame, 6], [datumFlag, 2], [datumTarget, 1], [surfaceFinish, 2], [edgeState, 1],
  [ordinates, 1], [distraction, 2], [table, 1],
]; // biome-ignore format: a table
/** The same on broad sheets, beside them. */
const FURTHER = [[nationalNote, 6], [feetAndInches, 2], [placedDimension, 6], [isometricView, 5], [targetArea, 3], [threadInHole, 1], [levelOrdinates, 2], [flatTarget, 2]]; // biome-ignore format: a table
/** On sheets of forms, beside the usual kinds. */
const FORMS = [[commonForm, 40], [decoy, 12]]; // biome-ignore format: a table
/** On sheets of callouts, and on sheets of numbers that measure nothing, beside the usual kinds. */
const CALLOUTS = [[callout, 40]];
/** On sheets of composite control frames, beside the usual kinds. */
const COMPOSITES = [[compositeFrame, 40]];
const OTHERS = [
  [labelledValues, 9],
  [otherUnit, 3],
  [openList, 5],
  [otherName, 8],
  [flagged, 4],
];
/** On sheets of values that their dimension lines run through, beside the usual kinds. */
const CROSSED = [[crossedDimension, 40]];
/** On sheets of fits: lengths and diameters, whose sizes have them. */
const FITTED = [
  [lengthDimension, 10],
  [roundDimension, 6],
];
/** Drawn level only: tables, marks that stand on a surface, symbols with a fixed direction. */
const LEVEL = new Set([
  targetArea,
  isometricView,
  levelOrdinates,
  threadInHole,
  table,
  edgeState,
  surfaceFinish,
  distraction,
  decoy,
  labelledValues,
  otherUnit,
  openList,
  otherName,
  datumTarget,
  projection,
  ordinates,
]);
const GENERAL = ['ISO 2768-m', 'ISO 2768-mK', 'ISO 2768-f', 'ISO 2768-cL'];

/**
 * The drawing of a seed.
 * @param {{ isBroad?: boolean, hasForms?: boolean, hasCallouts?: boolean, hasComposites?: boolean, hasOthers?: boolean,
 * hasCrossed?: boolean, isFits?: boolean, hasStrings?: boolean }} options whether it has the annotations of
 * `further.mjs` too, or those of `forms.mjs`, callouts of holes, composite control frames, numbers that measure nothing
 * (`others.mjs`), or values that their dimension lines run through; whether it has sizes with fits alone (`fits.mjs`).
 * Other drawings are the same with and without them. hasStrings: no text is split into words or letters.
 * @returns {Page} items in mm and the truth: { typeId, text, tol, tols?, group, boxMm, angle }, and attributes.
 */
export function sheetOf(seed, options = {}) {
  const { isBroad = false, hasForms = false, isFits = false, hasStrings = false } = options;
  const dice = isFits ? new FitDice(seed) : new Dice(seed);
  const page = new Page(WIDTH, HEIGHT, { ...styleOf(dice), isBroad, ...(isFits && { isInch: false }) });
  if (hasStrings) page.style.pieces = 'string';
  const further = [
    ...(isBroad ? FURTHER : []),
    ...(hasForms ? FORMS : []),
    ...(options.hasCallouts ? CALLOUTS : []),
    ...(options.hasComposites ? COMPOSITES : []),
    ...(options.hasOthers ? OTHERS : []),
    ...(options.hasCrossed ? CROSSED : []),
  ];
  const kinds = isFits ? FITTED : [...KINDS, ...further];
  page.rect(5, 5, WIDTH - 10, HEIGHT - 10, { width: 0.5 });
  const wide = (WIDTH - 2 * MARGIN) / COLUMNS,
    tall = (HEIGHT - 2 * MARGIN) / ROWS;
  const total = kinds.reduce((sum, [, weight]) => sum + weight, 0);
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      // The title block takes the lower right.
      if (row === ROWS - 1 && column >= COLUMNS - 3) continue;
      if (dice.chance(0.08)) continue;
      let at = total * dice.random();
      const [draw] = kinds.find(([, weight]) => (at -= weight) < 0);
      const angle = LEVEL.has(draw) ? 0 : angleOf(dice, page.style);
      const isUpright = Math.abs(angle) > 1.2;
      const middle = { x: MARGIN + (column + 0.5) * wide, y: MARGIN + (row + 0.5) * tall };
      page.within({ ...middle, angle }, () =>
        draw(page, dice, { width: isUpright ? 0.9 * tall : angle === 0 ? 0.9 * wide : 0.75 * tall }),
      );
    }
  // Hatching, as cuts have it: with so much text a page without line work would be a document.
  if (options.hasOthers)
    for (let x = 20; x < 200; x += 1.2) page.line(x, HEIGHT - 7, x + 4, HEIGHT - 11, { width: 0.1 });
  page.within({ x: WIDTH - 5 - 190, y: HEIGHT - 5 - 42 }, () => titleBlock(page, dice));
  return page;
}

/** Level, upwards, or slanted; in styles with level values fewer are turned. */
function angleOf(dice, { isLevel }) {
  if (dice.chance(isLevel ? 0.9 : 0.6)) return 0;
  return dice.chance(0.6) ? -Math.PI / 2 : (dice.oneOf([-60, -45, -30, -20, 15, 30, 45]) * Math.PI) / 180;
}

function titleBlock(page, dice) {
  const { height, isInch } = page.style;
  const size = 0.8 * Math.min(height, 2.5);
  const label = 0.7 * size;
  const general = dice.oneOf(GENERAL);
  const isGerman = !page.style.isAsme && dice.chance(0.25);
  const fields = [
    ['Name', isGerman ? 'BENENNUNG' : 'TITLE', dice.oneOf(['BRACKET', 'FLANGE COVER', 'SHAFT', 'HOUSING LH'])],
    ['Part number', isGerman ? 'ZEICHNUNGSNR' : dice.oneOf(['DWG NO', 'PART NO', 'DRAWING NUMBER']), `${dice.whole(10, 99)}-${dice.whole(1000, 9999)}`],
    ['Material', isGerman ? 'WERKSTOFF' : 'MATERIAL', dice.oneOf(['S235JR', 'EN AW-6082', 'AISI 304', 'C45E'])],
    ['Finish', isGerman ? 'OBERFLÄCHE' : dice.oneOf(['FINISH', 'SURFACE TREATMENT']), dice.oneOf(['BLACK ANODIZED', 'ZINC PLATED', 'NONE', 'POWDER COATED'])],
    ['Mass', isGerman ? 'GEWICHT' : dice.oneOf(['MASS', 'WEIGHT']), `${dice.whole(1, 90) / 10} ${isInch ? 'lb' : 'kg'}`],
    ['Scale', isGerman ? 'MASSSTAB' : 'SCALE', dice.oneOf(['1:1', '1:2', '2:1', '1:5'])],
    ['Revision', isGerman ? 'ÄNDERUNG' : dice.oneOf(['REV', 'REVISION']), dice.oneOf(['A', 'B', 'C', '01'])],
    ['Drawn by', isGerman ? 'GEZEICHNET' : dice.oneOf(['DRAWN', 'DRAWN BY']), dice.oneOf(['J. SMITH', 'M. WEBER', 'K. ITO'])],
    ['Date', isGerman ? 'DATUM' : 'DATE', dice.oneOf(['2024-03-12', '12.05.2023', '07/11/2022'])],
  ]; // biome-ignore format: a table
  const [columns, wide, tall] = [3, 190 / 3, 42 / 4];
  const isBeside = dice.chance(0.4);
  for (let i = 0; i <= 4; i++) page.line(0, i * tall, 190, i * tall);
  for (let i = 0; i <= columns; i++) page.line(i * wide, 0, i * wide, i === 0 || i === columns ? 42 : 3 * tall);
  const colon = dice.chance(0.4) ? ':' : '';
  const { pieces } = page.style;
  page.style.pieces = 'string';
  fields.forEach(([name, said, value], i) => {
    const x = (i % columns) * wide + 1.5,
      y = Math.floor(i / columns) * tall;
    if (isBeside)
      page.text(value, page.text(`${plain(said)}${colon}`, x, y + 6, { height: label }) + 1.5 * size, y + 6, {
        height: size,
      });
    else {
      page.text(`${plain(said)}${colon}`, x, y + 3.2, { height: label });
      page.text(plain(value), x + 1, y + 8.6, { height: size });
    }
    page.attributes.push({ name, value: plain(value) });
  });
  page.annotate({ typeId: 39, text: `GENERAL TOLERANCES ${general}`, tol: '', group: 'general' }, () =>
    page.text(`GENERAL TOLERANCES ${general}`, 2, 3 * tall + 6.5, { height: size }),
  );
  page.attributes.push({ name: 'General tolerance', value: general });
  if (dice.chance(0.6)) page.within({ x: 150, y: 3 * tall + 5.2 }, () => projection(page, dice));
  page.style.pieces = pieces;
}

/** The plotter font has no umlauts. */
function plain(text) {
  return text.replaceAll('Ä', 'AE');
}
