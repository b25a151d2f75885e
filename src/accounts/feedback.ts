import { checkInteger } from '../options.js';
import type { ExtractedFeedback, SearchFeedback } from './tables/feedback.js';
import { checkGuid, checkOptionalText, checkText } from './checks.js';

const USER_LIMIT = 100;
const EXPECTATION_LIMIT = 100;
const FEEDBACK_LIMIT = 300;
/** Longest text of input names; the interface sets no limit. */
const INPUT_LIMIT = 4_000;
const RESULTS_LIMIT = 10_000;
const ATTRIBUTES_LIMIT = 10_000;
const ATTRIBUTE_LIMIT = 10_000;

/**
 * Checks feedback on a search and returns the stored fields.
 * @throws TypeError or RangeError that names the wrong field.
 * @internal
 */
export function checkSearchFeedback(feedback: SearchFeedback): SearchFeedback {
  const { found, rank, helpfulness, results } = feedback;
  if (found !== undefined && typeof found !== 'boolean')
    throw new TypeError(`found must be true or false, received ${String(found)}`);
  if (rank !== undefined) checkInteger('rank', rank, -(2 ** 31), 2 ** 31 - 1);
  if (helpfulness !== undefined) checkInteger('helpfulness', helpfulness, 1, 5);
  checkList('results', results, RESULTS_LIMIT);
  return {
    found,
    rank,
    expectation: checkOptionalText('expectation', feedback.expectation, { most: EXPECTATION_LIMIT }),
    helpfulness,
    user: checkOptionalText('user', feedback.user, { most: USER_LIMIT }),
    inputFileUid: checkOptionalText('inputFileUid', feedback.inputFileUid, { most: INPUT_LIMIT }),
    inputFileName: checkOptionalText('inputFileName', feedback.inputFileName, { most: INPUT_LIMIT }),
    otherInput: checkOptionalText('otherInput', feedback.otherInput, { most: INPUT_LIMIT }),
    results: results.map(({ uid, score }) => {
      if (typeof score !== 'number' || !Number.isFinite(score))
        throw new RangeError(`results must have finite scores, received ${String(score)}`);
      return { uid: checkGuid('results', uid), score };
    }),
  };
}

/**
 * Checks feedback on attributes and returns the stored fields.
 * @throws TypeError or RangeError that names the wrong field.
 * @internal
 */
export function checkExtractedFeedback({ fileUid, feedback, user, attributes }: ExtractedFeedback): ExtractedFeedback {
  checkList('attributes', attributes, ATTRIBUTES_LIMIT);
  return {
    fileUid: checkGuid('fileUid', fileUid),
    feedback: checkText('feedback', feedback, { most: FEEDBACK_LIMIT }),
    user: checkOptionalText('user', user, { most: USER_LIMIT }),
    attributes: attributes.map((attribute) => checkText('attributes', attribute, { most: ATTRIBUTE_LIMIT })),
  };
}

function checkList(what: string, list: unknown, most: number): void {
  if (!Array.isArray(list)) throw new TypeError(`${what} must be an array, received ${typeof list}`);
  if (list.length > most) throw new RangeError(`${what} must have at most ${most} entries, received ${list.length}`);
}
