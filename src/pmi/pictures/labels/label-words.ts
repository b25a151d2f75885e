import type { KnownText } from './known-words.js';

/** Labels of title blocks in six languages, by the field that they ask for; '' for those that ask for none. */
const LABELS: readonly (readonly [name: string, labels: string])[] = [
  [
    'Part number',
    'DWG NO|DRAWING NO|DRAWING NUMBER|PART NO|PART NUMBER|DOCUMENT NUMBER|DOC NO|ZEICHNUNGSNR|TEILENUMMER',
  ],
  ['Part number', 'SACHNUMMER|ARTIKELNUMMER|N° DE PLAN|NUMÉRO DE PLAN|N. DISEGNO|CODICE'],
  ['Name', 'DESCRIPTION|TITLE|DRAWING TITLE|PART NAME|BENENNUNG|TITEL|TITRE|DÉSIGNATION|TITOLO|DENOMINAZIONE|TÍTULO'],
  ['Material', 'MATERIAL|MATL|WERKSTOFF|MATIÈRE|MATÉRIAU|MATERIALE|MATERIAAL'],
  ['Scale', 'SCALE|MASSSTAB|MABSTAB|ÉCHELLE|SCALA|ESCALA|SCHAAL'],
  ['Mass', 'WEIGHT|MASS|WEIGHT (kg)|GEWICHT|MASSE|POIDS|PESO|MASSA'],
  ['Revision', 'REVISION|REV|ÄNDERUNG|INDEX|INDICE|RÉVISION|REVISIONE|REVISIE'],
  ['Finish', 'FINISH|SURFACE TREATMENT|TREATMENT|COATING|OBERFLÄCHE|OBERFLÄCHENBEHANDLUNG|OBERFLAECHE|FINITION'],
  ['Finish', 'TRAITEMENT|FINITURA|TRATTAMENTO|ACABADO'],
  ['Date', 'DATE|DATE OF ISSUE|DATUM|DATA|FECHA'],
  ['Drawn by', 'DRAWN|DRAWN BY|CREATED BY|DESIGNED BY|GEZEICHNET|ERSTELLT|DESSINÉ PAR|DISEGNATO|DISEG|DIBUJADO'],
  ['', "CHECKED|CHK'D|APPROVED|APPROVED BY|APPV'D|GEPRÜFT|FREIGEGEBEN|VÉRIFIÉ|APPROUVÉ|VERIF|APPR|SHEET|BLATT|FEUILLE"],
  ['', 'FOGLIO|SIZE|FORMAT|FORMATO|NAME|SIGNATURE|TOLERANCES|LINEAR|ANGULAR|UNLESS OTHERWISE SPECIFIED'],
];

/** The labels with their letters as they are compared. */
export const LABEL_WORDS: readonly KnownText[] = Object.freeze(
  LABELS.flatMap(([name, labels]) =>
    labels.split('|').map((label) => ({
      name,
      label,
      letters: lettersOf(label),
    })),
  ),
);

/** The letters of a text as they are compared: capitals without accents. */
function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
}

/** Labels shorter than this are like other words by one letter. */
const SPELLED = 5;

/** A text that was read, with the label before its colon as it is spelled, though one letter may be wrong. */
export function withSpelledLabel(text: string): string {
  const [head, ...rest] = text.split(':');
  if (rest.length === 0) return text;
  const read = lettersOf(head);
  const likely = LABEL_WORDS.filter(({ letters }) => letters.length >= SPELLED && isOneOff(letters, read));
  const isOne = likely.length > 0 && likely.every(({ name }) => name === likely[0].name);
  return isOne ? [likely[0].label, ...rest].join(':') : text;
}

/** Whether two words differ by one letter: another, one more or one less. */
function isOneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const behind =
    a.length === b.length ? [same + 1, same + 1] : a.length > b.length ? [same + 1, same] : [same, same + 1];
  return a.slice(behind[0]) === b.slice(behind[1]);
}
