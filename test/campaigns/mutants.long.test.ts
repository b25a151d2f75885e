import { expect, test } from 'vitest';
import { runCampaign } from '../../bench/campaigns/frame.mjs';

test('damaged files of every kind end in a record or a coded error, and the host stays as small as it was', async () => {
  const { figures, findings } = await runCampaign('mutants', { seed: 5, count: 50 });
  expect(findings, JSON.stringify(findings, null, 1)).toEqual([]);
  expect(figures.filter(({ met }) => !met)).toEqual([]);
}, 600_000);
