// How drawing programs and their users write: standard, decimal sign, lettering, arrows, how tolerances stand, how text
// is split into pieces. Each is drawn from the seed; the names of programs stay out, their habits are mixed.

/** A stream of numbers from 0 to 1; the same seed gives the same stream (mulberry32). */
export function randomOf(seed) {
  let state = Math.imul(seed | 0, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Choices from a stream of numbers. */
export class Dice {
  constructor(seed) {
    this.random = randomOf(seed);
  }

  chance(share) {
    return this.random() < share;
  }

  between(least, most) {
    return least + (most - least) * this.random();
  }

  whole(least, most) {
    return Math.floor(this.between(least, most + 1));
  }

  oneOf(list) {
    return list[Math.floor(this.random() * list.length)];
  }
}

/** The style of a drawing: the same on all of its pages. */
export function styleOf(dice) {
  const isAsme = dice.chance(0.4);
  const isInch = isAsme && dice.chance(0.5);
  const isPrinted = dice.chance(0.6);
  return {
    isAsme,
    isInch,
    comma: !isAsme && dice.chance(0.5),
    places: isInch ? dice.oneOf([2, 3]) : dice.oneOf([0, 1, 2, 2]),
    /** Height of capitals, mm. */
    height: dice.oneOf([2, 2.5, 3, 3.5]),
    printed: isPrinted ? dice.oneOf(['sans', 'sans', 'sans-bold', 'sans-italic']) : undefined,
    stroke: { table: dice.oneOf(['grid', 'technical']), rounds: dice.oneOf([1, 2]), form: dice.whole(0, 3) },
    stretch: dice.oneOf([0.8, 0.9, 1, 1, 1.1]),
    slant: isPrinted ? 0 : dice.oneOf([0, 0, 0.26]),
    /** Values stand on their dimension line, or in a gap of it. */
    isAbove: !isAsme,
    /** All values level, or along their lines. */
    isLevel: isAsme && dice.chance(0.7),
    count: dice.oneOf(isAsme ? ['X ', 'X ', 'X'] : ['x', 'x ', '× ']),
    /** Height of deviations as a share of that of the size. */
    small: dice.oneOf([0.6, 0.7, 0.8, 1]),
    arrow: { length: dice.between(2, 3.2), ratio: dice.oneOf([3, 4, 6]), isOpen: dice.chance(0.15) },
    line: dice.oneOf([0.13, 0.18, 0.25]),
    /** How text is split into pieces in a file: a string each, a word each, or a letter each. */
    pieces: dice.oneOf(['string', 'string', 'word', 'letter']),
    /** Whether signs are drawn beside the text and not written. */
    drawsSigns: dice.chance(0.2),
    /** Whether the sign of a diameter is the letter that looks like it. */
    letterSign: dice.chance(0.6),
  };
}
