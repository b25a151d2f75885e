/**
 * The same page in files of other writers, and revisions of it: what tells whether two drawings are the same. Pages are
 * those of `pdfOf`.
 */

/** A page moved and scaled on its paper (paper: a factor of its sides). */
export function movedBy({ widthMm, heightMm, items }, { x = 0, y = 0, scale = 1, paper = 1 }) {
  const at = ([u, v]) => [scale * u + x, scale * v + y];
  return {
    widthMm: paper * widthMm,
    heightMm: paper * heightMm,
    items: items.map((item) => {
      const { points, fill, width, dash, height, x: u, y: v, widthMm: across, heightMm: down } = item;
      const [left, top] = at([u ?? 0, v ?? 0]);
      return {
        ...item,
        ...(points && { points: points.map(at), width: scale * width }),
        ...(dash && { dash: dash.map((length) => scale * length) }),
        ...(fill && { fill: fill.map(at) }),
        ...(u !== undefined && { x: left, y: top }),
        ...(height && { height: scale * height }),
        ...(across && { widthMm: scale * across, heightMm: scale * down }),
      };
    }),
  };
}

/** A page of lines and texts as SVG, coordinates to `digits` behind the point. */
export function svgOf({ widthMm, heightMm, items }, digits = 3) {
  const n = (value) => String(Number(value.toFixed(digits)));
  const path = (points) => points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${n(x)},${n(y)}`).join('');
  const color = ([r, g, b] = [0, 0, 0]) => `rgb(${[r, g, b].map((share) => Math.round(255 * share)).join()})`;
  const parts = items.map((item) => {
    if (item.points !== undefined) {
      const dash = item.dash === undefined ? '' : ` stroke-dasharray="${item.dash.map(n).join()}"`;
      const stroke = `stroke="${color(item.color)}" stroke-width="${n(item.width)}"${dash}`;
      return `<path d="${path(item.points)}" fill="none" ${stroke}/>`;
    }
    if (item.fill !== undefined) return `<path d="${path(item.fill)}Z" fill="${color(item.color)}"/>`;
    if (item.text === undefined) throw new Error('pictures are not written as SVG');
    const turn = item.up ? ` transform="rotate(-90 ${n(item.x)} ${n(item.y)})"` : '';
    const words = item.text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    const font = `font-family="Helvetica" font-size="${n(item.height / 0.72)}"`;
    return `<text x="${n(item.x)}" y="${n(item.y)}" ${font}${turn}>${words}</text>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(widthMm)}mm" height="${n(heightMm)}mm" ` +
      `viewBox="0 0 ${n(widthMm)} ${n(heightMm)}">\n${parts.join('\n')}\n</svg>\n`,
  );
}

/** A page of lines and texts as DXF in model space, mm: layers of a CAD program are not told. */
export function dxfOf({ heightMm, items }) {
  const groups = [];
  const put = (...pairs) => groups.push(...pairs);
  const n = (value) => value.toFixed(5);
  const kinds = [...new Set(items.flatMap(({ dash }) => (dash === undefined ? [] : [dash.join()])))];
  put([0, 'SECTION'], [2, 'HEADER'], [9, '$ACADVER'], [1, 'AC1024'], [9, '$INSUNITS'], [70, 4], [0, 'ENDSEC']);
  put([0, 'SECTION'], [2, 'TABLES'], [0, 'TABLE'], [2, 'LTYPE'], [5, '10'], [70, kinds.length]);
  for (const [i, kind] of kinds.entries()) {
    const lengths = kind.split(',').map(Number);
    put([0, 'LTYPE'], [5, (17 + i).toString(16)], [2, `D${i}`], [70, 0], [3, ''], [72, 65], [73, lengths.length]);
    put([40, n(lengths.reduce((sum, length) => sum + length, 0))]);
    for (const [k, length] of lengths.entries()) put([49, n(k % 2 === 0 ? length : -length)], [74, 0]);
  }
  put([0, 'ENDTAB'], [0, 'ENDSEC'], [0, 'SECTION'], [2, 'ENTITIES']);
  for (const { points, width, dash, fill, text, x, y, height, up } of items) {
    const common =
      dash === undefined
        ? [[8, '0']]
        : [
            [8, '0'],
            [6, `D${kinds.indexOf(dash.join())}`],
          ];
    if (points !== undefined) {
      put([0, 'LWPOLYLINE'], [100, 'AcDbEntity'], ...common, [370, Math.round(100 * width)]);
      put([100, 'AcDbPolyline'], [90, points.length], [70, 0]);
      for (const [u, v] of points) put([10, n(u)], [20, n(heightMm - v)]);
    } else if (fill !== undefined) {
      put([0, 'SOLID'], [100, 'AcDbEntity'], ...common, [100, 'AcDbTrace']);
      for (const [k, [u, v]] of [...fill, fill[2]].entries()) put([10 + k, n(u)], [20 + k, n(heightMm - v)]);
    } else {
      put([0, 'TEXT'], [100, 'AcDbEntity'], ...common, [100, 'AcDbText'], [10, n(x)], [20, n(heightMm - y)]);
      put([40, n(height)], [1, text], [50, up ? 90 : 0], [100, 'AcDbText']);
    }
  }
  put([0, 'ENDSEC'], [0, 'EOF']);
  return Buffer.from(groups.map(([code, value]) => `${code}\n${value}\n`).join(''));
}

/**
 * Revisions of a page: each with one change that a person makes. Absent where the page has nothing to change.
 * - `number`: one digit of one dimension; - `word`: one word of a note or the title block; - `hole`: one more circle in
 *   the largest free middle of a view; - `line`: one dimension with its text is gone; - `moved`: a hole of 2 mm and
 *   more is moved by .3 mm; - `solid`: a hidden edge is drawn as a line.
 */
export function revisionOf({ items, ...page }, how, random) {
  const pick = (list) => list[Math.floor(list.length * random())];
  const placesOf = (isMeant) => items.flatMap((item, i) => (isMeant(item) ? [i] : []));
  const changed = (at, item) => ({ ...page, items: items.map((own, i) => (i === at ? item : own)) });
  if (how === 'number' || how === 'swapped') {
    const at = pick(placesOf(({ text }) => text !== undefined && /^R?\d+(\.\d)?$/.test(text)));
    if (at === undefined) return undefined;
    const { text } = items[at];
    if (how === 'swapped') {
      const digits = text.match(/\d/g);
      const k = digits.findIndex((digit, i) => i > 0 && digit !== digits[i - 1]);
      if (k < 0) return undefined;
      let seen = -1;
      const swapped = text.replace(/\d/g, (digit) => {
        seen++;
        return seen === k ? digits[k - 1] : seen === k - 1 ? digits[k] : digit;
      });
      return changed(at, { ...items[at], text: swapped });
    }
    const places = [...text].flatMap((sign, i) => (/\d/.test(sign) ? [i] : []));
    const place = pick(places);
    const digit = String((Number(text[place]) + 1 + Math.floor(9 * random())) % 10);
    return changed(at, { ...items[at], text: text.slice(0, place) + digit + text.slice(place + 1) });
  }
  if (how === 'word') {
    const at = pick(placesOf(({ text }) => text !== undefined && /[A-Z]{4}/.test(text)));
    if (at === undefined) return undefined;
    return changed(at, { ...items[at], text: items[at].text.replace(/[A-Z]{4,}/, pick(['PLATE', 'BRASS', 'FLANGE'])) });
  }
  if (how === 'line') {
    const at = pick(placesOf(({ text, points }) => text === undefined && points?.length === 2));
    return at === undefined ? undefined : { ...page, items: items.filter((_, i) => i !== at) };
  }
  if (how === 'moved') {
    const at = pick(placesOf(isHole));
    if (at === undefined) return undefined;
    const angle = 2 * Math.PI * random();
    const [x, y] = [0.3 * Math.cos(angle), 0.3 * Math.sin(angle)];
    return changed(at, { ...items[at], points: items[at].points.map(([u, v]) => [u + x, v + y]) });
  }
  if (how === 'solid') {
    const at = pick(placesOf(({ points, dash }) => points !== undefined && dash !== undefined));
    return at === undefined ? undefined : changed(at, { ...items[at], dash: undefined });
  }
  // A circle of 3 mm across about a corner of a drawn line, moved inwards by its own diameter.
  const at = pick(placesOf(({ points, width, dash }) => points !== undefined && dash === undefined && width > 0));
  const [x, y] = items[at].points[0];
  const points = Array.from({ length: 25 }, (_, k) => {
    const angle = (k * Math.PI) / 12;
    return [x + 3 + 1.5 * Math.cos(angle), y + 3 + 1.5 * Math.sin(angle)];
  });
  return { ...page, items: [...items, { points, width: items[at].width }] };
}

/**
 * Siblings of a page: one of its holes of 2 mm and more moved by .4 to 3.2 mm, each in another direction, all else
 * equal. Absent where it has no hole.
 */
export function siblingsOf({ items, ...page }, count) {
  const at = items.findIndex(isHole);
  if (at < 0) return undefined;
  return Array.from({ length: count }, (_, i) => {
    const angle = 2.399963 * i,
      far = 0.4 + (2.8 * (i + 1)) / count;
    const [x, y] = [far * Math.cos(angle), far * Math.sin(angle)];
    const moved = { ...items[at], points: items[at].points.map(([u, v]) => [u + x, v + y]) };
    return { ...page, items: items.map((item, k) => (k === at ? moved : item)) };
  });
}

/** A closed line of many corners as wide as high, 2 mm and more. */
function isHole({ points }) {
  if (points === undefined || points.length < 12) return false;
  const [[x, y], [u, v]] = [points[0], points.at(-1)];
  const sides = [0, 1].map((k) => {
    const values = points.map((point) => point[k]);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.hypot(x - u, y - v) < 0.01 && Math.min(...sides) > 2 && Math.abs(sides[0] - sides[1]) < 0.02 * sides[0];
}
