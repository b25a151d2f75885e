import { MILLIMETRES } from '../content/units.js';

/** A unit of measure: value in the base unit = number × factor + offset. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
  /** Not 0 for temperatures only. */
  readonly offset: number;
}

const INCH = MILLIMETRES.in;
const FOOT = 304.8;
const POUND_G = 453.59237;
/** Newtons of one pound-force, exact by definition. */
const POUND_FORCE_N = 4.4482216152605;
const PSI_MPA = POUND_FORCE_N / (INCH * INCH);

/**
 * The units that attributes are compared in: dimension, base unit, then names with their factors. Case counts where it
 * tells units apart (mW, MW); elsewhere another case of two letters or more is understood too (MM, Inch). Factors are
 * exact by definition (SI; international yard and pound, 1959) or derived from such.
 */
export const UNITS: readonly (readonly [
  dimension: string,
  base: string,
  factors: readonly (readonly [names: string, factor: number, offset?: number])[],
])[] = [
  [
    'length',
    'mm',
    [
      ['nm', 1e-6],
      ['um µm μm micron microns', 1e-3],
      ['mm millimeter millimeters millimetre millimetres', 1],
      ['cm centimeter centimetre', 10],
      ['dm', 100],
      ['m meter meters metre metres', 1000],
      ['km', 1e6],
      ['in inch inches zoll " \u2033 \u201D', INCH],
      ["ft foot feet ' \u2032", FOOT],
      ['yd yard yards', 914.4],
      ['mil mils thou', INCH / 1000],
    ],
  ],
  [
    'area',
    'mm2',
    [
      ['um2 µm2', 1e-6],
      ['mm2 mm² mm^2 sqmm', 1],
      ['cm2 cm² cm^2', 100],
      ['dm2 dm² dm^2', 1e4],
      ['m2 m² m^2 sqm', 1e6],
      ['in2 in² in^2 sqin', INCH ** 2],
      ['ft2 ft² ft^2 sqft', FOOT ** 2],
    ],
  ],
  [
    'volume',
    'mm3',
    [
      ['mm3 mm³ mm^3', 1],
      ['cm3 cm³ cm^3 cc ml mL', 1e3],
      ['dm3 dm³ dm^3 l L liter litre liters litres', 1e6],
      ['m3 m³ m^3', 1e9],
      ['in3 in³ in^3', INCH ** 3],
      ['ft3 ft³ ft^3', FOOT ** 3],
    ],
  ],
  [
    'mass',
    'g',
    [
      ['ug µg', 1e-6],
      ['mg', 1e-3],
      ['g gram grams', 1],
      ['kg kilogram kilograms', 1e3],
      ['t tonne tonnes', 1e6],
      ['oz ounce ounces', POUND_G / 16],
      ['lb lbs pound pounds', POUND_G],
    ],
  ],
  [
    'angle',
    'deg',
    [
      ['deg ° º \u02DA degree degrees', 1],
      ['rad', 180 / Math.PI],
      ['mrad', 0.18 / Math.PI],
      ['gon grad', 0.9],
      ['arcmin', 1 / 60],
      ['arcsec', 1 / 3600],
    ],
  ],
  [
    'pressure',
    'MPa',
    [
      ['Pa', 1e-6],
      ['hPa mbar', 1e-4],
      ['kPa', 1e-3],
      ['bar', 0.1],
      ['MPa N/mm2 N/mm² N/mm^2', 1],
      ['GPa kN/mm2', 1e3],
      ['psi', PSI_MPA],
      ['ksi', 1e3 * PSI_MPA],
    ],
  ],
  [
    'force',
    'N',
    [
      ['mN', 1e-3],
      ['N newton newtons', 1],
      ['kN', 1e3],
      ['MN', 1e6],
      ['kgf kp', 9.80665],
      ['lbf', POUND_FORCE_N],
    ],
  ],
  [
    'torque',
    'Nm',
    [
      ['Nmm N·mm N\u22C5mm N*mm', 1e-3],
      ['Ncm N·cm N\u22C5cm', 1e-2],
      ['Nm N·m N\u22C5m N*m N-m', 1],
      ['kNm kN·m kN\u22C5m', 1e3],
      ['lbf·in lbf-in in-lb inlb lb-in', (POUND_FORCE_N * INCH) / 1e3],
      ['lbf·ft lbf-ft ft-lb ftlb lb-ft', (POUND_FORCE_N * FOOT) / 1e3],
    ],
  ],
  [
    'time',
    's',
    [
      ['ns', 1e-9],
      ['us µs', 1e-6],
      ['ms', 1e-3],
      ['s sec second seconds', 1],
      ['min minute minutes', 60],
      ['h hr hour hours', 3600],
      ['d day days', 86_400],
    ],
  ],
  [
    'voltage',
    'V',
    [
      ['mV', 1e-3],
      ['V volt volts', 1],
      ['kV', 1e3],
    ],
  ],
  [
    'current',
    'A',
    [
      ['uA µA', 1e-6],
      ['mA', 1e-3],
      ['A amp amps ampere amperes', 1],
      ['kA', 1e3],
    ],
  ],
  [
    'power',
    'W',
    [
      ['mW', 1e-3],
      ['W watt watts', 1],
      ['kW', 1e3],
      ['MW', 1e6],
      ['hp', 745.6998715822702],
      ['PS', 735.49875],
    ],
  ],
  [
    'energy',
    'J',
    [
      ['mJ', 1e-3],
      ['J joule joules', 1],
      ['kJ', 1e3],
      ['MJ', 1e6],
      ['Wh', 3600],
      ['kWh', 3.6e6],
    ],
  ],
  [
    'resistance',
    'ohm',
    [
      ['mohm mΩ', 1e-3],
      ['ohm Ω \u2126 ohms', 1],
      ['kohm kΩ', 1e3],
      ['Mohm MΩ', 1e6],
    ],
  ],
  [
    'frequency',
    'Hz',
    [
      ['mHz', 1e-3],
      ['Hz', 1],
      ['kHz', 1e3],
      ['MHz', 1e6],
      ['GHz', 1e9],
    ],
  ],
  ['speed of rotation', 'rpm', [['rpm 1/min min-1 min^-1 r/min U/min', 1]]],
  [
    'speed',
    'm/s',
    [
      ['mm/s', 1e-3],
      ['m/s', 1],
      ['m/min', 1 / 60],
      ['km/h kmh', 1 / 3.6],
      ['mph', 0.44704],
    ],
  ],
  [
    'density',
    'g/cm3',
    [
      ['g/cm3 g/cm³ g/cc g/ml kg/dm3 kg/l', 1],
      ['kg/m3 kg/m³', 1e-3],
    ],
  ],
  [
    'temperature',
    '°C',
    [
      ['°C \u2103 ºC degC C celsius', 1, 0],
      ['K kelvin', 1, -273.15],
      ['°F \u2109 ºF degF F fahrenheit', 5 / 9, -160 / 9],
    ],
  ],
  [
    'share',
    '%',
    [
      ['%', 1],
      ['\u2030', 0.1],
      ['ppm', 1e-4],
    ],
  ],
];

const BY_NAME = new Map<string, Unit>();
/** By lower-case name; undefined where case tells units apart. */
const BY_LOWER = new Map<string, Unit | undefined>();
for (const [dimension, , factors] of UNITS) {
  for (const [names, factor, offset = 0] of factors) {
    for (const name of names.split(' ')) {
      const unit = { dimension, factor, offset };
      BY_NAME.set(name, unit);
      const lower = name.toLowerCase();
      const other = BY_LOWER.get(lower);
      const alike = !BY_LOWER.has(lower) || (other?.dimension === dimension && other.factor === factor);
      BY_LOWER.set(lower, alike ? unit : undefined);
    }
  }
}

/** The unit of this name; undefined when it is not in {@link UNITS}. */
export function unitOf(name: string): Unit | undefined {
  return BY_NAME.get(name) ?? (name.length > 1 ? BY_LOWER.get(name.toLowerCase()) : undefined);
}
