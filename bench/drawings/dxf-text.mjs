// A page of bench/drawings as DXF whose dimensions are exploded: lines, arcs, solids, and TEXT or MTEXT for what is
// written, as programs without dimensions of their own export it.
import { Dice } from './styles.mjs';

/** Codes of signs before AutoCAD 2007; other letters by number. */
const CODES = { '⌀': '%%c', '±': '%%p', '°': '%%d' };

/** Pictures of a model space have this margin about what is drawn, as a share of its longer side. */
const MARGIN = 0.02;

/**
 * The page as a DXF file; y upwards, in mm or, as the style has it, in inches of the same numbers.
 * @returns {{ bytes: Uint8Array, place: (x: number, y: number) => number[], width: number }} place: where a point of
 * the page is on what is drawn, which begins at the border.
 */
export function dxfTextOf(page, seed) {
  const { items, heightMm, style } = page;
  const dice = new Dice(seed + 55_000);
  const isOld = dice.chance(0.4);
  // Exploded dimensions leave MTEXT, programs without them write TEXT.
  const shareOfMtext = dice.oneOf([0, 0, 0.5, 1]);
  const up = (y) => (heightMm - y).toFixed(4);
  let handle = 0x100;
  const entity = (kind, subclass, groups) =>
    // biome-ignore format: groups
    [[0, kind], [5, (handle++).toString(16).toUpperCase()], [100, 'AcDbEntity'], [8, '0'], [100, subclass], ...groups];
  const spelled = (text, isMtext) => {
    const coded = isOld ? Object.entries(CODES).reduce((all, [sign, code]) => all.replaceAll(sign, code), text) : text;
    const plain = isMtext ? coded.replace(/[\\{}]/g, '\\$&') : coded;
    return isOld ? plain.replace(/[^\x20-\x7e]/gu, (letter) => `\\U+${hex(letter)}`) : plain;
  };
  const written = ({ text, x, y, height, angle, shear = 0 }) => {
    const turn = (-angle * 180) / Math.PI;
    const lean = (Math.atan(style.slant - shear) * 180) / Math.PI;
    const isMtext = shear === 0 && dice.chance(shareOfMtext);
    if (isMtext) {
      const start = [-Math.sin(angle) * -height, Math.cos(angle) * -height];
      return entity('MTEXT', 'AcDbMText', [
        [10, (x + start[0]).toFixed(4)], [20, up(y + start[1])], [30, 0], [40, height], [41, 0], [71, 1], [72, 5],
        [1, spelled(text, true)], [50, turn.toFixed(4)],
      ]); // biome-ignore format: groups
    }
    return entity('TEXT', 'AcDbText', [
      [10, x.toFixed(4)], [20, up(y)], [30, 0], [40, height], [1, spelled(text, false)], [50, turn.toFixed(4)],
      [41, style.stretch], [51, lean.toFixed(3)], [100, 'AcDbText'],
    ]); // biome-ignore format: groups
  };
  const entities = items.flatMap((item) => {
    if (item.points?.length > 2)
      return [
        entity('LWPOLYLINE', 'AcDbPolyline', [
          [90, item.points.length], [70, 0], ...item.points.flatMap(([x, y]) => [[10, x.toFixed(4)], [20, up(y)]]),
        ]),
      ]; // biome-ignore format: groups
    if (item.points !== undefined)
      return item.points.slice(1).map(([x, y], i) => {
        const [x0, y0] = item.points[i];
        // biome-ignore format: groups
        return entity('LINE', 'AcDbLine', [
          [10, x0.toFixed(4)], [20, up(y0)], [30, 0], [11, x.toFixed(4)], [21, up(y)], [31, 0],
        ]);
      });
    if (item.circle !== undefined) {
      const [x, y, r] = item.circle;
      return [
        entity('CIRCLE', 'AcDbCircle', [
          [10, x.toFixed(4)],
          [20, up(y)],
          [30, 0],
          [40, r.toFixed(4)],
        ]),
      ];
    }
    if (item.fill !== undefined) {
      // A fourth corner is that across from the first one, which a solid says last but one.
      const [a, b, c, d] = item.fill;
      const isClosed = d === undefined || (d[0] === a[0] && d[1] === a[1]);
      const corner = ([x, y], i) => [
        [10 + i, x.toFixed(4)],
        [20 + i, up(y)],
        [30 + i, 0],
      ];
      return [entity('SOLID', 'AcDbTrace', (isClosed ? [a, b, c, c] : [a, b, d, c]).flatMap(corner))];
    }
    return [written(item)];
  });
  const groups = [
    [0, 'SECTION'], [2, 'HEADER'], [9, '$ACADVER'], [1, isOld ? 'AC1018' : 'AC1027'],
    [9, '$INSUNITS'], [70, style.isInch ? 1 : 4],
    [0, 'ENDSEC'], [0, 'SECTION'], [2, 'ENTITIES'], ...entities.flat(), [0, 'ENDSEC'], [0, 'EOF'],
  ]; // biome-ignore format: groups
  const text = groups.map(([code, value]) => `${String(code).padStart(3)}\n${value}\n`).join('');
  const points = items.flatMap((item) => item.points ?? []);
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [top, bottom] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const margin = MARGIN * Math.max(right - left, bottom - top);
  return {
    bytes: new TextEncoder().encode(text),
    place: (x, y) => [x - left + margin, y - top + margin],
    width: right - left + 2 * margin,
  };
}

function hex(letter) {
  return letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
}
