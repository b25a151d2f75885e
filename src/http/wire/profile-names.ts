import type { CompanyProfile } from '../../accounts/index.js';

/** The interface's names of profile fields, where they are not the engine's. */
const NAMES: Readonly<Partial<Record<keyof CompanyProfile, string>>> = {
  hideFileExtensionNumber: 'hideFileExtNum',
  isRfqThreeD: 'isRFQThreeD',
  shapeOnlyDuplicates: 'shapeOnlyDups',
  attributesOnlyDuplicates: 'attrsOnlyDups',
  shapeAndAttributesDuplicates: 'shapePlusAttrsDups',
  addsComparedFiles: 'addCompareFilesToDB',
  usesOldTextQuery: 'useOldESTextQuery',
  usesRag: 'useRAG',
  usesPublicUrl: 'usePublicURL',
  publicUrl: 'publicURL',
  companyUrl: 'companyURL',
  folderUrl: 'folderURL',
  logoHtml: 'logoHTML',
  engineSetting: 'beSetting',
  volumeTolerance: 'volTolerance',
  bboxVolumeTolerance: 'bbVolTolerance',
  priorityAttributes: 'priorityAttrs',
  listedAttributes: 'listAttrs',
  dependentAttributes: 'dependentDdlAttrs',
  maxRfqSearchResults: 'maxRFQSearchResults',
  exactVolumeTolerance: 'exactVolTolerance',
  exactBboxVolumeTolerance: 'exactBBVolTolerance',
};

const FIELDS = new Map(Object.entries(NAMES).map(([field, name]) => [name, field]));

/** The interface's name of a profile field. */
export function wireNameOf(field: string): string {
  return NAMES[field as keyof CompanyProfile] ?? field;
}

/** The profile field of this name in the interface; any other name unchanged. */
export function fieldOfWireName(name: string): string {
  return FIELDS.get(name) ?? name;
}
