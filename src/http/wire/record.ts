import { z } from '@hono/zod-openapi';

/** A record as the engine has it, dates as ISO 8601. */
export const Record = z
  .looseObject({
    uid: z.string(),
    path: z.string(),
    displayName: z.string(),
    extension: z.string(),
    kind: z.enum(['Text', 'Image', 'TwoD', 'ThreeD']),
    state: z.enum(['queued', 'indexed', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    byteLength: z.int(),
    sha256: z.string(),
    attributes: z.array(z.string()),
    addedAt: z.string().openapi({ format: 'date-time' }),
    arrival: z.int(),
  })
  .openapi('Record', { description: "The engine's FileRecord; see its declarations for what else is in it." });
