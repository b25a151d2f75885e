/**
 * All pages of a door that reads rows by rising file id. A file may be added or removed while the pages are read;
 * whoever keeps what was read must also hear of later changes.
 * after: the rows after a file; none behind the last.
 */
export async function* pagesOf<Row extends { readonly fileId: number }>(
  after: (fileId: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, void> {
  for (let last = 0; ; ) {
    const rows = await after(last);
    if (rows.length === 0) return;
    yield rows;
    last = rows[rows.length - 1].fileId;
  }
}
