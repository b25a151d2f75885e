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
      letters: label
        .normalize('NFD')
        .toUpperCase()
        .replace(/[^A-Z]/g, ''),
    })),
  ),
);
