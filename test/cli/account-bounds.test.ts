import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { accountBound } from '../../dist/cli/account-bounds.js';

test('bounds add up, by the names that errors give them; the last one counts', () => {
  const first = accountBound('inputsPerUser=500');
  const second = accountBound('accounts.keptInputs=3', first);
  expect(accountBound('inputsPerUser=7', second)).toEqual({ inputsPerUser: 7, keptInputs: 3 });
});

test.each(['inputsPerUser', 'inputsPerUser=', 'inputsPerUser=0', 'inputsPerUser=1.5', 'nothing=4', 'toString=4', '=4'])(
  '%s is refused, and what can be given is said',
  (text) => {
    expect(() => accountBound(text)).toThrow(InvalidArgumentError);
    expect(() => accountBound(text)).toThrow('inputBytesPerUser');
  },
);
