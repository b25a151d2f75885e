import { EngineError } from '../../errors.js';
import { readTextClause, type TextClause } from '../../words/text-query.js';
import { splitValues } from '../../attributes/attribute.js';

/** How a value of an attribute is compared. */
export type AttributeOperator = 'contains' | 'equals' | 'prefix' | 'exists' | '<' | '<=' | '>' | '>=';

/** A test of one attribute. */
export interface AttributeTest {
  readonly name: string;
  /** Unit of a number in `value` without a unit of its own; '' for none. */
  readonly unit: string;
  readonly operator: AttributeOperator;
  /** As it was written; '' for 'exists'. */
  readonly value: string;
}

/** A parsed free text: tests of an attribute, all of which must hold, or words. */
export type Expression = { readonly attributes: readonly AttributeTest[] } | { readonly clause: TextClause };

const QUOTES = '"“”„«»';

/**
 * Parses one free text.
 *
 * A text with `=`, `<`, `<=`, `>` or `>=` outside quotation marks tests an attribute: the part before is its name
 * (optionally with a unit in parentheses), the part after is the value: `name=value`, `name=[whole value]`,
 * `name=prefix*`, `name=*`, `name>20mm`. Other texts are words, phrases in quotation marks and prefixes with `*`.
 * Values are written as in the text of an attribute: several values, all of which must be present, are joined by `|`,
 * and a `|` inside a value is `\|` (`Color=[red|blue]` finds files that are both red and blue).
 *
 * Text in quotation marks is never an operator: `"a=b"` is text, `"a<b"=[1]` an attribute called `a<b`, `a="[1]"` and
 * `a="b*"` values with exactly these characters; in names and values a quotation mark inside is doubled (`a="5""
 * pipe"`). A quotation mark opens only at the start of a word, so `1"` is an inch; an unclosed one extends to the end.
 *
 * @throws EngineError `QUERY_INVALID` that names the text.
 */
export function parseExpression(text: string): Expression {
  const at = findOperator(text);
  if (at === undefined) return { clause: readTextClause(text) };
  const operator = /^(?:=|<=?|>=?)/.exec(text.slice(at))![0];
  const asked = readName(text.slice(0, at).trim());
  const { name } = asked;
  if (name === '')
    throw invalid(
      text,
      `the text ${JSON.stringify(text)} must name an attribute before ${operator}; ` +
        'in quotation marks it is searched as text',
    );
  const value = text.slice(at + operator.length).trim();
  if (value === '')
    throw invalid(
      text,
      `the text ${JSON.stringify(text)} must give a value after ${operator}; ` +
        `${name}=* finds any, ${name}=[] an empty one`,
    );
  const quoted = unquoted(value);
  if (operator !== '=')
    return { attributes: [{ ...asked, operator: operator as AttributeOperator, value: quoted ?? value }] };
  const values: Asked[] = quoted === undefined ? readValues(value) : [{ operator: 'contains', value: quoted }];
  if (quoted === undefined && values.some((one) => one.operator === 'contains' && one.value === '')) {
    throw invalid(
      text,
      `the text ${JSON.stringify(text)} must give a value on each side of |; ${name}=[a|] asks for an empty one, too`,
    );
  }
  return { attributes: values.map((one) => ({ ...asked, ...one })) };
}

/** `Length(mm)` is the name `Length` and the unit `mm`. */
export function readName(written: string): { name: string; unit: string } {
  const quoted = unquoted(written);
  if (quoted !== undefined) return { name: quoted, unit: '' };
  const open = written.endsWith(')') ? written.lastIndexOf('(') : -1;
  if (open <= 0) return { name: written, unit: '' };
  return { name: written.slice(0, open).trim(), unit: written.slice(open + 1, -1).trim() };
}

type Asked = Pick<AttributeTest, 'operator' | 'value'>;

function readValues(text: string): Asked[] {
  const whole = bracketed(text);
  const values = new Set(splitValues(whole ?? text));
  return [...values].map((value) => (whole === undefined ? readValue(value.trim()) : { operator: 'equals', value }));
}

function readValue(value: string): Asked {
  const whole = bracketed(value);
  if (whole !== undefined) return { operator: 'equals', value: whole };
  if (value === '*') return { operator: 'exists', value: '' };
  if (value.endsWith('*')) return { operator: 'prefix', value: value.slice(0, -1) };
  return { operator: 'contains', value };
}

/** The text between square brackets that are its first and last character; undefined for other texts. */
function bracketed(text: string): string | undefined {
  return text.length > 1 && text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : undefined;
}

/** Index of the first operator outside quotation marks. */
function findOperator(text: string): number | undefined {
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (QUOTES.includes(character) && startsWord(text, at)) at = phraseEnd(text, at) - 1;
    else if (character === '=' || character === '<' || character === '>') return at;
  }
  return undefined;
}

/** The content of a text that is quoted as a whole; undefined for other texts. */
function unquoted(text: string): string | undefined {
  const body = /^"((?:[^"]|"")*)"$/.exec(text)?.[1];
  return body?.replaceAll('""', '"');
}

/** Index after the quotation mark that closes the one at `start`; the length of the text when none does. */
function phraseEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (!QUOTES.includes(text[at])) continue;
    if (text[at + 1] !== text[at]) return at + 1;
    at++;
  }
  return text.length;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || isSpace(text[at - 1]);
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}

function invalid(text: string, message: string): EngineError {
  return new EngineError('QUERY_INVALID', message, { details: { name: 'FT', text } });
}
