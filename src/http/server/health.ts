import { createRoute, z } from '@hono/zod-openapi';
import type { Engine } from '../../index.js';
import type { AnswerRoom } from './answer-room.js';
import type { BodyRoom } from './body-room.js';
import { Problem } from './problem.js';

/** Time for which a refused write counts as "the disk refuses writes", ms. */
const DISK_MS = 30_000;

const WARNINGS = z.array(z.enum(['CATALOG_OLDER'])).openapi({
  description:
    'Present where the owner of the library should know something. CATALOG_OLDER: the catalogue is older than the ' +
    'files beside it, so files may be missing; `shapedex verify` says what to do.',
});

const FULL = z.array(z.enum(['bodies', 'answers', 'signIns', 'disk']));

const SIGN_UPS_FULL = z.array(z.literal('signUps')).openapi({
  description:
    'Present where no more people may ask for an account, because too many wait to be let in (`accounts.waitingUsers`). ' +
    'Everything else goes on: strangers must not be able to make the process look unfit.',
});

const HEALTHY = z.object({
  status: z.literal('ok'),
  warnings: WARNINGS.optional(),
  full: SIGN_UPS_FULL.optional(),
});

/** For the documentation. */
export const HEALTH_ROUTE = createRoute({
  method: 'get',
  path: '/health',
  tags: ['Additions'],
  summary: 'Whether the process can serve',
  description: 'Says nothing about companies. No token is needed.',
  security: [],
  responses: {
    200: {
      description: 'It can.',
      content: { 'application/json': { schema: HEALTHY } },
    },
    503: {
      description:
        'It is closing (`code` ENGINE_CLOSED), or out of room (`code` OUT_OF_ROOM); `full` then says of what: bodies ' +
        'that are read (their number, or their bytes in memory), answers that clients have not taken (for both: memory ' +
        'refused within the last 5 s), sign-ins and sign-ups that wait for their password to be hashed, or a disk that ' +
        'refused a write within the last 30 s.',
      content: {
        'application/problem+json': {
          schema: z.looseObject({
            status: z.literal(503),
            detail: z.string(),
            code: z.string().optional(),
            full: FULL.optional(),
          }),
        },
      },
    },
  },
});

/** Knows what the process is out of. */
export class Health {
  readonly #engine: Engine;
  readonly #bodies: BodyRoom;
  readonly #answers: AnswerRoom;
  #refusedAt = -Infinity;

  constructor(engine: Engine, { bodies, answers }: { bodies: BodyRoom; answers: AnswerRoom }) {
    this.#engine = engine;
    this.#bodies = bodies;
    this.#answers = answers;
  }

  /** Notes why a request failed. */
  failed({ more }: Problem): void {
    if (more['code'] === 'STORAGE_FAILED') this.#refusedAt = performance.now();
  }

  /** @throws Problem 503 when the process is out of room; EngineError when the engine is closed. */
  async check(): Promise<z.output<typeof HEALTHY>> {
    await this.#engine.companies();
    const full: z.output<typeof FULL> = [];
    if (this.#bodies.isOutOfRoom) full.push('bodies');
    if (this.#answers.isOutOfRoom) full.push('answers');
    if (this.#engine.accounts.isFull) full.push('signIns');
    if (performance.now() - this.#refusedAt < DISK_MS) full.push('disk');
    if (full.length > 0)
      throw new Problem(503, `The process is out of room: ${full.join(', ')}.`, {
        headers: { 'Retry-After': '5' },
        more: { code: 'OUT_OF_ROOM', full },
      });
    const warnings = this.#engine.warnings.map(({ code }) => code);
    const isFull = await this.#engine.accounts.areSignUpsFull();
    return { status: 'ok', ...(warnings.length > 0 && { warnings }), ...(isFull && { full: ['signUps'] }) };
  }
}
