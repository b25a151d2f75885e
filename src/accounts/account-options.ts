import { DEFAULT_ACCOUNT_OPTIONS, checkInteger, withDefaults, type AccountOptions } from '../options.js';

/** Longest life of a token, s: its end must be a time that a Date can represent. */
const LIFE_LIMIT_S = 100 * 365 * 86_400;

/** Options that say how many, or how much, people may make; each a whole number of 1 or more. */
export const ACCOUNT_BOUNDS = [
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
  'keptInputsPerUser',
  'categories',
  'categoriesPerUser',
  'logoBytes',
  'signUpsPerSource',
  'waitingUsersPerCompany',
  'waitingUsers',
] as const satisfies readonly (keyof AccountOptions)[];

/**
 * Checks the options of accounts and fills in the defaults.
 * @throws TypeError or RangeError that names the wrong option.
 */
export function checkAccountOptions(given: Partial<AccountOptions>): AccountOptions {
  const options = withDefaults('options.accounts', given, DEFAULT_ACCOUNT_OPTIONS);
  for (const name of [
    'accessTokenS',
    'refreshTokenS',
    'imageTokenS',
    'loginWindowS',
    'signInS',
    'provenSignInS',
    'waitingUserS',
    'initialPasswordS',
  ] as const)
    checkInteger(`options.accounts.${name}`, options[name], 1, LIFE_LIMIT_S);
  for (const name of [
    'loginFailures',
    'loginFailuresPerSource',
    'loginFailuresPerName',
    'loginDelayS',
    'knownSources',
    'signInsWaiting',
    'signInsWaitingPerSource',
    ...ACCOUNT_BOUNDS,
    'auditEntries',
    'auditEntriesPerActor',
    'auditEntriesPerCompany',
  ] as const) {
    checkInteger(`options.accounts.${name}`, options[name], 1);
  }
  checkInteger('options.accounts.callbackTimeoutMs', options.callbackTimeoutMs, 1, 2 ** 31 - 1);
  checkInteger('options.accounts.scryptCost', options.scryptCost, 2, 2 ** 20);
  if (!Number.isInteger(Math.log2(options.scryptCost)))
    throw new RangeError(`options.accounts.scryptCost must be a power of 2, received ${options.scryptCost}`);
  if (typeof options.passwordGrant !== 'boolean')
    throw new TypeError(
      `options.accounts.passwordGrant must be true or false, received ${String(options.passwordGrant)}`,
    );
  for (const name of ['now', 'resolve'] as const) {
    const value: unknown = options[name];
    if (typeof value !== 'function' && !(name === 'resolve' && value === undefined))
      throw new TypeError(`options.accounts.${name} must be a function, received ${typeof value}`);
  }
  return options;
}
