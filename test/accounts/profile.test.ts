import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { PROFILE_FIELDS, type CompanyProfile } from '../../dist/accounts/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { failure, newLibrary, withAccounts } from './library.js';

const folder = temporaryFolder();

/** The fields as the interface lists them, by their types. */
const FLAGS = `publiclyAccessible, hasFileCategories, usesDeepLearning, usesAutoClassify, usesPngThumbnails, hideFileExtensionNumber, isPayingForDuplicates,
  usesFileTextForSearch, textOnly, hideBranding, isRfqThreeD, overwriteFiles, useNumericTextSearch, combineVariations, useSketchInput, shapeOnlyDuplicates,
  attributesOnlyDuplicates, shapeAndAttributesDuplicates, addsComparedFiles, overlayCompareOn, useTextHighlighting, usesOldTextQuery, showMatchingShapes, useInputSummary,
  customFeature1, usesRag, usesPublicUrl, isPublished`;
const TEXTS = `publicUrl, companyUrl, name, iCode, logo, folderUrl, tagLogo, logoHtml, engineSetting, volumeTolerance, bboxVolumeTolerance, priorityAttributes, listedAttributes,
  dependentAttributes, preferredUnits, feedbackExpectationMappedAttribute`;
const INTEGERS = `webSearchType, rasterSearchMethod, vectorSearchMethod, maxVisualSearchResults, maxRfqSearchResults, threeDImageIndex, threeDDrawingIndex,
  filePriority, decimalPlaces`;
const NULLABLE_INTEGERS = 'overallDeficitThreshold, perViewDeficitThreshold';
const NUMBERS = `viewScoreThreshold44, viewScoreThreshold43, viewScoreThreshold22, viewScoreThreshold23, viewScoreThreshold2b2b, viewScoreThreshold2b3,
  viewScoreThreshold34, viewScoreThreshold32, viewScoreThreshold33, viewScoreThreshold6`;
const NULLABLE_NUMBERS = 'scoreThreshold, exactScoreTolerance, exactVolumeTolerance, exactBboxVolumeTolerance';
const names = (list: string): string[] => list.split(/[,\s]+/);

/** A value for every field that is not its fallback. */
const CHANGED: Record<string, unknown> = {
  ...Object.fromEntries(names(FLAGS).map((name) => [name, !PROFILE_FIELDS[name as keyof CompanyProfile].fallback])),
  ...Object.fromEntries(names(TEXTS).map((name) => [name, `${name} "=|&\u{1f600}`])),
  ...Object.fromEntries(names(INTEGERS).map((name, i) => [name, 5 + i])),
  ...Object.fromEntries(names(NULLABLE_INTEGERS).map((name) => [name, -(2 ** 31)])),
  ...Object.fromEntries(names(NUMBERS).map((name, i) => [name, 0.1 + i])),
  ...Object.fromEntries(names(NULLABLE_NUMBERS).map((name) => [name, 0.25])),
  filePriority: 4,
  signUp: 'domain',
  volumeTolerance: '+0.3/-0.4',
  bboxVolumeTolerance: '.1',
  preferredUnits: 'in',
  registrationDate: new Date('2020-02-29T12:00:00.123Z'),
  trialStartDate: new Date('2021-01-01T00:00:00Z'),
  currency: { code: 'EUR', symbol: '€', name: 'Euro' },
};

test('has every field of the interface, and no other', () => {
  const lists = [
    FLAGS,
    TEXTS,
    INTEGERS,
    NULLABLE_INTEGERS,
    NUMBERS,
    NULLABLE_NUMBERS,
    'registrationDate, trialStartDate, currency, signUp',
  ];
  expect(Object.keys(PROFILE_FIELDS).sort()).toEqual(lists.flatMap(names).sort());
});

test('before anything is set, fields have their fallbacks, of the right type', () =>
  withAccounts(newLibrary(folder), async (accounts) => {
    const { addedAt } = await accounts.addCompany('acme');
    const profile = await accounts.profile('acme');
    for (const name of names(FLAGS)) expect(typeof profile[name as keyof CompanyProfile], name).toBe('boolean');
    for (const name of [...names(INTEGERS), ...names(NUMBERS)])
      expect(typeof profile[name as keyof CompanyProfile], name).toBe('number');
    for (const name of [...names(NULLABLE_INTEGERS), ...names(NULLABLE_NUMBERS), ...names(TEXTS)].filter(
      (other) => other !== 'name',
    ))
      expect(profile[name as keyof CompanyProfile], name).toBeNull();
    expect(profile).toMatchObject({
      name: 'acme',
      registrationDate: addedAt,
      trialStartDate: null,
      currency: null,
      filePriority: 3,
      overwriteFiles: true,
    });
    expect(await failure(accounts.profile('nobody'))).toMatchObject({ code: 'ACCOUNT_UNKNOWN' });
  }));

test('every field is kept as it was set, also by the next process, and for one company alone', async () => {
  const library = newLibrary(folder);
  await withAccounts(library, async (accounts) => {
    await accounts.addCompany('acme');
    await accounts.addCompany('other');
    expect(Object.keys(CHANGED).sort()).toEqual(Object.keys(PROFILE_FIELDS).sort());
    expect(await accounts.setProfile('acme', CHANGED as Partial<CompanyProfile>)).toEqual(CHANGED);
  });
  await withAccounts(library, async (accounts) => {
    expect(await accounts.profile('acme')).toEqual(CHANGED);
    expect((await accounts.profile('other')).overwriteFiles).toBe(true);
    const fallbacks = Object.fromEntries(
      Object.entries(PROFILE_FIELDS).map(([name, { fallback }]) => [name, fallback]),
    );
    expect(await accounts.setProfile('acme', fallbacks as Partial<CompanyProfile>)).toMatchObject({
      name: 'acme',
      preferredUnits: null,
      decimalPlaces: 2,
    });
    expect(await accounts.setProfile('acme', { decimalPlaces: undefined })).toMatchObject({ decimalPlaces: 2 });
  });
});

describe('what a field does not take is refused by name, and nothing of the call is kept', () => {
  test.each<[string, unknown]>([
    ['overwriteFiles', 1],
    ['overwriteFiles', null],
    ['name', 5],
    ['name', 'x'.repeat(10_001)],
    ['volumeTolerance', '10%'],
    ['volumeTolerance', '+1/+1'],
    ['bboxVolumeTolerance', ''],
    ['preferredUnits', 'furlong'],
    ['preferredUnits', 'toString'],
    ['maxVisualSearchResults', 0],
    ['maxVisualSearchResults', 1.5],
    ['filePriority', 2],
    ['decimalPlaces', -1],
    ['webSearchType', 2 ** 31],
    ['viewScoreThreshold44', Number.NaN],
    ['scoreThreshold', -1],
    ['registrationDate', '2020-01-01'],
    ['registrationDate', new Date(Number.NaN)],
    ['currency', { code: 'eur', symbol: '€', name: 'Euro' }],
    ['currency', { code: 'EUR' }],
    ['unknownField', true],
    ['constructor', true],
    ['__proto__x', true],
  ])('%s: %s', (name, value) =>
    withAccounts(newLibrary(folder), async (accounts) => {
      await accounts.addCompany('acme');
      await expect(accounts.setProfile('acme', { customFeature1: true, [name]: value } as never)).rejects.toThrow(
        new RegExp(name),
      );
      expect((await accounts.profile('acme')).customFeature1).toBe(false);
    }),
  );
});

test("the settings of the company's files are these fields", () =>
  withAccounts(newLibrary(folder), async (accounts, engine) => {
    const acme = await engine.company('acme');
    expect(await acme.settings.get()).toEqual({
      overwriteFiles: true,
      useNumericTextSearch: true,
      usesFileTextForSearch: true,
    });
    await accounts.setProfile('acme', { overwriteFiles: false, companyUrl: 'https://acme.example' });
    expect(await acme.settings.get()).toEqual({
      overwriteFiles: false,
      useNumericTextSearch: true,
      usesFileTextForSearch: true,
    });
    expect(await acme.settings.set({ useNumericTextSearch: false })).toEqual({
      overwriteFiles: false,
      useNumericTextSearch: false,
      usesFileTextForSearch: true,
    });
    expect(await accounts.profile('acme')).toMatchObject({
      overwriteFiles: false,
      useNumericTextSearch: false,
      companyUrl: 'https://acme.example',
    });
    // And they take effect.
    await acme.put('a.stl', boxStl(1, 2, 3), { wait: false });
    expect((await acme.put('a.stl', boxStl(2, 2, 3), { wait: false })).path).toBe('a(2).stl');
    await accounts.setProfile('acme', { overwriteFiles: true });
    expect((await acme.put('a.stl', boxStl(4, 2, 3), { wait: false })).path).toBe('a.stl');
  }));

test('fields that libraries of version 0.1 hold under other names are read and written under those', async () => {
  const library = newLibrary(folder);
  await withAccounts(library, async (accounts) => {
    await accounts.addCompany('acme');
    await accounts.setProfile('acme', { volumeTolerance: '.1', publicUrl: 'https://acme.example', iCode: 'x' });
  });
  const catalog = new Database(join(library, 'catalog.sqlite'));
  const stored = () =>
    JSON.parse(catalog.prepare("SELECT settings FROM company WHERE name = 'acme'").pluck().get() as string);
  try {
    expect(stored()).toEqual({ volTolerance: '.1', publicURL: 'https://acme.example', iCode: 'x' });
    catalog.prepare('UPDATE company SET settings = ?').run('{"bbVolTolerance":".2","listAttrs":"Length"}');
  } finally {
    catalog.close();
  }
  await withAccounts(library, async (accounts) =>
    expect(await accounts.profile('acme')).toMatchObject({
      volumeTolerance: null,
      bboxVolumeTolerance: '.2',
      listedAttributes: 'Length',
    }),
  );
});
