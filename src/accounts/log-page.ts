import { checkInteger, withDefaults, type Defaults } from '../options.js';
import { checkGuid } from './checks.js';

/** Which page of a list to return; lists are sorted newest first. */
export interface LogPage {
  /** 1 to 1 000. Default 100. */
  readonly limit?: number;
  /** The last id of the previous page. */
  readonly before?: string;
}

const DEFAULTS = Object.freeze({ limit: 100, before: undefined } satisfies Defaults<LogPage>);
const PAGE_LIMIT = 1_000;

/**
 * Checks the page and fills in its defaults.
 * @throws TypeError or RangeError that names the wrong field.
 */
export function checkPage(page: LogPage | undefined): { limit: number; before?: string } {
  const { limit, before } = withDefaults('page', page, DEFAULTS);
  checkInteger('page.limit', limit, 1, PAGE_LIMIT);
  return { limit, before: before === undefined ? undefined : checkGuid('page.before', before) };
}
