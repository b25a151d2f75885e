import { checkInteger, withDefaults, type Defaults } from '../options.js';
import { checkGuid } from './checks.js';

/** A page of a list, newest first. */
export interface LogPage {
  /** 1 to 1 000. Default 100. */
  readonly limit?: number;
  /** The last id of the page before. */
  readonly before?: string;
}

const DEFAULTS = Object.freeze({ limit: 100, before: undefined } satisfies Defaults<LogPage>);
const PAGE_LIMIT = 1_000;

/** Fills up and checks. @throws TypeError or RangeError that names what is wrong. */
export function checkPage(page: LogPage | undefined): { limit: number; before?: string } {
  const { limit, before } = withDefaults('page', page, DEFAULTS);
  checkInteger('page.limit', limit, 1, PAGE_LIMIT);
  return { limit, before: before === undefined ? undefined : checkGuid('page.before', before) };
}
