import type { Endpoint } from '../endpoint.js';
import { FIND } from './find.js';
import { INPUT } from './input.js';
import { RECORDS } from './records.js';
import { RETRY } from './retry.js';
import { STATUS } from './status.js';

/** What this adapter offers beside the interface, for the page and for programs that speak the engine's own words. */
export const ADDITIONS: readonly Endpoint[] = [...FIND, ...RECORDS, ...INPUT, ...STATUS, ...RETRY];
