import { expect, test } from 'vitest';
import { runCampaign } from '../../bench/campaigns/frame.mjs';

test('killed again and again under clients, a library holds what was acknowledged and nothing else', async () => {
  const { figures, findings } = await runCampaign('kills', { seed: 3, count: 6 });
  expect(findings).toEqual([]);
  expect(figures.filter(({ met }) => !met)).toEqual([]);
});
