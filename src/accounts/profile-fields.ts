import { MILLIMETRES, type LengthUnit } from '../content/units.js';
import { DEFAULT_COMPANY_SETTINGS } from '../options.js';

/** A currency by its ISO 4217 code. */
export interface Currency {
  /** Three capital letters. */
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
}

/** A field of the company's profile: its check and its default. */
export interface ProfileField<T> {
  readonly fallback: T;
  /** Describes the valid values, for the error message. */
  readonly form: string;
  readonly accepts: (value: unknown) => boolean;
}

/** Most characters of a text field. */
const TEXT_LIMIT = 10_000;
const TOLERANCE =
  /^(?:(?:\d+(?:\.\d*)?|\.\d+)|\+(?:\d+(?:\.\d*)?|\.\d+)(?:\/-(?:\d+(?:\.\d*)?|\.\d+))?|-(?:\d+(?:\.\d*)?|\.\d+)(?:\/\+(?:\d+(?:\.\d*)?|\.\d+))?)$/;

const flag = (fallback: boolean): ProfileField<boolean> => ({
  fallback,
  form: 'true or false',
  accepts: (value) => typeof value === 'boolean',
});

const text = (fallback: string | null = null): ProfileField<string | null> => ({
  fallback,
  form: `null or a text of at most ${TEXT_LIMIT} characters`,
  accepts: (value) => value === null || (typeof value === 'string' && value.length <= TEXT_LIMIT),
});

const integer = (fallback: number, least = -(2 ** 31), most = 2 ** 31 - 1): ProfileField<number> => ({
  fallback,
  form: `a whole number from ${least} to ${most}`,
  accepts: (value) => isInteger(value, least, most),
});

const integerOrNull: ProfileField<number | null> = {
  fallback: null,
  form: 'null or a whole number of 32 bits',
  accepts: (value) => value === null || isInteger(value, -(2 ** 31), 2 ** 31 - 1),
};

const number = (fallback: number): ProfileField<number> => ({
  fallback,
  form: 'a finite number',
  accepts: Number.isFinite,
});

const fractionOrNull: ProfileField<number | null> = {
  fallback: null,
  form: 'null or a number of at least 0',
  accepts: (value) => value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0),
};

const tolerance: ProfileField<string | null> = {
  fallback: null,
  form: 'null or a tolerance like .1, +.2, -.5 or +0.3/-0.4',
  accepts: (value) => value === null || (typeof value === 'string' && value.length <= 100 && TOLERANCE.test(value)),
};

const units: ProfileField<LengthUnit | null> = {
  fallback: null,
  form: `null or one of ${Object.keys(MILLIMETRES).join(', ')}`,
  accepts: (value) => value === null || (typeof value === 'string' && Object.hasOwn(MILLIMETRES, value)),
};

/**
 * Who gets an account without an admin's token. 'approve': everybody, once an admin has let them in. 'domain': whose
 * address has a domain that is mapped to the company, at once; others as with 'approve'. 'off': nobody.
 */
export type SignUpRule = 'approve' | 'domain' | 'off';

const SIGN_UP_RULES: readonly unknown[] = ['approve', 'domain', 'off'] satisfies SignUpRule[];

const signUp: ProfileField<SignUpRule> = {
  fallback: 'approve',
  form: SIGN_UP_RULES.join(', '),
  accepts: (value) => SIGN_UP_RULES.includes(value),
};

const time: ProfileField<Date | null> = {
  fallback: null,
  form: 'null or a valid Date',
  accepts: (value) => value === null || (value instanceof Date && !Number.isNaN(value.getTime())),
};

const currency: ProfileField<Currency | null> = {
  fallback: null,
  form: 'null or { code: three capital letters, symbol, name }',
  accepts: (value) => value === null || isCurrency(value),
};

/**
 * Every field of a company's profile, by its name in the interface. Fields of implemented features take effect where
 * the engine or the adapter reads them; the others are only stored, for the programs that set them.
 */
export const PROFILE_FIELDS = Object.freeze({
  /** True: pictures and records of the company's files can be read without a token. */
  publiclyAccessible: flag(false),
  /** True: an upload must name a category. */
  hasFileCategories: flag(false),
  usesDeepLearning: flag(false),
  usesAutoClassify: flag(false),
  usesPngThumbnails: flag(true),
  hideFileExtensionNumber: flag(false),
  isPayingForDuplicates: flag(false),
  /** True: free text also searches the text of files, not only names and attributes. */
  usesFileTextForSearch: flag(DEFAULT_COMPANY_SETTINGS.usesFileTextForSearch),
  /** Uploads are indexed without their shapes. */
  textOnly: flag(false),
  hideBranding: flag(false),
  isRfqThreeD: flag(false),
  /** True: an upload to an existing path replaces the file there. False: the new file gets a number. */
  overwriteFiles: flag(DEFAULT_COMPANY_SETTINGS.overwriteFiles),
  /** True: numbers in free text match in any spelling. */
  useNumericTextSearch: flag(DEFAULT_COMPANY_SETTINGS.useNumericTextSearch),
  combineVariations: flag(false),
  useSketchInput: flag(false),
  /** Which files count as duplicates: those with the same shape, with the same attributes, or with both. */
  shapeOnlyDuplicates: flag(false),
  attributesOnlyDuplicates: flag(false),
  shapeAndAttributesDuplicates: flag(false),
  addsComparedFiles: flag(false),
  overlayCompareOn: flag(false),
  /** True: results say where the words of the query occur. */
  useTextHighlighting: flag(true),
  usesOldTextQuery: flag(false),
  /** True: results say which shapes match. */
  showMatchingShapes: flag(true),
  useInputSummary: flag(false),
  customFeature1: flag(false),
  usesRag: flag(false),
  usesPublicUrl: flag(false),
  isPublished: flag(false),
  /** Who gets an account without an admin's token. */
  signUp,

  publicUrl: text(),
  companyUrl: text(),
  /** Display name. Null: the company's name. */
  name: text(),
  iCode: text(),
  logo: text(),
  folderUrl: text(),
  tagLogo: text(),
  logoHtml: text(),
  engineSetting: text(),
  /** Tolerances of searches that give none. Null: no restriction. */
  volumeTolerance: tolerance,
  bboxVolumeTolerance: tolerance,
  /** Attributes shown first, and attributes shown in lists; names separated by commas. */
  priorityAttributes: text(),
  listedAttributes: text(),
  dependentAttributes: text(),
  /** Unit of files that carry none. Null: the engine's `defaultUnit`. */
  preferredUnits: units,
  feedbackExpectationMappedAttribute: text(),

  webSearchType: integer(0),
  rasterSearchMethod: integer(0),
  vectorSearchMethod: integer(0),
  /** Number of hits of a search that gives no limit. */
  maxVisualSearchResults: integer(100, 1, 10_000),
  maxRfqSearchResults: integer(100, 1, 10_000),
  threeDImageIndex: integer(0),
  threeDDrawingIndex: integer(0),
  /** Priority of uploads that give none. */
  filePriority: integer(3, 3, 4),
  /** Decimal places of displayed numbers. */
  decimalPlaces: integer(2, 0, 15),
  overallDeficitThreshold: integerOrNull,
  perViewDeficitThreshold: integerOrNull,

  viewScoreThreshold44: number(0),
  viewScoreThreshold43: number(0),
  viewScoreThreshold22: number(0),
  viewScoreThreshold23: number(0),
  viewScoreThreshold2b2b: number(0),
  viewScoreThreshold2b3: number(0),
  viewScoreThreshold34: number(0),
  viewScoreThreshold32: number(0),
  viewScoreThreshold33: number(0),
  viewScoreThreshold6: number(0),
  /** Hits above this score are left out. Null: none. */
  scoreThreshold: fractionOrNull,
  /**
   * Bounds up to which a hit counts as the same part: its score, and the difference of the volumes as a share. Null:
   * the engine's bounds.
   */
  exactScoreTolerance: fractionOrNull,
  exactVolumeTolerance: fractionOrNull,
  exactBboxVolumeTolerance: fractionOrNull,

  /** Default: the day on which the company was added. */
  registrationDate: time,
  trialStartDate: time,
  currency,
});

function isInteger(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function isCurrency(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return false;
  const { code, symbol, name } = value as Partial<Currency>;
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) && isShort(symbol) && isShort(name);
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 100;
}
