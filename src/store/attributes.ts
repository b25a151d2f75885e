import type { Database } from 'better-sqlite3';
import type { AttributeCondition, AttributeCount, AttributeForms, FileAttribute } from './attribute-condition.js';

/** Which values to list. */
export interface AttributeValueOptions {
  /** Only values that begin so, without regard to case. */
  readonly prefix: string;
  readonly limit: number;
  readonly offset: number;
}

/** The attributes of files, given and extracted: who has which, how many have which. Writing runs inside a transaction of the caller. */
export class Attributes {
  constructor(_database: Database, _forms: AttributeForms) {}

  /** Ids of the indexed files that meet a condition, rising. */
  filesWith(_companyId: number, _condition: AttributeCondition): Uint32Array {
    throw new Error('follows in the next commit');
  }

  /** No fewer than {@link filesWith} finds, much faster. */
  countWith(_companyId: number, _condition: AttributeCondition): number {
    throw new Error('follows in the next commit');
  }

  /** Whether a file meets a condition, whatever its state. */
  has(_fileId: number, _condition: AttributeCondition): boolean {
    throw new Error('follows in the next commit');
  }

  /** The attributes that were given to files of a company, by name. */
  names(_companyId: number): FileAttribute[] {
    throw new Error('follows in the next commit');
  }

  /** The values given under a name, the most frequent first. */
  values(_companyId: number, _nameKey: string, _options: AttributeValueOptions): AttributeCount[] {
    throw new Error('follows in the next commit');
  }
}
