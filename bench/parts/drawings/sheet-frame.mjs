/** Paper, frames, title blocks and notes of drawings. */

const PAPERS = Object.freeze({
  a4: [297, 210],
  'a4 upright': [210, 297],
  a3: [420, 297],
  a2: [594, 420],
  letter: [279.4, 215.9],
});
const WORDS = [
  'STEEL',
  'ALUMINIUM',
  'SCALE',
  'DATE',
  'DRAWN',
  'CHECKED',
  'SHEET',
  'TITLE',
  'BRACKET',
  'COVER',
  'HOUSING',
];

/**
 * An empty sheet: { widthMm, heightMm, items, area } with the area [x, y, width, height], mm, that frame and title
 * block leave.
 */
export function framed({ paper, frame, block, thin, letter }, random) {
  const [widthMm, heightMm] = PAPERS[paper];
  const items = [];
  const margin = frame === 'none' ? 5 : 8 + 8 * random();
  const heavy = frame === 'heavy' ? 1.2 : 0.7;
  const box = (x, y, width, height, wide) =>
    items.push({
      points: [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
        [x, y],
      ],
      width: wide,
    });
  const [left, top] = [margin, margin];
  const [width, height] = [widthMm - 2 * margin, heightMm - 2 * margin];
  if (frame !== 'none') box(left, top, width, height, heavy);
  if (frame === 'double' || frame === 'zones') box(left - 5, top - 5, width + 10, height + 10, thin);
  if (frame === 'zones') zones(left, top, width, height, { items, thin });
  const area = [left, top, width, height];
  if (block === 'corner' || block === 'foot') {
    const wide = block === 'foot' ? width : Math.min(width, 100 + 60 * random()),
      high = 20 + 25 * random();
    table([left + width - wide, top + height - high, wide, high], { items, letter, random, wide: heavy, thin });
    area[3] -= high;
  }
  if (block === 'column') {
    const wide = 40 + 15 * random();
    table([left + width - wide, top, wide, height], { items, letter, random, wide: heavy, thin });
    area[2] -= wide;
  }
  if (random() < 0.5) {
    const lines = 2 + Math.floor(4 * random());
    for (let i = 0; i < lines; i++)
      items.push({ text: sentence(random, 3), x: left + 4, y: top + 6 + 1.6 * letter * i, height: letter });
    area[1] += 1.6 * letter * lines;
    area[3] -= 1.6 * letter * lines;
  }
  return { widthMm, heightMm, items, area };
}

function zones(left, top, width, height, { items, thin }) {
  const [across, down] = [Math.round(width / 50), Math.round(height / 50)];
  const letterAt = (text, x, y) => items.push({ text, x: x - 1, y: y + 1, height: 2.5 });
  for (let i = 0; i < across; i++) {
    const x = left + (i * width) / across;
    for (const y of [top - 5, top + height]) {
      if (i > 0)
        items.push({
          points: [
            [x, y],
            [x, y + 5],
          ],
          width: thin,
        });
      letterAt(String(i + 1), x + width / across / 2, y + 2.5);
    }
  }
  for (let i = 0; i < down; i++) {
    const y = top + (i * height) / down;
    for (const x of [left - 5, left + width]) {
      if (i > 0)
        items.push({
          points: [
            [x, y],
            [x + 5, y],
          ],
          width: thin,
        });
      letterAt(String.fromCharCode(65 + i), x + 2.5, y + height / down / 2);
    }
  }
}

/** A table of rows with words in some of its cells. */
function table([x, y, width, height], { items, letter, random, wide, thin }) {
  const line = (points, w) => items.push({ points, width: w });
  line(
    [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
      [x, y],
    ],
    wide,
  );
  const rows = Math.max(2, Math.round(height / (8 + 6 * random())));
  for (let row = 0; row < rows; row++) {
    const v = y + (row * height) / rows;
    if (row > 0)
      line(
        [
          [x, v],
          [x + width, v],
        ],
        thin,
      );
    const cells = 1 + Math.floor(3 * random());
    for (let cell = 0; cell < cells; cell++) {
      const u = x + (cell * width) / cells;
      if (cell > 0)
        line(
          [
            [u, v],
            [u, v + height / rows],
          ],
          thin,
        );
      if (random() < 0.8)
        items.push({ text: sentence(random, 1), x: u + 1.5, y: v + height / rows - 1.5, height: Math.min(letter, 3) });
    }
  }
}

function sentence(random, count) {
  const words = Array.from({ length: count }, () => WORDS[Math.floor(WORDS.length * random())]);
  return `${words.join(' ')} ${Math.ceil(99 * random())}`;
}
