import { z } from '@hono/zod-openapi';
import type { MonthlyUsage, UsageCounter } from '../../accounts/index.js';
import { endpoint, NO_QUERY } from '../server/endpoint.js';
import { Problem } from '../server/problem.js';
import { maybeInteger } from '../wire/parameters.js';

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

const MonthlyUsageResponse = z
  .object({
    BillingPeriod: z.string().openapi({ description: 'MM/DD/YYYY - MM/DD/YYYY' }),
    FilePlanLimit: z.int().nullable().openapi({ description: 'Null: none.' }),
    RemainingFiles: z.int().nullable(),
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
    TokenPlanLimit: z.number().nullable(),
    RemainingTokens: z.number().nullable(),
    TokenUsage: z.object(Object.fromEntries(Object.keys(COUNTERS).map((name) => [name, z.number()]))),
  })
  .openapi('MonthlyUsageResponse');

export const USAGE = [
  endpoint({
    method: 'get',
    path: '/ServiceFileCount',
    tag: 'Utilities',
    summary: 'Files in the company database',
    access: 'user',
    answer: z.int(),
    query: NO_QUERY,
    respond: async (call) => (await (await call.company()).counts()).total,
  }),
  endpoint({
    method: 'get',
    path: '/MonthlyUsage',
    tag: 'Utilities',
    summary: 'What a month has used',
    access: 'user',
    answer: MonthlyUsageResponse,
    about: 'Both or one omitted, or the current month: up to now. A past month: as it ended.',
    query: z.object({
      year: maybeInteger({ about: 'Year.', least: 1, most: 9999 }),
      month: maybeInteger({ about: 'Month, 1 to 12.', least: 1, most: 12 }),
    }),
    statuses: { 404: 'Nothing is known of that month.' },
    respond: async (call) => {
      const usage = await call.engine.accounts.usage(call.companyName, call.query);
      if (usage === undefined) throw new Problem(404, 'Nothing is known of that month.');
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
    FilePlanLimit: fileLimit,
    RemainingFiles: remainingFiles,
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
    TokenPlanLimit: tokenLimit,
    RemainingTokens: remainingTokens,
    TokenUsage: Object.fromEntries(Object.entries(COUNTERS).map(([name, counter]) => [name, tokens[counter]])),
  };
}

function day(date: Date): string {
  const [year, month, dayOfMonth] = date.toISOString().slice(0, 10).split('-');
  return `${month}/${dayOfMonth}/${year}`;
}
