import type { Property } from '../content/text.js';
import { plainThread, threadsIn } from '../content/thread-names.js';
import { MILLIMETRES } from '../content/units.js';
import { nameOfCharacteristic } from './characteristics.js';
import { numberOf, plainSigns, threadIn, type DimensionReading } from './dimension-text.js';
import { deviationsOfFit } from './tolerances/iso-286.js';
import { PMI_TYPE, type PmiObject, type PmiPage } from './pmi.js';
import { roughnessOf } from './roughness.js';
import { sizesIn, withTolerance } from './sizes/callouts.js';
import { inStatedUnit } from './stated-unit.js';

/** Types in which no size is read: a control frame holds tolerances, and a datum named G1 is no pipe thread. */
const NO_SIZES: ReadonlySet<number> = new Set([PMI_TYPE.controlFrame, PMI_TYPE.datum]);
/** How many of the largest dimensions become attributes. */
const LARGEST = 3;
/** Most numbers of one attribute, the narrowest first. */
const MOST_NUMBERS = 40;
/** The cell of a zone: sign, width, modifiers or a length that it holds for. */
const ZONE = /^S?⌀?\s?[\d.,]+\s?(?:[/Ⓐ-Ⓩ<▷C].*| MAX)?$/;
/** Threads among other words of a note: `TAP M6`, `⌀5 DEEP 20, M6 DEEP 12`. */
const THREADS =
  /(?<![\w.,-])(?:M\d{1,3}(?:[.,]\d{1,2})?(?:\s?[xX×]\s?\d(?:[.,]\d{1,2})?(?![\d.,°]))?|(?:#\d{1,2}|\d{1,2}\/\d{1,2})\s?-\s?\d{1,2}\s?UN(?:C|F|EF|S)?)(?:\s?-\s?(?:[4-9][GHgh]{1,2}|[123][AB]))?(?![\w])/g;

/**
 * What annotations say about the part as a whole, as attributes by which the file can be found. Each value once: texts
 * in the order of the pages, numbers rising.
 *
 * - `Thread`: in one spelling, and without its class: `M8x1,25-6H` is `M8x1.25-6H` and `M8`, which has that pitch.
 * - `Fit`, and by what they belong to `Hole fit`, `Shaft fit`: a pair `H7/g6` is also `H7` and `g6`. Values are
 *   compared without regard to case, so only the latter two part `H7` from `h7`.
 * - `Ra(µm)`, `Rz(µm)`: surface finish, whatever unit it is written in.
 * - `Tolerance(mm)`: widths between the limits of lengths and diameters; fits by ISO 286.
 * - `Geometric tolerance`: the characteristic by name; `Geometric tolerance(mm)`: the widths of its zones.
 * - `Surface finish`, `Projection`, `Largest dimension`.
 *
 * @param options isInch: whether sizes without a unit are in inches, and roughness in microinches.
 */
export function attributesOfPmi(pages: readonly PmiPage[], { isInch = false } = {}): Property[] {
  const found = new Found(isInch);
  for (const { objects } of pages) for (const object of objects) found.add(object);
  return found.properties();
}

/** Collects values by the name and unit of their attribute. */
class Found {
  readonly #texts = new Map<string, Set<string>>();
  readonly #numbers = new Map<string, { readonly unit: string; readonly values: Set<number> }>();
  readonly #sizes = new Set<number>();
  readonly #isInch: boolean;

  constructor(isInch: boolean) {
    this.#isInch = isInch;
  }

  add(object: PmiObject): void {
    const { typeId, group, parts } = object;
    const characteristic = nameOfCharacteristic(typeId);
    if (characteristic !== undefined) this.#text('Geometric tolerance', characteristic);
    if (typeId === PMI_TYPE.firstAngle) this.#text('Projection', 'first angle');
    if (typeId === PMI_TYPE.thirdAngle) this.#text('Projection', 'third angle');
    if (typeId === PMI_TYPE.controlFrame) this.#zones(object);
    if (group === 'SurfaceFinish') this.#finish(object);
    if (NO_SIZES.has(typeId) || group === 'SurfaceFinish') return;
    for (const { text, tolerance = [] } of parts) {
      const whole = withTolerance(
        text,
        tolerance.filter((each) => each !== 'basic'),
      );
      const readings = sizesIn(whole);
      for (const reading of readings) this.#size(reading);
      if (readings[0]?.kind !== 'thread' && (typeId === PMI_TYPE.leader || group === 'Measurement'))
        for (const [thread] of plainSigns(text).matchAll(THREADS)) this.#thread(thread.trim());
    }
  }

  properties(): Property[] {
    const largest = [...this.#sizes].sort((a, b) => b - a).slice(0, LARGEST);
    for (const size of largest) this.#text('Largest dimension', String(size));
    return [
      ...[...this.#texts].flatMap(([name, values]) => [...values].map((value) => ({ name, unit: '', value }))),
      ...[...this.#numbers].flatMap(([name, { unit, values }]) =>
        [...values]
          .sort((a, b) => a - b)
          .slice(0, MOST_NUMBERS)
          .map((value) => ({ name, unit, value: String(value) })),
      ),
    ];
  }

  #finish({ parts }: PmiObject): void {
    for (const { text } of parts) {
      if (/\d/.test(text)) this.#text('Surface finish', text);
      for (const { parameter, valueUm } of roughnessOf(text, this.#isInch)) this.#number(parameter, 'µm', valueUm);
    }
  }

  #size(said: DimensionReading): void {
    const { reading, isInch } = inStatedUnit(said, this.#isInch);
    const { kind, text, nominal, tolerance, fit, isReference } = reading;
    if (kind === 'thread') {
      this.#thread(threadIn(text));
      return;
    }
    const isLength = kind === 'length' || kind === 'diameter';
    if (fit !== undefined) for (const name of new Set([fit, ...fit.split('/')])) this.#fit(name);
    if (isLength && !isReference) this.#sizes.add(isInch === this.#isInch ? nominal : this.#inOther(nominal));
    const { upper, lower } = tolerance ?? {};
    if (isLength && upper !== undefined && lower !== undefined && upper > lower)
      this.#number('Tolerance', 'mm', inMm(upper - lower, isInch));
    // Classes are those of the size in mm.
    const ofFit =
      tolerance !== undefined || fit === undefined ? undefined : deviationsOfFit(fit, inMm(nominal, isInch));
    if (isLength && ofFit !== undefined)
      this.#number('Tolerance', 'mm', Number((ofFit.upper - ofFit.lower).toPrecision(6)));
  }

  /** A size of the sheet's other unit in its own. */
  #inOther(size: number): number {
    return Number((this.#isInch ? size / MILLIMETRES.in : size * MILLIMETRES.in).toPrecision(6));
  }

  #thread(thread: string): void {
    const said = plainThread(thread);
    this.#text('Thread', said);
    const [named] = threadsIn(said);
    if (named?.start === 0 && !said.endsWith(' LH')) this.#text('Thread', named.short);
  }

  #fit(name: string): void {
    this.#text('Fit', name);
    if (!name.includes('/')) this.#text(/^[A-Z]/.test(name) ? 'Hole fit' : 'Shaft fit', name);
  }

  /**
   * The second cell of a row is the width of its zone: `⌖ | ⌀0.1Ⓜ | A`; rows of a shared symbol begin with it.
   */
  #zones({ parts }: PmiObject): void {
    for (const { text } of parts) {
      const cells = plainSigns(text).split(' | ');
      // A note below the frame, `2 SURFACES`, is none.
      const zone = cells.slice(0, 2).find((cell) => ZONE.test(cell));
      const width = zone === undefined ? Number.NaN : numberOf(zone.replace(/^S?⌀?/, ''));
      if (width > 0) this.#number('Geometric tolerance', 'mm', inMm(width, this.#isInch));
    }
  }

  #text(name: string, value: string): void {
    const values = this.#texts.get(name);
    if (values === undefined) this.#texts.set(name, new Set([value]));
    else values.add(value);
  }

  #number(name: string, unit: string, value: number): void {
    const known = this.#numbers.get(name);
    if (known === undefined) this.#numbers.set(name, { unit, values: new Set([value]) });
    else known.values.add(value);
  }
}

function inMm(size: number, isInch: boolean): number {
  return Number((isInch ? size * MILLIMETRES.in : size).toPrecision(6));
}
