import type { AttributeCondition, AttributeCount, FileAttribute } from './attribute-condition.js';
import type { AttributeFacet } from './attribute-facet.js';

/** The values of an attribute to list. */
export interface AttributeValueOptions {
  /** Only values with this beginning, ignoring case. */
  readonly prefix: string;
  /** Only values in this unit. Absent: all. */
  readonly unit?: string;
  /** Those that were found in files instead of those that were given. */
  readonly extracted: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Reads the attributes of a company's files. Each call sees one state of the catalogue. */
export interface AttributeDoor {
  /** Ids of the indexed files that meet a condition, rising. */
  filesWith(companyId: number, condition: AttributeCondition): Promise<Uint32Array>;
  /**
   * An upper bound of the number of files that {@link filesWith} finds, computed faster: the files with such values, or
   * with the attribute.
   */
  countWith(companyId: number, condition: AttributeCondition): Promise<number>;
  /** Those of these files that meet a condition, in whatever state, in the given order. */
  those(fileIds: Uint32Array, condition: AttributeCondition): Promise<Uint32Array>;
  /**
   * The dimensions of the numbers among the values of an attribute, given and extracted: '' for plain numbers; empty
   * when all values are texts. Undefined when no file has the attribute.
   */
  dimensionsOf(companyId: number, nameKey: string): Promise<string[] | undefined>;
  /**
   * The values that group these files, with exact counts: at most 10 values of each of 12 attributes. Given attributes
   * come first, then attributes with values before those with ranges, then those that group most files. For more than
   * 500 files only the company's most frequent attributes and values are counted. More than 10 different numbers are
   * returned as a range, for 6 attributes at most; attributes whose values are all different, or all dates, are left
   * out. fileIds: rising.
   */
  facets(companyId: number, fileIds: Uint32Array): Promise<AttributeFacet[]>;
  /** The attributes given to files of a company, or found in them, by name and unit. */
  names(companyId: number, options: { readonly extracted: boolean }): Promise<FileAttribute[]>;
  /** The values given, or found, under a name, the most frequent first, then in the order of their characters. */
  values(companyId: number, name: string, options: AttributeValueOptions): Promise<AttributeCount[]>;
}
