import { expect, test } from 'vitest';
import { runCampaign } from '../../bench/campaigns/frame.mjs';
import { runs } from '../fixtures/runs.js';

test('requests by everybody, made from the OpenAPI document, break nothing and tell nobody about others', async () => {
  const { figures, findings } = await runCampaign('requests', { seed: 5, count: runs(1_500) });
  expect(findings).toEqual([]);
  expect(figures.filter(({ met }) => !met)).toEqual([]);
});
