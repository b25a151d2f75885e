import { InvalidArgumentError } from 'commander';
import type { AccountOptions } from '../accounts/index.js';

/** What people may make: the options of `AccountOptions` that `serve --accounts` sets. */
const BOUNDS = [
  'savedSearches',
  'rfqChunks',
  'openRfqs',
  'openRfqsPerUser',
  'rfqsPerUser',
  'rfqBytesPerUser',
  'feedbackPerUser',
  'inputsPerUser',
  'inputBytesPerUser',
  'keptInputs',
  'categories',
  'logoBytes',
  'signUpsPerSource',
  'waitingUsersPerCompany',
  'waitingUsers',
] as const satisfies readonly (keyof AccountOptions)[];

/** Those that are given, each a whole number of 1 or more. */
export type AccountBounds = Readonly<Partial<Record<(typeof BOUNDS)[number], number>>>;

/** Adds `name=n` to those before; the name may begin with `accounts.`, as in errors. */
export function accountBound(text: string, given: AccountBounds = {}): AccountBounds {
  const [, named, value] = /^(?:accounts\.)?(\w+)=(\d{1,15})$/.exec(text) ?? [];
  const name = BOUNDS.find((one) => one === named);
  if (name === undefined || !(Number(value) >= 1))
    throw new InvalidArgumentError(`It must be name=n, a whole number of 1 or more, of one of: ${BOUNDS.join(', ')}.`);
  return { ...given, [name]: Number(value) };
}
