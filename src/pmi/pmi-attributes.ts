import type { Property } from '../content/text.js';
import { nameOfCharacteristic } from './characteristics.js';
import { readDimension } from './dimension-text.js';
import { PMI_TYPE, type PmiPage } from './pmi.js';

/** Types in which no size is read: a control frame holds tolerances, and a datum named G1 is no pipe thread. */
const NO_SIZES: ReadonlySet<number> = new Set([PMI_TYPE.controlFrame, PMI_TYPE.datum]);
/** How many of the largest dimensions become attributes. */
const LARGEST = 3;

/**
 * What annotations say about the part as a whole, as attributes by which the file can be found: `Thread=M6*`, `Fit=H7`,
 * `Geometric tolerance=position`, `Surface finish=[Ra 3.2]`. Each value once, in the order of the pages.
 */
export function attributesOfPmi(pages: readonly PmiPage[]): Property[] {
  const values = new Map<string, Set<string>>();
  const put = (name: string, value: string): void =>
    void (values.get(name) ?? values.set(name, new Set()).get(name)!).add(value);
  const sizes = new Set<number>();
  for (const { objects } of pages) {
    for (const object of objects) {
      const characteristic = nameOfCharacteristic(object.typeId);
      if (characteristic !== undefined) put('Geometric tolerance', characteristic);
      if (object.typeId === PMI_TYPE.firstAngle) put('Projection', 'first angle');
      if (object.typeId === PMI_TYPE.thirdAngle) put('Projection', 'third angle');
      if (object.group === 'SurfaceFinish')
        for (const { text } of object.parts) if (/\d/.test(text)) put('Surface finish', text);
      for (const { text, tolerance = [] } of object.parts) {
        const reading = NO_SIZES.has(object.typeId)
          ? undefined
          : readDimension([text, ...tolerance.filter((each) => each !== 'basic')].join(' '));
        if (reading === undefined) continue;
        const { kind, nominal, fit, isReference } = reading;
        if (kind === 'thread') put('Thread', reading.text.replace(/^\d+\s?[x×]\s?/i, ''));
        if (fit !== undefined) put('Fit', fit);
        if ((kind === 'length' || kind === 'diameter') && !isReference) sizes.add(nominal);
      }
    }
  }
  for (const size of [...sizes].sort((a, b) => b - a).slice(0, LARGEST)) put('Largest dimension', String(size));
  return [...values].flatMap(([name, list]) => [...list].map((value) => ({ name, unit: '', value })));
}
