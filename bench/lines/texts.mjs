// Lines of text as drawings have them, drawn from a seed: sizes with tolerances, fits, threads, cells of control
// frames, finishes, notes, fields of title blocks, and plain disorder, so that no line is impossible.
import { LINE_CHARACTERS } from '../../dist/pmi/pictures/line-characters.js';

/** Longest line, characters. */
export const LONGEST = 32;
const WORDS =
  `MAX MIN TYP REF THRU ALL DEEP BOTH SIDES EQ SP EQUALLY SPACED BREAK EDGES SHARP DEBURR CHAMFER RADIUS HOLE HOLES
SECTION DETAIL VIEW SCALE SHEET TITLE NAME DATE DRAWN CHECKED APPROVED MATERIAL FINISH MASS WEIGHT REV REVISION
PART NO NUMBER DWG DRAWING SIZE SURFACE TREATMENT TOLERANCE TOLERANCES GENERAL UNLESS OTHERWISE SPECIFIED
DIMENSIONS ARE IN MILLIMETERS INCHES NOTE NOTES SEE WELD AROUND BRACKET FLANGE COVER SHAFT HOUSING PLATE BLOCK
RING GEAR PIN BOLT NUT WASHER BASE SUPPORT STEEL ALUMINIUM ALUMINUM BRASS STAINLESS BLACK ANODIZED ZINC PLATED
POWDER COATED HARDENED GROUND OF AND FROM TO FOR THE WITH ON BENENNUNG ZEICHNUNG WERKSTOFF GEWICHT BLATT DATUM
GEPR BEARB MASSSTAB alle Kanten gebrochen max min max. min. typ. tief durch beidseitig Ansicht Schnitt Detail
Scale Sheet Title Date Drawn Checked Material Finish Mass Part Number Revision View Section Note Hole Depth
Thread Chamfer Radius deep through both sides places equally spaced Name Units Format Tolerance ISO DIN ASME EN
ANSI UNC UNF GENERAL LINEAR ANGULAR PROJECT FILE CODE QTY ITEM DESCRIPTION mm in kg lb NONE N/A
DWG. DOCUMENT TEILENUMMER SACHNUMMER TITEL OBERFLAECHE MASSE INDEX ERSTELLT GEZEICHNET FREIGEGEBEN FORMAT AENDERUNG
PLAN NUMERO TITRE DESIGNATION MATIERE MATERIAU TRAITEMENT FINITION POIDS ECHELLE INDICE DESSINE PAR VERIFIE APPROUVE
FEUILLE DISEGNO CODICE TITOLO DENOMINAZIONE MATERIALE FINITURA TRATTAMENTO PESO MASSA SCALA REVISIONE DISEGNATO DATA
FOGLIO FORMATO ESCALA FECHA DIBUJADO TITULO ACABADO SIGNATURE CREATED DESIGNED ISSUE COATING SUPPLIER CUSTOMER STANDARD
INTERPRET PER Y14.5 LIMITS HISTORY REVISIONS EDITION First HEAD SCREW NUTS SPRING LEVER CLAMP ARM FRAME SPACER BEARING
CAP DRIVE TOOL MOUNTING SENSOR UNIT MAIN LEFT RIGHT HAND SIDE UPPER LOWER FRONT REAR INNER OUTER ASSEMBLY WELDMENT
CASTING FORGING SHEET METAL MILD CARBON ALLOY BRONZE COPPER TITANIUM PLASTIC NYLON RUBBER PTFE PEEK POM ABS NICKEL
CHROME PAINTED PAINT PASSIVATED CLEAR HARD NATURAL RAW UNFINISHED GALVANIZED BLACKENED OXIDE PHOSPHATE Welle Halter
Platte Deckel Flansch Lager Buchse Stahl Messing verzinkt eloxiert schwarz roh Support Arbre Bride Plaque Acier Albero
Piastra Flangia Acciaio DO NOT THIS DRAWING PROPERTY THIRD FIRST ANGLE PROJECTION INCLUSIVE EXCLUDING`.split(/\s+/);
const NAMES = `SMITH WEBER ITO LEE MILLER JONES BROWN MUELLER SCHMIDT MEYER WAGNER BECKER ROSSI BIANCHI DUPONT MARTIN
GARCIA LOPEZ TANAKA SATO KIM PARK NOWAK NOVAK JANSEN HANSEN LARSEN SINGH PATEL WANG CHEN TAYLOR CLARK WALKER`.split(
  /\s+/,
);
const MATERIALS =
  `S235JR S275JR S355J2 S355J2+N C45E C45 C60 42CrMo4 16MnCr5 34CrNiMo6 X5CrNi18-10 GG25 EN-GJL-250 GJS-400
POM-C PA6 PA66 PEEK PTFE PVC ABS PC ALMG3 AlMgSi1 6061-T6 6082-T6 7075-T6 5083 2024-T3 CuZn39Pb3 CW614N A36 1018 4140 303
304 304L 316 316L 17-4PH INCONEL`.split(/\s+/);
const CHARACTERISTICS = [...'∥⏥⊥⌒⌓∠⌭↗⌯◎⌰⌖'];
const CIRCLED = [...'ⓂⓁⓅⒻⒺⓈⓉⓊ'];
const FITS = 'H7 H8 H11 G6 F8 E9 JS9 P9 N9 K7 H6 M7 D10 k6 g6 h6 f7 m6 js7 e8 d9 p6 n6 h7 h9 f8 s6 r6'.split(' ');

/** A line of one of the kinds. @param {import('../drawings/styles.mjs').Dice} dice */
export function textOf(dice) {
  const kinds = [
    [size, 34],
    [number, 14],
    [tolerance, 12],
    [cell, 9],
    [thread, 7],
    [words, 10],
    [named, 8],
    [entry, 8],
    [finish, 3],
    [disorder, 6],
  ];
  let at = kinds.reduce((sum, [, weight]) => sum + weight, 0) * dice.random();
  const [write] = kinds.find(([, weight]) => (at -= weight) < 0);
  const said = write(dice, habitsOf(dice)).replace(/\s+/g, ' ').trim();
  return said === '' || said.length > LONGEST ? textOf(dice) : said;
}

function habitsOf(dice) {
  const isInch = dice.chance(0.25);
  return {
    isInch,
    comma: !isInch && dice.chance(0.4),
    places: isInch ? dice.oneOf([2, 3, 3, 4]) : dice.oneOf([0, 1, 2, 2, 3]),
  };
}

function written(value, { isInch, comma }, places) {
  const said = value.toFixed(places).replace(isInch ? /^0(?=\.)/ : /^$/, '');
  return comma ? said.replace('.', ',') : said;
}

function sized(dice, habits) {
  const most = dice.oneOf([3, 10, 30, 100, 300, 1500]);
  return written(dice.between(0.05 * most, most) * (habits.isInch ? 0.04 : 1), habits, habits.places);
}

function number(dice, habits) {
  return sized(dice, habits);
}

function deviation(dice, habits) {
  const step = habits.isInch ? 0.001 : 0.01;
  return written(
    step * dice.whole(1, dice.oneOf([9, 40, 99])),
    habits,
    dice.oneOf(habits.isInch ? [3, 3, 4] : [1, 2, 2, 3]),
  );
}

function tolerance(dice, habits) {
  const value = deviation(dice, habits);
  return dice.oneOf([
    `+${value}`,
    `-${value}`,
    `+${value}`,
    `-${value}`,
    `±${value}`,
    dice.oneOf(['0', '0.00', '0,0', '0.000', '+0', '-0', '.000']),
    dice.oneOf(FITS),
    `${dice.oneOf(FITS)}/${dice.oneOf(FITS)}`,
    `(+${value})`,
    `+${value}/-${deviation(dice, habits)}`,
  ]);
}

function size(dice, habits) {
  const count = dice.chance(0.22) ? `${dice.whole(2, 24)}${dice.oneOf(['x', 'x ', 'X ', 'X', ' x ', ' X '])}` : '';
  const sign = dice.chance(0.55)
    ? dice.oneOf(['⌀', '⌀', '⌀', '⌀ ', 'R', 'R', 'R ', 'SR', 'S⌀', '□', '↧', '↧ ', '⌴⌀', '⌴ ⌀', '⌵⌀', '⌵ ⌀'])
    : '';
  const angle = sign === '' && dice.chance(0.15);
  const value = angle ? `${written(dice.between(1, 180), habits, dice.oneOf([0, 0, 1]))}°` : sized(dice, habits);
  const dev = () => deviation(dice, habits);
  const tail = dice.oneOf([
    '',
    '',
    '',
    '',
    '',
    '',
    `±${dev()}`,
    ` ±${dev()}`,
    ` +${dev()}/-${dev()}`,
    `+${dev()}`,
    ` ${dice.oneOf(FITS)}`,
    dice.oneOf(FITS),
    ` ${dice.oneOf(FITS)}/${dice.oneOf(FITS)}`,
    ` ${dice.oneOf(['MAX', 'MIN', 'TYP', 'REF', 'max.', 'min.', 'THRU', 'THRU ALL', 'DEEP', 'mm', 'TYP.'])}`,
    ` ↧${sized(dice, habits)}`,
    ` ↧ ${sized(dice, habits)}`,
    angle ? `±${dice.whole(1, 3)}°` : '',
    angle ? `±${dice.whole(5, 45)}'` : '',
    `/${sized(dice, habits)}`,
  ]);
  const said = `${count}${sign}${value}${tail}`;
  return dice.chance(0.1) ? (dice.chance(0.5) ? `(${said})` : `${count}(${sign}${value})`) : said;
}

function cell(dice, habits) {
  const modifier = () => (dice.chance(0.3) ? dice.oneOf(CIRCLED) : '');
  const letter = dice.oneOf('ABCDEFGHJKLMNPRSTXYZ');
  return dice.oneOf([
    `${dice.chance(0.5) ? '⌀' : ''}${deviation(dice, habits)}${modifier()}`,
    `${dice.chance(0.5) ? '⌀' : ''}${deviation(dice, habits)}${modifier()}${modifier()}`,
    letter,
    `${letter}${modifier()}`,
    `${letter}-${dice.oneOf('ABCDEFGHJK')}`,
    `${letter}${dice.whole(1, 9)}`,
    dice.oneOf(CHARACTERISTICS),
    `${dice.oneOf(CHARACTERISTICS)} ${dice.chance(0.5) ? '⌀' : ''}${deviation(dice, habits)}${modifier()} ${letter}`,
    `${dice.oneOf(CHARACTERISTICS)}${deviation(dice, habits)} ${letter} ${dice.oneOf('ABCDEF')}`,
  ]);
}

function thread(dice, habits) {
  const count = dice.chance(0.35) ? `${dice.whole(2, 16)}${dice.oneOf(['x ', 'x', 'X '])}` : '';
  const metric = `M${dice.oneOf([2, 2.5, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 24, 30, 36, 42])}`.replace(
    '.',
    habits.comma ? ',' : '.',
  );
  const pitch = written(dice.oneOf([0.5, 0.75, 1, 1.25, 1.5, 2, 3]), { comma: habits.comma }, dice.oneOf([0, 1, 2]));
  const short = written(dice.oneOf([0.2, 0.3, 0.5, 1, 1.5, 2, 3]), habits, dice.oneOf([0, 1, 1]));
  return `${count}${dice.oneOf([
    metric,
    metric,
    metric,
    `${metric}x${pitch}`,
    `${metric}-6H`,
    `${metric}x${pitch}-6g`,
    `${metric} - 6H`,
    `${metric} THRU`,
    `${metric} ↧${sized(dice, habits)}`,
    `${dice.oneOf(['1/4-20', '#10-32', '3/8-16', '1/2-13', '#4-40', '5/16-18'])} ${dice.oneOf(['UNC', 'UNF', 'UNC-2B', 'UNF-2A'])}`,
    `${short}x45°`,
    `${short} x 45°`,
    `C${short}`,
    `G${dice.whole(1, 3)}/${dice.oneOf([2, 4, 8])}`,
    `Tr${dice.whole(8, 60)}x${dice.whole(2, 9)}`,
    `${short}X45°`,
  ])}`;
}

function words(dice) {
  const count = dice.oneOf([1, 1, 1, 2, 2, 3]);
  const said = Array.from({ length: count }, () => dice.oneOf(WORDS)).join(' ');
  const cased = dice.chance(0.2) ? said.toLowerCase() : dice.chance(0.1) ? said.toUpperCase() : said;
  return dice.oneOf([
    cased,
    cased,
    cased,
    `${cased}:`,
    `${dice.whole(1, 9)}. ${cased}`,
    `${cased} ${dice.oneOf('ABCDE')}-${dice.oneOf('ABCDE')}`,
    `${cased} ${dice.whole(1, 40)}`,
  ]);
}

function named(dice) {
  const two = () => String(dice.whole(1, 31)).padStart(2, '0');
  const letters = (count) => Array.from({ length: count }, () => dice.oneOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ')).join('');
  return dice.oneOf([
    `${dice.whole(10, 99)}-${dice.whole(1000, 9999)}`,
    `${letters(dice.whole(1, 3))}${dice.oneOf(['-', '', '.'])}${dice.whole(1, 99999)}`,
    `${dice.whole(1, 10)}:${dice.whole(1, 20)}`,
    `20${two()}-${two()}-${two()}`,
    `${two()}.${two()}.20${two()}`,
    `${two()}/${two()}/${two()}`,
    `ISO ${dice.whole(100, 9999)}`,
    `ISO 2768-${dice.oneOf(['m', 'mK', 'f', 'fH', 'c', 'cL'])}`,
    `DIN ${dice.whole(100, 9999)}`,
    `${dice.whole(1, 900) / 10} ${dice.oneOf(['kg', 'lb', 'g', 'mm'])}`,
    `${letters(1)}. ${letters(dice.whole(3, 7))}`,
    `A${dice.whole(0, 4)}`,
    `EN AW-${dice.whole(1000, 7999)}`,
    `S${dice.oneOf([235, 275, 355])}JR`,
    `AISI ${dice.whole(301, 430)}`,
    `C${dice.whole(10, 60)}E`,
    `REV ${letters(1)}`,
    `${dice.whole(1, 9)} OF ${dice.whole(1, 9)}`,
    `1.${dice.whole(4000, 4999)}`,
    `${dice.whole(0, 99)}%`,
    `#${dice.whole(1, 99)}`,
    `${letters(3)} & ${letters(3)}`,
    `${letters(2)}_${dice.whole(1, 99)}`,
  ]);
}

/** What title blocks, tables of revisions and lists of parts say. */
function entry(dice) {
  const two = (most = 31) => String(dice.whole(1, most)).padStart(2, '0');
  const letter = () => dice.oneOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const name = dice.oneOf(NAMES);
  const cased = dice.chance(0.4) ? name[0] + name.slice(1).toLowerCase() : name;
  const date = dice.oneOf([
    `20${two(30)}-${two(12)}-${two()}`,
    `${two()}.${two(12)}.20${two(30)}`,
    `${two(12)}/${two()}/20${two(30)}`,
    `${two()}-${two(12)}-${two(30)}`,
    `${two()}/${two(12)}/${two(30)}`,
    `${dice.whole(1, 31)} ${dice.oneOf(['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'])} 20${two(30)}`,
  ]);
  const material = dice.oneOf(MATERIALS);
  const word = () => dice.oneOf(WORDS);
  return dice.oneOf([
    `${letter()}. ${cased}`,
    `${letter()}.${letter()}. ${cased}`,
    cased,
    `${letter()}${letter()}${letter()}`,
    date,
    date,
    material,
    dice.oneOf([
      `AISI ${material}`,
      `ASTM ${material}`,
      `EN AW-${dice.whole(1000, 7999)} T${dice.whole(3, 6)}`,
      `1.${dice.whole(4000, 4999)}`,
    ]),
    dice.oneOf([
      `${dice.whole(1, 10)}:${dice.whole(1, 50)}`,
      `${dice.whole(1, 10)} : ${dice.whole(1, 50)}`,
      `Scale ${dice.whole(1, 5)}:${dice.whole(1, 20)}`,
    ]),
    `${dice.whole(1, 900) / 10} ${dice.oneOf(['kg', 'g', 'lb', 'lbs', 'KG'])}`,
    `${dice.whole(0, 9)}.${dice.whole(0, 999)} kg`,
    dice.oneOf([
      `ISO 2768-${dice.oneOf(['m', 'mK', 'f', 'fH', 'c', 'cL', 'v', 'mH'])}`,
      `ISO 22081`,
      `ISO 1302`,
      `ISO 8015`,
      `ASME Y14.5-20${two(30)}`,
      `DIN ${dice.whole(1, 9999)}`,
      `DIN EN ${dice.whole(100, 22000)}`,
    ]),
    `RAL ${dice.whole(1000, 9999)}`,
    `${word()} ${dice.whole(1, 99)} mm`,
    `${dice.oneOf(['REV', 'Rev.', 'REV.', 'INDEX', 'Ed.'])} ${dice.chance(0.5) ? letter() : two()}`,
    dice.oneOf([letter(), two(), `${letter()}${dice.whole(1, 9)}`, `${dice.whole(0, 9)}.${dice.whole(0, 9)}`]),
    `${dice.whole(1, 99)}-${dice.whole(10, 99999)}`,
    `${letter()}${letter()}-${word()}`,
    `${letter()}${dice.whole(100, 9999)}-${letter()}${dice.whole(1, 9)}${letter()}`,
    `${dice.whole(100000, 99999999)}`,
    `${dice.whole(10, 999)}.${dice.whole(10, 999)}.${dice.whole(10, 999)}`,
    `SHEET ${dice.whole(1, 9)} OF ${dice.whole(1, 9)}`,
    `${dice.whole(1, 9)}/${dice.whole(1, 9)}`,
    dice.oneOf(['A4', 'A3', 'A2', 'A1', 'A0', 'B', 'D']),
    `${word()}: ${material}`,
    `${word()}: ${dice.whole(1, 9)}:${dice.whole(1, 20)}`,
    `${word()}, ${word()}`,
    `${word()} ${word()}:`,
  ]);
}

function finish(dice, habits) {
  const value = written(dice.oneOf([0.2, 0.4, 0.8, 1.6, 3.2, 6.3, 12.5, 25]), habits, 1);
  return dice.oneOf([
    `Ra ${value}`,
    `Ra${value}`,
    `Rz ${value}`,
    `Rz${value}`,
    value,
    `√Ra ${value}`,
    `√${value}`,
    `Rz ${dice.whole(4, 100)}`,
    `${dice.whole(16, 250)}`,
  ]);
}

function disorder(dice) {
  const length = dice.whole(1, 9);
  const pool = dice.oneOf([
    LINE_CHARACTERS,
    [...'0123456789.,±+-⌀°()/'],
    [...'0123456789'],
    [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'],
  ]);
  return Array.from({ length }, () => dice.oneOf(pool)).join('');
}
