import { alternatives } from '../sizes/alternatives.js';
import { plainSigns } from '../sizes/numbers.js';
import type { GeneralClass } from './iso-2768.js';

/**
 * What drawings call general tolerances, in the languages of drawings: English, German, French, Italian, Spanish,
 * Dutch, Swedish, Polish, Russian, Japanese, Chinese.
 */

const NAMES_OF_CLASSES = ['ISO 2768', 'EN 22768', 'JIS B 0405', 'GB/T 1804', 'ГОСТ 30893.1'] as const;
/** No word or number before it; Japanese and Chinese write without spaces. */
const START = String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}])`;
const STANDARD = String.raw`(ISO[\s-]?2768|EN\s?22768|JIS\s?B\s?0405|GB\/?T\s?1804|ГОСТ\s?30893\.[12])`;
const PART = String.raw`(?:-[12](?!\d)|[:-]\d{4}(?!\d)|\s?(?:T|Teil|Tl\.?|part|pt\.?|partie|parte)\s?1(?!\d)){0,2}`;
const BETWEEN = String.raw`[\s:=,/(–-]{0,4}`;
const CLASS =
  String.raw`(?:(?:Toleranz|Genauigkeits)?klasse|tol(?:erance)?\.?\s?class|class|classe|clase|klasa|klass|grad[eo]?|` +
  String.raw`Genauigkeitsgrad|класс(?:\s?точности)?)?`;
const FINE = alternatives('fein fine fin fina точн\\p{L}* dokładn\\p{L}* 精級 精密');
const MEDIUM = alternatives('mittel medium moyen moyenne medio media medel средн\\p{L}* średnio\\p{L}* 中級 中等');
const COARSE = alternatives(
  'grob coarse grossier grossière grossolan[oa] grosero grov груб\\p{L}* zgrubn\\p{L}* 粗級 粗糙',
);
const VERY = String.raw`(?:sehr|very|très|molto|muy|очень|bardzo|mycket)\s`;
/** f, m, c, v, or their names, and perhaps H, K, L of ISO 2768-2; in capitals where all of a sheet is. */
const CLASSES = new RegExp(
  `${START}${STANDARD}${PART}${BETWEEN}${CLASS}${BETWEEN}` +
    String.raw`(?:([fmcv])|(${VERY}(?:${COARSE})|極粗級|最粗)|(${FINE})|(${MEDIUM})|(${COARSE}))` +
    String.raw`(?:[\s/,-]{0,3}([HKL]))?(?![\p{L}\p{N}=])`,
  'giu',
);

/**
 * A class of ISO 2768-1, whose values EN 22768, JIS B 0405, GB/T 1804 and GOST 30893.1 have, with the standard that
 * names it.
 */
export interface StatedClass {
  readonly standard: string;
  readonly name: GeneralClass;
  /** That of ISO 2768-2 behind it, or ''. */
  readonly ofForm: string;
}

/** The classes that a text states: `ISO 2768-mK`, `ISO 2768 mittel`, `JIS B 0405 中級`. */
export function classesIn(text: string): StatedClass[] {
  return [...text.matchAll(CLASSES)].flatMap((found) => {
    const [standard, letter, veryCoarse, fine, medium] = found.slice(1) as (string | undefined)[];
    const ofForm = found[7] ?? '';
    // In a text of small letters `H` may begin another word.
    if (/[hkl]/.test(ofForm)) return [];
    const name =
      letter?.toLowerCase() ??
      (veryCoarse !== undefined ? 'v' : fine !== undefined ? 'f' : medium !== undefined ? 'm' : 'c');
    return [{ standard: standardOf(standard ?? ''), name: name as GeneralClass, ofForm }];
  });
}

/** The name of a standard in one spelling. */
function standardOf(written: string): string {
  return NAMES_OF_CLASSES.find(([letter]) => letter === written[0].toUpperCase()) ?? written;
}

const NUMERALS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4 };
/** `TWO PLACE DECIMAL`, `2 DECIMALS`, `3 PLC DEC`, `2 Nachkommastellen`. */
const BY_WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])(one|two|three|four|[0-4])[\s-]?(?:(?:places?|plc?\.?)[\s-]?(?:dec(?:imals?)?\.?)|` +
    String.raw`dec(?:imals?)?\.?(?:[\s-](?:places?|plc?s?\.?))?|d\.p\.|places?|Nachkommastellen?|Dezimalen?|Dezimalstellen?|décimales?|` +
    String.raw`decimali|decimales)(?=\s?[:=]?\s?±)`,
  'giu',
);
/** `U.O.S.`, `U.N.O.`: unless otherwise specified, unless noted otherwise. */
const UNLESS = /(?<![\p{L}.])U\.?\s?(?:O\.?\s?[SN]|N\.?\s?O)\.?(?![\p{L}])/gu;

/** Half of an angle in minutes, or as a fraction of a degree. */
const MINUTES = /±\s?(?:(\d{1,2})\s?°\s?)?(\d{1,2})\s?['′](?!\d)/g;
const PART_OF_DEGREE = /±\s?(\d)\/(\d)\s?°/g;
/** `.XXX = .005`, without a ±. */
const EQUALS = /(?<=\.X{1,4})\s?=\s?(?=[\d.,])/gi;

/** A line with ± as one sign, `.XX` for two decimals in words, degrees with decimals, and `unless` in full. */
export function plainTolerances(line: string): string {
  if (!/[±\d]/.test(line)) return plainSigns(line);
  const degrees = (value: number): string => `±${Number(value.toPrecision(4))}°`;
  return plainSigns(line)
    .replace(EQUALS, ' ±')
    .replace(MINUTES, (_, whole: string | undefined, minutes: string) =>
      degrees(Number(whole ?? 0) + Number(minutes) / 60),
    )
    .replace(PART_OF_DEGREE, (_, above: string, below: string) => degrees(Number(above) / Number(below)))
    .replace(BY_WORDS, (_, count: string) => {
      const places = NUMERALS[count.toLowerCase()] ?? Number(count);
      return places === 0 ? 'X' : `.${'X'.repeat(places)}`;
    })
    .replace(UNLESS, 'unless otherwise');
}

/** Names of general tolerances as a whole. */
export const HEADS =
  String.raw`general\s+(?:\w+\s+)?toleran|\b(?:gen|std)\.?\s?tol|allgemeintoleran|freima(?:ß|ss)tol|tol(?:[eé]rances?|\.)\s+g[eé]n|` +
  String.raw`(?:tolleranze|quote)\s+(?:general|senza\s+toll)|tolerancias?\s+general|algemene\s+toler|generella\s+toler|tolerancje\s+(?:ogóln|nieoznacz)|` +
  String.raw`(?:общие|неуказанные)\s.{0,20}(?:допуск|отклонен)|(?:普通|一般|指示(?:の)?なき|未注).{0,4}(?:公差|許容差|允差)`;

/** Faces that a tolerance holds for, and not for others: `ISO 2768-m for machined surfaces`. */
export const FOR_SOME_FACES = new RegExp(
  String.raw`(?:(?:un)?machined|milled|turned|cast|welded|sheet[\s-]metal|(?:un)?bearbeitete?\p{L}*|spanend\p{L}*|gefräst\p{L}*|gegossene?\p{L}*|` +
    String.raw`usinée?s?|lavorat[aei]|mecanizad[ao]s?|obrobion\p{L}*|обработанн\p{L}*)\s(?:faces?|surfaces?|areas?|features?|edges?|dimensions?|` +
    String.raw`flächen?|ma(?:ß|ss)e|cotes|superfici(?:es?)?|quote|powierzchni\p{L}*|поверхност\p{L}*)|` +
    String.raw`(?:surfaces?|faces?|superfici(?:es?)?|cotes|quote|powierzchni\p{L}*)\s(?:usinée?s?|lavorat[aei]|mecanizad[ao]s?|obrobion\p{L}*)|機械加工面|加工面`,
  'iu',
);

/** What says that a ± is for all sizes. */
export const FOR_ALL = new RegExp(
  `${HEADS}|` +
    String.raw`general|g[eé]n[eé]ral|\ball[ea]?\b|allgemein|untoler|nicht toler|unbema(?:ß|ss)t|nietolerow|unless|otherwise|` +
    String.raw`(?:wenn|falls|sofern|soweit) nicht|ohne toleranz|sauf|sans tol|non (?:indiqu|tol)|salvo|sin tol|no indicad|se non|` +
    String.raw`senza tolleranza|non tollerat|tolerances\s*:?\s*±|\bstandard tol`,
  'iu',
);
/** What a line about all sizes names. */
export const ABOUT_SIZES =
  /tol(?:l?[eé]r|\.|\b)|dimension|\bsizes\b|cot[ea]s|quote|ma(?:ß|ss)e|mått|wymiar|отклонен|допуск|公差|許容差|允差|unless|otherwise/iu;

/**
 * Words beside a ± that is for all sizes: `All dimensions ±0.1 unless otherwise stated`. Any other word may say that it
 * is for some.
 */
export const OF_ALL = new RegExp(
  `^(?:${alternatives(
    'general gen std standard overall all any untoleranced untolerated toleranc(?:es?|ing) tol unless otherwise other specified',
    'stated noted indicated shown marked toleranced without if not dim(?:ension)?s? sizes? linear lengths? angular angles?',
    'mm inch(?:es)? in are is be to on for of the an and notes? decimals?',
    'alle allgemein(?:toleranz(?:en)?|e)? frei(?:maß|mass)toleranz(?:en)? toleranz(?:en|angaben?)? ma(?:ß|ss)e untolerierten?',
    'tolerierten? unbema(?:ß|ss)ten? längen(?:maße)? winkel(?:maße)? wenn falls sofern soweit nicht ohne anders angegeben sonst für und',
    'g[eé]n g[eé]n[eé]rales? tol[eé]rances? tol[eé]ranc[eé]es cotes lin[eé]aires? angulaires? toutes les sauf sans non indiqu[eé]es',
    'indications? contraires? et',
    'toll(?:eranz[ae])? generali dimensioni quote lineari angolari salvo senza se non tollerate specificato indicato diversamente',
    'tolerancias? generales cotas indicadas no sin y',
    'algemene tolerantie[s]? generella toleranser alla mått för',
    'tolerancje ogólne nieoznaczone wymiary nietolerowane wymiarów nietolerowanych',
    'неуказанные предельные отклонения размеров общие допуски',
    '(?:普通|一般|指示(?:の)?なき|未注)(?:寸法|尺寸)?(?:公差|許容差|允差)',
  )})$`,
  'iu',
);
