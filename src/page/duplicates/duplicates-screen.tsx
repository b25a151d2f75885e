/** Groups of duplicates. */
export function DuplicatesScreen() {
  return <h1>Duplicates</h1>;
}
