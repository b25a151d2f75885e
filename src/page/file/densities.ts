/** A material by what people call it. */
interface Material {
  readonly name: string;
  /** g/cm³, as tables of materials give it at room temperature; of a family, that of its usual members. */
  readonly density: number;
  /** Designations and names of it, in lower case. */
  readonly known: RegExp;
}

/**
 * Materials of parts, the narrower before the wider, because the first that fits is taken: `stainless steel` is no
 * carbon steel.
 */
export const MATERIALS: readonly Material[] = [
  {
    name: 'Stainless steel',
    density: 7.9,
    known: /stainless|inox|edelstahl|\b1\.4[35]\d\d\b|\bx\d+cr|\b(304|316|303|321|430|420)l?\b|\ba[24]-\d\d\b|\bsus/,
  },
  { name: 'Cast iron', density: 7.2, known: /cast iron|grauguss|\bgj[ls]\b|\bgg[g]?-?\d|en-gj/ },
  {
    name: 'Steel',
    density: 7.85,
    known:
      /steel|stahl|acier|acciaio|\b1\.[0-37]\d\d\d\b|\bs\d{3}[a-z]|\bc\d\d[er]?\b|\bst ?\d\d|\d\dcrmo|\d\dmncr|crni|\b11smn|\bdc0\d|^(8\.8|10\.9|12\.9)$/,
  },
  {
    name: 'Aluminium',
    density: 2.7,
    known: /alumin|\balu\b|\b(en )?aw-?\d{4}|\b[5-7]0\d\d\b|\balmg|\balsi|\b3\.\d{4}\b/,
  },
  { name: 'Titanium', density: 4.43, known: /titan|\bti-?6al|\b3\.7\d\d\d\b/ },
  { name: 'Brass', density: 8.5, known: /brass|messing|laiton|ottone|\bcuzn|\bms ?58\b|\bcw\d{3}[nrm]\b/ },
  { name: 'Bronze', density: 8.8, known: /bronze|\bcusn|\brg ?7\b/ },
  { name: 'Copper', density: 8.96, known: /copper|kupfer|cuivre|\bcu-|\bcw00/ },
  { name: 'Magnesium', density: 1.8, known: /magnes|\baz91/ },
  { name: 'Zinc', density: 6.7, known: /zinc|\bzink\b|zamak|\bznal/ },
  { name: 'Nickel alloy', density: 8.4, known: /inconel|hastelloy|nickel|\bmonel/ },
  { name: 'Polyamide', density: 1.14, known: /polyamid|nylon|\bpa ?(6|66|12)?\b/ },
  { name: 'POM', density: 1.41, known: /\bpom\b|acetal|delrin/ },
  { name: 'ABS', density: 1.05, known: /\babs\b/ },
  { name: 'PLA', density: 1.24, known: /\bpla\b/ },
  { name: 'PETG', density: 1.27, known: /\bpetg?\b/ },
  { name: 'Polycarbonate', density: 1.2, known: /polycarbonat|\bpc\b|makrolon/ },
  { name: 'Polyethylene', density: 0.95, known: /polyethylen|\b(pe|hdpe|pe-?hd)\b/ },
  { name: 'Polypropylene', density: 0.91, known: /polypropylen|\bpp\b/ },
  { name: 'PVC', density: 1.4, known: /\bpvc\b/ },
  { name: 'PTFE', density: 2.2, known: /\bptfe\b|teflon/ },
  { name: 'PEEK', density: 1.32, known: /\bpeek\b/ },
  { name: 'Acrylic glass', density: 1.19, known: /\bpmma\b|acrylic|plexi/ },
  { name: 'Rubber', density: 1.2, known: /rubber|gummi|\b(nbr|epdm|fkm)\b/ },
  { name: 'Silicone', density: 1.15, known: /silicon|\bvmq\b/ },
];

/** The material that a text names; undefined where none of the list is recognised. */
export function materialOf(text: string): Material | undefined {
  const folded = text.toLowerCase();
  return MATERIALS.find(({ known }) => known.test(folded));
}

/** Grams per cm³ of one of these. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  'g/cm3': 1,
  'g/cm³': 1,
  'kg/dm3': 1,
  'kg/m3': 1e-3,
  'kg/m³': 1e-3,
  'kg/mm3': 1e6,
  'lb/in3': 27.6799,
};

/** A density in g/cm³; undefined where the text is no number above 0, or the unit is unknown. */
export function densityOf(text: string, unit: string): number | undefined {
  const value = Number(text.replace(',', '.')) * (UNITS[unit.toLowerCase().replaceAll(' ', '')] ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
