import { signal } from '@preact/signals';
import { readAttributeOrder } from '../api/library-endpoints.js';

/** Names of the attributes whose filters the company wants first. */
export const attributeOrder = signal<readonly string[]>([]);

/** What engineers ask for first, in this order; all others follow as the engine orders them. */
const ASKED_FIRST: readonly string[] = [
  'Part number',
  'Material',
  'Shape',
  'Thread',
  'Fit',
  'Holes',
  'Hole diameter',
  'Bolt circle',
  'Wall',
  'Teeth',
  'Module',
  'Ribs',
  'Bends',
  'Thread diameter',
  'Thread pitch',
  'Tolerance',
  'General tolerance',
  'Ra',
  'Length',
  'Width',
  'Height',
];

/** What programs write of themselves and of who used them, last and folded. */
export const OF_PROGRAMS: ReadonlySet<string> = new Set([
  'Application',
  'Author',
  'Authorisation',
  'Copyright',
  'Created',
  'Creator',
  'File name',
  'Last saved by',
  'Modified',
  'Organization',
  'Originating system',
  'PDF version',
  'Preprocessor',
  'Producer',
  'Resolution',
  'Schema',
  'Time stamp',
]);

/** Whether all values are numbers. */
export function isNumeric(values: readonly { readonly value: string }[]): boolean {
  return values.every(({ value }) => value.trim() !== '' && Number.isFinite(Number(value)));
}

let asked = false;

/** Loads the order of the company, once; without it filters have the usual order. */
export function loadAttributeOrder(): void {
  if (asked) return;
  asked = true;
  readAttributeOrder().then(
    (names) => {
      attributeOrder.value = names;
    },
    () => {
      asked = false;
    },
  );
}

/** Place of an attribute among the filters: sorting keeps the order of equal ones. */
export function placeOf({ name }: { readonly name: string }): number {
  const chosen = attributeOrder.value.findIndex((other) => other.toLowerCase() === name.toLowerCase());
  if (chosen >= 0) return chosen - attributeOrder.value.length;
  const place = ASKED_FIRST.indexOf(name);
  return place < 0 ? ASKED_FIRST.length : place;
}
