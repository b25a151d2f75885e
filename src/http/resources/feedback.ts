import { z } from '@hono/zod-openapi';
import { endpointsOf } from '../server/endpoint.js';
import { readText } from '../wire/json-body.js';
import { badField, given } from '../server/problem.js';
import { guid, guidOf, maybeFlag, maybeInteger, requiredGuid, requiredText, text } from '../server/parameters.js';

const endpoint = endpointsOf('Search');

const feedbackId = guid({ about: 'Id of the feedback; a new one when absent. Feedback of the same id is replaced.' });
const user = text({ about: 'Author of the feedback.', most: 100 });
const Id = z.string().openapi({ format: 'uuid', description: 'Id of the feedback.' });

export const FEEDBACK = [
  endpoint('PUT /SearchFeedback', {
    summary: 'Stores feedback on a search',
    body: 'text',
    answer: Id,
    about: 'The body lists what was found, `<result_file_uid>_<result_score>`, separated by commas.',
    query: z.object({
      found: maybeFlag({ about: 'Whether the wanted part was found.' }),
      rank: maybeInteger({ about: 'At which place, from 1.', least: 0 }),
      expectation: text({ about: 'What was expected.', most: 100 }),
      helpfulness: maybeInteger({ about: 'From 1 to 5.', least: 1, most: 5 }),
      user,
      inputFileUID: text({ about: 'InputFileUID of the search.', most: 1_000 }),
      inputFileName: text({ about: 'Name of the input.', most: 1_024 }),
      otherInput: text({ about: 'What else was searched for.', most: 10_000 }),
      feedbackId,
    }),
    respond: async (call) => {
      const {
        found,
        rank,
        expectation,
        helpfulness,
        user,
        inputFileUID: inputFileUid,
        inputFileName,
        otherInput,
        feedbackId: id,
      } = call.query;
      const results = readResults(await readText(call.request, call.body, call.options.textBytes));
      return given(
        'body',
        call.engine.accounts.putSearchFeedback(call.companyName, {
          found,
          rank: rank === 0 ? undefined : rank,
          expectation,
          helpfulness,
          user,
          inputFileUid,
          inputFileName,
          otherInput,
          results,
          id,
          userUid: call.principal?.userUid,
        }),
      );
    },
  }),

  endpoint('PUT /ExtractedAttributeFeedback', {
    summary: 'Stores feedback on extracted attributes',
    body: 'text',
    answer: Id,
    about: 'The body lists the attributes as they were extracted, `name=value`, separated by commas.',
    query: z.object({
      fileUID: requiredGuid({ about: 'UID of the file.' }),
      feedback: requiredText({ about: 'The feedback.', most: 300 }),
      user,
      feedbackId,
    }),
    statuses: { 404: 'Unknown file.' },
    respond: async (call) => {
      const { fileUID: fileUid, feedback, user, feedbackId: id } = call.query;
      const attributes = readAttributeList(await readText(call.request, call.body, call.options.textBytes));
      return given(
        'body',
        (await call.served()).putExtractedFeedback({
          fileUid,
          feedback,
          user,
          attributes,
          id,
          userUid: call.principal?.userUid,
        }),
      );
    },
  }),
];

function readResults(list: string): { uid: string; score: number }[] {
  if (list.trim() === '') return [];
  return list.split(',').map((item) => {
    const at = item.lastIndexOf('_');
    const uid = guidOf(item.slice(0, Math.max(at, 0)));
    const score = item.slice(at + 1).trim();
    if (uid === undefined || score === '' || !Number.isFinite(Number(score))) {
      throw badField(
        'body',
        'must list <result_file_uid>_<result_score>, separated by commas, ' +
          `received ${JSON.stringify(item.slice(0, 100))}`,
      );
    }
    return { uid, score: Number(score) };
  });
}

/** Values may hold commas: a piece without an equals sign belongs to the value before it. */
function readAttributeList(list: string): string[] {
  const attributes: string[] = [];
  for (const item of list.split(',')) {
    if (item.includes('=') || attributes.length === 0) attributes.push(item);
    else attributes[attributes.length - 1] += `,${item}`;
  }
  if (list.trim() === '') return [];
  if (!attributes[0].includes('='))
    throw badField(
      'body',
      `must list name=value, separated by commas, received ${JSON.stringify(attributes[0].slice(0, 100))}`,
    );
  return attributes;
}
