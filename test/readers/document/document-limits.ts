import type { Document } from '../../../dist/content/document.js';
import { readContent } from '../../../dist/readers/read.js';
import { options } from '../helpers.js';

/** Reads a file that must give a document, and checks the invariants of all documents. */
export async function readDocument(bytes: Uint8Array, name: string, given = options()): Promise<Document> {
  const content = await readContent(bytes, name, given);
  if (content.kind !== 'document') throw new Error(`${name} gave a ${content.kind}, expected a document`);
  expectSoundDocument(content);
  return content;
}

/** Checks the invariants of `TextPage` and `Property`. */
export function expectSoundDocument({ pages, properties }: Document): void {
  pages.forEach(({ number, text }, i) => {
    if (number !== i + 1) throw new Error(`page ${i + 1} has the number ${number}`);
    if (text !== text.normalize('NFC')) throw new Error(`page ${number} is not in NFC`);
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
      throw new Error(`page ${number} holds a control character`);
    if (/\p{Surrogate}/u.test(text)) throw new Error(`page ${number} holds half a character`);
  });
  for (const { name, value } of properties) {
    if (name.trim() === '' || value.trim() === '')
      throw new Error(`property ${JSON.stringify({ name, value })} is empty`);
  }
}

export function textsOf({ pages }: Document): string[] {
  return pages.map(({ text }) => text);
}

export function propertiesOf({ properties }: Document): Record<string, string> {
  return Object.fromEntries(properties.map(({ name, value }) => [name, value]));
}

export function codesOf({ warnings }: Document): string[] {
  return warnings.map(({ code }) => code);
}
