// A page as a list of plain items in mm, y downwards, and the truth of what stands on it.
import { drawnText, strokesOf } from './lettering.mjs';

/** Letters reach so far above and below the baseline, in heights of a capital. */
const ABOVE = 1;
const BELOW = 0.1;

/** Signs that a style draws. */
const DRAWN = /^[⌀⌴⌵↧□]$/;
const TEXT_ALONE = new Set(['dimension', 'leader', 'ordinate']);

export class Page {
  items = [];
  truth = [];
  /** Attributes that the title block states. */
  attributes = [];
  #frame = { x: 0, y: 0, angle: 0, shear: 0 };
  #box;
  #takesShapes = false;

  constructor(widthMm, heightMm, style) {
    Object.assign(this, { widthMm, heightMm, style });
  }

  /**
   * Runs `draw` in a frame of its own: origin x, y; turned by `angle`, which is clockwise on the page; its y axis leans
   * by `shear` x for each y, as in planes of isometric views.
   */
  within({ x, y, angle = 0, shear = 0 }, draw) {
    const outer = this.#frame;
    const [ox, oy] = this.#at(x, y);
    this.#frame = { x: ox, y: oy, angle: outer.angle + angle, shear };
    draw();
    this.#frame = outer;
  }

  #at(x, y) {
    const { x: ox, y: oy, angle, shear } = this.#frame;
    const along = x + shear * y;
    const cos = Math.cos(angle),
      sin = Math.sin(angle);
    return [ox + along * cos - y * sin, oy + along * sin + y * cos];
  }

  line(x0, y0, x1, y1, { width = this.style.line, dash } = {}) {
    this.items.push({ points: [this.#at(x0, y0), this.#at(x1, y1)], width, dash });
    this.#takeShape(x0, y0, x1, y1);
  }

  path(points, { width = this.style.line } = {}) {
    this.items.push({ points: points.map(([x, y]) => this.#at(x, y)), width });
    for (const [x, y] of points) this.#takeShape(x, y, x, y);
  }

  rect(x, y, w, h, options) {
    this.path([[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]], options); // biome-ignore format: one row
  }

  circle(x, y, radius, { width = this.style.line } = {}) {
    const [cx, cy] = this.#at(x, y);
    this.items.push({ circle: [cx, cy, radius], width });
    this.#takeShape(x - radius, y - radius, x + radius, y + radius);
  }

  fill(points) {
    this.items.push({ fill: points.map(([x, y]) => this.#at(x, y)) });
  }

  /** An arrowhead with its tip at x, y that points along dx, dy. */
  arrow(x, y, dx, dy) {
    const { length, ratio, isOpen } = this.style.arrow;
    const half = length / ratio / 2;
    const [bx, by] = [x - dx * length, y - dy * length];
    const sides = [[bx - dy * half, by + dx * half], [bx + dy * half, by - dx * half]]; // biome-ignore format: a pair
    if (isOpen) this.path([sides[0], [x, y], sides[1]]);
    else this.fill([[x, y], ...sides, [x, y]]);
  }

  /** Width of a string in mm. */
  widthOf(text, height = this.style.height) {
    return height * drawnText(text, this.style).width;
  }

  /**
   * Writes a string; `align` is where x stands in it. A sign that the style draws becomes strokes.
   * @returns its end.
   */
  text(text, x, y, { height = this.style.height, align = 'start' } = {}) {
    const width = this.widthOf(text, height);
    let at = align === 'start' ? x : align === 'middle' ? x - width / 2 : x - width;
    const end = at + width;
    const { angle, shear } = this.#frame;
    this.#include(at, y - ABOVE * height, end, y + BELOW * height);
    for (const piece of piecesOf(text, this.style)) {
      const wide = this.widthOf(piece, height);
      if (this.style.drawsSigns && (piece === '⌀' || (this.style.isBroad && DRAWN.test(piece))))
        this.drawn(piece, at, y, height, { stretch: 1 });
      else if (piece !== ' ') {
        const [px, py] = this.#at(at, y);
        this.items.push({ text: piece, x: px, y: py, height, angle, shear, width: wide });
      }
      at += wide;
    }
    return end;
  }

  /** A symbol as strokes from the start of its baseline. @returns its end. */
  drawn(sign, x, y, height = this.style.height, { stretch = this.style.stretch } = {}) {
    const { paths, width } = strokesOf(sign, this.style.stroke);
    for (const path of paths) {
      const points = path.map(([px, py]) => [x + stretch * height * px, y - height * py]);
      const ring = sign === '⌀' && path.length > 20;
      if (ring && stretch === 1) this.circle(...middleOf(points), radiusOf(points));
      else this.path(points);
    }
    this.#include(x, y - height, x + stretch * height * width, y);
    return x + stretch * height * width;
  }

  #takeShape(...corners) {
    if (this.#takesShapes) this.#include(...corners);
  }

  #include(x0, y0, x1, y1) {
    if (this.#box === undefined) return;
    for (const [x, y] of [
      [x0, y0],
      [x1, y0],
      [x0, y1],
      [x1, y1],
    ].map(([px, py]) => this.#at(px, py))) {
      // biome-ignore format: corners
      const box = this.#box;
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }

  /** Notes a symbol that is a part of what is drawn already: its box, in the frame of now. */
  symbol({ typeId, text }, box) {
    this.placed({ typeId, text, tol: '', group: 'symbol' }, box);
  }

  /** Notes an annotation that is drawn already: its box, in the frame of now. */
  placed(item, [x0, y0, x1, y1]) {
    this.annotate(item, () => this.#include(x0, y0, x1, y1));
  }

  /**
   * Notes what `write` writes as one annotation: { typeId, text, tol, group }. Its box is that of the text alone for
   * dimensions and leaders, of all that is drawn for frames, flags and symbols.
   */
  annotate(item, write) {
    this.#box = [Infinity, Infinity, -Infinity, -Infinity];
    this.#takesShapes = !TEXT_ALONE.has(item.group);
    write();
    this.#takesShapes = false;
    const [x0, y0, x1, y1] = this.#box;
    this.#box = undefined;
    this.truth.push({ ...item, boxMm: [x0, y0, x1 - x0, y1 - y0], angle: this.#frame.angle });
  }
}

function piecesOf(text, { pieces, drawsSigns, isBroad }) {
  const words =
    pieces === 'string' ? [text] : pieces === 'word' ? text.split(/(?<= )|(?= )/) : [...text].map((letter) => letter);
  return drawsSigns
    ? words.flatMap((word) => word.split(isBroad ? /([⌀⌴⌵↧□])/ : /(⌀)/).filter((part) => part !== ''))
    : words;
}

function middleOf(points) {
  const xs = points.map(([x]) => x),
    ys = points.map(([, y]) => y);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

function radiusOf(points) {
  const xs = points.map(([x]) => x);
  return (Math.max(...xs) - Math.min(...xs)) / 2;
}
