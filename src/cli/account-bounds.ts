import { InvalidArgumentError } from 'commander';
import { ACCOUNT_BOUNDS } from '../accounts/index.js';

/** Those that are given, each a whole number of 1 or more. */
export type AccountBounds = Readonly<Partial<Record<(typeof ACCOUNT_BOUNDS)[number], number>>>;

/** Adds `name=n` to those before; the name may begin with `accounts.`, as in errors. */
export function accountBound(text: string, given: AccountBounds = {}): AccountBounds {
  const [, named, value] = /^(?:accounts\.)?(\w+)=(\d{1,15})$/.exec(text) ?? [];
  const name = ACCOUNT_BOUNDS.find((one) => one === named);
  if (name === undefined || !(Number(value) >= 1))
    throw new InvalidArgumentError(
      `It must be name=n, a whole number of 1 or more, of one of: ${ACCOUNT_BOUNDS.join(', ')}.`,
    );
  return { ...given, [name]: Number(value) };
}
