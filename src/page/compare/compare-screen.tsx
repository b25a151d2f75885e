/** Two files beside and over each other. */
export function CompareScreen({ uid, otherUid }: { readonly uid: string; readonly otherUid: string }) {
  return <h1>Compare {uid} and {otherUid}</h1>;
}
