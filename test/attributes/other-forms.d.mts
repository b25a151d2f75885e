import type { AttributeForms } from '../../dist/attributes/attribute-condition.js';

/** Signs do not count in names and values, and each value is also found by its terms backwards. */
export const OTHER_FORMS: AttributeForms;
