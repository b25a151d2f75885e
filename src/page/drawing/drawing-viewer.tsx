/** The pages of a drawing, an image or a document. */
export function DrawingViewer({ uid }: { readonly uid: string }) {
  return <p>Drawing {uid}</p>;
}
