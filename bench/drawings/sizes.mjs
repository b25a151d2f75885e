// Sizes with their tolerances, as standards and habits have them: what is written, and what of it is text and
// tolerance.

const HOLES = ['H7', 'H8', 'H11', 'G6', 'F8', 'E9', 'JS9', 'P9', 'N9', 'K7'];
const SHAFTS = ['k6', 'g6', 'h6', 'f7', 'm6', 'js7', 'e8', 'd9', 'p6', 'n6'];

/** A number as the style writes it. */
export function written(value, { comma, isInch }, places) {
  const said = value.toFixed(places).replace(isInch ? /^0(?=\.)/ : /^$/, '');
  return comma ? said.replace('.', ',') : said;
}

/** A nominal size of the style's unit: { value, text, places }. */
export function nominal(dice, style, { least = 3, most = 180 } = {}) {
  const scale = style.isInch ? 1 / 25.4 : 1;
  const places = dice.chance(0.2) ? Math.max(0, style.places - 1) : style.places;
  const value = Number((scale * dice.between(least, most)).toFixed(places));
  const kept = value > 0 ? value : 1;
  return { value: kept, places, text: written(kept, style, places) };
}

/**
 * A size with a tolerance.
 * @param {object} options { sign: before the number, isFit: whether it may have a fit }
 * @returns { text, tol, front, number, form, lines }: what is before the number, the number, how the tolerance stands
 * (`none`, `behind`, `stacked`, `limits`, `basic`, `reference`, `stackedFit`, `words`) and its strings.
 */
export function sizeOf(dice, style, { sign = '', isFit = true, forms, ...range } = {}) {
  const form =
    forms !== undefined
      ? dice.oneOf(forms)
      : dice.oneOf([
          'none', 'none', 'none', 'equal', 'equal', 'stacked', 'stacked', 'limits', 'basic', 'reference', 'slashed',
          ...(isFit && !style.isInch ? ['fit', 'fitDeviations', 'stackedFit', 'pair'] : []),
          'words',
        ]); // biome-ignore format: a list
  const size = nominal(dice, style, range);
  const places = Math.max(style.isInch ? 3 : 2, size.places);
  const step = style.isInch ? 0.001 : 0.01;
  const up = step * dice.whole(1, 40),
    down = step * dice.whole(1, 40);
  const short = (value) => written(value, style, dice.chance(0.6) ? places : Math.max(1, places - 1));
  const base = { front: sign, number: size.text, form: 'none', lines: [] };
  const text = `${sign}${size.text}`;
  if (form === 'equal') {
    const tol = `±${short(Math.max(up, 5 * step))}`;
    return { ...base, form: 'behind', text, tol, lines: [dice.chance(0.5) ? tol : ` ${tol}`] };
  }
  if (form === 'stacked' || form === 'slashed') {
    const zero = dice.chance(0.4);
    const zeroText = dice.oneOf(['0', written(0, { ...style, isInch: false }, places)]);
    const [upper, lower] = zero
      ? dice.chance(0.5)
        ? [`+${short(up)}`, zeroText]
        : [zeroText, `-${short(down)}`]
      : [`+${short(up)}`, `-${short(down)}`];
    if (form === 'stacked') return { ...base, form, text, tol: `${upper}/${lower}`, lines: [upper, lower] };
    return { ...base, form: 'behind', text, tol: `${upper}/${lower}`, lines: [` ${upper}/${lower}`] };
  }
  if (form === 'limits') {
    const number = written(size.value, style, places);
    const [upper, lower] = [written(size.value + up, style, places), number];
    return { ...base, form, text: `${sign}${upper}/${lower}`, tol: 'limits', number: upper, lines: [upper, lower] };
  }
  if (form === 'basic') return { ...base, form, text, tol: 'basic' };
  if (form === 'reference') return { ...base, form, text: `(${text})`, front: `(${sign}`, number: `${size.text})` };
  const [hole, shaft] = [dice.oneOf(HOLES), dice.oneOf(SHAFTS)];
  if (form === 'fit') {
    const fit = dice.chance(0.7) ? hole : shaft;
    return { ...base, form: 'behind', text, tol: fit, lines: [dice.chance(0.5) ? ` ${fit}` : fit] };
  }
  if (form === 'pair') {
    const fit = `${hole}/${shaft}`;
    return { ...base, form: 'behind', text, tol: fit, lines: [` ${fit}`] };
  }
  if (form === 'stackedFit') return { ...base, form, text, tol: `${hole}/${shaft}`, lines: [hole, shaft] };
  if (form === 'fitDeviations') {
    const lines = [` ${hole}`, `+${short(up)}`, dice.oneOf(['0', '+0'])];
    return { ...base, form, text, tols: [hole, lines[1], lines[2]], lines };
  }
  if (form === 'words') {
    const word = dice.oneOf(style.isAsme ? ['MAX', 'MIN', 'TYP', 'REF'] : ['max.', 'min.', 'MAX']);
    return { ...base, text: `${text} ${word}`, number: `${size.text} ${word}` };
  }
  return { ...base, text };
}

/** Width of a size with all that belongs to it, mm. */
export function widthOfSize(page, size) {
  const { height, small } = page.style;
  const front = page.widthOf(size.front + size.number);
  const low = small * height;
  if (size.form === 'behind') return front + page.widthOf(size.lines[0]);
  if (size.form === 'stacked' || size.form === 'stackedFit')
    return front + 0.25 * height + Math.max(...size.lines.map((line) => page.widthOf(line, low)));
  if (size.form === 'limits')
    return page.widthOf(size.front) + Math.max(...size.lines.map((line) => page.widthOf(line)));
  if (size.form === 'fitDeviations')
    return (
      front +
      page.widthOf(size.lines[0]) +
      0.25 * height +
      Math.max(...size.lines.slice(1).map((line) => page.widthOf(line, low)))
    );
  return front;
}

/**
 * Writes a size from x on; y is the baseline of its number. @returns its end. Of stacked limits the sign stands before
 * both, in the middle of their height.
 */
export function writeSize(page, size, x, y) {
  const { height, small } = page.style;
  const low = small * height;
  const stack = (upper, lower, at, of) => {
    const gap = 0.25 * of;
    const upperEnd = page.text(upper, at, y - height / 2 - gap / 2 + 0.05 * of, { height: of });
    const lowerEnd = page.text(lower, at, y - height / 2 + gap / 2 + 1.05 * of, { height: of });
    return Math.max(upperEnd, lowerEnd);
  };
  if (size.form === 'limits') {
    const at = size.front === '' ? x : page.text(size.front, x, y);
    return stack(size.lines[0], size.lines[1], at, height);
  }
  const end = page.text(`${size.front}${size.number}${size.form === 'behind' ? size.lines[0] : ''}`, x, y);
  if (size.form === 'stacked' || size.form === 'stackedFit')
    return stack(size.lines[0], size.lines[1], end + 0.25 * height, low);
  if (size.form === 'fitDeviations') {
    const behind = page.text(size.lines[0], end, y);
    return stack(size.lines[1], size.lines[2], behind + 0.25 * height, low);
  }
  if (size.form === 'basic') {
    const pad = 0.4 * height;
    page.rect(x - pad, y - height - pad, end - x + 2 * pad, height + 2 * pad);
  }
  return end;
}
