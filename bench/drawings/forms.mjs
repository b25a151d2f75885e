// Forms of sizes that drawings have beside plain ones (`pmi --generated --forms`): a round size with its depth, two
// units, words before and behind, ranges, minutes, counts in every place, equal steps. And texts that look like sizes
// and are none.
// Which text is what: ISO 129-1, ASME Y14.5 and the habits of drawings in Germany, Britain, America, China and Japan.

/** Types of the PMI table that annotations here have. */
const TYPE = { inside: 0, diameter: 3, plain: 6, radius: 35, leader: 40, counterbore: 48 };

const HOLES = ['3.3', '4.2', '5', '5.2', '6.6', '8', '9', '11', '13.5'];
const METRIC = ['M3', 'M4', 'M5', 'M6', 'M8', 'M10', 'M12'];

/** [type, text, tolerance?]; the text has a decimal point and is written as the style has it. */
function formOf(dice, { isInch, places }) {
  const n = dice.whole(2, 9);
  const most = isInch ? 4 : 90;
  const size = (least = most / 30) => dice.between(least, most).toFixed(isInch ? Math.max(2, places) : places);
  const hole = dice.oneOf(HOLES);
  const metric = dice.oneOf(METRIC);
  const depth = dice.whole(6, 40);
  const angle = dice.oneOf([15, 30, 45, 60]);
  // Limits, the smaller one first and last; decimals as they are needed.
  const low = dice.between(most / 20, most);
  const [first, second] = [low.toFixed(1), (Number(low.toFixed(1)) + dice.whole(1, 9) / 100).toFixed(2)];
  const mm = dice.between(5, 90).toFixed(2);
  const inch = (Number(mm) / 25.4).toFixed(3).replace(/^0/, '');
  const step = dice.whole(3, 20);
  const minutes = dice.oneOf([10, 15, 20, 30]);
  return dice.oneOf([
    [TYPE.diameter, `⌀${hole} x ${depth}`], [TYPE.diameter, `${n}x ⌀${hole} x ${depth}`],
    [TYPE.diameter, `⌀${hole}x${depth}mm`],
    [TYPE.diameter, `⌀${hole}${dice.oneOf(['h6', 'H7', 'f7'])}`.replace(/(\D\d)$/, ' $1'), undefined],
    [TYPE.diameter, `${n}x⌀${first}-${second}`], [TYPE.inside, `${first}-${second}`],
    [TYPE.diameter, `⌀${first}-${second}`],
    [TYPE.inside, `${mm} [${inch}]`], [TYPE.inside, `${inch} [${mm}]`], [TYPE.inside, `${mm} (${inch})`],
    [TYPE.inside, `${mm} [${inch}]`, '±0.1'],
    [TYPE.plain, `${angle}°`, `±${minutes}'`], [TYPE.plain, `${angle}°${minutes}'`],
    [TYPE.plain, `${angle}°${minutes}'`, "±15'"],
    [TYPE.plain, `${angle}°`, `±0°${minutes}'`],
    [TYPE.inside, `max. ${size()}`], [TYPE.inside, `MIN ${size()}`], [TYPE.inside, `${size()} (ref)`],
    [TYPE.inside, `${size()} (TYP)`],
    [TYPE.radius, `R${dice.whole(1, 9)} ${n} PLACES`], [TYPE.radius, `R${dice.whole(1, 9)} (TYP)`],
    [TYPE.diameter, `⌀${hole} ${n} PLACES`],
    [TYPE.inside, `${n} PL ${dice.between(5, 50).toFixed(1)}`], [TYPE.inside, `SW ${dice.oneOf([10, 13, 17, 19, 24])}`],
    [TYPE.inside, `${dice.oneOf([10, 13, 17, 19, 24])} A/F`], [TYPE.diameter, `⌀${dice.whole(20, 90)} PCD`],
    [TYPE.diameter, `PCD ${dice.whole(20, 90)}`],
    [TYPE.leader, `${n}-C${dice.oneOf(['1', '0.5', '2'])}`], [TYPE.leader, `${n}-${metric}`],
    [TYPE.diameter, `${n}-⌀${hole}`],
    [TYPE.inside, `${n}x${step}=${n * step}`], [TYPE.inside, `${n} x ${step} (=${n * step})`],
    [TYPE.inside, `t=${dice.oneOf(['1', '1.5', '2', '3'])}`],
    [TYPE.inside, `${dice.whole(20, 40)} x ${dice.whole(20, 60)}`], [TYPE.inside, `${dice.oneOf([2, 3, 5])} THK`],
    [TYPE.leader, `1 x 45°`],
    [TYPE.leader, `${metric} DP ${depth}`], [TYPE.leader, `${metric} x 1 - 6H`], [TYPE.leader, `Rc 1/8`],
    [TYPE.leader, `${metric}-6H`],
    [TYPE.counterbore, `⌀${hole} CBORE ${dice.whole(3, 9)}`], [TYPE.counterbore, `⌀${hole} CSK 90°`],
    [TYPE.diameter, `${size()} DIA`],
    [TYPE.diameter, `⌀${hole} THRU`, undefined], [TYPE.diameter, `⌀${dice.whole(5, 30)} THRU`, undefined],
  ]); // biome-ignore format: a table
}

/** A size in one of these forms, at a leader or on its dimension line. */
export function commonForm(page, dice, { width }) {
  const { style } = page;
  const { height } = style;
  let [typeId, said, tolerance] = formOf(dice, style);
  // A fit stands apart from its size.
  const fit = / ([hHf]\d)$/.exec(said);
  if (fit !== null) [said, tolerance] = [said.slice(0, fit.index), fit[1]];
  const spelled = (text) =>
    style.comma ? text.replace(/(?<=\d)\.(?=\d)/g, ',').replace(/(?<!\d)\.(?=\d)/g, '0,') : text;
  const text = spelled(said),
    tol = tolerance === undefined ? '' : spelled(tolerance);
  const whole = tol === '' ? text : `${text}${dice.oneOf(['', ' '])}${tol}`;
  const wide = page.widthOf(whole);
  if (wide > width) return;
  const start = -wide / 2;
  if (typeId === TYPE.inside) {
    const long = Math.min(width, wide + 2 * style.arrow.length + 3);
    for (const turn of [-1, 1]) {
      page.line((turn * long) / 2, -7, (turn * long) / 2, 1.5);
      page.arrow((turn * long) / 2, 0, turn, 0);
    }
    page.line(-long / 2, 0, long / 2, 0);
  } else {
    page.line(start - 1, 0, start - 8, 8);
    page.arrow(start - 8, 8, -Math.SQRT1_2, Math.SQRT1_2);
    page.line(start - 1, 0, start + wide, 0);
  }
  page.annotate({ typeId, text, tol, group: typeId === TYPE.leader ? 'leader' : 'dimension' }, () =>
    page.text(whole, start, -0.4 * height),
  );
}

/** A text that has numbers and measures nothing: numbers of parts, dates, scales, materials, notes, quantities. */
export function decoy(page, dice) {
  const { height } = page.style;
  const year = dice.whole(2001, 2026);
  const two = (most) => String(dice.whole(1, most)).padStart(2, '0');
  const text = dice.oneOf([
    `${dice.whole(10, 99)}-${dice.whole(10, 99)}`, `${dice.whole(1000, 9999)}-${dice.whole(1, 9)}`,
    `${dice.whole(10, 99)}-${dice.whole(1000, 9999)}`,
    `${dice.whole(1, 9)}-${dice.whole(2, 9)}`, `${dice.whole(10, 99)}-${dice.whole(10, 99)}-${dice.whole(10, 99)}`,
    `${year}-${two(12)}-${two(28)}`,
    `${two(28)}.${two(12)}.${year}`, `${year}-${two(12)}`, `${two(12)}/${two(28)}/${year}`,
    `SCALE 1:${dice.oneOf([2, 5, 10])}`, `C${dice.oneOf([22, 35, 45, 60])}`,
    `SW ${year}`, `ISO ${dice.whole(1000, 9999)}`, `DIN ${dice.whole(100, 999)}`, `${dice.whole(2, 40)} PCS`,
    `SEE ${dice.whole(2, 5)}-${dice.whole(6, 9)}`,
    `${dice.whole(2, 8)} HOLES`, `REV ${dice.whole(1, 9)}`, `SHEET 1 OF ${dice.whole(2, 9)}`,
    `${dice.whole(2, 90)} kg`, `${dice.whole(2, 9)} PLACES`,
    `MAX ${dice.whole(2, 90)} bar`, `A${dice.whole(2, 4)}-${dice.whole(1, 9)}`,
    `NOTES ${dice.whole(1, 3)}-${dice.whole(4, 9)}`,
  ]); // biome-ignore format: a table
  page.text(text, 0, height / 2, { align: 'middle' });
}
