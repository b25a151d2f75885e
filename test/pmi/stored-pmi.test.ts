import { describe, expect, test } from 'vitest';
import { wirePmi } from '../../dist/http/resources/pmi-data.js';
import { PMI_TYPE, type Pmi } from '../../dist/index.js';
import { parsePmi, storedPmi } from '../../dist/pmi/stored-pmi.js';

/** As libraries up to November 2026 hold it: every shape that words have. */
const EARLIER =
  '{"BEVersion":"4","pages":[{"page":2,"ImageSize":[3000,2121],"objects":[' +
  '{"type_id":3,"_id":1,"group":"Measurement","box":[1,2,3,4],"text":"⌀8","tol":["H7"]},' +
  '{"type_id":35,"_id":2,"group":"Measurement","box":[1,2,3,4],"text":"R5 \\"type_id\\""},' +
  '{"type_id":4,"_id":3,"group":"","box":[1,2,3,4],"text":""},' +
  '{"type_id":8,"_id":4,"group":"Measurement","box":[1,2,3,4],"text":["16.25","16.05"]},' +
  '{"type_id":3,"_id":5,"group":"Measurement","box":[1,2,3,4],"mtext":[{"text":"2x"},{"text":"⌀4","tol":["+0.1","-0.2"]}]},' +
  '{"type_id":34,"_id":6,"group":"Datum","box":[0,0,0,0],"text":"A","faces":[{"id":17,"surface":"plane"}]}]}]}';

const FOUND: Pmi = {
  version: 4,
  pages: [
    {
      page: 2,
      widthPx: 3000,
      heightPx: 2121,
      objects: [
        { ...object(PMI_TYPE.diameter, 1, 'Measurement'), parts: [{ text: '⌀8', tolerance: ['H7'] }] },
        { ...object(PMI_TYPE.radius, 2, 'Measurement'), parts: [{ text: 'R5 "type_id"' }] },
        { ...object(PMI_TYPE.view, 3, ''), parts: [{ text: '' }] },
        {
          ...object(PMI_TYPE.arrowsOutsideValueOutside, 4, 'Measurement'),
          parts: [{ text: '16.25' }, { text: '16.05' }],
        },
        {
          ...object(PMI_TYPE.diameter, 5, 'Measurement'),
          parts: [{ text: '2x' }, { text: '⌀4', tolerance: ['+0.1', '-0.2'] }],
        },
        {
          ...object(PMI_TYPE.datum, 6, 'Datum'),
          box: [0, 0, 0, 0],
          parts: [{ text: 'A' }],
          faces: [{ id: 17, surface: 'plane' }],
        },
      ],
    },
  ],
};

describe('PMI in the catalogue', () => {
  test('what earlier libraries hold is read under the names of today', () => {
    expect(parsePmi(JSON.parse(EARLIER))).toEqual(FOUND);
  });

  test('what is stored is read again', () => {
    expect(parsePmi(JSON.parse(storedPmi(FOUND)))).toEqual(FOUND);
    const fields = [{ name: 'Material', value: 'S235JR', page: 2, confidence: 0.62 }];
    expect(parsePmi(JSON.parse(storedPmi({ ...FOUND, fields })))).toEqual({ ...FOUND, fields });
    expect(JSON.stringify(wirePmi({ ...FOUND, fields }))).toContain(`"fields":${JSON.stringify(fields)}`);
    expect(storedPmi(FOUND)).not.toMatch(/BEVersion|ImageSize|type_id":|_id":|mtext/);
  });
});

describe('PMI over HTTP', () => {
  test('it has the names of the interface, in its order', () => {
    expect(JSON.stringify(wirePmi(FOUND))).toBe(EARLIER);
    const [{ objects, ...page }] = FOUND.pages;
    const silent = { ...FOUND, pages: [{ ...page, objects: [{ ...objects[2], parts: [] }] }] };
    expect(JSON.stringify(wirePmi(silent))).toContain('"text":""');
  });
});

function object<Type extends number, Group>(typeId: Type, id: number, group: Group) {
  return { typeId, id, group, box: [1, 2, 3, 4] as const };
}
