import { InvalidArgumentError } from 'commander';

/**
 * Gathers an option that may be given several times, one value each. (An option of several values, `<name...>` with
 * commander, would take the argument that follows for one of them.)
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
