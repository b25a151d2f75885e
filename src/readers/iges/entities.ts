import { type EngineError, checkLimit, fileMalformed } from '../../errors.js';
import type { Point } from '../../content/exact-shape.js';
import { MILLIMETRES } from '../../content/units.js';
import { globalFields, inspectIges } from './iges.js';

/** A value of the parameter section: a number, a Hollerith string, or undefined for an empty field. */
export type IgesValue = number | string | undefined;

/**
 * An entity: its directory entry and its parameters. Pointers are sequence numbers of directory entries: odd, from 1.
 */
export interface IgesEntity {
  readonly sequence: number;
  readonly type: number;
  readonly form: number;
  /** Pointer to the transformation matrix; 0 for none. */
  readonly transform: number;
  /** Eight digits, two each: blank status, subordinate switch, use flag, hierarchy. */
  readonly status: string;
  /** The parameters behind the entity type: the standard's parameter 1 has index 0. */
  readonly parameters: readonly IgesValue[];
}

/** Units without a `LengthUnit`, by the flag of the global section, mm (IGES 5.3, 2.2.4.3.14). */
const RARE_UNITS_MM: Readonly<Record<string, number>> = { '5': 1_609_344, '7': 1e6, '8': 0.0254, '11': 2.54e-5 };
/** Columns of a line of the parameter section that hold parameters, and columns of a directory field. */
const PARAMETER_COLUMNS = 64;
const FIELD_COLUMNS = 8;
/** Numbers larger than this count as damage. */
const FARTHEST = 1e12;

/**
 * The entities of an IGES file (IGES 5.3, fixed ASCII format). Parameters are parsed on request, once.
 * @throws EngineError `FILE_MALFORMED` when lines, numbers or pointers break the rules; `LIMIT_EXCEEDED` for more than
 * `mostEntities` entities.
 */
export class IgesFile {
  readonly unitMm: number;
  /** The file's resolution (smallest meaningful distance), mm; 0 when it states none. */
  readonly resolutionMm: number;
  readonly #directory: readonly string[];
  readonly #parameterLines: readonly string[];
  readonly #delimiter: string;
  readonly #end: string;
  readonly #entities = new Map<number, IgesEntity>();

  constructor(bytes: Uint8Array, mostEntities: number) {
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .split(/\r\n|\n|\r/);
    const section = (letter: string): string[] => lines.filter((line) => line[72] === letter);
    this.#directory = section('D');
    if (this.#directory.length % 2 !== 0)
      throw malformed(`the directory has an odd number of lines, ${this.#directory.length}`);
    checkLimit('the IGES file', { entities: mostEntities }, 'entities', this.#directory.length / 2);
    this.#parameterLines = section('P').map((line) => line.slice(0, PARAMETER_COLUMNS).padEnd(PARAMETER_COLUMNS));
    const fields = globalFields(
      section('G')
        .map((line) => line.slice(0, 72))
        .join(''),
    );
    this.#delimiter = delimiterOf(fields[0], ',');
    this.#end = delimiterOf(fields[1], ';');
    const { unit } = inspectIges(bytes);
    this.unitMm = unit !== undefined ? MILLIMETRES[unit] : (RARE_UNITS_MM[fields[13]] ?? 1);
    const resolution = Number((fields[18] ?? '').replace(/d/i, 'e'));
    this.resolutionMm = resolution > 0 && resolution < FARTHEST ? resolution * this.unitMm : 0;
  }

  /** Sequence numbers of all entities, in file order. */
  get sequences(): readonly number[] {
    return Array.from({ length: this.#directory.length / 2 }, (_, i) => 2 * i + 1);
  }

  /** Type of an entity, without parsing its parameters; undefined when there is no such entity. */
  typeOf(sequence: number): number | undefined {
    return sequence % 2 === 1 && sequence > 0 && sequence < this.#directory.length
      ? this.#field(sequence, 0)
      : undefined;
  }

  entity(sequence: number): IgesEntity {
    const known = this.#entities.get(sequence);
    if (known !== undefined) return known;
    const type = this.typeOf(sequence);
    if (type === undefined) throw malformed(`there is no directory entry ${sequence}`);
    const text = this.#parameterText(sequence);
    const values = splitParameters(text, this.#delimiter, this.#end);
    if (values[0] !== type)
      throw malformed(
        `directory entry ${sequence} has type ${type}, but its parameters begin with ${String(values[0]).slice(0, 20)}`,
      );
    const entity = {
      sequence,
      type,
      form: this.#field(sequence + 1, 4),
      transform: this.#field(sequence, 6),
      status: this.#directory[sequence - 1].slice(64, 72).replaceAll(' ', '0'),
      parameters: values.slice(1),
    };
    this.#entities.set(sequence, entity);
    return entity;
  }

  /**
   * The entity at `sequence`, which must have that type.
   * @param what in the error of another type: "a face has a loop".
   */
  expect(sequence: number, type: number, what: string): IgesEntity {
    const entity = this.entity(sequence);
    if (entity.type !== type) throw malformed(`${what} of type ${entity.type}; expected ${type}`);
    return entity;
  }

  /** A field, counted from 0, of one of the two lines of a directory entry. A blank field is 0. */
  #field(line: number, field: number): number {
    const text = this.#directory[line - 1].slice(FIELD_COLUMNS * field, FIELD_COLUMNS * (field + 1)).trim();
    const value = text === '' ? 0 : Number(text);
    if (!Number.isInteger(value))
      throw malformed(`line ${line} of the directory has ${JSON.stringify(text)}; expected an integer`);
    return value;
  }

  #parameterText(sequence: number): string {
    const from = this.#field(sequence, 1);
    const count = Math.max(1, this.#field(sequence + 1, 3));
    if (from < 1 || from - 1 + count > this.#parameterLines.length) {
      throw malformed(
        `directory entry ${sequence} points to parameter lines ${from} to ${from + count - 1}; ` +
          `there are ${this.#parameterLines.length}`,
      );
    }
    return this.#parameterLines.slice(from - 1, from - 1 + count).join('');
  }
}

/**
 * A numeric parameter; `byDefault` for an empty or missing field.
 * @throws EngineError `FILE_MALFORMED` for anything but a number.
 */
export function numberAt({ type, sequence, parameters }: IgesEntity, index: number, byDefault?: number): number {
  const value = parameters[index] ?? byDefault;
  if (typeof value !== 'number' || !(Math.abs(value) <= FARTHEST)) {
    const found = value === undefined ? 'missing' : JSON.stringify(String(value).slice(0, 20));
    throw malformed(`parameter ${index + 1} of entity ${type} at ${sequence} is ${found}; expected a number`);
  }
  return value;
}

/** A run of numeric parameters. */
export function numbersAt(entity: IgesEntity, index: number, length: number): number[] {
  return Array.from({ length }, (_, i) => numberAt(entity, index + i));
}

/** Three numeric parameters. */
export function pointAt(entity: IgesEntity, index: number): Point {
  return [numberAt(entity, index), numberAt(entity, index + 1), numberAt(entity, index + 2)];
}

/**
 * A count: an integer from 0 to the number of parameters.
 * @throws EngineError `FILE_MALFORMED` for anything else.
 */
export function countAt(entity: IgesEntity, index: number): number {
  const value = numberAt(entity, index);
  if (!Number.isInteger(value) || value < 0 || value > entity.parameters.length) {
    throw malformed(
      `parameter ${index + 1} of entity ${entity.type} at ${entity.sequence} is ${value}; ` +
        `expected a count of at most ${entity.parameters.length}`,
    );
  }
  return value;
}

export function malformed(message: string): EngineError {
  return fileMalformed(`the IGES file is damaged: ${message}`);
}

function delimiterOf(field: string | undefined, byDefault: string): string {
  return field !== undefined && field.length === 1 ? field : byDefault;
}

function splitParameters(text: string, delimiter: string, end: string): IgesValue[] {
  const values: IgesValue[] = [];
  let at = 0;
  for (;;) {
    const hollerith = /^\s*(\d{1,6})H/.exec(text.slice(at, at + 72));
    if (hollerith !== null) {
      const start = at + hollerith[0].length;
      at = start + Number(hollerith[1]);
      if (at > text.length) throw malformed(`a string of ${hollerith[1]} characters ends after ${text.length - start}`);
      values.push(text.slice(start, at));
    }
    const from = at;
    while (at < text.length && text[at] !== delimiter && text[at] !== end) at++;
    if (hollerith === null) values.push(valueOf(text.slice(from, at).trim()));
    // Comments may follow the record delimiter.
    if (at >= text.length || text[at] === end) return values;
    at++;
  }
}

/**
 * Double-precision reals may have an exponent of D. A word that is not a number is kept, and refused where a number is
 * needed.
 */
function valueOf(text: string): IgesValue {
  if (text === '') return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?$/.test(text) ? Number(text.replace(/[dD]/, 'e')) : text;
}
