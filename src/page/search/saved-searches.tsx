/** The user's saved searches. */
export function SavedSearches() {
  return <h1>Saved searches</h1>;
}
