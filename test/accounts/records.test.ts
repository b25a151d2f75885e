import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Accounts } from '../../dist/accounts/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { failure, newLibrary, sha1, withAccounts } from './library.js';

const folder = temporaryFolder();
const NOBODY = '00000000-0000-4000-8000-000000000000';

async function addUsers(accounts: Accounts): Promise<[string, string]> {
  await accounts.addCompany('acme');
  const add = async (email: string): Promise<string> =>
    (await accounts.addUser({ email, firstName: '', lastName: '', passwordDigest: sha1('x'), company: 'acme' })).uid;
  return [await add('ann@acme.org'), await add('bob@acme.org')];
}

describe('saved searches', () => {
  test("are the user's own, one for each name, and outlive the process", async () => {
    const library = newLibrary(folder);
    const [ann, bob] = await withAccounts(library, async (accounts) => {
      const [ann, bob] = await addUsers(accounts);
      const first = await accounts.saveSearch(ann, { name: 'gears', query: 'FT=gear&v=.1' });
      expect(first).toMatchObject({
        name: 'gears',
        query: 'FT=gear&v=.1',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
      await accounts.saveSearch(ann, { name: 'Bolts 🔩', query: '' });
      const again = await accounts.saveSearch(ann, { name: 'gears', query: 'FT=gear' });
      expect(again).toMatchObject({ id: first.id, query: 'FT=gear' });
      return [ann, bob];
    });
    await withAccounts(library, async (accounts) => {
      const saved = await accounts.savedSearches(ann);
      expect(saved.map(({ name }) => name)).toEqual(['Bolts 🔩', 'gears']);
      expect(await accounts.savedSearches(bob)).toEqual([]);
      expect(await accounts.removeSavedSearch(bob, saved[0].id)).toBe(false);
      expect(await accounts.removeSavedSearch(ann, saved[0].id.toUpperCase())).toBe(true);
      expect(await accounts.removeSavedSearch(ann, saved[0].id)).toBe(false);
      expect(await accounts.savedSearches(ann)).toHaveLength(1);
      expect(await failure(accounts.saveSearch(NOBODY, { name: 'a', query: 'b' }))).toMatchObject({
        code: 'ACCOUNT_UNKNOWN',
      });
    });
  });

  test('are bounded', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        const [ann] = await addUsers(accounts);
        for (const name of ['a', 'b', 'c']) await accounts.saveSearch(ann, { name, query: '' });
        expect(await failure(accounts.saveSearch(ann, { name: 'd', query: '' }))).toMatchObject({
          code: 'LIMIT_EXCEEDED',
          details: { limit: 'savedSearches' },
        });
        await accounts.saveSearch(ann, { name: 'c', query: 'other' });
        await expect(accounts.saveSearch(ann, { name: '', query: '' })).rejects.toThrow(/name/);
        await expect(accounts.saveSearch(ann, { name: 'a', query: 'x'.repeat(16_001) })).rejects.toThrow(/query/);
      },
      { savedSearches: 3 },
    ));
});

describe('feedback', () => {
  test('on searches is kept whole; the same id is replaced', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      const [ann] = await addUsers(accounts);
      await accounts.addCompany('other');
      const given = {
        found: true,
        rank: 3,
        expectation: 'x'.repeat(100),
        helpfulness: 5,
        user: 'Ann',
        inputFileUid: `${NOBODY},${NOBODY}`,
        inputFileName: 'a.step',
        otherInput: '',
        results: [{ uid: NOBODY, score: 0.25 }],
      };
      const id = await accounts.putSearchFeedback('acme', { ...given, userUid: ann });
      const own = randomUUID();
      expect(await accounts.putSearchFeedback('acme', { results: [], id: own.toUpperCase() })).toBe(own);
      expect(await accounts.searchFeedback('acme')).toEqual([
        { results: [], id: own, userUid: null, addedAt: expect.any(Date) as Date },
        { ...given, id, userUid: ann, addedAt: expect.any(Date) as Date },
      ]);
      await accounts.putSearchFeedback('acme', { results: [], id, helpfulness: 1 });
      expect((await accounts.searchFeedback('acme', { before: own })).map(({ helpfulness }) => helpfulness)).toEqual([
        1,
      ]);
      // An id is a company's own.
      await accounts.putSearchFeedback('other', { results: [], id, helpfulness: 2 });
      expect((await accounts.searchFeedback('acme', { limit: 5 })).map(({ helpfulness }) => helpfulness)).toEqual([
        undefined,
        1,
      ]);
      expect(await accounts.extractedFeedback('acme')).toEqual([]);
    }));

  test.each<[string, object]>([
    ['expectation', { expectation: 'x'.repeat(101) }],
    ['helpfulness', { helpfulness: 0 }],
    ['helpfulness', { helpfulness: 6 }],
    ['helpfulness', { helpfulness: 2.5 }],
    ['user', { user: 'x'.repeat(101) }],
    ['rank', { rank: 2 ** 31 }],
    ['found', { found: 'yes' }],
    ['results', { results: [{ uid: 'x', score: 1 }] }],
    ['results', { results: [{ uid: NOBODY, score: Number.NaN }] }],
    ['id', { id: 'x' }],
  ])('on searches is refused when %s is wrong: %j', (name, wrong) =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      await expect(accounts.putSearchFeedback('acme', { results: [], ...wrong })).rejects.toThrow(new RegExp(name));
    }),
  );

  test('on extracted attributes is kept, to 300 characters', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      const given = { fileUid: NOBODY, feedback: 'x'.repeat(300), user: 'Ann', attributes: ['a=1', 'b=ä|ö'] };
      const id = await accounts.putExtractedFeedback('acme', given);
      expect(await accounts.extractedFeedback('acme')).toMatchObject([{ ...given, id, userUid: null }]);
      await expect(accounts.putExtractedFeedback('acme', { ...given, feedback: 'x'.repeat(301) })).rejects.toThrow(
        /feedback/,
      );
      await expect(accounts.putExtractedFeedback('acme', { ...given, fileUid: 'x' })).rejects.toThrow(/fileUid/);
    }));
});

describe("the company's picture", () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

  test('is set, given back and removed', () =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      expect(await accounts.logo('acme')).toBeUndefined();
      await accounts.setLogo('acme', png);
      const logo = await accounts.logo('acme');
      expect(logo).toMatchObject({ mediaType: 'image/png', setAt: expect.any(Date) as Date });
      expect(Buffer.from(logo!.bytes).equals(png)).toBe(true);
      await accounts.setLogo('acme', Buffer.from('GIF89a......'));
      expect((await accounts.logo('acme'))?.mediaType).toBe('image/gif');
      expect(await accounts.removeLogo('acme')).toBe(true);
      expect(await accounts.removeLogo('acme')).toBe(false);
    }));

  test('is small and a picture', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts) => {
        await accounts.addCompany('acme');
        expect(await failure(accounts.setLogo('acme', new Uint8Array(101)))).toMatchObject({
          code: 'LIMIT_EXCEEDED',
          details: { limit: 'logoBytes' },
        });
        for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', '']) {
          expect(await failure(accounts.setLogo('acme', Buffer.from(text)))).toMatchObject({
            code: 'FORMAT_UNSUPPORTED',
          });
        }
      },
      { logoBytes: 100 },
    ));
});

describe('quote requests', () => {
  test('come whole', () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      await accounts.addCompany('acme');
      await accounts.addCompany('other');
      const bytes = boxStl(1, 2, 3);
      const rfq = await accounts.putRfq('acme', { fileName: 'a.stl', customQuoteId: 'Q-1', bytes });
      expect(rfq).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        customQuoteId: 'Q-1',
        owner: null,
        fileName: 'a.stl',
        status: 'complete',
        receivedChunks: 1,
        totalChunks: 1,
        byteLength: bytes.length,
        fileUid: null,
        addedAt: expect.any(Date) as Date,
      });
      expect(await accounts.rfq('other', rfq.id)).toBeUndefined();
      expect(await accounts.removeRfq('other', rfq.id)).toBe(false);
      expect(Buffer.from(await accounts.rfqBytes('acme', rfq.id)).equals(bytes)).toBe(true);
      expect(await accounts.setRfqFile('acme', rfq.id, NOBODY)).toMatchObject({ fileUid: NOBODY });
      expect(await failure(accounts.setRfqFile('acme', 'x', NOBODY))).toMatchObject({ code: 'RECORD_UNKNOWN' });
      expect(await failure(accounts.rfqBytes('acme', 'x'))).toMatchObject({ code: 'RECORD_UNKNOWN' });
      // Again: the same is fine, another is not.
      expect((await accounts.putRfq('acme', { id: rfq.id, fileName: 'a.stl', bytes })).status).toBe('complete');
      expect(
        await failure(accounts.putRfq('acme', { id: rfq.id, fileName: 'a.stl', bytes: boxStl(3, 3, 3) })),
      ).toMatchObject({ code: 'CONFLICT' });
      expect(
        await failure(
          accounts.putRfq('acme', { id: rfq.id, fileName: 'a.stl', bytes, chunk: { number: 1, total: 2 } }),
        ),
      ).toMatchObject({ code: 'CONFLICT' });
      expect((await engine.verify({ repair: false })).problems).toEqual([]);
    }));

  test('share their bytes with files; neither takes them from the other', () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      const acme = await engine.company('acme');
      const bytes = boxStl(1, 2, 3);
      for (const first of ['file', 'request']) {
        const { uid } = await acme.put('a.stl', bytes, { wait: false });
        const { id } = await accounts.putRfq('acme', { fileName: 'a.stl', bytes });
        expect((await engine.stats()).blobBytes).toBe(bytes.length);
        if (first === 'file') await acme.delete(uid);
        else await accounts.removeRfq('acme', id);
        expect((await engine.stats()).blobBytes).toBe(bytes.length);
        if (first === 'request') await acme.delete(uid);
        else expect(Buffer.from(await accounts.rfqBytes('acme', id)).equals(bytes)).toBe(true);
        await accounts.removeRfq('acme', id);
        expect((await engine.stats()).blobBytes).toBe(0);
        expect((await engine.verify({ repair: false })).problems).toEqual([]);
      }
    }));

  test('in chunks come together in any order, with repeats, numbered from 0 or from 1, across processes', async () => {
    const library = newLibrary(folder);
    let id: string | undefined;
    const chunks = [0, 1, 2, 3, 4].map((value) => new Uint8Array(100 + value).fill(value));
    for (const number of [4, 2, 2, 5, 1]) {
      await withAccounts(library, async (accounts, engine) => {
        await engine.company('acme');
        const rfq = await accounts.putRfq('acme', {
          id,
          fileName: 'a.stl',
          bytes: chunks[number - 1],
          chunk: { number, total: 5 },
        });
        id = rfq.id;
        expect(rfq.status).toBe('open');
        expect(await failure(accounts.rfqBytes('acme', id))).toMatchObject({ code: 'CONFLICT' });
        expect((await engine.verify({ repair: false })).problems).toEqual([]);
      });
    }
    await withAccounts(library, async (accounts) => {
      expect(
        await accounts.putRfq('acme', { id, fileName: 'a.stl', bytes: chunks[2], chunk: { number: 3, total: 5 } }),
      ).toMatchObject({ status: 'complete', receivedChunks: 5, byteLength: 510 });
      expect(Buffer.from(await accounts.rfqBytes('acme', id!)).equals(Buffer.concat(chunks))).toBe(true);
    });
  });

  test('whatever the order, repeats and numbering: complete exactly when all chunks are there', () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      await accounts.addCompany('acme');
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 2, max: 6 }).chain((total) =>
            fc.record({
              total: fc.constant(total),
              from: fc.constantFrom(0, 1),
              order: fc.array(fc.nat(total - 1), { maxLength: 14 }),
            }),
          ),
          async ({ total, from, order }) => {
            const id = randomUUID();
            // Some chunks are equal, so that they share one blob.
            const chunks = Array.from({ length: total }, (_, at) => new Uint8Array(10 + (at % 3)).fill(at % 3));
            const seen = new Set<number>();
            for (const at of order) {
              seen.add(at);
              const rfq = await accounts.putRfq('acme', {
                id,
                fileName: 'a',
                bytes: chunks[at],
                chunk: { number: at + from, total },
              });
              expect(rfq).toMatchObject({
                receivedChunks: seen.size,
                totalChunks: total,
                status: seen.size === total ? 'complete' : 'open',
              });
            }
            if (seen.size === total)
              expect(Buffer.from(await accounts.rfqBytes('acme', id)).equals(Buffer.concat(chunks))).toBe(true);
            expect(await accounts.removeRfq('acme', id)).toBe(order.length > 0);
            expect((await engine.stats()).blobBytes).toBe(0);
          },
        ),
        { numRuns: 40 },
      );
    }));

  test('are bounded, and contradictions are refused without a trace', () =>
    withAccounts(
      newLibrary(folder),
      async (accounts, engine) => {
        await accounts.addCompany('acme');
        const put = (number: number, total: number, length: number, id: string): Promise<unknown> =>
          accounts.putRfq('acme', {
            id,
            fileName: 'a',
            bytes: new Uint8Array(length).fill(number),
            chunk: { number, total },
          });
        await put(1, 2, 10, 'one');
        expect(await failure(put(1, 2, 10, 'two'))).toMatchObject({
          code: 'LIMIT_EXCEEDED',
          details: { limit: 'openRfqs' },
        });
        expect(await failure(put(2, 3, 10, 'one'))).toMatchObject({ code: 'CONFLICT' });
        await put(1, 2, 20, 'one'); // Replaces the first.
        expect((await engine.stats()).blobBytes).toBe(20);
        await put(2, 2, 10, 'one');
        expect(await failure(put(0, 2, 10, 'one'))).toMatchObject({ code: 'CONFLICT' });
        await put(0, 2, 10, 'zero');
        expect(await failure(put(2, 2, 11, 'zero'))).toMatchObject({ code: 'CONFLICT' });
        await expect(put(3, 2, 1, 'zero')).rejects.toThrow(/chunk.number/);
        await expect(put(1, 11, 1, 'zero')).rejects.toThrow(/chunk.total/);
        await expect(put(1, 2, 0, 'zero')).rejects.toThrow(/bytes/);
        expect(await accounts.rfq('acme', 'two')).toBeUndefined();
        expect((await engine.verify({ repair: false })).problems).toEqual([]);
      },
      { openRfqs: 1, rfqChunks: 10 },
    ));

  test('lose no byte: what verify finds names the request', () =>
    withAccounts(newLibrary(folder), async (accounts, engine) => {
      await accounts.addCompany('acme');
      const bytes = boxStl(1, 2, 3);
      await accounts.putRfq('acme', { id: 'Q', fileName: 'a.stl', bytes });
      const report = await engine.verify({ repair: true });
      expect(report).toMatchObject({ blobsChecked: 1, bytesChecked: bytes.length, problems: [] });
      expect(
        createHash('sha256')
          .update(await accounts.rfqBytes('acme', 'Q'))
          .digest('hex'),
      ).toBe(createHash('sha256').update(bytes).digest('hex'));
    }));
});
