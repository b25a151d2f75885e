/** A label of a title block. */
export interface Label {
  readonly pattern: RegExp;
  /** The attribute that its value becomes; '' for labels that only mark the block. */
  readonly name: string;
  /** Values that only stand behind the label, in one string with it. */
  readonly isInline?: boolean;
}

/** What stands behind a label and belongs to it: units, a full stop, a colon. */
const END = String.raw`(?:\s?[([](?:kg|g|lbs?|lb|mm|in|t)[)\]])?\.?(?![\p{L}\p{N}])\s*(?:NO|NR)?\.?\s*:?`;

function label(words: string, name: string, more: Pick<Label, 'isInline'> = {}): Label {
  return { pattern: new RegExp(`^(?:${words})${END}`, 'iu'), name, ...more };
}

/**
 * Labels by ISO 7200, ASME Y14.1 and the templates of common drawing programs: English, German, French, Italian,
 * Spanish, Dutch, Polish, Russian (GOST 2.104), Japanese and Chinese. The first that matches holds.
 */
export const LABELS: readonly Label[] = [
  label(
    String.raw`(?:DWG|DRAWING|DRG|PART|ITEM|ARTICLE|DOCUMENT|DOC)\.?\s*(?:NO|NUMBER|NR|NUM|#|ID)|IDENTIFICATION NUMBER|` +
      String.raw`(?:TEILE?|ZEICHNUNGS?|ARTIKEL|SACH|DOKUMENTEN?)-?\s?(?:NR|NUMMER)|N(?:[°º]|R|UM[EÉ]RO|UMERO)?\.?\s*(?:DE\s+)?` +
      String.raw`(?:DESSIN|PLAN|DISEGNO|DIBUJO|PLANO|PI[EÈ]CE|PEZZO|PIEZA)|TEKENING\s?(?:NR|NUMMER)|CODICE|ОБОЗНАЧЕНИЕ|` +
      String.raw`(?:ZEICHN|ZCHNG|ZG)\.?[ -]?(?:NR|NUMMER)|ZEICHNUNG(?=\s*(?::|$))|DISEGNO N[R°º]?|NR (?:RYS(?:UNKU)?|CZ[ĘE]ŚCI)|` +
      String.raw`図番|図面番号|品番|图号|零件号`,
    'Part number',
  ),
  label(
    String.raw`TITLE|DRAWING TITLE|PART NAME|DRAWING NAME|BENENNUNG|TITEL|TITRE|D[EÉ]SIGNATION|TITOLO|DENOMINAZIONE|T[IÍ]TULO|` +
      String.raw`DENOMINACI[OÓ]N|BENAMING|НАИМЕНОВАНИЕ|NAME(?=\s*:)|` +
      String.raw`BEZEICHNUNG|NAZWA(?: CZ[ĘE]ŚCI)?|名称|図名|品名`,
    'Name',
  ),
  label(
    String.raw`MATERIAL|MATL|WERKSTOFF|MATI[EÈ]RE|MAT[EÉ]RIAU|MATERIALE|MATERIAAL|MATERIAŁ|МАТЕРИАЛ|WERKST|材質|材料`,
    'Material',
  ),
  label(
    String.raw`SCALE|MA(?:ß|SS|B)STAB|[EÉ]CHELLE|SCALA|ESCALA|SCHAAL|SKALA|PODZIAŁKA|МАСШТ(?:АБ)?|尺度|比例`,
    'Scale',
  ),
  label(String.raw`WEIGHT|MASS|GEWICHT|MASSE|POIDS|PESO|MASSA|MASA|МАССА|ВЕС|GEW(?=\.)|質量|重量|质量`, 'Mass'),
  label(
    String.raw`REVISION|REV|(?:Ä|AE)NDERUNG(?:SINDEX|SSTAND)?|INDEX|INDICE|IND(?=\.)|R[EÉ]VISION|REVISIONE|` +
      String.raw`REVISI[OÓ]N|REVISIE|ISSUE|РЕВИЗИЯ|版本|版次|改訂`,
    'Revision',
  ),
  label(String.raw`SURFACE FINISH|FINITURA SUPERFICIE`, 'Finish', { isInline: true }),
  label(
    String.raw`FINISH|SURFACE TREATMENT|TREATMENT|COATING|OBERFL(?:Ä|AE)CHE(?:NBEHANDLUNG)?|FINITION|FINITURA|` +
      String.raw`ACABADO|AFWERKING|TRAITEMENT(?! THERM)(?: DE SURFACE)?|TRATTAMENTO(?! TERM)(?: SUPERFICIALE)?|` +
      String.raw`TRATAMIENTO(?! T[EÉ]RM)(?: (?:SUPERFICIAL|DE SUPERFICIE))?|ПОКРЫТИЕ|OBERFL(?=\.)|表面処理|表面处理`,
    'Finish',
  ),
  label(
    String.raw`DATE(?: OF ISSUE)?(?=\s*(?::|$))|DATUM(?=\s*(?::|$))|DATA(?=\s*(?::|$))|FECHA|ДАТА(?=\s*(?::|$))|日付|日期`,
    'Date',
  ),
  label(
    String.raw`DRAWN(?:\s+BY)?|MADE BY|CREATED BY|DESIGNED BY|GEZEICHNET|ERSTELLT|DESSIN[EÉ](?: PAR)?|DISEG|DISEGNATO(?: DA)?|` +
      String.raw`DIBUJADO(?: POR)?|GETEKEND|РАЗРАБ(?:ОТАЛ)?|BEARB(?:EITER|EITET)?|GEZ(?=\.)|ERST(?=\.)|RYSOWAŁ|` +
      String.raw`KREŚLIŁ|PROJEKTOWAŁ|製図|設計|制图|设计`,
    'Drawn by',
  ),
  label(String.raw`DESCRIPTION|DESCRIZIONE|DESCRIPCI[OÓ]N|OMSCHRIJVING`, 'Name'),
  label(
    String.raw`GENERAL TOLERANCES?|ALLGEMEINTOLERANZ(?:EN)?|TOL[EÉ]RANCES? G[EÉ]N[EÉ]RALES?|TOLLERANZE GENERALI|TOLERANCIAS GENERALES`,
    'General tolerance',
  ),
  label(
    String.raw`(?:UNITS?(?: OF MEASURE)?|EINHEIT(?:EN)?|UNIT[ÉE]S?|UNIT[ÀA](?: DI MISURA)?|UNIDAD(?:ES)?|` +
      String.raw`EENHEID)(?=\s*(?::|$))`,
    'Units',
  ),
  label(String.raw`UNITS?|DIMENSIONS (?:ARE )?IN|QUOTE IN|COTES EN|ALL DIMENSIONS`, ''),
  {
    name: '',
    pattern: new RegExp(
      String.raw`^(?:CHK'?D|CHECKED|APPV'?D|APPR|APPROVED|ENG APPR|MFG|DOCUMENT (?:TYPE|STATUS)|TECHNICAL REFERENCE|DEPT|` +
        String.raw`LEGAL OWNER|Q\.?A|COMMENTS?|NAME|SIGNATURE|SHEET|SIZE|FORMATO?|DO NOT SCALE(?: DRAWING)?|TOLERANCES?|LINEAR|` +
        String.raw`ANGULAR|UNLESS OTHERWISE SPECIFIED|DEBURR?(?: AND)?|BREAK (?:ALL )?SHARP|EDGES?|NEXT ASSY|USED ON|APPLICATION|` +
        String.raw`BLATT|GEPR(?:Ü|UE)FT|FREIGEGEBEN|NORM|FEUILLE|V[EÉ]RIFI[EÉ]|APPROUV[EÉ]|FOGLIO|NOME|FIRMA|VERIF|FABB|QUAL|` +
        String.raw`SE NON SPECIFICATO|TOLLERANZE|LINEARE|ANGOLARE|INTERRUZIONE|BORDI NETTI|NON SCALARE(?: DISEGNO)?|HOJA|` +
        String.raw`NOMBRE|REVISADO|APROBADO|SPRAWDZIŁ|ZATWIERDZIŁ|ARKUSZ|ПРОВ|УТВ|ЛИСТОВ|検図|承認|审核|批准|HALBZEUG|ROHTEIL(?:-?\s?NR)?|H(?:Ä|AE)RTE|` +
        String.raw`W(?:Ä|AE)RMEBEHANDLUNG|TRAITEMENT THERMIQUE|TRATTAMENTO TERMICO|TRATAMIENTO T[EÉ]RMICO|` +
        String.raw`HARDNESS|HEAT TREAT(?:MENT)?|STOCK(?: SIZE)?|DURET[EÉ]|BRUT|GREZZO|DUREZZA|` +
        String.raw`CUSTOMER|PROJECT|COMPANY|PROJECTION)(?![\p{L}]).{0,20}$`,
      'iu',
    ),
  },
];

/** What a value looks like, for attributes whose values have a form; others may say anything. */
export const FORMS: Readonly<Record<string, RegExp>> = {
  Date: /\d.*\d/,
  Mass: /^[~≈]?\s?(?:\d+[.,]\d+|[.,]\d+|\d+\s?(?:kg|(?:kilo)?gramm?s?|gr?|lbs?|oz|t)\b|\d+\s?к?г(?!\p{L}))/iu,
  Scale: /^\s?\d+(?:[.,]\d+)?\s?[:/]\s?\d+(?!\d*\/)|^(?:NTS|NONE|FULL|N\/A)$/i,
  Revision:
    /^(?:[A-Z]{1,2}\d{0,2}|[a-z]|\d{1,3}(?:[.,]\d{1,2})?(?:[A-Z])?|REV\.?\s?[A-Z0-9]{1,3}|-|[Vv]\d+(?:\.\d+)?)$/,
  'General tolerance': /\d/,
  Units: /^(?:mm|mill?im[eè]t(?:er|re|ri|ros)s?|in\.?|inch(?:es)?|zoll|pouces?|pollici|pulgadas?)$/i,
};

/** A scale of ISO 5455 of which the colon was not read: `12` for 1:2, `201` for 20:1. */
const WITHOUT_COLON = /^(?:(1)(1|[25]0{0,3}|10{1,4})|([25]0?|10)(1))$/;

/** The scale that figures without a colon are, where they are one. */
export function asScale(figures: string): string | undefined {
  const found = WITHOUT_COLON.exec(figures);
  return found === null ? undefined : `${found[1] ?? found[3]}:${found[2] ?? found[4]}`;
}

/** Whether a text may be the value of a field, by its form. */
export function isValueOf(name: string, value: string): boolean {
  return /[\p{L}\d]/u.test(value) && FORMS[name]?.test(value) !== false;
}

/** Headings of tables of revisions, parts, holes and tolerances: several of them in a row are no labels. */
export const HEADINGS = new RegExp(
  String.raw`^(?:` +
    String.raw`REV(?:ISION)?\.?|ZONE|DESCRIPTION|DATE|APPROVED|BY|ECN|ECO|CHG|ITEM(?: NO\.?)?|QTY\.?|QUANTITY|` +
    String.raw`PART (?:NO\.?|NUMBER)|MATERIAL|REMARKS?|POS\.?|BENENNUNG|MENGE|NAME|INDEX|DATUM|ÄNDERUNG|N\.?|` +
    String.raw`CHECKED|MODIFICATION|TAG|[XY][ -]?LOC\.?|LOC\.?|SIZE|HOLE` +
    ')$',
  'i',
);

/** A label at the beginning of a text. */
export interface TextLabel {
  readonly name: string;
  /** What stands behind it in the same string. */
  readonly value: string;
  readonly isInline: boolean;
}

/** The label that a text begins with; `other`: it begins like one, but is a sentence. */
export function labelIn(text: string): TextLabel | 'other' | undefined {
  for (const { pattern, name, isInline = false } of LABELS) {
    // The colon of a drawn label may be read as a point.
    const match = pattern.exec(text) ?? pattern.exec(text.replace(/(?<=[A-Z]{3})\.$/, ':'));
    if (match === null) continue;
    // A word that begins a sentence is no label.
    const value = text.slice(match[0].length).trim();
    if (value !== '' && name !== '' && !/[:.)]\s*$/.test(match[0]) && !mayFollow(name, value)) return 'other';
    return { name, value, isInline };
  }
  return undefined;
}

/** Whether a text behind a label without a colon is its value: `SCALE 1:2`, but not `MATERIAL TO BE DEBURRED`. */
function mayFollow(name: string, value: string): boolean {
  return (
    FORMS[name]?.test(value) ?? (value.split(' ').length <= 4 && !/^(?:TO|OF|IS|ARE|AND|FOR|BY|IN|ON)\b/i.test(value))
  );
}

/** Whether a text asks for a value: it ends with a colon. */
export function asksFor(text: string): boolean {
  return text.endsWith(':');
}
