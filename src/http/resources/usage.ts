import { z } from '@hono/zod-openapi';
import type { MonthlyUsage, UsageCounter } from '../../accounts/index.js';
import { endpointsOf } from '../server/endpoint.js';
import { Problem } from '../server/problem.js';
import { maybeInteger } from '../server/parameters.js';

const endpoint = endpointsOf('Utilities');

const COUNTERS: Readonly<Record<string, UsageCounter | 'total'>> = {
  TokenFileIndex: 'fileIndex',
  TokenTableIndex: 'tableIndex',
  TokenStorage: 'storage',
  TokenVSearch: 'visualSearch',
  TokenTSearch: 'textSearch',
  TokenRAG: 'rag',
  TokenCompare: 'compare',
  Token2DPMI: 'pmi2d',
  Token3DConvert: 'convert3d',
  Total: 'total',
};

/**
 * Stands for a limit that is not set, and for what remains of it: the largest int32. The interface says integer, and
 * who compares what remains with what is needed is right with it.
 */
const NO_LIMIT = 2_147_483_647;

const MonthlyUsageResponse = z
  .object({
    BillingPeriod: z.string().openapi({ description: 'MM/DD/YYYY - MM/DD/YYYY' }),
    FilePlanLimit: z.int().openapi({ description: `${NO_LIMIT}: none.` }),
    RemainingFiles: z.int(),
    FileCount: z.object({
      CountDoc: z.int(),
      Count2D: z.int(),
      Count3D: z.int(),
      CountPhoto: z.int(),
      Total: z.int(),
      Doc: z.int(),
      '2D': z.int(),
      '3D': z.int(),
      Photo: z.int(),
    }),
    TokenPlanLimit: z.number().openapi({ description: `${NO_LIMIT}: none.` }),
    RemainingTokens: z.number(),
    TokenUsage: z.object(Object.fromEntries(Object.keys(COUNTERS).map((name) => [name, z.number()]))),
  })
  .openapi('MonthlyUsageResponse');

export const USAGE = [
  endpoint('GET /ServiceFileCount', {
    summary: 'Files in the company database',
    answer: z.int(),
    respond: async (call) => (await (await call.company()).counts()).total,
  }),
  endpoint('GET /MonthlyUsage', {
    summary: 'Usage of a month',
    answer: MonthlyUsageResponse,
    about: 'Without year or month: the current month up to now. Of a past month: its final state.',
    query: z.object({
      year: maybeInteger({ about: 'Year.', least: 1, most: 9999 }),
      month: maybeInteger({ about: 'Month, 1 to 12.', least: 1, most: 12 }),
    }),
    statuses: { 404: 'There is no usage record for that month.' },
    respond: async (call) => {
      const usage = await call.engine.accounts.usage(call.companyName, call.query);
      if (usage === undefined) throw new Problem(404, 'There is no usage record for that month.');
      return wire(usage);
    },
  }),
];

function wire({
  firstDay,
  lastDay,
  fileLimit,
  remainingFiles,
  files,
  tokenLimit,
  remainingTokens,
  tokens,
}: MonthlyUsage): z.output<typeof MonthlyUsageResponse> {
  const { texts, drawings, models, images, total } = files;
  return {
    BillingPeriod: `${day(firstDay)} - ${day(lastDay)}`,
    FilePlanLimit: fileLimit ?? NO_LIMIT,
    RemainingFiles: remainingFiles ?? NO_LIMIT,
    FileCount: {
      CountDoc: texts,
      Count2D: drawings,
      Count3D: models,
      CountPhoto: images,
      Total: total,
      Doc: texts,
      '2D': drawings,
      '3D': models,
      Photo: images,
    },
    TokenPlanLimit: tokenLimit ?? NO_LIMIT,
    RemainingTokens: remainingTokens ?? NO_LIMIT,
    TokenUsage: Object.fromEntries(Object.entries(COUNTERS).map(([name, counter]) => [name, tokens[counter]])),
  };
}

function day(date: Date): string {
  const [year, month, dayOfMonth] = date.toISOString().slice(0, 10).split('-');
  return `${month}/${dayOfMonth}/${year}`;
}
