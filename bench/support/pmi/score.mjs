// Recall and precision of what was read on drawings: text, tolerance, and both together; pooled over all items, and as
// the mean over drawings, in which one drawing that lies there in many releases counts once.
import { foundOf } from './written.mjs';

/** Overlap of boxes from which on something was detected, or is at its place. */
const DETECTED = 0.5;
const PLACED = 0.1;

/**
 * Compares the items of a drawing with what was found.
 * wanted: { text, tolerance, typeId?, box?, measured?, group, said }; text and tolerance as `wantedOf` gives them, box
 * in pixels of the page. found: { object, page }. isPlaced: whether an item may only be found at its place.
 * @returns pairs of an item and what was found for it, what was missed, and what was invented.
 */
export function compared(wanted, found, { isPlaced = false } = {}) {
  const left = found.map((each) => ({ ...each, ...foundOf(each.object) }));
  const isSame = (item, each) => {
    if (item.measured !== undefined) return isMeasured(item.measured, each.text);
    // A leader whose truth has no text is found as a leader.
    return item.text === '' && item.typeId !== undefined ? item.typeId === each.object.typeId : item.text === each.text;
  };
  const isNear = (item, each) => !isPlaced || item.box === undefined || iou(item.box, each.object.box) >= PLACED;
  const tiers = [
    (item, each) => isSame(item, each) && item.tolerance === each.tolerance && item.typeId === each.object.typeId,
    (item, each) => isSame(item, each) && item.tolerance === each.tolerance,
    (item, each) => isSame(item, each),
  ];
  const pairs = [];
  // Items with a text first: one without takes what is left.
  let open = wanted.toSorted((a, b) => Number(a.text === '') - Number(b.text === ''));
  for (const fits of tiers) {
    open = open.filter((item) => {
      let best = -1,
        most = -1;
      left.forEach((each, i) => {
        if (!fits(item, each) || !isNear(item, each)) return;
        const overlap = item.box === undefined ? 0 : iou(item.box, each.object.box);
        if (overlap > most) [best, most] = [i, overlap];
      });
      if (best < 0) return true;
      pairs.push({ item, each: left.splice(best, 1)[0] });
      return false;
    });
  }
  return { pairs, missed: open, invented: left };
}

/** The drawing's measured size, rounded to the places that are written; angles also as their complement to 360. */
function isMeasured(measured, text) {
  const said = /\d*\.?\d+/.exec(text)?.[0];
  if (said === undefined) return false;
  const places = /\.(\d+)$/.exec(said)?.[1].length ?? 0;
  return measured.some((value) => Math.abs(value - Number(said)) <= 0.51 * 10 ** -places);
}

/** Sums of one kind of source. */
export class Tally {
  files = 0;
  pages = 0;
  seconds = 0;
  /** Of each file, a page. */
  times = [];
  wanted = 0;
  found = 0;
  text = 0;
  both = 0;
  toleranced = 0;
  tolerances = 0;
  typed = 0;
  types = 0;
  boxed = 0;
  detected = 0;
  overlaps = [];
  drawings = new Map();
  fields = new Map();
  groups = new Map();
  byType = new Map();
  /** By type: how many objects were found that no truth covers. */
  unasked = new Map();
  /** By tenths of the confidence that was said: how many objects, and how many of them are right. */
  said = new Map();

  /** @param asksPrecision whether everything on the pages is in the truth. */
  constructor(asksPrecision) {
    this.asksPrecision = asksPrecision;
  }

  /** What is wanted, found and right of each type of the table: text, tolerance and type. */
  addTypes(wanted, found, { pairs }) {
    const rowOf = (typeId) => {
      if (!this.byType.has(typeId)) this.byType.set(typeId, { wanted: 0, found: 0, right: 0 });
      return this.byType.get(typeId);
    };
    for (const { typeId } of wanted) if (typeId !== undefined) rowOf(typeId).wanted++;
    // What belongs to an item whose type the drawing does not decide is none of a type.
    const untyped = new Set(pairs.filter(({ item }) => item.typeId === undefined).map(({ each }) => each.object));
    for (const { object } of found) if (!untyped.has(object)) rowOf(object.typeId).found++;
    for (const { item, each } of pairs)
      if (item.typeId === each.object.typeId && item.tolerance === each.tolerance) rowOf(item.typeId).right++;
  }

  /** What was found that the truth of a drawing does not cover, and that counts for nothing. */
  addUnasked(found) {
    for (const { object } of found) this.unasked.set(object.typeId, (this.unasked.get(object.typeId) ?? 0) + 1);
  }

  /** A row for each type of the table: recall and precision where text, tolerance and type are right. */
  typeLines() {
    const rows = [...this.byType].sort(([a], [b]) => a - b);
    if (rows.every(([, row]) => row.wanted === 0)) return [];
    return rows
      .filter(([, row]) => row.wanted > 0 || (this.asksPrecision && row.found > 0))
      .map(([typeId, row]) => {
        const precision = this.asksPrecision ? ` / ${ratio(row.right, row.found)} of ${row.found}` : '';
        return `  type ${String(typeId).padStart(2)}: ${ratio(row.right, row.wanted)} of ${row.wanted}${precision}`;
      });
  }

  /** drawing: the same for all releases of one drawing. */
  add({ drawing, wanted, found, seconds, pages }, { pairs }) {
    const both = pairs.filter(({ item, each }) => item.tolerance === each.tolerance).length;
    this.files++;
    this.pages += pages;
    this.seconds += seconds;
    this.times.push(seconds / pages);
    this.wanted += wanted.length;
    this.found += found.length;
    this.text += pairs.length;
    this.both += both;
    for (const item of wanted) {
      if (item.tolerance !== '') this.toleranced++;
      this.#groupOf(item).wanted++;
    }
    for (const { item, each } of pairs) {
      if (item.tolerance === each.tolerance) this.#groupOf(item).both++;
      if (item.tolerance !== '' && item.tolerance === each.tolerance) this.tolerances++;
      if (item.typeId !== undefined) this.typed++;
      if (item.typeId === each.object.typeId) this.types++;
      if (item.box !== undefined) this.overlaps.push(iou(item.box, each.object.box));
    }
    for (const item of wanted) {
      if (item.box === undefined) continue;
      this.boxed++;
      if (isDetected(item, found)) this.detected++;
      else this.#groupOf(item).undetected++;
    }
    const right = new Set(
      pairs.filter(({ item, each }) => item.tolerance === each.tolerance).map(({ each }) => each.object),
    );
    for (const { object } of this.asksPrecision ? found : []) {
      if (object.confidence === undefined) continue;
      const tenth = Math.min(9, Math.floor(10 * object.confidence + 1e-9));
      const row = this.said.get(tenth) ?? { count: 0, right: 0 };
      this.said.set(tenth, row);
      row.count++;
      if (right.has(object)) row.right++;
    }
    const releases = this.drawings.get(drawing) ?? [];
    this.drawings.set(drawing, [...releases, { wanted: wanted.length, found: found.length, text: pairs.length, both }]);
  }

  /** Fields of a title block: { name, value } as they stand there, against what was read. */
  addAttributes(wanted, read) {
    for (const { name, value } of wanted) {
      const field = this.fields.get(name) ?? { wanted: 0, right: 0 };
      this.fields.set(name, field);
      field.wanted++;
      if (read.some((each) => each.name === name && each.value === value)) field.right++;
    }
  }

  /** Two lines: what is right, pooled and as the mean over drawings; and what else was measured. */
  lines(kind) {
    const { wanted, found, text, both } = this;
    const precision = (part, whole) => (this.asksPrecision ? ratio(part, whole) : 'not asked');
    const mean = (part, whole) => this.#mean(part, whole);
    const macro = this.asksPrecision ? mean('both', 'found') : 'not asked';
    return [
      `${kind}: ${this.files} files of ${this.drawings.size} drawings, ${wanted} items, ${found} found`,
      `  recall / precision: text ${ratio(text, wanted)} / ${precision(text, found)}; text and tolerance ` +
        `${ratio(both, wanted)} / ${precision(both, found)}; mean over drawings ${mean('both', 'wanted')} / ${macro}`,
      `  tolerances right ${ratio(this.tolerances, this.toleranced)} of ${this.toleranced}; types ` +
        `${ratio(this.types, this.typed)} of ${this.typed}; ` +
        (this.boxed === 0
          ? ''
          : `detected ${ratio(this.detected, this.boxed)}, overlap of boxes ${median(this.overlaps)}; `) +
        `${(this.seconds / Math.max(1, this.pages)).toFixed(2)} s of processor time a page, ` +
        `median ${median(this.times)}`,
      ...(this.fields.size === 0
        ? []
        : [`  title block: ${[...this.fields].map(([name, f]) => `${name} ${ratio(f.right, f.wanted)}`).join(', ')}`]),
      ...this.unaskedLines(),
      ...this.reliabilityLines(),
      ...this.groupLines(),
      ...this.typeLines(),
    ];
  }

  /** How many objects count for nothing, since the truths do not cover them, by type. */
  unaskedLines() {
    const rows = [...this.unasked].sort(([a], [b]) => a - b);
    const count = rows.reduce((sum, [, each]) => sum + each, 0);
    const said = rows.map(([typeId, each]) => `${each} of type ${typeId}`).join(', ');
    return count === 0 ? [] : [`  not covered by the truths, neither right nor wrong: ${count} found (${said})`];
  }

  /** Share that is right of what was said with a confidence, by tenths. */
  reliabilityLines() {
    const rows = [...this.said].sort(([a], [b]) => b - a);
    const text = rows.map(([tenth, { count, right }]) => `.${tenth} ${ratio(right, count)} of ${count}`);
    return rows.length === 0 ? [] : [`  right of what is said with at least ${text.join(', ')}`];
  }

  /** Recall of text and tolerance by group of items. */
  groupLines() {
    const said = [...this.groups].map(([group, { wanted, both }]) => `${group} ${ratio(both, wanted)} of ${wanted}`);
    const rows = [...this.groups].filter(([, { undetected }]) => undetected > 0);
    const lost = rows.map(([group, { wanted, undetected }]) => `${group} ${undetected} of ${wanted}`);
    return [
      ...(this.groups.size < 2 ? [] : [`  by group: ${said.join(', ')}`]),
      ...(lost.length === 0 ? [] : [`  nothing found at the place of: ${lost.join(', ')}`]),
    ];
  }

  #groupOf({ group }) {
    if (!this.groups.has(group)) this.groups.set(group, { wanted: 0, both: 0, undetected: 0 });
    return this.groups.get(group);
  }

  #mean(part, whole) {
    const shares = [...this.drawings.values()].flatMap((releases) => {
      const known = releases.filter((each) => each[whole] > 0);
      return known.length === 0 ? [] : [known.reduce((sum, each) => sum + each[part] / each[whole], 0) / known.length];
    });
    return shares.length === 0 ? '-' : (shares.reduce((sum, each) => sum + each, 0) / shares.length).toFixed(3);
  }
}

/** What was missed and invented, and tolerances and types that are wrong, a line each. */
export function itemLines({ pairs, missed, invented }, found = []) {
  const said = ({ text, tolerance }) => `${text}${tolerance === '' ? '' : ` [${tolerance}]`}`;
  return [
    ...missed.map((item) => {
      const isLost = item.box !== undefined && !isDetected(item, found);
      const what = said(item) || JSON.stringify(item.measured);
      return `  missed    ${what} (${item.group}${isLost ? ', nothing at its place' : ''})`;
    }),
    ...invented.map((each) => `  invented  ${said(each)} (type ${each.object.typeId})`),
    ...pairs
      .filter(({ item, each }) => item.tolerance !== each.tolerance)
      .map(({ item, each }) => `  tolerance ${said(item)}: read [${each.tolerance}]`),
    ...pairs
      .filter(({ item, each }) => item.typeId !== undefined && item.typeId !== each.object.typeId)
      .map(({ item, each }) => `  type      ${said(item)}: ${each.object.typeId}, not ${item.typeId}`),
  ];
}

/** Whether something was found at the place of an item, whatever its text. */
function isDetected({ box }, found) {
  return found.some(({ object }) => iou(box, object.box) >= DETECTED);
}

/** Intersection over union of two boxes: x, y, width, height. */
export function iou([ax, ay, aw, ah], [bx, by, bw, bh]) {
  const w = Math.max(0, Math.min(ax + aw, bx + bw) - Math.max(ax, bx)),
    h = Math.max(0, Math.min(ay + ah, by + bh) - Math.max(ay, by));
  return (w * h) / (aw * ah + bw * bh - w * h || 1);
}

function ratio(part, whole) {
  return whole === 0 ? '-' : (part / whole).toFixed(3);
}

function median(values) {
  return values.length === 0 ? '-' : values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)].toFixed(2);
}
