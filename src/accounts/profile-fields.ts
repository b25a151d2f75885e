import { MILLIMETRES, type LengthUnit } from '../content/units.js';
import { DEFAULT_COMPANY_SETTINGS } from '../options.js';

/** The money that a company reckons in, by ISO 4217. */
export interface Currency {
  /** Three capital letters. */
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
}

/** A field of the company's profile: how it is checked, and what it is until it is set. */
export interface ProfileField<T> {
  readonly fallback: T;
  /** What a value must be, for the message. */
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
 * Every field of a company's profile, by its name in the interface. Those of features that we have take effect where
 * the engine or the adapter reads them; the others are kept for the programs that set them.
 */
export const PROFILE_FIELDS = Object.freeze({
  /** Everybody may read pictures and records of the company's files, without a token. */
  publiclyAccessible: flag(false),
  /** Uploads name a category. */
  hasFileCategories: flag(false),
  usesDeepLearning: flag(false),
  usesAutoClassify: flag(false),
  usesPngThumbnails: flag(true),
  hideFileExtNum: flag(false),
  isPayingForDuplicates: flag(false),
  /** Free text also looks into the text of files, not into names and attributes alone. */
  usesFileTextForSearch: flag(DEFAULT_COMPANY_SETTINGS.usesFileTextForSearch),
  /** Uploads are indexed without their shapes. */
  textOnly: flag(false),
  hideBranding: flag(false),
  isRFQThreeD: flag(false),
  /** An upload to a path that exists replaces the file there; else it gets a number. */
  overwriteFiles: flag(DEFAULT_COMPANY_SETTINGS.overwriteFiles),
  /** Numbers in free text match in any spelling. */
  useNumericTextSearch: flag(DEFAULT_COMPANY_SETTINGS.useNumericTextSearch),
  combineVariations: flag(false),
  useSketchInput: flag(false),
  /** What a duplicate is: a file of the same shape, of the same attributes, of both together. */
  shapeOnlyDups: flag(false),
  attrsOnlyDups: flag(false),
  shapePlusAttrsDups: flag(false),
  addCompareFilesToDB: flag(false),
  overlayCompareOn: flag(false),
  /** Results tell where the words of the query stand. */
  useTextHighlighting: flag(true),
  useOldESTextQuery: flag(false),
  /** Results name the shapes that match. */
  showMatchingShapes: flag(true),
  useInputSummary: flag(false),
  customFeature1: flag(false),
  useRAG: flag(false),
  usePublicURL: flag(false),
  isPublished: flag(false),

  publicURL: text(),
  companyURL: text(),
  /** Shown to people. Null: the name that the company is known by. */
  name: text(),
  iCode: text(),
  logo: text(),
  folderURL: text(),
  tagLogo: text(),
  logoHTML: text(),
  beSetting: text(),
  /** Tolerances of searches that give none. Null: free. */
  volTolerance: tolerance,
  bbVolTolerance: tolerance,
  /** Attributes shown first, and those shown in lists; names with commas between. */
  priorityAttrs: text(),
  listAttrs: text(),
  dependentDdlAttrs: text(),
  /** Unit of files that carry none. Null: the engine's. */
  preferredUnits: units,
  feedbackExpectationMappedAttribute: text(),

  webSearchType: integer(0),
  rasterSearchMethod: integer(0),
  vectorSearchMethod: integer(0),
  /** Hits of a search that names no limit. */
  maxVisualSearchResults: integer(100, 1, 10_000),
  maxRFQSearchResults: integer(100, 1, 10_000),
  threeDImageIndex: integer(0),
  threeDDrawingIndex: integer(0),
  /** Turn of uploads that name none. */
  filePriority: integer(3, 3, 4),
  /** Decimal places of numbers shown to people. */
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
   * Up to where a hit counts as the same part: its score, and its volumes' difference as a share. Null: the engine's.
   */
  exactScoreTolerance: fractionOrNull,
  exactVolTolerance: fractionOrNull,
  exactBBVolTolerance: fractionOrNull,

  /** Null until it is set: the day when the company was added. */
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
