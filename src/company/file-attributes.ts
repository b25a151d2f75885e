import type { AttributeCount, FileAttribute } from '../attributes/attribute-condition.js';
import { parseAttributes } from '../attributes/attribute.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';
import type { FileRecord } from '../store/catalog/record.js';
import { ATTRIBUTE_FORMS } from '../words/attribute-forms.js';
import { checkBoolean, checkString } from './checks.js';
import type { CompanyContext } from './context.js';

/** Options of setting attributes. */
export interface SetAttributesOptions {
  /** True: they replace all attributes of the file. False: they are added, and existing ones stay. Default true. */
  readonly replace?: boolean;
}

/** Which values of an attribute to list. */
export interface AttributeValuesOptions {
  /** Only values with this prefix, without regard to case. Default ''. */
  readonly prefix?: string;
  /** Only values in this unit; '' means without unit. Default: all values. */
  readonly unit?: string;
  /** True: values that were found in files instead of those that were given. Default false. */
  readonly extracted?: boolean;
  /** Most values returned. Default 1 000. */
  readonly limit?: number;
  /** Number of values to skip. Default 0. */
  readonly offset?: number;
}

const SET_DEFAULTS = Object.freeze({ replace: true } satisfies Defaults<SetAttributesOptions>);
const VALUES_DEFAULTS = Object.freeze({
  prefix: '',
  unit: undefined,
  extracted: false,
  limit: 1_000,
  offset: 0,
} satisfies Defaults<AttributeValuesOptions>);

/**
 * The attributes that were set on the files of a company.
 * @internal
 */
export class FileAttributes {
  readonly #context: CompanyContext;

  constructor(context: CompanyContext) {
    this.#context = context;
  }

  async set(
    uid: string,
    attributes: readonly string[],
    options: SetAttributesOptions | undefined,
  ): Promise<FileRecord> {
    const { store, companyId, lifetime } = this.#context;
    const { replace } = withDefaults('setAttributes options', options, SET_DEFAULTS);
    checkBoolean('setAttributes options.replace', replace);
    const parsed = parseAttributes(attributes, ATTRIBUTE_FORMS.key);
    return lifetime.write(() => store.setAttributes(companyId, uid, parsed, { replace }));
  }

  async names(options: { readonly extracted?: boolean } | undefined): Promise<FileAttribute[]> {
    const given = withDefaults('attributes options', options, { extracted: false });
    checkBoolean('attributes options.extracted', given.extracted);
    return this.#context.store.rooms.attributes.door.names(this.#context.companyId, given);
  }

  async values(name: string, options: AttributeValuesOptions | undefined): Promise<AttributeCount[]> {
    checkString('attribute name', name);
    const given = withDefaults('attributeValues options', options, VALUES_DEFAULTS);
    checkString('attributeValues options.prefix', given.prefix);
    if (given.unit !== undefined) checkString('attributeValues options.unit', given.unit);
    checkBoolean('attributeValues options.extracted', given.extracted);
    checkInteger('attributeValues options.limit', given.limit, 1);
    checkInteger('attributeValues options.offset', given.offset, 0);
    return this.#context.store.rooms.attributes.door.values(this.#context.companyId, name, given);
  }
}
