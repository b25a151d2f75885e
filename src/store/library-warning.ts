/** Something about a library that its owner should know, found when it was opened. */
export interface LibraryWarning {
  /**
   * - `CATALOG_OLDER`: the catalogue is older than the bytes beside it: a copy of it was put back, or its write-ahead
   * log
   *   was lost. Files that it does not know are in `lost+found`.
   */
  readonly code: 'CATALOG_OLDER';
  readonly message: string;
}

/** The warning of an older catalogue. since: when it was found, ISO 8601. lost: byte strings in `lost+found`. */
export function olderWarning(since: string, lost: number): LibraryWarning {
  return {
    code: 'CATALOG_OLDER',
    message:
      `the catalogue is older than the library's last changes (found ${since}): a copy of catalog.sqlite was put back, ` +
      `or catalog.sqlite-wal was lost; ${lost} stored byte strings that it does not name are kept in lost+found. ` +
      'Put the newer catalog.sqlite back; or copy the files with `shapedex verify --rescue <folder>` and put them again',
  };
}

/**
 * Whether bytes came to `lost+found` because the catalogue is older, as far as their entry tells: all that no
 * interrupted put or removal left there.
 */
export function isOfOlder({ why }: { readonly why: string }): boolean {
  return why !== unownedReason(false);
}

/** Why bytes without owner are in `lost+found`. */
export function unownedReason(isOlder: boolean): string {
  return isOlder
    ? 'no row of the catalogue names it, and the catalogue is older than the last changes'
    : 'no row of the catalogue names it: a put or a removal was interrupted, or the catalogue was replaced';
}
