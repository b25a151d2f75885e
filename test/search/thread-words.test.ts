import { expect, test } from 'vitest';
import { meetsMatch } from '../../dist/attributes/attribute-match.js';
import { conditionsOf } from '../../dist/search/query/attribute-conditions.js';
import { ATTRIBUTE_FORMS } from '../../dist/words/attribute-forms.js';

/** Whether `Thread=value` finds a file with this thread; `*` at the end asks for its beginning. */
function finds(asked: string, value: string, unit = ''): boolean {
  const operator = asked.endsWith('*') ? 'prefix' : 'contains';
  const conditions = conditionsOf({ name: 'Thread', unit: '', operator, value: asked.replace(/\*$/, '') } as never);
  return conditions.some(({ match }) => meetsMatch(value, unit, match, ATTRIBUTE_FORMS));
}

test.each([
  ['M5', ['M5', 'M5x0.8', 'M 5', 'm5-6H', '4x M5'], ['M3X0.5', 'M8x0.5', 'M50', 'M16x1.5']],
  ['M6*', ['M6', 'M6x1', 'M60'], ['M3X0.6', 'M16x6']],
  ['M3x0.5', ['M3X0.5', 'M3X0.5-6g', 'M3'], ['M5x0.3', 'M3x0.35']],
  ['G1/4', ['G1/4', 'G 1/4'], ['G4', 'G3/4x1']],
  ['1/4-20', ['1/4-20 UNC', '1/4-20UNC-2B'], ['3/8-16 UNC']],
  ['H7', ['H7', 'H7/g6'], ['H8/g7', 'F7']],
  ['AB123', ['AB123', 'AB-123', 'AB 123/4'], ['AB4-123']],
])('the word %s of an attribute is a letter with its number, not both anywhere', (asked, found, missed) => {
  expect(found.filter((value) => !finds(asked, value))).toEqual([]);
  expect(missed.filter((value) => finds(asked, value))).toEqual([]);
});

test.each([
  ['M8x1.25', ['M8', 'M8-6H', 'M8x1.25-6H', 'M 8 × 1,25', 'm8x1,25'], ['M8x1', 'M8x0.75', 'M18x1.25', 'M8x20']],
  ['M8x1', ['M8x1', 'M8 x 1,0', 'M8x1-6g LH'], ['M8x1,25', 'M8x1.25', 'M8', 'M18x1']],
  ['M12x1,5', ['M12x1.5'], ['M12', 'M12x1']],
  ['M8', ['M8', 'M8x1', 'M8x1.25'], ['M80', 'M18x8']],
  ['M8 links', ['M8 LH', 'M8-LH'], ['M8', 'M8x1']],
  ['G1/2', ['G 1/2', 'G1/2"', 'G 1/2 A'], ['G1 1/2', 'G1/4']],
  ['Tr20x4', ['Tr 20 x 4', 'Tr20x4-7e LH'], ['Tr20x2', 'Tr24x4']],
  ['1/4-20 UNC', ['1/4-20', '1/4-20 UNC-2B', '1/4" - 20 UNC'], ['1 1/4-20 UN', '1/4-28 UNF']],
  ['NPT 1/2', ['1/2 NPT', '1/2" NPT'], ['1 1/2 NPT']],
])('the thread %s is one of the same diameter and pitch, however it is written', (asked, found, missed) => {
  expect(found.filter((value) => !finds(asked, value))).toEqual([]);
  expect(missed.filter((value) => finds(asked, value))).toEqual([]);
});

test.each([
  ['M8x1,25', ['M8', 'M8x1.25'], ['M8x1', 'M8-6H']],
  ['M12x1,25', ['M12x1.25'], ['M12']],
  ['G 1/2', ['G1/2'], ['G1/2 A']],
  ['1/4-20 UNC', ['1/4-20 UNC'], ['3/8-16 UNC']],
  ['M8 links', ['M8 LH'], ['M8']],
])('the whole thread [%s] is asked for in the spelling of those that are stored', (asked, found, missed) => {
  const conditions = conditionsOf({ name: 'thread', unit: '', operator: 'equals', value: asked });
  const meets = (value: string) => conditions.some(({ match }) => meetsMatch(value, '', match, ATTRIBUTE_FORMS));
  expect([...found, ...missed].filter(meets)).toEqual(found);
});

test.each([
  ['8', 'mm', ['8', '8.0', '8,0 mm', '0.8 cm'], ['8.5', '8,25', '0.8', '80', '8.5 mm']],
  ['8.5', 'mm', ['8.5', '8,5', '8.50 mm'], ['8', '5', '8.55', '85']],
  ['8 mm', '', ['8 mm', '8.0mm'], ['8.5 mm', '8']],
  ['8*', 'mm', ['8', '8.5', '80'], ['0.8', '5.8']],
  ['8.5*', 'mm', ['8.5', '8.52'], ['8', '5.85']],
  ['304', '', ['304', 'AISI 304L', 'X-304/2'], ['3040']],
  ['1.4301', '', ['1.4301', '1.4301,1.4404', '1.4301/1.4404'], ['1.4404']],
  ['4301', '', ['1.4301'], ['4302']],
  ['27.11', '', ['27.11.2026'], ['28.11.2026']],
])('the number %s, unit "%s", is a whole one of quantities with a unit', (asked, unit, found, missed) => {
  expect(found.filter((value) => !finds(asked, value, unit))).toEqual([]);
  expect(missed.filter((value) => finds(asked, value, unit))).toEqual([]);
});
