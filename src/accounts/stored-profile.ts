/** Under which names the catalogue holds fields of a profile, where these are not their own: those of version 0.1. */
const STORED_AS: Readonly<Record<string, string>> = Object.freeze({
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
});

/** The name of a profile field in the catalogue. */
export function storedNameOf(field: string): string {
  return STORED_AS[field] ?? field;
}
