import { expect, test } from 'vitest';
import { engineError, plainError } from '../../dist/indexing/worker/messages.js';

test('what a JavaScript process cannot hold is a limit, any other unexpected error a failure', () => {
  const text = (): unknown => 'a'.repeat(2 ** 30);
  const array = (): unknown => new Array(-1);
  const endless = (): unknown => [endless()];
  const bytes = (): unknown => new Uint8Array(2 ** 53);
  const codes = [text, array, endless, bytes, () => (null as unknown as string).length].map((fail) => {
    try {
      return fail();
    } catch (cause) {
      return engineError(plainError(cause)).code;
    }
  });
  expect(codes).toEqual([...Array<string>(4).fill('LIMIT_EXCEEDED'), 'WORKER_FAILED']);
});
