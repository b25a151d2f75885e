import { expect, test } from 'vitest';
import { runCampaign } from '../../bench/campaigns/frame.mjs';
import { whyNotRecorded } from '../../bench/campaigns/support/recorded-writes.mjs';
import { runs } from '../fixtures/runs.js';

const why: string | undefined = whyNotRecorded();

test.skipIf(why !== undefined)(
  `after a power cut a library holds what was acknowledged${why === undefined ? '' : ` (not run: ${why})`}`,
  { timeout: 120_000 },
  async () => {
    const { figures, findings } = await runCampaign('lost-writes', { seed: 3, count: runs(20) });
    expect(findings).toEqual([]);
    expect(figures.filter(({ met }) => !met)).toEqual([]);
  },
);
