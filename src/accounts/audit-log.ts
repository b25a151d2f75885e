import { checkInteger, withDefaults, type Defaults } from '../options.js';
import { checkCompanyName } from '../store/catalog/company-name.js';
import { checkOptionalText } from './checks.js';
import type { AccountParts } from './parts.js';
import type { AuditEntry, NewAuditEntry } from './tables/audit.js';

/** Which entries of the log are asked for. */
export interface AuditQuery {
  /** Those about this company. */
  readonly company?: string;
  /** By this user or program, as in {@link AuditEntry.actor}. */
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  /** `id` of the last entry of the previous page. */
  readonly before?: number;
  /** 1 to 1 000. Default 100. */
  readonly limit?: number;
}

const QUERY_DEFAULTS = Object.freeze({
  company: undefined,
  actor: undefined,
  action: undefined,
  object: undefined,
  before: undefined,
  limit: 100,
} satisfies Defaults<AuditQuery>);

/** Entries are kept for this time. */
const KEPT_MS = 400 * 86_400_000;
const PAGE_LIMIT = 1_000;
const TEXT_LIMIT = 1_024;
/** Refusals of one actor that are noted one by one in an hour; of more, only their number, each time it has doubled. */
const SINGLE_REFUSALS = 100;
const HOUR_MS = 3_600_000;

/**
 * Who changed what: `engine.accounts.audit`. Entries are kept for 400 days, at most `auditEntries` of them, and shares
 * of these by actor and company; an entry `log shortened` counts those that went beyond a bound.
 */
export class AuditLog {
  readonly #parts: AccountParts;
  /** Refusals of each actor in the present hour. */
  readonly #refusals = new Map<string, number>();
  #hour = 0;

  /** @internal */
  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /**
   * Adds an entry; it is durable when this resolves. Texts are cut after 1 024 characters. An actor that is refused
   * again and again (`outcome` is not `done`) gets 100 entries an hour, and then one each time their number doubles.
   */
  async note(entry: NewAuditEntry): Promise<void> {
    const { company, actor, source, action, outcome } = entry;
    const refusals = outcome === 'done' ? 0 : this.#countRefusal(actor ?? '');
    if (refusals > SINGLE_REFUSALS && !Number.isInteger(Math.log2(refusals / SINGLE_REFUSALS))) return;
    const object = refusals > SINGLE_REFUSALS ? `${refusals} refusals within this hour` : entry.object;
    const kept = { company, actor: cut(actor), source: cut(source), action, object: cut(object), outcome };
    const { now, auditEntries, auditEntriesPerActor, auditEntriesPerCompany } = this.#parts.options;
    const bounds = {
      keptMs: KEPT_MS,
      entries: auditEntries,
      actor: auditEntriesPerActor,
      company: auditEntriesPerCompany,
    };
    await this.#parts.write(({ audit }) => audit.add(kept, now(), bounds));
  }

  #countRefusal(actor: string): number {
    const hour = Math.floor(this.#parts.options.now() / HOUR_MS);
    if (hour !== this.#hour) this.#refusals.clear();
    this.#hour = hour;
    const count = (this.#refusals.get(actor) ?? 0) + 1;
    this.#refusals.set(actor, count);
    return count;
  }

  /** The entries, newest first. @throws TypeError or RangeError that names a wrong field. */
  async list(query?: AuditQuery): Promise<AuditEntry[]> {
    const { company, limit, before, ...texts } = withDefaults('audit query', query, QUERY_DEFAULTS);
    checkInteger('audit query.limit', limit, 1, PAGE_LIMIT);
    if (before !== undefined) checkInteger('audit query.before', before, 1, Number.MAX_SAFE_INTEGER);
    for (const [name, text] of Object.entries(texts))
      checkOptionalText(`audit query.${name}`, text, { most: TEXT_LIMIT });
    const label = company === undefined ? undefined : checkCompanyName(company);
    return this.#parts.records.audit.list({ ...texts, company: label, before, limit });
  }
}

function cut(text: string | null): string | null {
  return text === null ? null : text.slice(0, TEXT_LIMIT);
}
