import { expect, test } from 'vitest';
import { runCampaign } from '../../bench/campaigns/frame.mjs';

test('some seconds of mixed load, damaged files among it, ends without an error', async () => {
  const { figures, findings } = await runCampaign('soak', { seed: 2, minutes: 0.15 });
  expect(findings).toEqual([]);
  expect(figures).toMatchObject([{ what: 'errors', met: true }]);
});
