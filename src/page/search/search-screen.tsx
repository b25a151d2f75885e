/** Search by files and words. */
export function SearchScreen() {
  return <h1>Search</h1>;
}
