/** An attribute in its parts. */
export interface AttributeParts {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly string[];
}

/** Reads `name=value` or `name(unit)=value`; several values are joined by `|`, and `\|` and `\\` are what they end in. */
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

/** The contrary of {@link readAttribute}. */
export function writeAttribute({ name, unit, values }: AttributeParts): string {
  return `${labelOf({ name, unit })}=${values.map((value) => value.replace(/[|\\]/g, '\\$&')).join('|')}`;
}

/** `Length (mm)` without its space: `Length(mm)`. */
export function labelOf({ name, unit }: Pick<AttributeParts, 'name' | 'unit'>): string {
  return unit === '' ? name : `${name}(${unit})`;
}
