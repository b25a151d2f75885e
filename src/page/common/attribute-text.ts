/** An attribute, split into its parts. */
export interface AttributeParts {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly string[];
}

/**
 * Parses `name=value` or `name(unit)=value`. `|` separates several values; inside a value `|` is written `\|` and `\`
 * is written `\\`.
 */
export function readAttribute(text: string): AttributeParts {
  const equals = text.indexOf('=');
  const label = equals < 0 ? text : text.slice(0, equals);
  const values: string[] = [''];
  for (const [, escaped, bar, other] of (equals < 0 ? '' : text.slice(equals + 1)).matchAll(
    /\\([|\\])|(\|)|([^|\\]+|\\)/g,
  )) {
    if (bar !== undefined) values.push('');
    else values[values.length - 1] += escaped ?? other;
  }
  const open = label.endsWith(')') ? label.lastIndexOf('(') : -1;
  return open <= 0
    ? { name: label, unit: '', values }
    : { name: label.slice(0, open).trim(), unit: label.slice(open + 1, -1).trim(), values };
}

/** The inverse of {@link readAttribute}. */
export function writeAttribute({ name, unit, values }: AttributeParts): string {
  return `${labelOf({ name, unit })}=${values.map((value) => value.replace(/[|\\]/g, '\\$&')).join('|')}`;
}

/** Name and unit: `Length(mm)`; the name alone if there is no unit. */
export function labelOf({ name, unit }: Pick<AttributeParts, 'name' | 'unit'>): string {
  return unit === '' ? name : `${name}(${unit})`;
}
