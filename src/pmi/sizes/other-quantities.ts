import { alternatives } from './alternatives.js';
import { NUMBER } from './numbers.js';

/** Units of hardness, force, torque, pressure and the like; µm are those of coatings and finishes. */
const UNITS = alternatives(
  String.raw`HR(?:A|BW?|C|\d{2}[NT]) HBW? HBS HV\s?\d* HK\s?\d* Shore(?:\s[AD])? [kMc]?Nm Ncm in-?lbs? ft-?lbs? [kM]?N`,
  String.raw`[mk]?bar [kMG]?Pa psi N\/mm[²2]? kg lbs? oz [kmM]?[VWA] Hz rpm U\/min min-1 %(?:\s?\p{L}+)?`,
  String.raw`GA(?:UGE)?\.? [AS]WG [µμu]m microns? micrometers? [µμ]in °\s?[CF]`,
);
/** A number without a sign of a size, its deviations, and the unit of something else on either side of these. */
const DEVIATION = String.raw`\s?[±+-]\s?${NUMBER}(?:\s?\/?\s?[+-]?\s?${NUMBER})?`;
const WITH_UNIT = new RegExp(
  String.raw`(?<![⌀□\d.,]\s?|(?<!\p{L})(?:[RMC]|SW)\s?)${NUMBER}(?:${DEVIATION})?\s?(?:${UNITS})(?![\p{L}\d²³])`,
  'iu',
);
/** What such quantities are called, right before a number without a sign. */
const NAMED = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(
    String.raw`hardness h(?:ä|ae)rte duret[eé] durezza dureza (?:tightening\s)?torque (?:dreh|anzugs)moment couple`,
    'pressure druck pression pressione force kraft vorspannkraft load temperature? temperatur voltage spannung',
  )})\s?[:=]?\s?(?:max\.?|min\.?)?\s?(?=[\d.,])`,
  'iu',
);

/** Whether a text states a quantity that is no length and no angle: `58+2 HRC`, `TORQUE 25 ±2 NM`, `12 ±2 µm`. */
export function isOtherQuantity(plain: string): boolean {
  return WITH_UNIT.test(plain) || NAMED.test(plain);
}
