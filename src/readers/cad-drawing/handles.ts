import type { AcadTs } from './texts.js';

/** What acad-ts knows of an object while it reads. */
interface Template {
  readonly cadObject: { handle: number };
}

/** The part of acad-ts that gives objects their handles. */
interface Builder {
  readonly templatesMap: ReadonlyMap<number, unknown>;
  initialHandSeed: number;
  _addToMap(template: Template): boolean;
  createMissingHandles(): void;
}

/** Handles are hexadecimal numbers of up to 64 bits; programs count them up from 1, and none comes near this. */
const LARGEST_HANDLE = 2 ** 48;

let isBounded = false;

/**
 * Takes a handle beyond {@link LARGEST_HANDLE} as none. acad-ts (3.2.0) counts on from the largest handle of a file:
 * from 2^53 on the next one is the same number, and it looked for a free one for ever.
 */
export function boundHandles(acad: AcadTs): void {
  if (isBounded) return;
  isBounded = true;
  const builder = acad.CadDocumentBuilder.prototype as unknown as Builder;
  const { _addToMap: addToMap, createMissingHandles } = builder;
  builder._addToMap = function (this: Builder, template): boolean {
    if (!(template.cadObject.handle <= LARGEST_HANDLE)) template.cadObject.handle = 0;
    return addToMap.call(this, template);
  };
  builder.createMissingHandles = function (this: Builder): void {
    if (!(this.initialHandSeed <= LARGEST_HANDLE)) {
      this.initialHandSeed = [...this.templatesMap.keys()].reduce((most, handle) => Math.max(most, handle), 0);
    }
    createMissingHandles.call(this);
  };
}
