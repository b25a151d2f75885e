/**
 * What offices put on their sheets beside the views, none of which is a view: logos, stamps, signatures, detached
 * tables and notes, symbols of projection, welds and surfaces, triangles and clouds of revisions, charts, axes, scales,
 * bar codes. A seed decides. Nothing here was taken from a real drawing.
 */
import { seededRandom } from '../../support/software-camera.mjs';

const FULL = 2 * Math.PI;
/** Free millimetres around each mark, and around a view for its dimensions. */
const ROOM = 6;
const AROUND = 18;
const TRIES = 60;
const WORDS = ['MATERIAL', 'SURFACE', 'WEIGHT', 'REMOVE BURRS', 'ALL RADII', 'CHECKED', 'DATE', 'ISO 2768-mK', 'REV'];

/**
 * Puts some marks in free places of a sheet ({ widthMm, heightMm, items, views, style }), whose items it extends.
 * @returns {{ kind: string, box: number[] }[]} what was put where: left, top, width, height in mm.
 */
export function officeMarks({ widthMm, heightMm, items, views, style }, seed) {
  const random = seededRandom(seed + 900_000);
  const pick = (...choices) => choices[Math.floor(choices.length * random())];
  const taken = [
    ...views.map(({ box, around }) => grown(around ?? box, around === undefined ? AROUND : ROOM)),
    ...items.flatMap((item) => boxesOf(item, widthMm, heightMm)),
  ];
  const put = [];
  const kinds = Object.entries(MARKS);
  for (let i = 2 + Math.floor(4 * random()); i > 0; i--) {
    const [kind, draw] = kinds[Math.floor(kinds.length * random())];
    const drawn = draw({
      random,
      pick,
      thin: style.thin,
      wide: pick(style.thin, style.thick),
      letter: style.letter ?? 3,
    });
    const [w, h] = sizeOf(drawn);
    for (let turn = 0; turn < TRIES; turn++) {
      const at = [10 + random() * (widthMm - w - 20), 10 + random() * (heightMm - h - 20)];
      const box = [...at, w, h];
      if (w > widthMm - 20 || h > heightMm - 20 || taken.some((other) => overlaps(other, grown(box, ROOM)))) continue;
      taken.push(box);
      put.push({ kind, box });
      items.push(...drawn.map((item) => moved(item, at)));
      break;
    }
  }
  return put;
}

/** A border and the lines between its rows and columns. */
function ruled({ rows, columns, w, h }, { thin, wide }) {
  const between = (count, ends) => Array.from({ length: count - 1 }, (_, i) => line(ends(i + 1), thin));
  const [right, bottom] = [columns * w, rows * h];
  return [
    line(box(0, 0, right, bottom), wide),
    ...between(rows, (i) => [
      [0, i * h],
      [right, i * h],
    ]),
    ...between(columns, (i) => [
      [i * w, 0],
      [i * w, bottom],
    ]),
  ];
}

/** Each draws from 0, 0 to the right and downwards. */
const MARKS = {
  logoOfLines({ random, pick, wide }) {
    const s = 8 + 18 * random();
    const star = Array.from({ length: 11 }, (_, i) => {
      const r = (i % 2 === 0 ? 0.5 : 0.2) * s;
      return [s / 2 + r * Math.sin((i * FULL) / 10), s / 2 - r * Math.cos((i * FULL) / 10)];
    });
    return pick(
      [line(circle([s / 2, s / 2], s / 2), wide), line(star, wide)],
      [line(ellipse([s, s / 2], s, s / 2), wide), ...outlined('ABC', [0.5 * s, 0.3 * s], 0.4 * s, wide)],
      [
        line(box(0, 0, 2 * s, s), wide),
        line(
          [
            [0, s],
            [s, 0],
            [2 * s, s],
          ],
          wide,
        ),
      ],
    );
  },
  logoOfAreas({ random }) {
    const s = 8 + 14 * random();
    return [
      { fill: circle([s / 2, s / 2], s / 2) },
      { fill: circle([s / 2, s / 2], 0.3 * s), color: [1, 1, 1] },
      { fill: box(1.2 * s, 0.2 * s, s, 0.25 * s) },
      { fill: box(1.2 * s, 0.6 * s, s, 0.25 * s) },
    ];
  },
  logoAsPicture({ random, pick }) {
    const [wide, high] = [120, pick(30, 60, 110)];
    const gray = new Uint8Array(wide * high).fill(255);
    for (let y = 4; y < high - 4; y++)
      for (let x = 4; x < wide - 4; x++)
        if (x < high ? Math.hypot(x - high / 2, y - high / 2) < high / 2 - 4 : (x >> 3) % 2 === 0 && y > high / 4)
          gray[y * wide + x] = 40;
    const mm = 15 + 25 * random();
    return [
      { picture: { widthPx: wide, heightPx: high, gray }, x: 0, y: 0, widthMm: mm, heightMm: (mm * high) / wide },
    ];
  },
  wordsDrawn({ random, pick, wide }) {
    return outlined(pick('ACME', 'XYLON', 'COPY', 'KEY'), [0, 0], 4 + 10 * random(), wide);
  },
  stamp({ random, pick, wide, letter }) {
    const w = 25 + 25 * random();
    const word = pick('APPROVED', 'FOR REVIEW', 'COPY', 'VOID');
    return [
      line(box(0, 0, w, 3 * letter), wide),
      line(box(1, 1, w - 2, 3 * letter - 2), wide),
      text(word, 3, 2 * letter, letter),
    ];
  },
  roundStamp({ random, wide, letter }) {
    const r = 8 + 8 * random();
    return [
      line(circle([r, r], r), wide),
      line(circle([r, r], 0.7 * r), wide),
      text('QA', r - letter, r + letter / 2, letter),
    ];
  },
  signature({ random, wide }) {
    const w = 15 + 15 * random();
    return [
      line(
        Array.from({ length: 60 }, (_, i) => [
          (i * w) / 60 + 2 * Math.cos(i * 0.7),
          5 + 4 * Math.sin(i * 0.7 + Math.sin(i * 0.13)) * (0.4 + 0.6 * Math.sin(i * 0.21) ** 2),
        ]),
        wide,
      ),
    ];
  },
  table({ random, pick, thin, wide, letter }) {
    const [rows, columns] = [3 + Math.floor(6 * random()), 2 + Math.floor(4 * random())];
    const [w, h] = [pick(12, 18, 26), 2 * letter];
    const full = pick(0.4, 0.8, 1);
    const made = ruled({ rows, columns, w, h }, { thin, wide });
    for (let i = 0; i < rows * columns; i++)
      if (random() < full)
        made.push(
          text(
            pick('12.5', 'A1', 'X', 'M6', '6.6'),
            (i % columns) * w + 1,
            (Math.floor(i / columns) + 1) * h - 0.4 * letter,
            letter,
          ),
        );
    return made;
  },
  tableOfDrawnLetters({ random, pick, thin, wide }) {
    const [rows, columns] = [3 + Math.floor(4 * random()), 2 + Math.floor(3 * random())];
    const [w, h] = [16, 6];
    const made = ruled({ rows, columns, w, h }, { thin, wide });
    for (let i = 0; i < rows * columns; i++)
      made.push(
        ...outlined(pick('ALN', 'KEY', 'XVL'), [(i % columns) * w + 2, Math.floor(i / columns) * h + 1.5], 3, thin),
      );
    return made;
  },
  framedNote({ random, pick, wide, letter }) {
    const rows = 1 + Math.floor(6 * random());
    const w = 40 + 30 * random();
    const made = [line(box(0, 0, w, 1.8 * letter * rows + 3), wide)];
    for (let i = 0; i < rows; i++) made.push(text(`${i + 1}. ${pick(...WORDS)}`, 2, 1.8 * letter * (i + 1), letter));
    return made;
  },
  projection({ random, wide, thin }) {
    const s = 4 + 5 * random();
    return [
      line(
        [
          [0, 0.5 * s],
          [2 * s, 0],
          [2 * s, 2 * s],
          [0, 1.5 * s],
          [0, 0.5 * s],
        ],
        wide,
      ),
      line(circle([4 * s, s], s), wide),
      line(circle([4 * s, s], 0.5 * s), wide),
      {
        ...line(
          [
            [-0.4 * s, s],
            [5.4 * s, s],
          ],
          thin,
        ),
        dash: [3, 1, 0.5, 1],
      },
      {
        ...line(
          [
            [4 * s, -0.4 * s],
            [4 * s, 2.4 * s],
          ],
          thin,
        ),
        dash: [3, 1, 0.5, 1],
      },
    ];
  },
  surface({ wide, letter }) {
    const s = 1.4 * letter;
    return [
      line(
        [
          [0, s],
          [0.6 * s, 2 * s],
          [1.8 * s, 0],
          [3.4 * s, 0],
        ],
        wide,
      ),
      line(
        [
          [0, s],
          [1.2 * s, s],
        ],
        wide,
      ),
      text('Ra 3.2', 2 * s, 1.1 * s, letter),
    ];
  },
  weld({ random, thin, wide, letter }) {
    const s = letter;
    return [
      line(
        [
          [0, 5 * s],
          [3 * s, 2 * s],
          [12 * s, 2 * s],
        ],
        wide,
      ),
      {
        ...line(
          [
            [3 * s, 2.4 * s],
            [12 * s, 2.4 * s],
          ],
          thin,
        ),
        dash: [2, 1],
      },
      line(
        [
          [6 * s, 2 * s],
          [6 * s, s],
          [7 * s, 2 * s],
        ],
        wide,
      ),
      line(
        [
          [12 * s, 2 * s],
          [13 * s, s],
        ],
        thin,
      ),
      line(
        [
          [12 * s, 2 * s],
          [13 * s, 3 * s],
        ],
        thin,
      ),
      ...(random() < 0.5 ? [line(circle([3 * s, 2 * s], 0.6 * s), wide)] : []),
      text('5', 4.6 * s, 1.8 * s, s),
    ];
  },
  revision({ random, wide, letter }) {
    const s = 2.6 * letter * (1 + random());
    return [
      line(
        [
          [s / 2, 0],
          [s, 0.9 * s],
          [0, 0.9 * s],
          [s / 2, 0],
        ],
        wide,
      ),
      text('B', 0.38 * s, 0.75 * s, letter),
    ];
  },
  cloud({ random, pick, wide, letter }) {
    const [w, h, r] = [16 + 30 * random(), 10 + 14 * random(), 2 + random()];
    const [across, down] = [Math.round(w / (2 * r)), Math.round(h / (2 * r))];
    const made = [];
    for (let i = 0; i < across; i++) {
      made.push(line(arc([r * (2 * i + 1), 0], r, Math.PI, FULL), wide));
      made.push(line(arc([r * (2 * i + 1), 2 * r * down], r, 0, Math.PI), wide));
    }
    for (let i = 0; i < down; i++) {
      made.push(line(arc([0, r * (2 * i + 1)], r, Math.PI / 2, 1.5 * Math.PI), wide));
      made.push(line(arc([2 * r * across, r * (2 * i + 1)], r, -Math.PI / 2, Math.PI / 2), wide));
    }
    return random() < 0.7 ? [...made, text(pick('12.5', 'R 4'), w / 3, h / 2, letter)] : made;
  },
  chart({ random, thin, wide, letter }) {
    const [w, h] = [30 + 30 * random(), 20 + 20 * random()];
    const made = [
      line(
        [
          [0, 0],
          [0, h],
          [w, h],
        ],
        wide,
      ),
    ];
    for (let i = 1; i < 5; i++) {
      made.push(
        line(
          [
            [0, h - (i * h) / 5],
            [w, h - (i * h) / 5],
          ],
          thin,
        ),
      );
      made.push(
        line(
          [
            [(i * w) / 5, 0],
            [(i * w) / 5, h],
          ],
          thin,
        ),
      );
      made.push(
        text(String(10 * i), -2.4 * letter, h - (i * h) / 5, letter),
        text(String(i), (i * w) / 5 - 1, h + 1.5 * letter, letter),
      );
    }
    const bend = 1 + 2 * random();
    made.push(
      line(
        Array.from({ length: 30 }, (_, i) => [(i * w) / 29, h - h * (i / 29) ** bend * 0.9]),
        wide,
      ),
    );
    return made;
  },
  axes({ random, wide, letter }) {
    const s = 8 + 8 * random();
    const made = [];
    for (const [angle, name] of [
      [0, 'X'],
      [-Math.PI / 2, 'Y'],
      [2.5, 'Z'],
    ]) {
      const [u, v] = [Math.cos(angle), Math.sin(angle)];
      const tip = [s + s * u, s + s * v];
      made.push(line([[s, s], tip], wide), {
        fill: [
          tip,
          [tip[0] - 2.5 * u - 0.5 * v, tip[1] - 2.5 * v + 0.5 * u],
          [tip[0] - 2.5 * u + 0.5 * v, tip[1] - 2.5 * v - 0.5 * u],
        ],
      });
      made.push(text(name, tip[0] + 1, tip[1] - 1, letter));
    }
    return made;
  },
  scaleBar({ random, wide, letter }) {
    const w = 30 + 30 * random();
    const made = [line(box(0, 0, w, 2), wide)];
    for (let i = 0; i < 5; i++) {
      if (i % 2 === 0) made.push({ fill: box((i * w) / 5, 0, w / 5, 2) });
      made.push(text(String(10 * i), (i * w) / 5, 2.5 + letter, letter));
    }
    return made;
  },
  barCode({ random }) {
    const made = [];
    for (let x = 0; x < 30; x += 0.6 + 1.2 * random()) made.push({ fill: box(x, 0, 0.3 + 0.5 * random(), 8) });
    return made;
  },
  barCodeOfLines({ random }) {
    const made = [];
    for (let x = 0; x < 30; x += 0.6 + 1.2 * random())
      made.push(
        line(
          [
            [x, 0],
            [x, 8],
          ],
          0.2 + 0.4 * random(),
        ),
      );
    return made;
  },
  squareCode({ random }) {
    const made = [];
    for (let i = 0; i < 21 * 21; i++)
      if (random() < 0.5) made.push({ fill: box(0.7 * (i % 21), 0.7 * Math.floor(i / 21), 0.7, 0.7) });
    return made;
  },
  balloons({ random, thin, wide, letter }) {
    const made = [];
    for (let i = 0; i < 1 + 3 * random(); i++) {
      const r = 1.4 * letter;
      made.push(
        line(circle([r, r + 3 * r * i], r), wide),
        text(String(i + 1), 0.7 * r, r + 3 * r * i + letter / 2, letter),
      );
      made.push(
        line(
          [
            [2 * r, r + 3 * r * i],
            [6 * r, r + 3 * r * i + r],
          ],
          thin,
        ),
      );
    }
    return made;
  },
  viewArrow({ random, wide, letter }) {
    const s = 6 + 6 * random();
    return [
      line(
        [
          [0, s / 2],
          [s, s / 2],
        ],
        wide,
      ),
      line(
        [
          [s, 0.2 * s],
          [1.6 * s, s / 2],
          [s, 0.8 * s],
          [s, 0.2 * s],
        ],
        wide,
      ),
      text('D', 0.2 * s, 0.3 * s, 1.4 * letter),
    ];
  },
  emptyBlock({ random, thin, wide, letter }) {
    const [w, h] = [60 + 40 * random(), 20 + 15 * random()];
    return [
      line(box(0, 0, w, h), wide),
      line(
        [
          [0, h / 2],
          [w, h / 2],
        ],
        thin,
      ),
      line(
        [
          [0.6 * w, 0],
          [0.6 * w, h],
        ],
        thin,
      ),
      line(
        [
          [0.6 * w, 0.75 * h],
          [w, 0.75 * h],
        ],
        thin,
      ),
      text('TITLE', 2, 1.5 * letter, letter),
    ];
  },
  flag({ wide, letter }) {
    const s = letter;
    return [
      line(
        [
          [0, 0],
          [5 * s, 0],
          [6.5 * s, 1.2 * s],
          [5 * s, 2.4 * s],
          [0, 2.4 * s],
          [0, 0],
        ],
        wide,
      ),
      text('SEE 4', 0.6 * s, 1.7 * s, s),
    ];
  },
};

function line(points, width) {
  return { points, width };
}

function text(words, x, y, height) {
  return { text: words, x, y, height };
}

function box(x, y, w, h) {
  return [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
    [x, y],
  ];
}

function arc([x, y], r, from, to, rY = r) {
  const steps = Math.ceil((48 * (to - from)) / FULL);
  return Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / steps;
    return [x + r * Math.cos(angle), y + rY * Math.sin(angle)];
  });
}

function circle(middle, r) {
  return arc(middle, r, 0, FULL);
}

function ellipse(middle, rX, rY) {
  return arc(middle, rX, 0, FULL, rY);
}

/** Straight strokes of letters in a square of 1 × 1. */
const LETTERS = {
  A: [
    [
      [0, 1],
      [0.4, 0],
      [0.8, 1],
    ],
    [
      [0.2, 0.6],
      [0.6, 0.6],
    ],
  ],
  C: [
    [
      [0.7, 0],
      [0, 0],
      [0, 1],
      [0.7, 1],
    ],
  ],
  E: [
    [
      [0.7, 0],
      [0, 0],
      [0, 1],
      [0.7, 1],
    ],
    [
      [0, 0.5],
      [0.6, 0.5],
    ],
  ],
  B: [
    [
      [0, 0],
      [0.6, 0.2],
      [0, 0.5],
      [0.7, 0.7],
      [0, 1],
      [0, 0],
    ],
  ],
  K: [
    [
      [0, 0],
      [0, 1],
    ],
    [
      [0.7, 0],
      [0, 0.5],
      [0.7, 1],
    ],
  ],
  L: [
    [
      [0, 0],
      [0, 1],
      [0.7, 1],
    ],
  ],
  M: [
    [
      [0, 1],
      [0, 0],
      [0.4, 0.6],
      [0.8, 0],
      [0.8, 1],
    ],
  ],
  N: [
    [
      [0, 1],
      [0, 0],
      [0.7, 1],
      [0.7, 0],
    ],
  ],
  O: [
    [
      [0, 0],
      [0.7, 0],
      [0.7, 1],
      [0, 1],
      [0, 0],
    ],
  ],
  P: [
    [
      [0, 1],
      [0, 0],
      [0.7, 0],
      [0.7, 0.5],
      [0, 0.5],
    ],
  ],
  V: [
    [
      [0, 0],
      [0.35, 1],
      [0.7, 0],
    ],
  ],
  X: [
    [
      [0, 0],
      [0.7, 1],
    ],
    [
      [0.7, 0],
      [0, 1],
    ],
  ],
  Y: [
    [
      [0, 0],
      [0.35, 0.5],
      [0.7, 0],
    ],
    [
      [0.35, 0.5],
      [0.35, 1],
    ],
  ],
};

/** Words as strokes. */
function outlined(word, [x, y], size, width) {
  return [...word].flatMap((letter, i) =>
    LETTERS[letter].map((path) =>
      line(
        path.map(([u, v]) => [x + size * (u + i), y + size * v]),
        width,
      ),
    ),
  );
}

function cornersOf(item) {
  if (item.picture !== undefined) return box(item.x, item.y, item.widthMm, item.heightMm);
  if (item.text === undefined) return item.points ?? item.fill;
  const [along, across] = [0.8 * item.height * item.text.length, -item.height];
  return item.up
    ? box(item.x + across, item.y - along, item.height, along)
    : box(item.x, item.y + across, along, item.height);
}

function bounds(points) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
}

function sizeOf(items) {
  return bounds(items.flatMap(cornersOf)).slice(2);
}

/** Boxes that an item takes up: those of its edges where it spans the sheet, as a frame does. */
function boxesOf(item, widthMm, heightMm) {
  const points = cornersOf(item);
  const whole = bounds(points);
  if (item.points === undefined || whole[2] < 0.5 * widthMm || whole[3] < 0.5 * heightMm) return [whole];
  return points.slice(1).map((point, i) => bounds([points[i], point]));
}

function moved(item, [x, y]) {
  const on = ([u, v]) => [x + u, y + v];
  if (item.points !== undefined) return { ...item, points: item.points.map(on) };
  if (item.fill !== undefined) return { ...item, fill: item.fill.map(on) };
  return { ...item, x: item.x + x, y: item.y + y };
}

function grown([x, y, w, h], by) {
  return [x - by, y - by, w + 2 * by, h + 2 * by];
}

function overlaps([ax, ay, aw, ah], [bx, by, bw, bh]) {
  return ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;
}
