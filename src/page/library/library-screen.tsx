/** All files of the company. */
export function LibraryScreen() {
  return <h1>Library</h1>;
}
