import type { Property } from '../../content/text.js';
import { plainLine } from '../text/plain-text.js';

/** Most properties kept per file; hostile metadata has millions. */
const MOST_PROPERTIES = 500;
/** Longest value kept, characters; metadata can hold whole thumbnails and edit histories as text. */
const LONGEST_VALUE = 2_000;
const LONGEST_NAME = 100;

/** The properties of one file: trimmed, none empty, each pair of name and value once. */
export class PropertyList {
  readonly #properties: Property[] = [];
  readonly #seen = new Set<string>();

  get properties(): readonly Property[] {
    return this.#properties;
  }

  /** Adds a property unless its value is empty or already present; line breaks in the value become blanks. */
  add(name: string, value: unknown, unit = ''): void {
    if (this.#properties.length >= MOST_PROPERTIES || value === undefined || value === null) return;
    const property = { name: plainLine(name).slice(0, LONGEST_NAME), unit, value: shortened(plainLine(String(value))) };
    const key = `${property.name.toLowerCase()}\0${unit}\0${property.value}`;
    if (property.name === '' || property.value === '' || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#properties.push(property);
  }

  addAll(properties: readonly Property[]): void {
    for (const { name, value, unit } of properties) this.add(name, value, unit);
  }
}

function shortened(value: string): string {
  if (value.length <= LONGEST_VALUE) return value;
  // Do not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(value[LONGEST_VALUE - 1]) ? LONGEST_VALUE - 1 : LONGEST_VALUE;
  return value.slice(0, end);
}
