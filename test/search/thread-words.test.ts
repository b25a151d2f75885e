import { expect, test } from 'vitest';
import { meetsMatch } from '../../dist/attributes/attribute-match.js';
import { conditionsOf } from '../../dist/search/query/attribute-conditions.js';
import { ATTRIBUTE_FORMS } from '../../dist/words/attribute-forms.js';

/** Whether `Thread=value` finds a file with this thread; `*` at the end asks for its beginning. */
function finds(asked: string, value: string): boolean {
  const operator = asked.endsWith('*') ? 'prefix' : 'contains';
  const conditions = conditionsOf({ name: 'Thread', unit: '', operator, value: asked.replace(/\*$/, '') } as never);
  return conditions.some(({ match }) => meetsMatch(value, '', match, ATTRIBUTE_FORMS));
}

test.each([
  ['M5', ['M5', 'M5x0.8', 'M 5', 'm5-6H', '4x M5'], ['M3X0.5', 'M8x0.5', 'M50', 'M16x1.5']],
  ['M6*', ['M6', 'M6x1', 'M60'], ['M3X0.6', 'M16x6']],
  ['M3x0.5', ['M3X0.5', 'M3X0.5-6g'], ['M5x0.3', 'M3']],
  ['G1/4', ['G1/4', 'G 1/4'], ['G4', 'G3/4x1']],
  ['1/4-20', ['1/4-20 UNC', '1/4-20UNC-2B'], ['3/8-16 UNC']],
  ['H7', ['H7', 'H7/g6'], ['H8/g7', 'F7']],
  ['8', ['8', '8.0', '8 mm', 'DIN 8', '8x20', '8 | 9'], ['8.5', '8,25', '0.8', '80', '1.8x4']],
  ['8.5', ['8.5', '8,5', '8.50', 'M3x8.5', '8.5 x 20'], ['8 x 5', '8', '8.55']],
  ['304', ['304', 'AISI 304L', 'X-304/2'], ['1.304', '3040']],
  ['AB123', ['AB123', 'AB-123', 'AB 123/4'], ['AB4-123']],
])('the word %s of an attribute is a letter with its number or a number with its decimals', (asked, found, missed) => {
  expect(found.filter((value) => !finds(asked, value))).toEqual([]);
  expect(missed.filter((value) => finds(asked, value))).toEqual([]);
});
