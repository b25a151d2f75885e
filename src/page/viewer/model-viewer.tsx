/** A model in 3D. */
export function ModelViewer({ uid }: { readonly uid: string }) {
  return <p>Model {uid}</p>;
}
