import { InvalidArgumentError } from 'commander';

/**
 * Gathers an option that may be given several times, one value each. (An option of several values, `<name...>` with
 * commander, would take the argument that follows for one of them.)
 */
export function repeated(text: string, given: readonly string[] = []): string[] {
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
