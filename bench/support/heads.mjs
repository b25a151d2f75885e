/** What the head of a program says, for the lists that `npm run bench` and `npm run campaign` print. */
import { readFileSync } from 'node:fs';

/** The first sentence of the comment at the head of a file, at most 110 characters. @param {URL} file */
export function purposeOf(file) {
  const text = headOf(readFileSync(file, 'utf8'))
    .replace(/^\s*(?:\*|\/\/) ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
  return sentence.length <= 110 ? sentence : `${sentence.slice(0, 109)}…`;
}

function headOf(text) {
  return /^\/\*\*(.*?)\*\//s.exec(text)?.[1] ?? /^((?:\/\/.*\n)+)/.exec(text)?.[1] ?? '';
}
