import { InvalidArgumentError } from 'commander';

/**
 * Collects an option that may be repeated, one value each. (A variadic option of commander, `<name...>`,
 * would swallow the argument that follows it.)
 */
export function repeated(text: string, given: readonly string[] = []): string[] {
  return [...given, text];
}

/** The same for attributes, `name=value`. */
export function repeatedAttribute(text: string, given: readonly string[] = []): string[] {
  if (text.indexOf('=') < 1) throw new InvalidArgumentError('It must be name=value or name(unit)=value.');
  return [...given, text];
}

/** The same for an option whose values are `choices`. */
export function repeatedChoice<T extends string>(choices: readonly T[]): (text: string, given?: readonly T[]) => T[] {
  return (text, given = []) => {
    const choice = choices.find((one) => one === text);
    if (choice === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return [...given, choice];
  };
}
